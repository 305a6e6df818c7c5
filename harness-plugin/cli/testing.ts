import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import * as v from 'valibot'
import { afterEach, beforeEach, expect } from 'vitest'
import { type RegistryForTests, startRegistryForTests } from '../host/registry/testing.ts'
import { aRecord, directoryOf } from '../host/testing.ts'
import { DocumentSchema } from './documents.ts'
import { EXITS } from './failure.ts'
import { Run } from './main.ts'
import { nextSteps, nextStepsIn, runnable } from './next-step-testing.ts'

export const records = [
  aRecord('a/good', { installCheck: 'passed', stars: 3 }),
  aRecord('a/failed', { installCheck: 'failed', stars: 2 }),
  aRecord('b/many#one', { installCheck: 'passed', npmPackage: 'one' }),
  aRecord('b/many#two', { installCheck: 'passed', npmPackage: 'two' }),
]

/** Creates runs in this process for tests, over a directory in memory, with a home and a state folder of their own. */
export function runsForTests() {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugmark-cli-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  interface RunOptions {
    fetch?: typeof fetch
    env?: Record<string, string>
    stdin?: string
    stdout?: Writable
    node?: string
  }

  function begin(argv: readonly string[], given: RunOptions = {}) {
    const written = { stdout: '', stderr: '' }
    const into = (name: keyof typeof written) =>
      new Writable({
        write(chunk, _, done) {
          written[name] += chunk
          done()
        },
      })
    const cancel = new AbortController()
    const surroundings = {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LANG: 'C',
        PLUGMARK_API: 'https://directory.example',
        // No test asks a real registry. A test with its own home has one there.
        ...(given.env?.HOME === undefined && { PLUGMARK_REGISTRY: 'http://127.0.0.1:9' }),
        ...given.env,
      },
      stdin: new PassThrough().end(given.stdin ?? ''),
      stdout: given.stdout ?? into('stdout'),
      stderr: into('stderr'),
      ...(given.node ? { node: given.node } : {}),
      replaced: { fetch: given.fetch ?? directoryOf(records).fetch },
    }
    const run = new Run(argv, surroundings, cancel.signal)
    return { run, cancel, written }
  }
  /**
   * Runs a step that a failure names, without a change. It may fail, but neither because nothing has that name or option, nor
   * with the same failure.
   *
   * @param message of the failure
   */
  async function expectToRun(step: readonly string[], given: RunOptions, message: string): Promise<void> {
    const args = [...runnable(step), ...(step.includes('--json') ? [] : ['--json'])]
    // What `config` stores is not for the rest of the test.
    const env = { ...given.env, XDG_CONFIG_HOME: join(folder, 'config-of-steps') }
    const { run, written } = begin(args, { env, stdin: given.stdin ?? '', ...(given.fetch && { fetch: given.fetch }) })
    const code = await run.finish()
    const name = `plugmark ${args.join(' ')}`
    const { error = null } = readDocument(written.stdout)
    expect([EXITS.usage, EXITS['not-listed']], `${name}: ${error?.message}`).not.toContain(code)
    expect(error?.code, `${name}: ${error?.message}`).not.toBe('internal')
    // A dry run repairs nothing.
    if (!args.includes('--dry-run')) expect(error?.message, name).not.toBe(message)
  }

  /** Starts a run in the process of the test. Without --json, what a failure names as the next step runs after it. */
  function start(argv: readonly string[], given: RunOptions = {}) {
    const { run, cancel, written } = begin(argv, given)
    const finish = async () => {
      const code = await run.finish()
      const [, message = ''] = /^(?:Error: |错误：)(.*)$/m.exec(written.stderr) ?? []
      if (!argv.includes('--json'))
        for (const step of await nextStepsIn(written.stderr)) await expectToRun(step, given, message)
      return code
    }
    return { run: { finish, crash: (error: unknown) => run.crash(error) }, cancel, written }
  }

  return {
    start,
    expectToRun,
    /** Returns the home of the runs of this test. */
    home: () => folder,
    /** Runs in a pipe without --json. */
    async text(argv: readonly string[], given: RunOptions = {}) {
      const { run, written } = start(argv, given)
      return { code: await run.finish(), ...written }
    },
    /** Runs with --json, to its one document. */
    async json(argv: readonly string[], given: RunOptions = {}) {
      const { run, written } = begin([...argv, '--json'], given)
      const code = await run.finish()
      const document = readDocument(written.stdout)
      for (const step of await nextSteps(document)) await expectToRun(step, given, document.error?.message ?? '')
      return { code, document, stderr: written.stderr }
    },
  }
}

/** Parses a document. @throws unless it is one document that matches the schema */
// biome-ignore lint/suspicious/noExplicitAny: each test looks at what it is about, and the schema has the rest
export function readDocument(stdout: string): any {
  expect(stdout).toMatch(/^[^\n]+\n$/)
  return v.parse(DocumentSchema, JSON.parse(stdout))
}

/** Places version 1.0.0 of plugins in a profile that loads them, with what its package.json asks for. */
export async function placePlugins(directory: string, dependencies: Readonly<Record<string, string>>) {
  const names = Object.keys(dependencies)
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ dependencies, dsh: { profile: { bundles: names } } }),
  )
  for (const name of names) {
    const folder = join(directory, 'node_modules', name)
    await mkdir(folder, { recursive: true })
    const manifest = { name, version: '1.0.0', dsh: { bundle: { patch: 'patch.yml' } } }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'patch.yml'), '[]')
  }
}

/** Of the harness of the tests, `good` declares that it fits, `one` that it does not, and `two` declares nothing. */
const FITTING = {
  good: { '1.0.0': { engines: { dsh: '^0.2.0-0' } } },
  one: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
  two: { '1.0.0': {} },
}

/**
 * Creates, for each test, a folder with a harness and a pnpm that only say their versions, a registry with packages, and the
 * variables of a run that uses them.
 */
export function harnessForTests(packages: Parameters<typeof startRegistryForTests>[0] = FITTING) {
  const its = {} as { folder: string; registry: RegistryForTests; env: Record<string, string> }
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugmark-harness-'))
    const program = join(folder, 'dsh')
    await writeFile(program, '#!/bin/sh\necho 0.2.1-rc.2', { mode: 0o755 })
    await writeFile(join(folder, 'pnpm'), '#!/bin/sh\necho 11.28.11', { mode: 0o755 })
    const registry = await startRegistryForTests(packages)
    await writeFile(join(folder, '.npmrc'), `registry=${registry.url}\n`)
    const env = { PLUGMARK_HARNESS: program, HOME: folder, PATH: `${folder}:${process.env.PATH}` }
    Object.assign(its, { folder, registry, env })
  })
  afterEach(async () => {
    await its.registry.close()
    await rm(its.folder, { recursive: true })
  })
  return its
}
