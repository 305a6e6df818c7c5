import controlsCss from './controls.css?raw'
import { element } from './element.ts'
import { addStyles } from './stylesheet.ts'

/** Time for which a sentence stays in the page. ms */
const SAID_MS = 10_000

/** Says sentences to screen readers, through one polite live region a page. */
export interface Announcer {
  /** Adds the region if the page has lost it: one that is there before its text changes is read out reliably. */
  prepare(): void
  /** @param sentence without anything that the catalogue wrote, except a rendered command */
  say(sentence: string): void
}

/** @param language of the sentences */
export function createAnnouncer(language: () => string): Announcer {
  let timer: ReturnType<typeof setTimeout> | undefined
  const region = element('div', { class: 'plugmark-unseen', role: 'status', 'data-plugmark-live': '' })
  const prepare = () => {
    if (region.isConnected) return
    addStyles(controlsCss)
    // Outside the body, which navigation replaces and caches.
    document.documentElement.append(region)
  }
  return {
    prepare,
    say(sentence) {
      prepare()
      region.textContent = ''
      // The same sentence is read out again only when the text changes in between.
      requestAnimationFrame(() => {
        region.lang = language()
        region.textContent = sentence
        clearTimeout(timer)
        // Nobody should find it on the page later.
        timer = setTimeout(() => region.replaceChildren(), SAID_MS)
      })
    },
  }
}
