import type { Readable, Writable } from 'node:stream'
import { DEFAULTS } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n/locale'
import type { StoreClient } from '../client/store-client.ts'
import type { HostOptions, Problem, StoreHost } from '../host/index.ts'
import { commandLine } from './command-line.ts'
import type { DirectoryInfo } from './documents.ts'
import { createProgress, type Progress } from './progress.ts'
import { type GlobalOptions, hostOptions } from './settings.ts'
import { type Words, wordsOf } from './words/index.ts'

type Terminal = { readonly isTTY?: boolean; readonly columns?: number }

/** What a run has of the process that it is in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & Terminal
  readonly stdout: Writable & Terminal
  readonly stderr: Writable & Terminal
  /** Options of the host that no command line sets. */
  readonly host?: Partial<HostOptions>
}

export interface RunOptions extends GlobalOptions {
  readonly json?: true | undefined
  readonly events?: true | undefined
}

/** One run of the program: its settings, its host once a command needs it, and what is known of the directory. */
export interface Session extends Surroundings {
  /** Of whoever reads it: a program reads English. */
  readonly locale: Locale
  readonly words: Words
  readonly progress: Progress
  /** Aborted when a person cancels. */
  readonly signal: AbortSignal
  readonly folder: string
  readonly json: boolean
  /** Where a person can be asked. */
  readonly canAsk: boolean
  directory: DirectoryInfo
  /** What went wrong in the background. */
  readonly problems: ReadonlySet<Problem>
  /** Whether a job runs, which is rolled back before a cancelled run ends. */
  isWorking: boolean
  openHost(): Promise<StoreHost>
  /** Opens the host, and returns a client over it. */
  openClient(): Promise<StoreClient>
  /** A command of this program to be typed next, with what was typed for the program itself. */
  command(...words: readonly string[]): string
  /** A command of the harness. */
  harnessCommand(...words: readonly string[]): string
  close(): Promise<void>
}

export const NO_DIRECTORY: DirectoryInfo = { url: null, generated: null, state: 'not-used', readAt: null, ageMs: null }

export function createSession(
  surroundings: Surroundings,
  options: RunOptions,
  { locale, signal }: { readonly locale: Locale; readonly signal: AbortSignal },
): Session {
  const { stdin, stderr, env } = surroundings
  const words = wordsOf(locale)
  const progress = createProgress({ stderr, words, events: options.events === true })
  const settings = hostOptions(options, env)
  const problems = new Set<Problem>()
  let host: Promise<StoreHost> | null = null
  let client: StoreClient | null = null

  async function open(): Promise<StoreHost> {
    // The host is most of the program, and what does without it is to start at once.
    const { createStoreHost } = await import('../host/index.ts')
    const opened = createStoreHost({
      ...settings,
      onProblem(problem) {
        problems.add(problem)
        progress.warn(words.problems[problem])
      },
      ...surroundings.host,
    })
    opened.subscribe(progress.onEvent)
    return opened
  }

  function openHost(): Promise<StoreHost> {
    host ??= open()
    return host
  }

  return {
    ...surroundings,
    locale,
    words,
    progress,
    signal,
    folder: settings.stateDir,
    json: options.json === true,
    canAsk: !options.json && stdin.isTTY === true && stderr.isTTY === true,
    directory: { ...NO_DIRECTORY, url: settings.baseUrl ?? null },
    problems,
    isWorking: false,
    openHost,
    async openClient() {
      const [opened, { StoreClient }] = await Promise.all([openHost(), import('../client/store-client.ts')])
      client ??= new StoreClient(opened, { locale, signal })
      return client
    },
    command(...words) {
      const named = (['directory', 'harness', 'home'] as const).flatMap((name) => {
        const value = options[name]
        return value === undefined ? [] : [`--${name}`, value]
      })
      return commandLine('plugmark', ...words, ...named, ...(options.json ? ['--json'] : []))
    },
    harnessCommand: (...words) => commandLine(options.harness ?? env.PLUGMARK_HARNESS ?? DEFAULTS.cli, ...words),
    async close() {
      progress.end()
      await (await host)?.close()
    },
  }
}
