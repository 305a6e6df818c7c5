import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from './harness-bridge.ts'
import { createShell, followFragment } from './shell.ts'

const locale = { getLocale: () => ({ active: 'en' }), subscribe: () => () => {} }
const before = location.href
let gone = new AbortController()
beforeEach(() => {
  gone = new AbortController()
})
afterEach(() => {
  gone.abort()
  history.replaceState(null, '', before)
})

function load() {
  const shell = createShell({} as Host, locale, new AbortController().signal)
  followFragment(shell, gone.signal)
  return shell
}

test('shows the address of the open store, and takes it away when the store closes', () => {
  const { dialog, tab } = load()
  dialog.open('q=notes')
  expect(location.hash).toBe('#plugmark?q=notes')
  dialog.goTo('category=memory&plugin=a%2Fb')
  expect(location.hash).toBe('#plugmark?category=memory&plugin=a%2Fb')
  dialog.close()
  expect(location.hash).toBe('')
  tab.open()
  expect(location.hash).toBe('#plugmark')
  tab.goTo('view=installed')
  expect(location.hash).toBe('#plugmark?view=installed')
  tab.close()
  expect(location.hash).toBe('')
})

test('opens the wide store from a link, also in a page that is open', async () => {
  history.replaceState(null, '', '#plugmark?plugin=a%2Fb')
  const { dialog } = load()
  expect(dialog.getSnapshot()).toEqual({ isOpen: true, address: 'plugin=a%2Fb' })
  location.hash = '#plugmark?q=notes'
  await expect.poll(() => dialog.getSnapshot().address).toBe('q=notes')
})

test('leaves the fragment of somebody else alone', () => {
  history.replaceState(null, '', '#elsewhere')
  const { dialog } = load()
  expect(dialog.getSnapshot().isOpen).toBe(false)
  expect(location.hash).toBe('#elsewhere')
})
