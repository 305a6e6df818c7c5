import { beforeEach, expect, test } from 'vitest'
import { createLater } from './later.ts'

let made: number
let closed: number
const later = () =>
  createLater(async () => {
    made++
    return { close: async () => void closed++ }
  })

beforeEach(() => {
  ;[made, closed] = [0, 0]
})

test('it is made when it is asked for, and only once', async () => {
  const it = later()
  expect(made).toBe(0)
  await Promise.all([it.get(), it.get()])
  expect(made).toBe(1)
})

test('what is closed is not made any more, and what was made is closed', async () => {
  const [before, after] = [later(), later()]
  await before.get()
  await Promise.all([before.close(), after.close()])
  expect({ made, closed }).toEqual({ made: 1, closed: 1 })
  await expect(after.get()).rejects.toThrow('closed')
})
