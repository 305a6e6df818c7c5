import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

/**
 * Reasons why axe cannot decide about the contrast of a text. A neighbour with the same colours covers these cases: a
 * text of one character (a count), and a text of a row that is partly behind the edge of its scrolling list, where axe
 * finds another element (`elmPartiallyObscured`, and for that element `…Obscuring`).
 */
const UNDECIDED = ['shortTextContent', 'elmPartiallyObscured', 'elmPartiallyObscuring']

/** Adds axe to a loaded page. */
export const addAxe = (page: Page): Promise<unknown> =>
  page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })

/**
 * Returns the faults that axe finds in a part of the page, and the undecided rules except for those texts.
 *
 * @param part a selector, or one within the store's shadow root
 */
export async function complaints(page: Page, part: string | { readonly inStore: string }): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
  const context = typeof part === 'string' ? part : { fromShadowDom: ['plugmark-store', part.inStore] }
  const results = await page.evaluate<AxeResults, typeof context>(async (context) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const store = document.querySelector('plugmark-store')?.shadowRoot
    // axe loses track of headings that move during its run, also with a part of the page around the store.
    for (let run = 0; ; run++) {
      let isChanged = false
      const changes = new MutationObserver(() => {
        isChanged = true
      })
      for (const root of store ? [document, store] : [document])
        changes.observe(root, { childList: true, subtree: true })
      const found = await axe.run(context as RunOptions)
      changes.disconnect()
      if (!isChanged || run === 9) return found
    }
  }, context)
  const found = [...results.violations, ...results.incomplete]
  return found
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => ({ id, html, check: any[0] })))
    .filter(({ check }) => !UNDECIDED.includes(check?.data?.messageKey))
    .map(({ id, html, check }) => `${id}: ${html} ${check?.message}`)
}
