import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const { its, install, ended } = hostForTests()

test('keeps a job cancelled even if the cancel comes right after its lock', async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  const before = await hashTree(its.home.directory, ['.plugmark'])
  const changes: unknown[] = []
  its.host.subscribe((event) => event.type === 'job' && changes.push(event.job))
  for (let turns = 0; turns < 15; turns++) {
    its.events.length = 0
    const { id } = await install('a/good')
    for (let left = turns; left > 0; left--) await turn()
    await its.host.calls.cancel({ job: id })
    expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled' })
    // The next job begins once this one has released the lock.
    await its.host.calls.cancel({ job: (await install('a/good')).id })
    const states = its.events.flatMap((event) => (event.type === 'job' && event.job.id === id ? [event.job.state] : []))
    expect(states.indexOf('done'), `${states.join(' > ')} after ${turns} turns`).toBe(states.length - 1)
  }
  expect(await hashTree(its.home.directory, ['.plugmark'])).toBe(before)
})
