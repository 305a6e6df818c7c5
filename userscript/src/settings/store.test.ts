import { describe, expect, it, vi } from 'vitest'
import { parseSettings, type Settings } from './settings.ts'
import { openSettings } from './store.ts'

const DEFAULT = parseSettings(undefined)
const kept = (patch: Partial<Settings>) => JSON.stringify({ ...DEFAULT, ...patch })

/** A manager that keeps values, and the tabs of one origin. */
function browser(start?: unknown) {
  const tabs: ((message: unknown) => void)[] = []
  let value = start
  const values = {
    get: vi.fn(async () => value),
    set: vi.fn(async (_: string, text: string) => {
      value = text
    }),
  }
  const openTab = async (own: Parameters<typeof openSettings>[0]['values'] = values) => {
    const onChange = vi.fn()
    const store = await openSettings({
      values: own,
      onChange,
      openChannel: (onMessage) => {
        tabs.push(onMessage)
        return { post: (message) => tabs.filter((tab) => tab !== onMessage).forEach((tab) => void tab(message)) }
      },
    })
    return { store, onChange }
  }
  return { values, openTab }
}

describe('settings', () => {
  it('are what the manager keeps', async () => {
    const { openTab } = browser(kept({ profile: 'desk' }))
    const { store, onChange } = await openTab()
    expect(store.current.profile).toBe('desk')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('change here, in the manager and in every other tab', async () => {
    const { values, openTab } = browser()
    const [here, there] = [await openTab(), await openTab()]
    here.store.change({ profile: 'desk' })
    for (const { store, onChange } of [here, there]) {
      expect(store.current.profile).toBe('desk')
      expect(onChange).toHaveBeenCalledExactlyOnceWith({ ...DEFAULT, profile: 'desk' }, DEFAULT)
    }
    expect(values.set).toHaveBeenCalledExactlyOnceWith('settings', kept({ profile: 'desk' }))
  })

  it('are read again when a tab of another site may have changed them', async () => {
    const { values, openTab } = browser()
    const { store, onChange } = await openTab()
    await values.set('settings', kept({ language: 'zh' }))
    store.reread()
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce())
    expect(store.current.language).toBe('zh')
  })

  it.each([
    ['throws', { get: () => Promise.reject(new Error('no')), set: () => Promise.reject(new Error('no')) }],
    ['is absent', null],
  ])('hold for the open tabs where the manager’s storage %s', async (_, values) => {
    const { openTab } = browser()
    const { store } = await openTab(values)
    store.change({ profile: 'desk' })
    store.reread()
    await Promise.resolve()
    expect(store.current.profile).toBe('desk')
  })

  it('do not wait for a manager that does not answer, and take its answer when it comes', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { openTab } = browser()
    const { store, onChange } = await openTab({ get: () => answer.promise, set: async () => {} })
    expect(store.current).toEqual(DEFAULT)
    answer.resolve(kept({ profile: 'late' }))
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce())
    expect(store.current.profile).toBe('late')
  })

  it('that were changed are not undone by an answer to an earlier question', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { openTab } = browser()
    const { store } = await openTab({ get: () => answer.promise, set: async () => {} })
    store.change({ profile: 'new' })
    answer.resolve(kept({ profile: 'old' }))
    await answer.promise
    await Promise.resolve()
    expect(store.current.profile).toBe('new')
  })
})
