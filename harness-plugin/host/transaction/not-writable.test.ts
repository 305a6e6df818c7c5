import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

vi.mock(import('node:fs/promises'), async (original) => {
  const fs = await original()
  return { ...fs, access: vi.fn(fs.access) }
})

const { its, install, ended } = hostForTests()

test('names a file that cannot be written before anything runs', async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  const file = join(its.home.directory, 'package.json')
  // The tests run as a user who may write everything.
  const { access: real } = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
  vi.mocked(access).mockImplementation((path, mode) =>
    path === file && mode !== undefined
      ? Promise.reject(Object.assign(new Error(), { code: 'EPERM' }))
      : real(path, mode),
  )
  const before = await hashTree(its.home.directory)
  const { outcome, output } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'disk-error', subjects: ['EPERM', file] })
  expect(output.join(), 'the harness’s program did not run').not.toContain('done')
  expect(await hashTree(its.home.directory)).toBe(before)
})
