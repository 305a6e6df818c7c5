import { expect, test, vi } from 'vitest'
import type { Context } from './harness.ts'
import { languageOf, onLanguageChange } from './language.ts'

type Listener = (namespace: string, revision: number) => void

/** A harness whose language can be changed, as its page does. */
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
      // In this order on 0.1.
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
])('it is what the harness’s settings describe, as %s, and followed live', async (_, describe) => {
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
])('a description that %s leaves the machine’s language', async (_, describe) => {
  expect(await languageOf(createHarness(describe).ctx)).toBe('en')
})

test('a harness without settings leaves it too', async () => {
  expect(await languageOf({ get: () => undefined } as unknown as Context)).toBe('en')
})
