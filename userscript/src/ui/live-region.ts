import controlsCss from './controls.css?raw'
import { element } from './element.ts'
import { addStyles } from './stylesheet.ts'

/** Time for which a sentence stays in the page. ms */
const SAID_MS = 10_000

/** Announces sentences to screen readers, through one polite live region a page. */
export interface Announcer {
  /** Adds the region if the page has lost it. Text is announced reliably only in a region that existed before. */
  prepare(): void
  /** @param sentence a sentence without text of the catalogue, except a rendered command */
  say(sentence: string): void
}

/** @param language returns the language of the sentences */
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
      // The same sentence is announced again only if the text changes in between.
      requestAnimationFrame(() => {
        region.lang = language()
        region.textContent = sentence
        clearTimeout(timer)
        // Remove the sentence, so that nobody comes across it later.
        timer = setTimeout(() => region.replaceChildren(), SAID_MS)
      })
    },
  }
}
