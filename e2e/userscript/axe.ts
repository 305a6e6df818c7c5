import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright/test'
import { expect } from './test.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** To be called before the page is loaded. */
export const addAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE })

/** Returns the violations that axe finds in the parts of the page, and the rules it cannot decide. */
export async function complaints(page: Page, parts: string): Promise<string[]> {
  await expect(page.locator(parts).first()).toBeVisible()
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
  const results = await page.evaluate<AxeResults, string>(async (selector) => {
    const part = document.querySelector(selector)!
    const isAbove = !document.body.contains(part)
    // axe finds no colour behind what stands beside the body, nor behind what lies on other text: what is above the
    // page is put into it for its look, alone.
    if (isAbove) document.body.append(part)
    const others = isAbove ? [...document.body.children].filter((other) => other !== part) : []
    for (const other of others) other.toggleAttribute('hidden', true)
    // Nor can it tell a picture beside a text from one behind it.
    const pictured = [...document.querySelectorAll<HTMLElement>(selector)]
      .flatMap((one) => [one, ...one.querySelectorAll<HTMLElement>('*')])
      .filter((one) => getComputedStyle(one).backgroundImage.startsWith('url('))
    for (const one of pictured) one.style.backgroundImage = 'none'
    const found = await (window as unknown as { axe: typeof import('axe-core') }).axe.run(selector)
    for (const one of pictured) one.style.backgroundImage = ''
    for (const other of others) other.toggleAttribute('hidden', false)
    return found
  }, parts)
  const found = [...results.violations, ...results.incomplete]
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`))
}

/** Makes the card the same element above the page: a popover that axe's look moves is closed. To be called before. */
export const withoutPopovers = (page: Page): Promise<unknown> =>
  page.addInitScript('delete HTMLElement.prototype.showPopover; delete HTMLElement.prototype.popover')
