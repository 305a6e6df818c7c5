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

test('shows the address of the open store, and takes it away when the store closes', async () => {
  const { dialog, tab } = load()
  dialog.open('q=notes')
  expect(location.hash).toBe('#plugmark?q=notes')
  dialog.goTo('category=memory&plugin=a%2Fb')
  expect(location.hash).toBe('#plugmark?category=memory&plugin=a%2Fb')
  dialog.close()
  await expect.poll(() => location.hash).toBe('')
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
  expect(dialog.getSnapshot()).toMatchObject({ isOpen: true, address: 'plugin=a%2Fb' })
  location.hash = '#plugmark?q=notes'
  await expect.poll(() => dialog.getSnapshot().address).toBe('q=notes')
})

test('Back closes the details, then the store that a link opened, and Forward opens both again', async () => {
  const { dialog } = load()
  location.hash = '#plugmark?q=notes'
  await expect.poll(() => dialog.getSnapshot().isOpen).toBe(true)
  dialog.goTo('q=notes&plugin=a%2Fb')
  history.back()
  await expect.poll(() => dialog.getSnapshot().address).toBe('q=notes')
  expect(dialog.getSnapshot().isOpen).toBe(true)
  history.back()
  await expect.poll(() => dialog.getSnapshot().isOpen).toBe(false)
  expect(location.hash).toBe('')
  history.go(2)
  await expect.poll(() => dialog.getSnapshot()).toMatchObject({ isOpen: true, address: 'q=notes&plugin=a%2Fb' })
})

test('a closed store leaves the history where it was opened, and what is typed in one go is one step', async () => {
  history.pushState('page', '')
  const { dialog } = load()
  dialog.open('')
  dialog.goTo('q=n')
  dialog.goTo('q=notes', true)
  history.back()
  await expect.poll(() => dialog.getSnapshot().address).toBe('')
  history.forward()
  await expect.poll(() => dialog.getSnapshot().address).toBe('q=notes')
  dialog.close()
  await expect.poll(() => history.state).toBe('page')
  expect(location.hash).toBe('')
})

test('Back closes the store over its tab, which stays at the same address', async () => {
  const { dialog, tab } = load()
  tab.open('q=notes')
  dialog.open('q=notes')
  history.back()
  await expect.poll(() => dialog.getSnapshot().isOpen).toBe(false)
  expect(location.hash).toBe('#plugmark?q=notes')
})

test('keeps the store closed where its tab closes right after it', async () => {
  const { dialog, tab } = load()
  tab.open('')
  dialog.open('')
  const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
  dialog.close()
  tab.close()
  await moved
  expect(dialog.getSnapshot().isOpen).toBe(false)
  expect(location.hash).toBe('')
})

test('leaves the fragment of somebody else alone, also beside an open tab', async () => {
  history.replaceState(null, '', '#elsewhere')
  const { dialog, tab } = load()
  expect(dialog.getSnapshot().isOpen).toBe(false)
  expect(location.hash).toBe('#elsewhere')
  tab.open('q=notes')
  const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
  location.hash = '#there'
  await moved
  expect(location.hash).toBe('#there')
})
