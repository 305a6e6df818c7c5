import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAYERING_HARNESS } from '../harness/testing.ts'
import { hostForTests } from '../host-testing.ts'
import type { HostOptions } from '../settings.ts'

const { its } = hostForTests()

/** Starts a copy of the profile. Returns what is known of its start. */
async function startUnder(program: string, options: HostOptions) {
  await writeFile(join(its.home.home, 'program.cjs'), program)
  await writeFile(join(its.home.home, 'start'), 'hangs')
  its.create({ browser: null, ...options })
  const { signal } = new AbortController()
  const checked = await its.host.checkUpgrade({ profile: 'web', version: null, isStarted: true, signal })
  return checked.ok ? checked.check.start : checked.reason
}

test('does not call a harness that is too slow one that does not start', async () => {
  const untold = (why: string) => ({ state: 'not-tried', why: [why], page: 'unknown' })
  expect(await startUnder(LAYERING_HARNESS, { startLimitMs: 500 })).toEqual(
    untold('The harness did not come up within 0.5 s.'),
  )
  expect(await startUnder(LAYERING_HARNESS, { timeLimitMs: 3000 })).toEqual(untold('The check took longer than 3 s.'))
})

test('quotes a harness that ends', async () => {
  const program = LAYERING_HARNESS.replace(
    "if (how === 'hangs') return",
    "console.error('Error: no wind'); process.exit(1)",
  )
  expect(await startUnder(program, {})).toEqual({
    state: 'does-not-start',
    why: ['Error: no wind'],
    page: 'unknown',
  })
})
