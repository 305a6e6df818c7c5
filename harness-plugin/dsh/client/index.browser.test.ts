import { afterEach, expect, test, vi } from 'vitest'
import type { ClientContext } from './client-context.ts'
import { apply } from './index.tsx'

const SLOTS = ['settings.plugins.tab', 'shell.overlay', 'sidebar.footer.action']
/** Slots of the Plugins page, since 0.2. */
const PLUGINS_PAGE = ['plugins.tab', 'plugins.detail.actions', 'plugins.add.actions']
const noAnswer = () => Promise.reject(new Error('no answer'))

const leaving: (() => unknown)[] = []
afterEach(() => {
  for (const leave of leaving.splice(0).toReversed()) leave()
  vi.restoreAllMocks()
})

/**
 * Creates the parts of the harness's page that the store uses.
 *
 * @param declared its slots, in the order of their declaration
 * @param taken slots that already have an entry with our id
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

test('registers the store in its three places', () => {
  const { ctx, entries } = aPage()
  apply(ctx)
  expect(entries).toEqual(SLOTS)
})

test('names the tab even if the harness does not provide its language', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const getLocale = () => {
    throw new Error('no such thing')
  }
  const { ctx, entries, labels } = aPage({ getLocale })
  apply(ctx)
  expect(entries).toEqual(SLOTS)
  expect(labels).toEqual(['Plugin store'])
})

test('keeps another copy on the page inactive until the first one is gone', () => {
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

test('skips a place that is taken, without throwing', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ctx, entries } = aPage({ taken: ['settings.plugins.tab'] })
  apply(ctx)
  expect(entries).toEqual(['shell.overlay', 'sidebar.footer.action'])
  expect(said).toHaveBeenCalledOnce()
})

test('shows no store on a page without the services, without throwing', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ctx } = aPage()
  const inject = () => {
    throw new Error('no such service')
  }
  apply({ ...ctx, inject })
  expect(said).toHaveBeenCalledOnce()
})

test('registers the tab only on the Plugins page if there is one, in any order of the slots', () => {
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
