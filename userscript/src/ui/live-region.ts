import { element } from './element.ts'

/** Says a sentence to screen readers, through one polite live region a page. */
export interface Announcer {
  /** Makes the region if the page has lost it: one that is there before its text is read out reliably. */
  prepare(): void
  /** @param sentence with nothing in it that the catalogue wrote, but a command that was rendered */
  say(sentence: string): void
}

/** @param language of the sentences */
export function createAnnouncer(language: () => string): Announcer {
  const region = element('div', { class: 'plugmark-unseen', role: 'status', 'data-plugmark-live': '' })
  const prepare = () => {
    // Beside the body, which navigation swaps and puts into its cache.
    if (!region.isConnected) document.documentElement.append(region)
  }
  return {
    prepare,
    say(sentence) {
      prepare()
      region.textContent = ''
      // The same sentence twice is read twice only when the text changes in between.
      requestAnimationFrame(() => {
        region.lang = language()
        region.textContent = sentence
      })
    },
  }
}
