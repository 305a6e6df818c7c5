import { afterEach, expect, test, vi } from 'vitest'
import type { Host } from './harness-bridge.ts'
import { createShell } from './shell.ts'

afterEach(() => vi.useRealTimers())

const locale = { getLocale: () => ({ active: 'en' }), subscribe: () => () => {} }

/** Loads the page part. */
function load() {
  const gone = new AbortController()
  const shell = createShell({} as Host, locale, gone.signal)
  return { shell, unload: () => gone.abort() }
}

test('reopens open parts after a reload of the page part, and keeps parts closed that were closed after it', () => {
  const first = load()
  first.shell.dialog.open('plugin=a%2Fb')
  first.shell.tab.open()
  first.shell.tab.goTo('q=notes')
  first.unload()
  // React removes the tab after that.
  first.shell.tab.close()
  const second = load()
  expect(second.shell.dialog.getSnapshot()).toMatchObject({ isOpen: true, address: 'plugin=a%2Fb' })
  expect(second.shell.tab.getSnapshot()).toMatchObject({ isOpen: true, address: 'q=notes' })
  second.shell.dialog.close()
  second.shell.tab.close()
  second.unload()
  expect(load().shell.dialog.getSnapshot().isOpen).toBe(false)
})

test('opens nothing if the page part is reloaded much later, or nothing was open', () => {
  vi.useFakeTimers()
  const first = load()
  first.shell.dialog.open()
  first.unload()
  vi.advanceTimersByTime(60_000)
  expect(load().shell.dialog.getSnapshot().isOpen).toBe(false)
  expect(load().shell.tab.getSnapshot().isOpen).toBe(false)
})
