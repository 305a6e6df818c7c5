import { describe, expect, it, vi } from 'vitest'
import type { ManagerValues } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'
import { openSettings } from './store.ts'

const DEFAULT = parseSettings(undefined)
const kept = (patch: Partial<Settings>) => JSON.stringify({ ...DEFAULT, revision: 1, ...patch })

/** A manager that keeps values, and the tabs of one origin. */
function browser({ start, tells = false }: { start?: unknown; tells?: boolean } = {}) {
  const tabs: ((message: unknown) => void)[] = []
  const watching: ((value: unknown) => void)[] = []
  let value = start
  const values = {
    get: vi.fn(async () => value),
    set: vi.fn(async (_: string, text: string) => {
      value = text
    }),
    watch: async (_: string, onChange: (value: unknown) => void) => {
      if (tells) watching.push(onChange)
      return tells
    },
  }
  const openTab = async (own: ManagerValues | null = values) => {
    const onChange = vi.fn<(now: Settings, before: Settings, isOwn: boolean) => void>()
    const followAttention = vi.fn<(look: () => void, everyMs: number | null) => void>()
    const store = openSettings({
      values: own,
      onChange,
      followAttention,
      openChannel: (onMessage) => {
        tabs.push(onMessage)
        return { post: (message) => tabs.filter((tab) => tab !== onMessage).forEach((tab) => void tab(message)) }
      },
    })
    await store.opening
    await Promise.resolve()
    const look = () => followAttention.mock.calls[0]?.[0]()
    return { store, onChange, look, everyMs: followAttention.mock.calls[0]?.[1] }
  }
  /** As a tab of another origin does. */
  const setElsewhere = (text: string) => {
    value = text
    for (const onChange of watching) onChange(text)
  }
  return { values, openTab, setElsewhere }
}

describe('settings', () => {
  it('are what the manager keeps', async () => {
    const { openTab } = browser({ start: kept({ profile: 'desk' }) })
    const { store, onChange } = await openTab()
    expect(store.current.profile).toBe('desk')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('are there at once where the manager answers at once', () => {
    const { values } = browser()
    const store = openSettings({
      values: { ...values, get: () => kept({ profile: 'desk' }) },
      onChange: () => {},
      followAttention: () => {},
      openChannel: () => ({ post: () => {} }),
    })
    expect(store.opening).toBeUndefined()
    expect(store.current.profile).toBe('desk')
  })

  it('change here, in the manager and in every other tab', async () => {
    const { values, openTab } = browser()
    const [here, there] = [await openTab(), await openTab()]
    here.store.change({ profile: 'desk' })
    for (const { store, onChange } of [here, there]) {
      expect(store.current.profile).toBe('desk')
      const revision = store.current.revision
      expect(onChange.mock.calls).toEqual([[{ ...DEFAULT, profile: 'desk', revision }, DEFAULT, store === here.store]])
    }
    expect(values.set).toHaveBeenCalledExactlyOnceWith('settings', JSON.stringify(here.store.current))
  })

  it('change at once where the manager tells of a tab of another site', async () => {
    const { openTab, setElsewhere } = browser({ tells: true })
    const { store, onChange, everyMs } = await openTab()
    expect(everyMs, 'nobody asks again and again').toBeNull()
    setElsewhere(kept({ language: 'zh' }))
    expect(store.current.language).toBe('zh')
    expect(onChange).toHaveBeenCalledOnce()
  })

  it.each([true, false])('are read again when the person turns to the page (manager tells: %s)', async (tells) => {
    const { values, openTab } = browser({ tells })
    const { store, onChange, look } = await openTab()
    await values.set('settings', kept({ language: 'zh' }))
    look()
    await expect.poll(() => onChange.mock.calls.length).toBe(1)
    expect(store.current.language).toBe('zh')
  })

  it('are looked for while the page is seen where the manager does not tell', async () => {
    const { everyMs } = await browser().openTab()
    expect(everyMs).toBe(2000)
  })

  const throws = () => {
    throw new Error('no')
  }
  const no = () => Promise.reject(new Error('no'))
  it.each([
    ['rejects', { get: no, set: no, watch: async () => false }],
    ['throws', { get: throws, set: no, watch: async () => false }],
    ['reads and does not write', { get: async () => kept({ profile: 'old' }), set: no, watch: async () => false }],
    ['is absent', null],
  ])('hold for the open tabs where the manager’s storage %s', async (_, values) => {
    const { openTab } = browser()
    const { store, look } = await openTab(values)
    store.change({ profile: 'desk' })
    look()
    await new Promise((resolve) => setTimeout(resolve))
    expect(store.current.profile).toBe('desk')
  })

  it('do not wait for a manager that does not answer, and take its answer when it comes', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { values, openTab } = browser()
    const { store, onChange } = await openTab({ ...values, get: () => answer.promise })
    expect(store.current).toEqual(DEFAULT)
    answer.resolve(kept({ profile: 'late' }))
    await expect.poll(() => onChange.mock.calls.length).toBe(1)
    expect(store.current.profile).toBe('late')
  })

  it('that were changed are not undone by what comes late', async () => {
    const { openTab, setElsewhere } = browser({ tells: true })
    const { store } = await openTab()
    store.change({ profile: 'new' })
    setElsewhere(kept({ profile: 'old' }))
    expect(store.current.profile).toBe('new')
    const { revision } = store.current
    store.change({ profile: 'newer' })
    expect(store.current.revision, 'also within one millisecond').toBeGreaterThan(revision)
  })
})
