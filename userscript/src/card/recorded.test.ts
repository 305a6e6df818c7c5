import { expect, it } from 'vitest'
import { createRecorded } from './recorded.ts'

function storageOf(kept: Map<string, string>) {
  return () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
}
const API = 'https://directory.example'

it('tells the repositories of the records there are, to another page as well', () => {
  const kept = new Map<string, string>()
  createRecorded(API, storageOf(kept)).write(['moss/field', 'moss/field#part', 'reed/pond#one'])
  const isRecorded = createRecorded(API, storageOf(kept)).read()
  expect(['moss/field', 'reed/pond', 'reed/pond#one'].map(isRecorded)).toEqual([true, true, false])
  const other = createRecorded('https://other.example', storageOf(kept))
  expect(other.read()('moss/field')).toBe(false)
})

it('forgets those that are gone', () => {
  const kept = new Map<string, string>()
  const recorded = createRecorded(API, storageOf(kept))
  recorded.write(['moss/field'])
  recorded.write([])
  expect(recorded.read()('moss/field')).toBe(false)
})

it('where nothing can be kept, there may be a record of each', () => {
  const recorded = createRecorded(API, () => {
    throw new DOMException('denied', 'SecurityError')
  })
  recorded.write(['moss/field'])
  expect(recorded.read()('reed/pond')).toBe(true)
})
