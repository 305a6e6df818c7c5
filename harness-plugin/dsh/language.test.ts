import { expect, test, vi } from 'vitest'
import type { Context } from './harness-context.ts'
import { languageOf, onLanguageChange } from './language.ts'

type Listener = (namespace: string, revision: number) => void

/** Creates a harness whose language a test can change, as its page does. */
function createHarness(describe: (value: unknown) => unknown) {
  const listeners: Listener[] = []
  let value: unknown = {}
  const ctx = {
    get: (service: string) => (service === 'settings' ? { describe: () => describe(value) } : undefined),
    on: (event: string, listener: Listener) => event === 'settings/document-updated' && listeners.push(listener),
  } as unknown as Context
  const emit = (namespace: string) => {
    for (const listener of listeners) listener(namespace, 1)
  }
  return {
    ctx,
    emit,
    set(preference: string) {
      // 0.1 uses this order.
      emit('locale')
      value = { preference }
    },
  }
}

const rows = (value: unknown) => [
  { ns: 'ui-theme', value: { preference: 'dark' } },
  { ns: 'locale', value },
]

test.each([
  ['an array', rows],
  ['a promise', async (value: unknown) => rows(value)],
])('reads the language from the harness’s settings as %s, and follows its changes', async (_, describe) => {
  const { ctx, set, emit } = createHarness(describe)
  expect(await languageOf(ctx)).toBe('en')
  const read: Promise<string>[] = []
  onLanguageChange(ctx, () => void read.push(languageOf(ctx)))
  set('zh-CN')
  set('en')
  emit('ui-theme')
  set('zh')
  expect(await Promise.all(read)).toEqual(['zh', 'zh', 'zh'])
})

test.each<[string, (value: unknown) => unknown]>([
  [
    'throws',
    vi.fn(() => {
      throw new Error('another version')
    }),
  ],
  [
    'rejects',
    async () => {
      throw new Error('another version')
    },
  ],
  ['is no list', () => ({})],
  ['has no such row', () => []],
  ['has an empty row', () => [{ ns: 'locale' }]],
  ['has no text', () => [{ ns: 'locale', value: { preference: 5 } }]],
])('uses the machine’s language when the description %s', async (_, describe) => {
  expect(await languageOf(createHarness(describe).ctx)).toBe('en')
})

test('uses the machine’s language when the harness has no settings', async () => {
  expect(await languageOf({ get: () => undefined } as unknown as Context)).toBe('en')
})
