import { expect, test } from 'vitest'
import { createCatalogue } from '../index.ts'
import { check } from './check.ts'
import { PLANTED_BUGS, plant } from './planted-bugs.ts'

/** One with which each is caught soon: how many runs that takes, and whether there are enough, is a matter of chance. */
const seed = 4
const runs = 600

test.each([
  ['where storage and clock work', true],
  ['where storage fails, is damaged, and the clock is set', false],
])('with nothing planted the same runs catch nothing %s', { timeout: 120_000 }, async (_, calm) => {
  expect(await check(createCatalogue, { seed, runs, calm })).toMatchObject({ runs })
})

test.for(PLANTED_BUGS)('caught: $name', { timeout: 120_000 }, async (bug) => {
  const { createCatalogue: createBroken, remove } = await plant(bug)
  try {
    const failure = await check(createBroken, { seed, runs, calm: !bug.inTrouble, shrink: false }).then(
      () => 'not caught',
      ({ message, cause }) => `${message.split('\n')[0]}: ${cause?.message.split('\n')[0]}`,
    )
    console.log(`planted bug "${bug.name}": seed ${seed}, ${failure}`)
    expect(failure).toContain('Property failed')
  } finally {
    await remove()
  }
})
