import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { LAYERING_HARNESS } from '../harness/testing.ts'
import { hostForTests } from '../host-testing.ts'
import type { HostOptions } from '../settings.ts'
import { WEB_LAYER } from '../trial/trial-home.ts'

const { its } = hostForTests()

/** Starts a copy of a profile. Returns what is known of its start. */
async function startUnder(program: string, options: HostOptions, profile = 'web') {
  await writeFile(join(its.home.home, 'program.cjs'), program)
  await writeFile(join(its.home.home, 'start'), 'hangs')
  its.create({ browser: null, ...options })
  const { signal } = new AbortController()
  const checked = await its.host.checkUpgrade({ profile, version: null, isStarted: true, signal })
  return checked.ok ? checked.check.start : checked.reason
}

test('does not call a harness that is too slow one that does not start', async () => {
  const untold = (why: string) => ({ state: 'not-tried', why: [why], page: 'unknown' })
  expect(await startUnder(LAYERING_HARNESS, { startLimitMs: 500 })).toEqual(
    untold('The harness did not come up within 0.5 s.'),
  )
  expect(await startUnder(LAYERING_HARNESS, { timeLimitMs: 3000 })).toEqual(untold('The check took longer than 3 s.'))
})

test('quotes a harness that ends, which shows nothing of a profile without a web page', async () => {
  const program = LAYERING_HARNESS.replace(
    "if (how === 'hangs') return",
    "console.error('Error: no wind'); process.exit(1)",
  )
  const ended = { why: ['Error: no wind'], page: 'unknown' }
  for (const [profile, layer] of [
    ['web', WEB_LAYER],
    ['headless', '@deepseek-ai/dsh-base'],
  ] as const) {
    const directory = join(dirname(its.home.directory), profile)
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'package.json'), JSON.stringify({ dsh: { profile: { bundles: [layer] } } }))
  }
  expect(await startUnder(program, {})).toEqual({ state: 'does-not-start', ...ended })
  expect(await startUnder(program, {}, 'headless')).toEqual({ state: 'not-tried', ...ended })
})
