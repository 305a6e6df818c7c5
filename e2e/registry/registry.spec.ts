import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { createHome, type Home } from '../harness/home.ts'
import { boots } from '../harness/running.ts'
import { type Registry, startRegistry } from './registry.ts'

// Results of the real `dsh` 0.1.0-rc.8 with the real pnpm 10.34.9 for each of our plugins. The exit code alone tells
// little: only the profile's own list of layers says whether a plugin is registered.

let registry: Registry
let home: Home

test.beforeAll(async () => {
  registry = await startRegistry()
})
test.afterAll(() => registry.close())
test.beforeEach(async () => {
  home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig })
})
test.afterEach(() => home.dispose())

function start(...args: string[]): ChildProcessWithoutNullStreams {
  const [program = '', ...leading] = home.command
  return spawn(program, [...leading, ...args], { cwd: home.home, env: home.env })
}

/** `dsh <args>` to its end, in the test's own home. */
async function dsh(...args: string[]): Promise<{ exit: number | null; output: string }> {
  const child = start(...args)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const [exit] = await once(child, 'close')
  return { exit, output }
}

const add = (spec: string) => dsh('plugin', '--profile', home.profile, 'add', spec)

/** The layers that installs added; the harness's own two are always there. */
async function added(): Promise<string[]> {
  const [base, app, ...rest] = await home.bundles()
  expect([base, app]).toEqual(['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'])
  return rest
}

test('a package is registered as a layer', async () => {
  const { exit } = await add('dsh-plugin-harbor-notes')
  expect(exit).toBe(0)
  expect(await added()).toEqual(['dsh-plugin-harbor-notes'])
})

test('a repository is registered as a layer, and nothing leaves the machine', async () => {
  const before = registry.requests.length
  const { exit } = await add('github:lanternworks/dsh-plugin-paper-kite')
  expect(exit).toBe(0)
  expect(await added()).toEqual(['dsh-plugin-paper-kite'])
  // pnpm asks the code host whether the repository is public, is refused, and lets git find it.
  expect([...new Set(registry.requests.slice(before))]).toEqual(['CONNECT github.com:443'])
})

test('the harness comes up with both', async () => {
  await add('dsh-plugin-harbor-notes')
  await add('github:lanternworks/dsh-plugin-paper-kite')
  expect(await boots(home)).toBe(true)
})

test('a blocked build script exits 0 and leaves an unbuilt layer that stops the harness', async () => {
  const { exit, output } = await add('dsh-plugin-copper-bell')
  expect(exit).toBe(0)
  expect(output).toContain('Ignored build scripts: dsh-plugin-copper-bell@0.4.1')
  expect(await added()).toEqual(['dsh-plugin-copper-bell'])

  const boot = await dsh('web', '--no-open', '--port', '0')
  expect(boot.exit).not.toBe(0)
  expect(boot.output).toContain('ERR_MODULE_NOT_FOUND')
})

test('a blocked git prepare exits 1 and names the exact key that allows it', async () => {
  const { exit, output } = await add('github:lanternworks/dsh-plugin-slate-mill')
  expect(exit).toBe(1)
  expect(output).toContain('ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED')
  expect(await added()).toEqual([])

  const key = /^onlyBuiltDependencies:\n {2}- "(dsh-plugin-slate-mill@git\+https:.+#[0-9a-f]{40})"$/m.exec(output)?.[1]
  const workspace = join(home.home, 'profiles', home.profile, 'pnpm-workspace.yaml')
  await appendFile(workspace, `\nonlyBuiltDependencies:\n  - ${JSON.stringify(key)}\n`)
  expect((await add('github:lanternworks/dsh-plugin-slate-mill')).exit).toBe(0)
  expect(await added()).toEqual(['dsh-plugin-slate-mill'])
})

test('a package without a layer exits 0 with a warning and is not registered', async () => {
  const { exit, output } = await add('dsh-plugin-dry-well')
  expect(exit).toBe(0)
  expect(output).toContain('dsh-plugin-dry-well declares no dsh.bundle')
  expect(await added()).toEqual([])
})

test('a package that the registry no longer has exits 1 with a 404', async () => {
  const { exit, output } = await add('dsh-plugin-lost-ferry')
  expect(exit).toBe(1)
  expect(output).toContain('ERR_PNPM_FETCH_404')
  expect(await added()).toEqual([])
})

test('a package whose dependency cannot be resolved exits 1', async () => {
  const { exit, output } = await add('dsh-plugin-broken-mast')
  expect(exit).toBe(1)
  expect(output).toContain('ERR_PNPM_WORKSPACE_PKG_NOT_FOUND')
  expect(await added()).toEqual([])
})
