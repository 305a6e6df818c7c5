import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { VERDICTS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { UsageError } from '../command.ts'
import { InstantSchema, type Run } from './runs.ts'

/** Characters of a name or a message that are kept. */
const KEPT = 300
const kept = v.pipe(
  v.string(),
  v.transform((value) => value.replace(/\p{C}/gu, '\ufffd').slice(0, KEPT)),
)

/** The part of a document of `plugmark try` that a verdict needs. */
const DocumentSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    error: v.optional(v.object({ message: kept })),
    data: v.optional(
      v.object({
        result: v.object({
          verdict: v.picklist(VERDICTS),
          runs: v.nullish(v.boolean(), null),
          kind: kept,
          subjects: v.optional(v.array(kept), []),
          output: v.optional(v.array(kept), []),
          versions: v.object({ harness: kept }),
          startedAt: InstantSchema,
          blockedBuilds: v.array(v.object({ package: kept })),
        }),
      }),
    ),
  }),
)

/**
 * Ends of a command that are this machine's trouble and say nothing about the plugin: not a verdict.
 * Source: the outcomes in the published schema of `plugmark --json`.
 */
const OF_THIS_MACHINE = [
  ...['unreachable', 'disk-error', 'pnpm-unusable', 'program-missing', 'interrupted', 'cancelled'],
]

/**
 * Runs `plugmark try SPEC`, which installs the plugin in a throw-away home and starts the harness with it.
 *
 * @param program path or name of `plugmark`
 * @param context.registry address of the package registry; undefined: the one that `plugmark` uses
 * @throws {UsageError} when there is no such program
 * @throws {Error} when the command could not be run; the message is for the terminal
 */
export async function tryInstall(
  program: string,
  spec: string,
  context: { readonly harness: string; readonly registry: string | undefined; readonly signal: AbortSignal },
): Promise<Omit<Run, 'spec' | 'version'>> {
  const { harness, registry, signal } = context
  const child = spawn(program, ['try', spec, '--unlisted', '--run', '--harness', harness, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: registry === undefined ? process.env : { ...process.env, PLUGMARK_REGISTRY: registry },
  })
  // It removes what it installed and ends the harness before it exits.
  const stop = () => child.kill('SIGINT')
  signal.addEventListener('abort', stop, { once: true })
  try {
    const failed = new Promise<never>((_, reject) =>
      child.once('error', (error: NodeJS.ErrnoException) => {
        // Anything else, such as too many processes, is trouble of the machine that passes.
        const isMissing = error.code === 'ENOENT' || error.code === 'EACCES'
        reject(isMissing ? cannotRun(program, 'plugmark') : error)
      }),
    )
    const [stdout, stderr] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed])
    signal.throwIfAborted()
    const document = v.safeParse(DocumentSchema, stdout)
    const result = document.success ? document.output.data?.result : undefined
    if (result !== undefined) {
      const { verdict, runs, kind, subjects, output, versions, startedAt, blockedBuilds } = result
      if (OF_THIS_MACHINE.includes(kind)) throw new Error(`plugmark reported ${kind}.`)
      const blocked = blockedBuilds.map((build) => build.package)
      const why = [...(kind === verdict ? [] : [kind]), ...subjects].join(' ')
      const failing = verdict === 'failed' ? why || output.find(isError) : null
      const reason = failing?.trim().slice(0, KEPT) ?? null
      return { verdict, runs, reason, harness: versions.harness, checkedAt: startedAt, blockedBuilds: blocked }
    }
    const reason = document.success ? document.output.error?.message : stderr.trim().split('\n').at(-1)
    throw new Error(reason ? v.parse(kept, reason) : `${program} printed no JSON document.`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Returns true for a line in which a program says what is wrong. */
const isError = (line: string) => /error|ERR_/i.test(line)

const cannotRun = (program: string, option: string) =>
  new UsageError(`${program} cannot be run. Name the program with --${option} FILE.`)

/** Returns the version that a harness's program prints. @throws {UsageError} when it prints none */
export async function readHarnessVersion(program: string): Promise<string> {
  const run = promisify(execFile)(program, ['--version'], { timeout: 30_000 })
  const version = (await run.catch(() => ({ stdout: '' }))).stdout.trim()
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw cannotRun(`${program} --version`, 'harness')
  return version
}
