import type { Readable, Writable } from 'node:stream'
import { DEFAULTS } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n/locale'
import type { StoreClient } from '../client/store-client.ts'
import type { HostOptions, Problem, StoreHost } from '../host/index.ts'
import { commandLine, type GlobalOptions, readStoredSettings, resolveSettings } from './cli-settings.ts'
import type { DirectoryInfo } from './documents.ts'
import { Progress } from './progress.ts'
import { type ColorMode, hasCursor, type Terminal } from './text/page.ts'
import { wordsOf } from './words/index.ts'
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

export const NO_DIRECTORY: DirectoryInfo = { url: null, generated: null, state: 'not-used', readAt: null, ageMs: null }

/** One run of the program: its settings, its host once a command needs it, and the state of the directory. */
export type Session = ReturnType<typeof createSession>

export function createSession(
  surroundings: Surroundings,
  options: RunOptions,
  {
    locale,
    signal,
    errors,
  }: {
    /** Language of the reader. Programs read English. */
    readonly locale: Locale
    /** Aborted when a person cancels. */
    readonly signal: AbortSignal
    /** Writes to standard error. */
    readonly errors: Writer
  },
) {
  const { stdin, stderr, env } = surroundings
  const { json = false, events = false, quiet = false, color = 'auto', fields = null } = options
  const words = wordsOf(locale)
  const columns = () => stderr.columns ?? 80
  const progress = new Progress({ writer: errors, hasCursor: hasCursor(stderr, env), columns, events, quiet, words })
  const stored = readStoredSettings(env)
  const { addressSource, ...settings } = resolveSettings(options, env, stored)
  const problems = new Set<Problem>()
  let host: Promise<StoreHost> | null = null
  let client: StoreClient | null = null

  /** Opens the host, and reports what it does. */
  async function startHost(): Promise<StoreHost> {
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
      ...settings,
      client: 'cli',
      ...surroundings.host,
    })
    host.subscribe((event) => progress.onEvent(event, messagesFor(locale).job))
    return host
  }
  const openHost = (): Promise<StoreHost> => (host ??= startHost())

  return {
    ...surroundings,
    ...{ locale, words, progress, errors, color, signal, json, fields, addressSource },
    folder: settings.stateDir,
    /** Profile of the stored settings. */
    defaultProfile: stored.profile,
    /** True if a person can be asked. */
    canAsk: !json && stdin.isTTY === true && stderr.isTTY === true,
    directory: { ...NO_DIRECTORY, url: settings.baseUrl ?? null } as DirectoryInfo,
    /** Problems of background work so far. */
    problems: problems as ReadonlySet<Problem>,
    /** True while a job runs, which is rolled back before a cancelled run ends. */
    isWorking: false as boolean,
    openHost,
    /** Opens the host, and returns a client over it. */
    async openClient(): Promise<StoreClient> {
      const [opened, { StoreClient }] = await Promise.all([openHost(), import('../client/store-client.ts')])
      client ??= new StoreClient(opened, { locale, signal })
      return client
    },
    /** Renders a command of this program to type next, with the global options of this run. */
    command(...words: readonly string[]): string {
      const named = (['directory', 'harness', 'home'] as const).flatMap((name) => {
        const value = options[name]
        return value === undefined ? [] : [`--${name}`, value]
      })
      return commandLine('plugmark', ...words, ...named, ...(json ? ['--json'] : []))
    },
    /** Renders a command of the harness. */
    harnessCommand: (...words: readonly string[]): string =>
      commandLine(options.harness || env.PLUGMARK_HARNESS || stored.harness || DEFAULTS.cli, ...words),
    async close(): Promise<void> {
      progress.end()
      await (await host)?.close()
    },
  }
}
