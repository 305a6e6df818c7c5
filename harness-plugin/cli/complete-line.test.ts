import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as host from '../host/index.ts'
import { complete } from './complete-line.ts'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'
import { runsForTests } from './testing.ts'

const runs = runsForTests()

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

/**
 * Completes a line in a bash that has loaded only our script.
 *
 * @param words the line as bash splits it
 */
function completeInBash(line: string, words: readonly string[] = line.split(' ')): string[] {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  const script = `${COMPLETION_SCRIPTS.bash}
COMP_LINE=${quoted(line)}
COMP_WORDS=(${words.map(quoted).join(' ')})
COMP_CWORD=${words.length - 1}
COMP_WORDBREAKS=' @><=;|&(:'
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

/** Makes the program answer with these values. */
const answering = (...values: string[]) =>
  writeFile(
    join(folder, 'bin/plugmark'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/asked"\nprintf '%s\\n' ${values.map((value) => `'${value}'`).join(' ')} :4\n`,
  )
const asked = async () => (await readFile(join(folder, 'asked'), 'utf8')).split('\n').slice(2, -1)

test.each([
  ['plugmark show github:ac', ['plugmark', 'show', 'github', ':', 'ac'], 'github:ac', 'github:acme/one', 'acme/one'],
  ['plugmark show github:', ['plugmark', 'show', 'github', ':'], 'github:', 'github:acme/one', 'acme/one'],
  ['plugmark show acme/mono#p', ['plugmark', 'show', 'acme/mono#p'], 'acme/mono#p', 'acme/mono#plug', 'acme/mono#plug'],
  ['plugmark remove @sc', ['plugmark', 'remove', '@', 'sc'], '@sc', '@scope/plug', 'scope/plug'],
  ['plugmark remove @sc', ['plugmark', 'remove', '@sc'], '@sc', '@scope/plug', 'scope/plug'],
  ['plugmark show ', ['plugmark', 'show', ''], '', 'acme/one', 'acme/one'],
])('completes %j once, which bash splits at colons and at signs', async (line, words, current, value, offered) => {
  await answering(value)
  expect(completeInBash(line, words)).toEqual([offered])
  expect((await asked()).at(-1)).toBe(current)
})

test('leaves an option and its value apart, as bash splits them', async () => {
  await answering('web')
  expect(completeInBash('plugmark list --profile=we', ['plugmark', 'list', '--profile', '=', 'we'])).toEqual(['web'])
  expect(await asked()).toEqual(['list', '--profile', '=', 'we'])
})

test('loads without errors when bash sources the script', () => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: COMPLETION_SCRIPTS.bash, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('offers profiles, installed plugins and listings from stored files, without opening the host', async () => {
  await runs.json(['search', 'good'])
  const opened = vi.spyOn(host, 'createStoreHost')
  const directory = join(runs.home(), '.dsh/profiles/web')
  await mkdir(directory, { recursive: true })
  const manifest = { dependencies: { 'dsh-unit-shelf': '1.0.0' }, dsh: { profile: { bundles: [] } } }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  vi.stubEnv('HOME', runs.home())
  vi.stubEnv('DSH_HOME', join(runs.home(), '.dsh'))
  const said = vi.spyOn(console, 'log').mockReturnValue()
  const offered = async (...words: string[]) => {
    await complete(['--', ...words])
    return String(said.mock.lastCall).split('\n')
  }
  expect(await offered('list', '--profile', '')).toEqual(['web', ':4'])
  expect(await offered('config', 'profile', 'w')).toEqual(['web', ':4'])
  expect(await offered('remove', 'dsh')).toEqual(['dsh-unit-shelf', ':4'])
  expect(await offered('hold', 'unit')).toEqual(['unit-shelf', ':4'])
  expect(await offered('help', 'ex')).toEqual(['exit-codes', ':4'])
  expect(await offered('help', 'outd')).toEqual(['outdated', ':4'])
  expect(await offered('search', 'notes', 'category:me')).toEqual(['category:memory', ':4'])
  for (const address of ['https://directory.example', 'https://directory.example/']) {
    vi.stubEnv('PLUGMARK_API', address)
    expect(await offered('show', 'a/g')).toEqual(['a/good', ':4'])
  }
  expect(opened).not.toHaveBeenCalled()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
