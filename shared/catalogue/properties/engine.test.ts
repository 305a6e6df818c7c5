import { env } from 'node:process'
import { expect, test } from 'vitest'
import { createCatalogue } from '../index.ts'
import { check } from './check.ts'

/** Set FC_SEED to have a run again. */
const seed = Number(env.FC_SEED ?? Date.now() % 2 ** 31)

test.each([
  ['where storage and clock work', true],
  ['where storage fails, is damaged, and the clock is set', false],
])('no rule is broken %s', { timeout: 120_000 }, async (where, calm) => {
  const tally = await check(createCatalogue, { seed, runs: 1500, calm })
  console.log(`index cache ${where}: seed ${seed}, ${JSON.stringify(tally)}`)
  expect(tally.successes).toBeGreaterThan(tally.runs)
})
