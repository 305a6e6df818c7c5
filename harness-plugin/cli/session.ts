import type { Readable, Writable } from 'node:stream'
import { DEFAULTS } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n/locale'
import type { StoreClient } from '../client/store-client.ts'
import type { HostOptions, Problem, StoreHost } from '../host/index.ts'
import {
  type AddressSource,
  commandLine,
  type GlobalOptions,
  readStoredSettings,
  resolveSettings,
} from './cli-settings.ts'
import type { DirectoryInfo } from './documents.ts'
import { Progress } from './progress.ts'
import { type ColorMode, hasCursor, type Terminal } from './text/page.ts'
import { type Words, wordsOf } from './words/index.ts'
import type { Writer } from './writer.ts'

/** Process in which a run takes place. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & Terminal
  readonly stdout: Writable & Terminal
  readonly stderr: Writable & Terminal
  /** Version of Node.js. @default that of this process */
  readonly node?: string
  /** Options of the host that the command line cannot set. */
  readonly host?: Partial<HostOptions>
}

export interface RunOptions extends GlobalOptions {
  readonly json?: true | undefined
  readonly events?: true | undefined
  readonly fields?: string[] | undefined
  readonly quiet?: true | undefined
  readonly color?: ColorMode | undefined
}

/** One run of the program: its settings, its host once a command needs it, and the state of the directory. */
export interface Session extends Surroundings {
  /** Language of the reader. Programs read English. */
  readonly locale: Locale
  readonly words: Words
  readonly progress: Progress
  /** Writes to standard error. */
  readonly errors: Writer
  readonly color: ColorMode
  /** Aborted when a person cancels. */
  readonly signal: AbortSignal
  readonly folder: string
  readonly json: boolean
  /** Fields that the document is cut to; null for all. */
  readonly fields: readonly string[] | null
  /** Profile of the stored settings. */
  readonly defaultProfile: string | undefined
  /** Option, variable or setting that gave the address of the directory; null for the default address. */
  readonly addressSource: AddressSource
  /** True if a person can be asked. */
  readonly canAsk: boolean
  directory: DirectoryInfo
  /** Problems of background work so far. */
  readonly problems: ReadonlySet<Problem>
  /** True while a job runs, which is rolled back before a cancelled run ends. */
  isWorking: boolean
  openHost(): Promise<StoreHost>
  /** Opens the host, and returns a client over it. */
  openClient(): Promise<StoreClient>
  /** Renders a command of this program to type next, with the global options of this run. */
  command(...words: readonly string[]): string
  /** Renders a command of the harness. */
  harnessCommand(...words: readonly string[]): string
  close(): Promise<void>
}

export const NO_DIRECTORY: DirectoryInfo = { url: null, generated: null, state: 'not-used', readAt: null, ageMs: null }

/** Opens the host, and reports what it does. */
async function startHost(
  options: HostOptions,
  {
    problems,
    progress,
    words,
    locale,
  }: Pick<Session, 'progress' | 'words' | 'locale'> & { readonly problems: Set<Problem> },
): Promise<StoreHost> {
  // The host is most of the program: commands that need none start faster.
  const [{ createStoreHost }, { messagesFor }] = await Promise.all([
    import('../host/index.ts'),
    import('../messages/index.ts'),
  ])
  const host = createStoreHost({
    onProblem(problem) {
      problems.add(problem)
      // The end of the run reports the state of the directory.
      if (problem !== 'directory-unread' && problem !== 'index-unfetched') progress.warn(words.problems[problem])
    },
    ...options,
  })
  host.subscribe((event) => progress.onEvent(event, messagesFor(locale).job))
  return host
}

export function createSession(
  surroundings: Surroundings,
  options: RunOptions,
  given: {
    readonly locale: Locale
    readonly signal: AbortSignal
    readonly output: Writer
    readonly errors: Writer
  },
): Session {
  const { stdin, stderr, env } = surroundings
  const { locale, signal, errors } = given
  const words = wordsOf(locale)
  const progress = new Progress({
    writer: errors,
    hasCursor: hasCursor(stderr, env),
    columns: () => stderr.columns ?? 80,
    words,
    events: options.events === true,
    quiet: options.quiet === true,
  })
  const stored = readStoredSettings(env)
  const { addressSource, ...settings } = resolveSettings(options, env, stored)
  const problems = new Set<Problem>()
  let host: Promise<StoreHost> | null = null
  let client: StoreClient | null = null

  function openHost(): Promise<StoreHost> {
    host ??= startHost({ ...settings, client: 'cli', ...surroundings.host }, { problems, progress, words, locale })
    return host
  }

  return {
    ...surroundings,
    locale,
    words,
    progress,
    errors,
    color: options.color ?? 'auto',
    signal,
    folder: settings.stateDir,
    json: options.json === true,
    fields: options.fields ?? null,
    defaultProfile: stored.profile,
    addressSource,
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
    harnessCommand: (...words) =>
      commandLine(options.harness || env.PLUGMARK_HARNESS || stored.harness || DEFAULTS.cli, ...words),
    async close() {
      progress.end()
      await (await host)?.close()
    },
  }
}
