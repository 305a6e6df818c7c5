import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-complete-'))
  await mkdir(join(folder, 'bin'))
  // Records its arguments, and answers with text that the shell must not run.
  await writeFile(
    join(folder, 'bin/plugmark'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/asked"\nprintf 'search\\tFind plugins\\n$(touch ${folder}/ANSWER)\\tx\\n:4\\n'\n`,
  )
  await chmod(join(folder, 'bin/plugmark'), 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Completes a line in a bash that has loaded only our script. */
function completeInBash(line: string): string[] {
  const words = line.split(' ')
  const script = `${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_plugmark
printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
  return execFileSync('bash', ['--norc', '-c', script], { env, cwd: folder, encoding: 'utf8' }).trimEnd().split('\n')
}

test('passes the typed words from bash unchanged, and runs nothing', async () => {
  const offered = completeInBash('plugmark search $(touch TYPED) `touch TYPED` ;touch')
  expect(offered).toEqual(['search', `$(touch ${folder}/ANSWER)`])
  expect((await readFile(join(folder, 'asked'), 'utf8')).trimEnd().split('\n')).toEqual([
    'complete',
    '--',
    'search',
    '$(touch',
    'TYPED)',
    '`touch',
    'TYPED`',
    ';touch',
  ])
  expect((await readdir(folder)).toSorted()).toEqual(['asked', 'bin'])
})

test('loads without errors when bash sources the script', () => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: COMPLETION_SCRIPTS.bash, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
