import { afterEach, expect, test, vi } from 'vitest'
import type { ClientContext } from './harness.ts'
import { apply } from './index.tsx'

const SLOTS = ['settings.plugins.tab', 'shell.overlay', 'sidebar.footer.action']
/** Since 0.2. */
const PLUGINS_PAGE = ['plugins.tab', 'plugins.detail.actions']
const noAnswer = () => Promise.reject(new Error('no answer'))

const leaving: (() => unknown)[] = []
afterEach(() => {
  for (const leave of leaving.splice(0).toReversed()) leave()
  vi.restoreAllMocks()
})

/**
 * A page of the harness, as far as the store uses it.
 *
 * @param declared its slots, in the order in which they are declared
 * @param taken slots that have an entry of our id already
 */
function aPage({
  declared = SLOTS,
  taken = [] as string[],
  connection = { rpc: { call: noAnswer } } as object,
  getLocale = () => ({ active: 'en' }),
} = {}) {
  const entries: string[] = []
  const waiting = new Map<string, () => () => void>()
  const removals = new Map<string, () => void>()
  const declare = (slot: string) => {
    const enter = waiting.get(slot)
    if (enter) removals.set(slot, enter())
  }
  const labels: string[] = []
  const executed: ((session: string, name: string, result: { kind: 'success'; text?: string }) => void)[] = []
  const services = {
    connection,
    locale: { getLocale, subscribe: () => () => {} },
    slots: {
      inject(slot: string, callback: () => () => void) {
        waiting.set(slot, callback)
        if (declared.includes(slot)) declare(slot)
      },
      register({ name, label }: { name: string; label?: () => string }) {
        if (taken.includes(name)) throw new Error(`${name} is taken`)
        entries.push(name)
        if (label) labels.push(label())
        return () => entries.splice(entries.indexOf(name), 1)
      },
    },
  }
  const ctx = {
    effect: (execute: () => () => unknown) => leaving.push(execute()),
    on: (_: string, listener: (typeof executed)[0]) => executed.push(listener),
    inject: (_: unknown, callback: (ctx: unknown) => void) => callback({ ...ctx, ...services }),
  }
  return {
    ctx: ctx as unknown as ClientContext,
    entries,
    labels,
    executed,
    declare,
    undeclare: (slot: string) => removals.get(slot)?.(),
  }
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

test('a harness with a page for plugins has the tab there, and not in Settings too, in whatever order they come', () => {
  const both = aPage({ declared: [...PLUGINS_PAGE, ...SLOTS] })
  apply(both.ctx)
  expect(both.entries.toSorted()).toEqual([...PLUGINS_PAGE, 'shell.overlay', 'sidebar.footer.action'].toSorted())
  for (const leave of leaving.splice(0).toReversed()) leave()
  const late = aPage()
  apply(late.ctx)
  expect(late.entries).toContain('settings.plugins.tab')
  late.declare('plugins.tab')
  expect(late.entries).not.toContain('settings.plugins.tab')
  expect(late.entries).toContain('plugins.tab')
  late.undeclare('plugins.tab')
  expect(late.entries).toEqual(expect.arrayContaining(SLOTS))
  expect(late.entries).not.toContain('plugins.tab')
})
