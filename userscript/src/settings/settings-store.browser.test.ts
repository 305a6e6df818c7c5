import { expect, it, vi } from 'vitest'
import type { ManagerValues } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'
import { openSettings } from './settings-store.ts'

const DEFAULT = parseSettings(undefined)
const stored = (patch: Partial<Settings>) => JSON.stringify({ ...DEFAULT, revision: 1, ...patch })

/** Creates a manager that stores values, and may report a change of another tab. */
function createManager({ start, reports = false }: { start?: string; reports?: boolean } = {}) {
  const listeners: ((value: unknown) => void)[] = []
  let value: unknown = start
  const values: ManagerValues = {
    get: async () => value,
    set: async (_, text) => {
      value = text
    },
    watch: async (_, onChange) => {
      if (reports) listeners.push(onChange)
      return reports
    },
  }
  /** Sets a value, like a tab of another origin. */
  const setElsewhere = (text: string) => {
    value = text
    for (const onChange of listeners) onChange(text)
  }
  return { values, setElsewhere, read: () => value }
}

/** Opens a tab of this origin. Tests share the origin, so they change different settings. */
async function openTab(values: ManagerValues | null) {
  const onChange = vi.fn<(now: Settings, before: Settings, isOwn: boolean) => void>()
  const store = openSettings(values)
  store.onChange(onChange)
  await store.opening
  // The channel opens in a separate task.
  await new Promise((resolve) => setTimeout(resolve))
  return { store, onChange }
}

it('reads the settings that the manager stores', async () => {
  const { store, onChange } = await openTab(createManager({ start: stored({ profile: 'desk' }) }).values)
  expect(store.current.profile).toBe('desk')
  expect(onChange).not.toHaveBeenCalled()
})

it('has the settings at once when the manager returns them synchronously', () => {
  const { values } = createManager()
  const store = openSettings({ ...values, get: () => stored({ profile: 'desk' }) })
  expect(store.opening).toBeUndefined()
  expect(store.current.profile).toBe('desk')
})

it('applies a change here, in the manager and in every other tab', async () => {
  const { values, read } = createManager()
  const [here, there] = [await openTab(values), await openTab(values)]
  here.store.change({ profile: 'desk' })
  expect(here.store.current.profile).toBe('desk')
  await expect.poll(() => there.store.current.profile).toBe('desk')
  expect(here.onChange).toHaveBeenCalledExactlyOnceWith(here.store.current, DEFAULT, true)
  expect(there.onChange).toHaveBeenCalledExactlyOnceWith(here.store.current, DEFAULT, false)
  expect(read()).toBe(JSON.stringify(here.store.current))
})

it('applies a change of another site at once when the manager reports it', async () => {
  const { values, setElsewhere } = createManager({ reports: true })
  const { store, onChange } = await openTab(values)
  setElsewhere(stored({ language: 'zh' }))
  expect(store.current.language).toBe('zh')
  expect(onChange).toHaveBeenCalledOnce()
})

it('applies a change of another site within seconds when the manager reports none', async () => {
  const { values, setElsewhere } = createManager()
  const { store } = await openTab(values)
  setElsewhere(stored({ language: 'zh' }))
  await expect.poll(() => store.current.language).toBe('zh')
})

it('reads the settings again when the person returns to the page, even if a report was lost', async () => {
  const { values } = createManager({ reports: true })
  const { store } = await openTab(values)
  await values.set('settings', stored({ language: 'zh' }))
  dispatchEvent(new Event('focus'))
  await expect.poll(() => store.current.language).toBe('zh')
})

const throws = () => {
  throw new Error('no')
}
const rejects = () => Promise.reject(new Error('no'))
it.each([
  ['rejects', { get: rejects, set: rejects, watch: async () => false }],
  ['throws', { get: throws, set: rejects, watch: async () => false }],
  ['can be read only', { get: async () => stored({ profile: 'old' }), set: rejects, watch: async () => false }],
  ['is absent', null],
])('applies a change to this tab when the manager’s storage %s', async (_, values) => {
  const { store } = await openTab(values)
  store.change({ profile: 'desk' })
  dispatchEvent(new Event('focus'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(store.current.profile).toBe('desk')
})

it('does not wait for a slow manager, and applies its late answer', async () => {
  const answer = Promise.withResolvers<unknown>()
  const { store, onChange } = await openTab({ ...createManager().values, get: () => answer.promise })
  expect(store.current).toEqual(DEFAULT)
  answer.resolve(stored({ profile: 'late' }))
  await expect.poll(() => onChange.mock.calls.length).toBe(1)
  expect(store.current.profile).toBe('late')
})

it('stores a change made before a slow manager has answered together with the stored settings', async () => {
  const answer = Promise.withResolvers<unknown>()
  const { values, read } = createManager()
  const { store } = await openTab({ ...values, get: () => answer.promise })
  store.change({ language: 'zh' })
  expect(store.current.language).toBe('zh')
  expect(read(), 'nothing is stored while the stored settings are not known').toBeUndefined()
  answer.resolve(stored({ profile: 'desk', pausedOn: ['github.com'] }))
  await expect.poll(read).toBeDefined()
  expect(parseSettings(read())).toMatchObject({ language: 'zh', profile: 'desk', pausedOn: ['github.com'] })
  expect(store.current).toMatchObject({ language: 'zh', profile: 'desk' })
})

it('reads the stored settings before it stores a change, although a first read failed', async () => {
  const { values, read } = createManager({ start: stored({ profile: 'desk' }) })
  let reads = 0
  const get = async () => {
    if (reads++ === 0) throw new Error('not now')
    return read()
  }
  const { store } = await openTab({ ...values, get })
  store.change({ dimOthers: true })
  await expect.poll(() => parseSettings(read())).toMatchObject({ profile: 'desk', dimOthers: true })
})

it('ignores an older change that arrives late', async () => {
  const { values, setElsewhere } = createManager({ reports: true })
  const { store } = await openTab(values)
  store.change({ profile: 'new' })
  setElsewhere(stored({ profile: 'old' }))
  expect(store.current.profile).toBe('new')
  const { revision } = store.current
  store.change({ profile: 'newer' })
  expect(store.current.revision, 'also within one millisecond').toBeGreaterThan(revision)
})
