import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctorForTests } from '../doctor/testing.ts'

const { its, profileWith, install } = doctorForTests()

describe('another version of the harness', () => {
  const check = (onLines?: (lines: readonly string[]) => void) =>
    its.host.checkUpgrade({
      profile: 'web',
      version: null,
      isStarted: true,
      signal: new AbortController().signal,
      ...(onLines && { onLines }),
    })

  test('is tried with its web page, which may be broken, or was not tried', async () => {
    await profileWith(['spoils'], { spoils: '^1.0.0' })
    await install('spoils', { dsh: { bundle: {} } })
    expect(await check()).toMatchObject({
      check: { start: { state: 'starts', page: 'unknown' }, plugins: [{ name: 'spoils', runs: 'yes' }] },
    })
    await writeFile(join(its.home.home, 'browser'), '')
    expect(await check()).toMatchObject({
      check: {
        start: { state: 'starts', page: 'no', why: ['Failed to load plugins spoils'] },
        plugins: [{ name: 'spoils', runs: 'no', state: { kind: 'breaks-page' } }],
      },
    })
  })

  test('is tried under a journal and the lock of the profile, so that a doctor leaves the copy alone', async () => {
    let looked: Promise<readonly string[]> | null = null
    const host = its.host
    const checked = await check(() => {
      looked ??= host.doctor({ profile: 'web', start: false }).then(({ findings }) => findings.map(({ kind }) => kind))
    })
    expect(await looked).toEqual(['job-running'])
    expect(checked).toMatchObject({ check: { start: { state: 'starts' } } })
    expect(await readdir(its.home.home)).not.toContain('.plugmark')
    expect(await readdir(its.home.directory)).not.toContain('.plugmark')
  })
})
