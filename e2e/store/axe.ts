import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

/**
 * What axe cannot decide of a text's contrast, and that is seen from a neighbour of the same colours, which it decides:
 * a text of one character (a count), and one of a row that lies partly behind the edge of the list it scrolls in, where
 * another element stands at the point that axe looks at (`elmPartiallyObscured`, and of that other, `…Obscuring`).
 */
const UNDECIDED = ['shortTextContent', 'elmPartiallyObscured', 'elmPartiallyObscuring']

/** To be called when the page is there. */
export const addAxe = (page: Page): Promise<unknown> =>
  page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })

/**
 * What axe finds wrong in a part of the page; a rule it cannot decide counts too, but for those texts.
 *
 * @param part a selector, or one within the store's shadow root
 */
export async function complaints(page: Page, part: string | { readonly inStore: string }): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
  const context = typeof part === 'string' ? part : { fromShadowDom: ['plugmark-store', part.inStore] }
  const results = await page.evaluate<AxeResults, typeof context>(
    (context) => (window as unknown as { axe: typeof import('axe-core') }).axe.run(context as RunOptions),
    context,
  )
  const found = [...results.violations, ...results.incomplete]
  return found
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => ({ id, html, check: any[0] })))
    .filter(({ check }) => !UNDECIDED.includes(check?.data?.messageKey))
    .map(({ id, html, check }) => `${id}: ${html} ${check?.message}`)
}
