import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readMarksFile } from '../profile/state-folder.ts'
import { markRead, readAtOf } from './read-marks.ts'

const DIGEST = 'd'.repeat(64)

test('says that nobody has read a difference when the stored time is that of no date', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'plugmark-marks-'))
  onTestFinished(() => rm(profile, { recursive: true }))
  await mkdir(dirname(readMarksFile(profile)), { recursive: true })
  await markRead(profile, DIGEST, 7)
  expect(await readAtOf(profile, DIGEST)).toBe('1970-01-01T00:00:00.007Z')
  await writeFile(readMarksFile(profile), JSON.stringify({ version: 1, read: { [DIGEST]: 1e300 } }))
  expect(await readAtOf(profile, DIGEST)).toBeNull()
})
