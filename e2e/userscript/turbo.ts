import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from 'playwright/test'

/** Turbo itself, as the code host runs it: the text of a script for a page. */
export async function turboScript(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('@hotwired/turbo/dist/turbo.es2017-umd.js'))
  // It looks for the head as soon as it runs.
  return `addEventListener('DOMContentLoaded', () => {${await readFile(file, 'utf8')}})`
}

export const visit = (page: Page, path: string) =>
  page.evaluate((to) => (window as unknown as { Turbo: { visit(to: string): void } }).Turbo.visit(to), path)

/**
 * Until the answer of a visit is shown, not what Turbo kept of the page. Who leaves while the answer is read has an
 * AbortError of Turbo's own, which nobody catches.
 */
export const answered = (page: Page, what?: string) =>
  expect(page.locator('html[data-turbo-preview]'), what).toHaveCount(0)
