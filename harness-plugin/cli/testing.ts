import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import * as v from 'valibot'
import { afterEach, beforeEach, expect } from 'vitest'
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
  /** Standard error of the runs of this test. */
  let errors: { readonly stderr: string }[] = []
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
    const written = errors
    errors = []
    for (const { stderr } of written) await nextStepsIn(stderr)
  })

  function start(
    argv: readonly string[],
    given: {
      fetch?: typeof fetch
      env?: Record<string, string>
      stdin?: string
      stdout?: Writable
      node?: string
    } = {},
  ) {
    const written = { stdout: '', stderr: '' }
    errors.push(written)
    const into = (name: keyof typeof written) =>
      new Writable({
        write(chunk, _, done) {
          written[name] += chunk
          done()
        },
      })
    const cancel = new AbortController()
    const surroundings = {
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C', PLUGMARK_API: 'https://directory.example', ...given.env },
      stdin: new PassThrough().end(given.stdin ?? ''),
      stdout: given.stdout ?? into('stdout'),
      stderr: into('stderr'),
      ...(given.node ? { node: given.node } : {}),
      host: { fetch: given.fetch ?? directoryOf(records).fetch },
    }
    const run = new Run(argv, surroundings, cancel.signal)
    return { run, cancel, written }
  }
  /** Runs a step that a failure names, without a change. It may fail, but not because nothing has that name or option. */
  async function expectToRun(step: readonly string[], given: Parameters<typeof start>[1]): Promise<void> {
    const args = runnable(step, { hasHarness: given?.env?.PLUGMARK_HARNESS !== undefined })
    if (args === null) return
    const { run, written } = start(args, given)
    const code = await run.finish()
    expect([EXITS.usage, EXITS['not-listed']], `plugmark ${args.join(' ')}: ${written.stderr}`).not.toContain(code)
    expect(written.stdout + written.stderr).not.toContain('"internal"')
  }

  return {
    start,
    /** Returns the home of the runs of this test. */
    home: () => folder,
    /** Runs with --json, to its one document. */
    async json(argv: readonly string[], given: Parameters<typeof start>[1] = {}) {
      const { run, written } = start([...argv, '--json'], given)
      const code = await run.finish()
      const document = readDocument(written.stdout)
      for (const step of await nextSteps(document)) await expectToRun(step, given)
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
