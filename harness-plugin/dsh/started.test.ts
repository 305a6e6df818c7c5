import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandOf, type HarnessProcess, restartOf } from './harness-profile.ts'

const NODE = '/opt/node'

let root: string
let bin: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plugmark-started-')))
  bin = await place('lib/node_modules/@deepseek-ai/dsh/lib/bin.js')
  await place('lib/node_modules/@deepseek-ai/dsh/lib/other.js')
  await place('lib/node_modules/@deepseek-ai/dsh/package.json', {
    name: '@deepseek-ai/dsh',
    bin: { dsh: 'lib/bin.js' },
  })
  await place('lib/node_modules/a-fork/bin.mjs')
  await place('lib/node_modules/a-fork/package.json', { bin: './bin.mjs' })
  await place('lib/node_modules/host/server.js')
  await place('lib/node_modules/host/package.json', { name: 'host', bin: { host: 'server.js' } })
  await place('lib/node_modules/broken/server.js')
  await writeFile(await place('lib/node_modules/broken/package.json'), 'no JSON')
  await place('app/dsh-desktop-host/lib/index.js')
  await place('app/dsh-desktop-host/lib/cli.js')
  await place('app/another/main.js')
  await place('app/another/cli.js')
  await mkdir(join(root, 'bin'))
  await symlink('../lib/node_modules/@deepseek-ai/dsh/lib/bin.js', join(root, 'bin/dsh'))
  await symlink('dsh', join(root, 'bin/harness'))
})
afterAll(() => rm(root, { recursive: true }))

async function place(path: string, content: object | '' = ''): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content && JSON.stringify(content))
  return file
}

const started = (script: string | undefined, more: Partial<HarnessProcess> = {}): HarnessProcess => ({
  argv: [NODE, ...(script === undefined ? [] : [script]), 'web', '--port', '4000'],
  execPath: NODE,
  isPacked: false,
  isElectron: false,
  ...more,
})

test.each(['lib/node_modules/@deepseek-ai/dsh/lib/bin.js', 'bin/dsh', 'bin/harness'])(
  'uses the script of a harness that was started as %s',
  (path) => {
    expect(commandOf(started(join(root, path)))).toEqual({ command: [NODE, bin] })
    expect(restartOf(started(join(root, path)), 'dsh')).toEqual({ startedAs: 'dsh web --port 4000' })
  },
)

test('accepts a package with a single program as a harness of another name', () => {
  const script = join(root, 'lib/node_modules/a-fork/bin.mjs')
  expect(commandOf(started(script))).toEqual({ command: [NODE, script] })
})

test.each([
  ['no script', undefined],
  ['a script that is gone', 'nowhere/bin.js'],
  ['another file of the harness', 'lib/node_modules/@deepseek-ai/dsh/lib/other.js'],
  ['another program, which has the harness in it', 'lib/node_modules/host/server.js'],
  ['a script whose package cannot be read', 'lib/node_modules/broken/server.js'],
  ['a script of no package', 'app/another/main.js'],
])('finds no command line in %s, and gives no command for a restart', (_, path) => {
  const given = started(path && join(root, path))
  expect(commandOf(given)).toBeNull()
  expect(restartOf(given, 'dsh')).toEqual({})
})

test('starts a packed executable without its script argument', () => {
  const given = started('/snapshot/node/runtime-bootstrap.mjs', { isPacked: true })
  expect(commandOf(given)).toEqual({ command: [NODE] })
  expect(restartOf(given, 'dsh')).toEqual({})
})

test('finds the command line of Desktop beside its host', () => {
  const given = started(join(root, 'app/dsh-desktop-host/lib/index.js'), { isElectron: true })
  const cli = join(root, 'app/dsh-desktop-host/lib/cli.js')
  expect(commandOf(given)).toEqual({
    command: [NODE, '--expose-internals', cli],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
  expect(restartOf(given, 'dsh')).toEqual({})
  expect(commandOf(started(join(root, 'app/another/main.js'), { isElectron: true }))).toBeNull()
})

test('gives no command for a restart if an argument needs quotes', () => {
  const given = started(bin)
  expect(restartOf({ ...given, argv: [...given.argv, '--patch', 'a b; rm'] }, 'dsh')).toEqual({})
})
