import { expect, it, vi } from 'vitest'
import type { ManagerValues } from '../manager/manager.ts'
import { fromStored, type Settings, toStored } from './settings.ts'
import { SettingsStore } from './settings-store.ts'

const DEFAULT = fromStored(new Map())

/** Under it, a tab stores for the next start that settings have changed. */
const KEY = 'start'

/** Creates a manager that stores values, and may report a change of another tab. */
function createManager({ start = {}, reports = false }: { start?: Partial<Settings>; reports?: boolean } = {}) {
  const listeners: (() => void)[] = []
  const kept = toStored(start, DEFAULT)
  const values: ManagerValues = {
    get: async (key) => kept.get(key),
    set: async (key, text) => void kept.set(key, text),
    watch: async (_, onChange) => {
      if (reports) listeners.push(onChange)
      return reports
    },
  }
  /** Changes settings, like a tab of another origin. */
  const changeElsewhere = (patch: Partial<Settings>) => {
    for (const [key, value] of toStored(patch, DEFAULT)) kept.set(key, value)
    kept.set('changed', String(Math.random()))
    for (const onChange of listeners) onChange()
  }
  const read = () => fromStored(kept)
  return { values, kept, changeElsewhere, read }
}

/** Opens a tab of this origin. */
async function openTab(values: ManagerValues | null) {
  const onChange = vi.fn<(now: Settings, before: Settings, isOwn: boolean) => void>()
  const store = new SettingsStore(values, KEY)
  store.onChange(onChange)
  await store.opening
  return { store, onChange }
}

it('reads the stored settings without a report of a change', async () => {
  const { store, onChange } = await openTab(createManager({ start: { profile: 'desk' } }).values)
  expect(store.current.profile).toBe('desk')
  expect(onChange).not.toHaveBeenCalled()
})

it('has the settings at once when the manager returns them synchronously', () => {
  const { values, kept, changeElsewhere } = createManager()
  changeElsewhere({ profile: 'desk' })
  const store = new SettingsStore({ ...values, get: (key) => kept.get(key) }, KEY)
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
  expect(read()).toEqual(here.store.current)
})

it('applies a change of another site at once when the manager reports it', async () => {
  const { values, changeElsewhere } = createManager({ reports: true })
  const { store, onChange } = await openTab(values)
  changeElsewhere({ language: 'zh' })
  await expect.poll(() => store.current.language).toBe('zh')
  expect(onChange).toHaveBeenCalledOnce()
})

it('applies a change of another site within seconds when the manager reports none', async () => {
  const { values, changeElsewhere } = createManager()
  const { store } = await openTab(values)
  changeElsewhere({ language: 'zh' })
  await expect.poll(() => store.current.language).toBe('zh')
})

it('reads the settings again when the user returns to the page, though the manager reported the first change only', async () => {
  const { values, changeElsewhere } = createManager()
  const once = Promise.withResolvers<() => void>()
  const watch: ManagerValues['watch'] = async (_, onChange) => {
    once.resolve(onChange)
    return true
  }
  const { store } = await openTab({ ...values, watch })
  changeElsewhere({ profile: 'desk' })
  ;(await once.promise)()
  await expect.poll(() => store.current.profile).toBe('desk')
  changeElsewhere({ language: 'zh' })
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
  ['can be read only', { ...createManager({ start: { profile: 'old' } }).values, set: rejects }],
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
  const { store, onChange } = await openTab({
    ...createManager().values,
    get: (key) => (key === 'setting profile' ? answer.promise : undefined),
  })
  expect(store.current).toEqual(DEFAULT)
  answer.resolve('late')
  await expect.poll(() => onChange.mock.calls.length).toBe(1)
  expect(store.current.profile).toBe('late')
})

it('stores a change at once, before a slow manager has answered, and keeps the other settings', async () => {
  const answer = Promise.withResolvers<void>()
  const { values, kept, read } = createManager({ start: { profile: 'desk', pausedOn: ['github.com'] } })
  const get = async (key: string) => {
    await answer.promise
    return kept.get(key)
  }
  const { store } = await openTab({ ...values, get })
  store.change({ language: 'zh' })
  expect(store.current.language).toBe('zh')
  expect(read().language, 'the page may be left in the next moment').toBe('zh')
  answer.resolve()
  await expect.poll(() => store.current.profile).toBe('desk')
  expect(read()).toMatchObject({ language: 'zh', profile: 'desk', pausedOn: ['github.com'] })
})

it('keeps the stored settings when a change is made while the manager’s values are missing', async () => {
  const { values, kept, read } = createManager({ start: { profile: 'desk', placesOff: ['list'] } })
  let isMissing = true
  const { store } = await openTab({ ...values, get: async (key) => (isMissing ? undefined : kept.get(key)) })
  expect(store.current).toEqual(DEFAULT)
  store.change({ language: 'zh', placesOff: ['card'] })
  isMissing = false
  dispatchEvent(new Event('focus'))
  const expected = { language: 'zh', profile: 'desk', placesOff: ['card', 'list'] }
  await expect.poll(() => store.current).toMatchObject(expected)
  expect(read()).toMatchObject(expected)
})

it('keeps the settings that it knows while the manager’s values are missing', async () => {
  const { values, kept } = createManager({ start: { profile: 'desk' } })
  let isMissing = false
  const { store } = await openTab({ ...values, get: async (key) => (isMissing ? undefined : kept.get(key)) })
  isMissing = true
  dispatchEvent(new Event('focus'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(store.current.profile).toBe('desk')
})

it('does not undo a change of another tab that it has not heard of', async () => {
  const { values, changeElsewhere, read } = createManager({ reports: false })
  const { store } = await openTab(values)
  changeElsewhere({ profile: 'desk' })
  store.change({ summaryHidden: true })
  await expect.poll(() => store.current).toMatchObject({ profile: 'desk', summaryHidden: true })
  expect(read()).toMatchObject({ profile: 'desk', summaryHidden: true })
})

it('reads the settings again when another tab has stored a start', async () => {
  const { values, kept } = createManager({ reports: true })
  const { store } = await openTab(values)
  kept.set('setting profile', 'desk')
  // As the browser does in every other tab.
  dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: '{}' }))
  await expect.poll(() => store.current.profile).toBe('desk')
})

it('believes nothing of what a script of the site stores', async () => {
  const { values, read } = createManager({ start: { profile: 'desk' } })
  const { store } = await openTab(values)
  const newValue = JSON.stringify({ ...DEFAULT, profile: 'x', revision: Number.MAX_SAFE_INTEGER })
  dispatchEvent(new StorageEvent('storage', { key: KEY, newValue }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(store.current.profile).toBe('desk')
  store.change({ language: 'zh' })
  await expect.poll(() => read().language).toBe('zh')
  expect(read().profile).toBe('desk')
})

it('keeps its own change when a read that began before it ends after it', async () => {
  const { values, kept, changeElsewhere } = createManager({ reports: true })
  changeElsewhere({ profile: 'old' })
  let late: Promise<void> | null = null
  const get = async (key: string) => {
    const value = kept.get(key)
    await late
    return value
  }
  const { store } = await openTab({ ...values, get })
  const { promise, resolve } = Promise.withResolvers<void>()
  late = promise
  dispatchEvent(new Event('focus'))
  store.change({ profile: 'new' })
  resolve()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(store.current.profile).toBe('new')
})
