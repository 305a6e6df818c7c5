import { expect, test } from 'vitest'
import { retryWhileOpen } from './write-file.ts'

/** Returns work that fails with each of these codes in turn, and then succeeds. */
function failing(...codes: string[]) {
  let calls = 0
  const work = async () => {
    const code = codes[calls++]
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    return 'done'
  }
  return { work, calls: () => calls }
}

test('repeats on Windows what is refused while another program has the file open', async () => {
  const { work, calls } = failing('EPERM', 'EBUSY', 'EACCES')
  expect(await retryWhileOpen(work, 'win32')).toBe('done')
  expect(calls()).toBe(4)
})

test('gives up with the last error when the file stays open', async () => {
  const { work, calls } = failing(...Array(30).fill('EPERM'))
  await expect(retryWhileOpen(work, 'win32')).rejects.toMatchObject({ code: 'EPERM' })
  expect(calls()).toBe(20)
})

test.each([
  ['win32', 'EEXIST'],
  ['linux', 'EPERM'],
  ['darwin', 'EACCES'],
] as const)('repeats nothing on %s after %s', async (platform, code) => {
  const { work, calls } = failing(code)
  await expect(retryWhileOpen(work, platform)).rejects.toMatchObject({ code })
  expect(calls()).toBe(1)
})
