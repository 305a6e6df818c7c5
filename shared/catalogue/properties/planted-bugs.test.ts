import { expect, test } from 'vitest'
import { check } from './check.ts'
import { PLANTED_BUGS, plant } from './planted-bugs.ts'

/** One with which each is caught soon: how many runs that takes, and whether there are enough, is a matter of chance. */
const seed = 2

test.for(PLANTED_BUGS)('caught: $name', { timeout: 120_000 }, async (bug) => {
  const { createCatalogue, remove } = await plant(bug)
  try {
    const failure = await check(createCatalogue, { seed, runs: 8000, calm: !bug.inTrouble, shrink: false }).then(
      () => 'not caught',
      ({ message, cause }) => `${message.split('\n')[0]}: ${cause?.message.split('\n')[0]}`,
    )
    console.log(`planted bug "${bug.name}": seed ${seed}, ${failure}`)
    expect(failure).toContain('Property failed')
  } finally {
    await remove()
  }
})
