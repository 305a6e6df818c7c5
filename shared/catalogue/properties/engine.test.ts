import { expect, test } from 'vitest'
import { createCatalogue } from '../index.ts'
import { check } from './check.ts'
import { seed } from './seed.ts'

test.each([
  ['where storage and clock work', true],
  ['where storage fails, is damaged, and the clock is set', false],
])('no rule is broken %s', { timeout: 120_000 }, async (where, calm) => {
  const tally = await check(createCatalogue, { seed, runs: 1500, calm })
  console.log(`index cache ${where}: seed ${seed}, ${JSON.stringify(tally)}`)
  expect(tally.successes).toBeGreaterThan(tally.runs)
})
