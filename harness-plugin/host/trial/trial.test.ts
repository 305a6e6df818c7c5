import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'

const { its, install, ended } = hostForTests()

/** In place of the harness's program: it starts another apart from its own group, and fails. */
const PROGRAM = `
  if (process.argv[2] !== 'plugin') process.exit(1)
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  child.unref()
  require('node:fs').writeFileSync(__dirname + '/pid', String(child.pid))
  process.exitCode = 1`

test('what a script leaves running does not outlive the trial', async () => {
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  its.create({ trial: true })
  const { outcome } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'failed', rollback: 'complete' })
  const pid = Number(await readFile(join(its.home.home, 'pid'), 'utf8'))
  // That of a process that has ended is empty until its parent looks.
  expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).toBe('')
})
