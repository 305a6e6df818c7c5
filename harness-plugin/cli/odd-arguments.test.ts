import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextSteps } from './next-step-testing.ts'
import { createProgram } from './program.ts'
import { readDocument, runsForTests } from './testing.ts'
import { wordsOf } from './words/index.ts'

const { start, expectToRun } = runsForTests()
/** Next steps that ran: one for each command and error. */
const ran = new Set<string>()
const program = createProgram(wordsOf('en'))
const COMMANDS = program.commands.map((command) => command.name())

/**
 * Texts that one may type where a name, a path or an address is expected, and an option may be given. Rights are of no use
 * here: they do not bind root.
 */
const TYPED = ['', ' ', './gone', './folder', './file', './file/x', './loop', 'x'.repeat(300), '../ü\u202e%00$(id)\n#']
const OPTION = ['', './gone', './loop', 'x'.repeat(300)]

/** Files and folders of a home and of its profile `web` that may be unreadable. */
const READ = [
  '.plugmark',
  'profiles',
  ...[
    ...['', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'cordis.patch.yml', '.npmrc', 'node_modules'],
    ...['node_modules/good', '.plugmark', '.plugmark/lock', '.plugmark/jobs', '.plugmark/journal.json'],
    ...['.plugmark/undo', '.plugmark/history', '.plugmark/holds.json', '.plugmark/updates.json'],
  ].map((name) => join('profiles/web', name)),
]

let folder: string
let env: Record<string, string>
const cwd = process.cwd()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-odd-'))
  await mkdir(join(folder, 'folder'))
  await writeFile(join(folder, 'file'), '{')
  await symlink('loop', join(folder, 'loop'))
  await writeFile(join(folder, 'dsh'), '#!/bin/sh\necho 0.2.1-rc.2', { mode: 0o755 })
  await writeFile(join(folder, 'pnpm'), '#!/bin/sh\necho 11.28.11', { mode: 0o755 })
  // No server listens here.
  await writeFile(join(folder, '.npmrc'), 'registry=http://127.0.0.1:9\n')
  env = {
    PATH: `${folder}:${process.env.PATH}`,
    PLUGMARK_HARNESS: join(folder, 'dsh'),
    DSH_HOME: join(folder, 'home'),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
  process.chdir(folder)
  await placeProfile()
})
afterEach(async () => {
  process.chdir(cwd)
  await rm(folder, { recursive: true, force: true })
})

/** Creates the home again, with a profile that has a plugin. */
async function placeProfile() {
  const home = join(folder, 'home')
  await rm(home, { recursive: true, force: true })
  const plugin = join(home, 'profiles/web/node_modules/good')
  await mkdir(plugin, { recursive: true })
  const manifest = { dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: ['good'] } } }
  await writeFile(join(home, 'profiles/web/package.json'), JSON.stringify(manifest))
  const bundle = { name: 'good', version: '1.0.0', dsh: { bundle: { patch: 'patch.yml' } } }
  await writeFile(join(plugin, 'package.json'), JSON.stringify(bundle))
  await writeFile(join(plugin, 'patch.yml'), '[]')
}

/** Runs a command line. @returns what is wrong with its end; null for nothing */
async function faultOf(args: readonly string[], change: Record<string, string> = {}): Promise<string | null> {
  const { run, written } = start(['--json', ...args], { env: { ...env, ...change } })
  const code = await run.finish()
  // What `config` stored is not for the next run.
  await rm(join(folder, 'config'), { recursive: true, force: true })
  const document = readDocument(written.stdout)
  const { error } = document
  for (const step of await nextSteps(document)) {
    const kind = `${error?.code} ${[step[0], ...step.filter((word) => word.startsWith('--'))]}`
    if (!ran.has(kind)) await expectToRun(step, { env: { ...env, ...change } }, error.message)
    ran.add(kind)
  }
  const isFine = error ? code > 0 && code < 10 && error.code !== 'internal' && error.next !== null : code === 0
  return isFine ? null : JSON.stringify([args, change, code, error])
}

const commandOf = (name: string) => program.commands.find((one) => one.name() === name)!

/** Returns a command line with a value as every argument. */
const lineWith = (name: string, value: string): string[] => [
  name,
  '--',
  ...commandOf(name).registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? value),
]

/** Returns the command lines with a value as one option that takes any text. */
function linesWithOption(name: string, value: string): string[][] {
  const { options, registeredArguments } = commandOf(name)
  const valid = registeredArguments.filter(({ required }) => required)
  return [...options, ...program.options]
    .filter(({ required, argChoices }) => required && !argChoices)
    .map(({ long }) => [name, `${long}=${value}`, '--', ...valid.map(({ argChoices }) => argChoices?.[0] ?? 'good')])
}

test.each(COMMANDS)('answers odd arguments of %s, also in a deleted folder, with what to do next', async (name) => {
  const faults: (string | null)[] = []
  for (const value of TYPED) faults.push(await faultOf(lineWith(name, value)))
  for (const value of OPTION) {
    for (const args of linesWithOption(name, value)) faults.push(await faultOf(args))
    faults.push(await faultOf(lineWith(name, 'good'), { HOME: join(folder, value) }))
  }
  process.chdir('folder')
  // At once: Node asks for the folder only once after a change.
  rmSync(join(folder, 'folder'), { recursive: true })
  expect(() => process.cwd()).toThrow()
  for (const value of ['good', './x', '']) faults.push(await faultOf(lineWith(name, value)))
  for (const args of linesWithOption(name, './x')) faults.push(await faultOf(args))
  expect(faults.filter((fault) => fault !== null)).toEqual([])
})

test.each(COMMANDS)('answers %s over files that cannot be read with what to do next', async (name) => {
  const faults: (string | null)[] = []
  for (const path of READ) {
    await placeProfile()
    const damaged = join(folder, 'home', path)
    await mkdir(dirname(damaged), { recursive: true })
    await rm(damaged, { recursive: true, force: true })
    await symlink(basename(damaged), damaged)
    const fault = await faultOf(lineWith(name, 'good'))
    faults.push(fault && `${path}: ${fault}`)
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([])
})
