import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { findChromium } from './chromium.mjs'
import { isNewEnough } from './node.mjs'
import { isInstalled, needs, setUp, whatToDo } from './setup.mjs'

const { git, font, harness } = needs

test('set-up names the missing programs, which of them are optional, and one command that installs them', () => {
  expect(whatToDo([git!, font!])).toBe(
    [
      'Missing: git.',
      'Missing, optional: Chinese font.',
      'Install these with your package manager, and run the command again. On Debian and Ubuntu:',
      '  sudo apt-get install --yes git fonts-noto-cjk fontconfig',
    ].join('\n'),
  )
  expect(whatToDo([{ ...harness!, advice: 'It is for Linux.' }])).toBe('Missing: DeepSeek Harness. It is for Linux.')
})

test('every npm script begins with set-up itself, as hooks before it are off with ignore-scripts', () => {
  for (const [name, script] of Object.entries(manifest.scripts)) {
    // In a subshell: dash and bash remember where `node` was before set-up linked a newer one.
    const setup = /^\(node e2e\/setup\/setup\.mjs( .*)?\) && /.exec(script)
    expect(setup, name).not.toBeNull()
    const asked = setup![1]?.trim().split(' ') ?? []
    expect(['all', ...Object.keys(needs)], name).toEqual(expect.arrayContaining(asked))
  }
})

test('Yarn, which obeys no field of package.json that refuses it, is made to say that this project uses npm', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { yarnPath } = parse(await readFile(join(root, '.yarnrc.yml'), 'utf8'))
  const ran = promisify(execFile)(process.execPath, [join(root, yarnPath), 'install'])
  await expect(ran).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('This project uses npm.') })
})

test('set-up refuses an unknown need and names the known ones', async () => {
  await expect(setUp(['chrome'])).rejects.toThrow(/no chrome, only: all, git, font/)
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-setup-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const wanted = { '': { version: '1.0.0' }, 'node_modules/a': { version: '1.2.3', integrity: 'sha512-a' } }
const optional = { 'node_modules/for-windows': { version: '2.0.0', integrity: 'sha512-w', optional: true } }
const { '': _, ...installed } = wanted

test.each([
  ['of what the lockfile has is complete, whenever its files were copied', installed, true],
  ['that npm did not finish, or that another package manager made, is incomplete', null, false],
  ['of another version is out of date', { 'node_modules/a': { version: '1.2.2', integrity: 'sha512-b' } }, false],
  ['that lacks a package is out of date', {}, false],
  ['with a package that the lockfile no longer has is out of date', { ...installed, 'node_modules/b': {} }, false],
] as const)('an install %s', async (_, packages, expected) => {
  await mkdir(join(folder, 'node_modules'))
  if (packages) await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { ...wanted, ...optional } }))
  expect(isInstalled(folder)).toBe(expected)
})

test('set-up installs a missing program with the package manager of the system, and says how', async () => {
  // Root calls apt-get itself.
  await script('sudo', '[ "$1" = -n ] && shift; case $1 in *=*) shift;; esac; exec "$@"')
  const makesGit = `printf '#!/bin/sh\\n' > '${folder}/git'; /bin/chmod +x '${folder}/git'`
  await script('apt-get', `case "$*" in *"install --yes --no-install-recommends git") ${makesGit};; esac`)
  await script('true', 'exit 0')
  const setup = fileURLToPath(new URL('setup.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [setup, 'git'], { env: { PATH: folder } })
  expect(stdout).toMatch(
    /^Installing what is missing: git\.\n\$ (sudo -n \S+ )?apt-get .*update\n\$ .*install .*git\n$/,
  )
})

test.each([
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

/** Writes a program that runs these lines of shell. @returns its path */
async function script(name: string, lines: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${lines}\n`)
  await chmod(path, 0o755)
  return path
}

test('set-up finds the browser on PATH, and passes over a stub that does not start', async () => {
  vi.stubEnv('CHROMIUM', undefined)
  vi.stubEnv('PATH', `${folder}/nowhere:${folder}`)
  await script('chromium-browser', 'exit 1')
  const chrome = await script('google-chrome', '')
  expect(findChromium()).toBe(chrome)
})

test("set-up finds Playwright's own headless browser where there is no other", async () => {
  vi.stubEnv('CHROMIUM', undefined)
  vi.stubEnv('PATH', folder)
  vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', folder)
  expect(findChromium()).toBeNull()
  const { chromium } = await import('playwright')
  const [revision] = chromium.executablePath().match(/(?<=chromium-)\d+/)!
  await mkdir(join(folder, `chromium_headless_shell-${revision}/linux`), { recursive: true })
  const shell = await script(`chromium_headless_shell-${revision}/linux/chrome-headless-shell`, '')
  expect(findChromium()).toBe(shell)
})

test('the browser that CHROMIUM names comes before the one on PATH', async () => {
  vi.stubEnv('CHROMIUM', '/opt/mine')
  vi.stubEnv('PATH', folder)
  await script('chromium', '')
  expect(findChromium()).toBe('/opt/mine')
})
