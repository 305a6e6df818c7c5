import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'

const { its, install, ended } = hostForTests()

/** Stands in for the harness's program: starts a program outside its process group, and fails. */
const PROGRAM = `
  if (process.argv[2] !== 'plugin') process.exit(1)
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  child.unref()
  require('node:fs').writeFileSync(__dirname + '/pid', String(child.pid))
  process.exitCode = 1`

test('ends programs that a script leaves running', async () => {
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  its.create({ trial: true })
  const { outcome } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'failed', rollback: 'complete' })
  const pid = Number(await readFile(join(its.home.home, 'pid'), 'utf8'))
  // The environment of an ended process is empty until its parent collects it.
  expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).toBe('')
})
