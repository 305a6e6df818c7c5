import { describe, expect, test } from 'vitest'
import { withLines } from './jobs.ts'
import { aJob } from './testing.ts'

describe('output', () => {
  const job = { ...aJob(), output: ['a', 'b'], dropped: 3 }
  test('continues where it ends, and lines that are here are not added twice', () => {
    expect(withLines(job, 5, ['c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 4, ['b', 'c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 3, ['a', 'b']).output).toEqual(['a', 'b'])
  })

  test('is bounded', () => {
    const long = withLines(
      job,
      5,
      Array.from({ length: 2500 }, (_, n) => `${n}`),
    )
    expect(long.output).toHaveLength(2000)
    expect(long.dropped).toBe(3 + 502)
    expect(long.output.at(-1)).toBe('2499')
  })
})
