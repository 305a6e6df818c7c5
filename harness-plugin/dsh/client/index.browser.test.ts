import { afterEach, expect, test, vi } from 'vitest'
import type { ClientContext } from './harness.ts'
import { apply } from './index.ts'

const SLOTS = ['settings.plugins.tab', 'shell.overlay', 'sidebar.footer.action']
const noAnswer = () => Promise.reject(new Error('no answer'))

const leaving: (() => unknown)[] = []
afterEach(() => {
  for (const leave of leaving.splice(0).toReversed()) leave()
  vi.restoreAllMocks()
})

/** A page of the harness, as far as the store uses it. @param taken slots that have an entry of our id already */
function aPage({
  taken = [] as string[],
  connection = { rpc: { call: noAnswer } } as object,
  getLocale = () => ({ active: 'en' }),
} = {}) {
  const entries: string[] = []
  const labels: string[] = []
  const executed: ((session: string, name: string, result: { kind: 'success'; text?: string }) => void)[] = []
  const services = {
    connection,
    locale: { getLocale, subscribe: () => () => {} },
    slots: {
      inject: (_: string, callback: () => () => void) => callback(),
      register({ name, label }: { name: string; label?: () => string }) {
        if (taken.includes(name)) throw new Error(`${name} is taken`)
        entries.push(name)
        if (label) labels.push(label())
        return () => {}
      },
    },
  }
  const ctx = {
    effect: (execute: () => () => unknown) => leaving.push(execute()),
    on: (_: string, listener: (typeof executed)[0]) => executed.push(listener),
    inject: (_: unknown, callback: (ctx: unknown) => void) => callback({ ...ctx, ...services }),
  }
  return { ctx: ctx as unknown as ClientContext, entries, labels, executed }
}

test('the store takes its three places', () => {
  const { ctx, entries } = aPage()
  apply(ctx)
  expect(entries).toEqual(SLOTS)
})

test('a harness that does not tell its language has a tab with a name all the same', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const getLocale = () => {
    throw new Error('no such thing')
  }
  const { ctx, entries, labels } = aPage({ getLocale })
  apply(ctx)
  expect(entries).toEqual(SLOTS)
  expect(labels).toEqual(['Plugin store'])
})

test('another copy on the page stands back, until the first is gone', () => {
  const first = aPage()
  apply(first.ctx)
  const second = aPage()
  apply(second.ctx)
  expect(second.entries).toEqual([])
  for (const leave of leaving.splice(0).toReversed()) leave()
  expect(document.querySelector('style[data-plugin]')).toBeNull()
  const third = aPage()
  apply(third.ctx)
  expect(third.entries).toEqual(SLOTS)
})

test('a place that is taken is done without, and nothing is thrown', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ctx, entries } = aPage({ taken: ['settings.plugins.tab'] })
  apply(ctx)
  expect(entries).toEqual(['shell.overlay', 'sidebar.footer.action'])
  expect(said).toHaveBeenCalledOnce()
})

test('a page without the services has no store, and nothing is thrown', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ctx } = aPage()
  const inject = () => {
    throw new Error('no such service')
  }
  apply({ ...ctx, inject })
  expect(said).toHaveBeenCalledOnce()
})

test('a page on another machine asks nothing: the harness would refuse it', () => {
  const call = vi.fn(noAnswer)
  apply(aPage({ connection: { isLoopback: false, rpc: { call } } }).ctx)
  expect(call).not.toHaveBeenCalled()
  for (const leave of leaving.splice(0).toReversed()) leave()
  apply(aPage({ connection: { isLoopback: true, rpc: { call } } }).ctx)
  expect(call).toHaveBeenCalled()
})
