import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aListing } from '../testing.ts'

/** For tests of the search: the element, a new one for each test of the file that imports this. */
export let element: StoreElement
beforeEach(() => {
  localStorage.clear()
  element = mountStore()
})
afterEach(() => element.remove())

export const rows = [
  aListing('a/first', { summary: 'First of all', summaryZh: '第一个', category: 'memory', stars: 30 }),
  aListing('a/second', { riskFlags: ['install script'], stars: 20 }),
  aListing('a/third', { npmPackage: null, license: 'ISC', stars: 10 }),
  aListing('a/fourth', { verdict: 'failed', installable: false, stars: 5 }),
  aListing('a/fifth', { verdict: 'timeout', stars: 4 }),
]
export const list = () => page.getByRole('list', { name: 'Plugins' })
export const items = () => list().getByRole('listitem')
export const box = () => page.getByRole('combobox', { name: 'Search plugins' })
/** A chip of a category above the list. */
export const category = (name: string) =>
  page.getByRole('toolbar', { name: 'Category' }).getByRole('button', { name: new RegExp(`^${name}`) })
export const text = (words: string) => page.getByText(words, { exact: false })
export const names = () =>
  [...element.shadowRoot!.querySelectorAll('.row')]
    .toSorted((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet))
    .map((row) => row.querySelector('strong')?.textContent)

export function show(...given: Parameters<typeof aBridge>) {
  const bridge = aBridge(...given)
  element.bridge = bridge
  return bridge
}

/** Returns the listings page of a host that has exactly these rows. */
export function pageOf(all: typeof rows) {
  const { length } = all
  const none = {
    rejected: 0,
    generated: null,
    loadedAt: 0,
    failure: null,
    difference: null,
  }
  const status = { state: 'ready', revision: 0, end: length, count: length, described: length, ...none } as const
  return { status, next: length, rows: all }
}
