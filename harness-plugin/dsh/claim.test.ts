import { expect, test } from 'vitest'
import { claim } from './claim.ts'

test('the first copy has the names and knows of the others', () => {
  const scope = {}
  const first = claim('dsh-plugin-plugmark', scope)
  expect(first).toMatchObject({ isFirst: true })
  const second = claim('a-fork-of-it', scope)
  expect(second.isFirst).toBe(false)
  expect(first.others()).toEqual(['a-fork-of-it'])
  second.release()
  expect(first.others()).toEqual([])
  first.release()
  expect(claim('dsh-plugin-plugmark', scope).isFirst).toBe(true)
})
