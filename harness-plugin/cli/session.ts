import type { Readable, Writable } from 'node:stream'
import { validateBaseUrl } from '@plugmark/shared/client/core'
import { BASE_URL, DEFAULTS } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n/locale'
import type { StoreClient } from '../client/store-client.ts'
import type { AllListings, HostOptions, Problem, Replacements, StoreHost } from '../host/index.ts'
import type { CatalogueStatus } from '../protocol/index.ts'
import {
  type AddressSource,
  commandLine,
  type GlobalOptions,
  resolveSettings,
  type StoredSettings,
} from './cli-settings.ts'
import type { DirectoryInfo } from './documents.ts'
import { Progress } from './progress.ts'
import { type ColorMode, hasCursor, type Terminal } from './text/terminal.ts'
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
  /** For tests of the host. */
  readonly replaced?: Replacements
}

export interface RunOptions extends GlobalOptions {
  readonly json?: true | undefined
  readonly events?: true | undefined
  readonly fields?: string[] | undefined
  readonly quiet?: true | undefined
  readonly verbose?: true | undefined
  readonly color?: ColorMode | undefined
}

export const NO_DIRECTORY: DirectoryInfo = { url: null, generated: null, state: 'not-used', readAt: null, ageMs: null }

/** One run of the program: its settings, its host once a command needs it, and the state of the directory. */
export class Session {
  readonly env: Surroundings['env']
  readonly stdin: Surroundings['stdin']
  readonly stdout: Surroundings['stdout']
  readonly stderr: Surroundings['stderr']
  /** Language of the reader. Programs read English. */
  readonly locale: Locale
  readonly words: Words
  /** Aborted when a person cancels. */
  readonly signal: AbortSignal
  /** Writes to standard error. */
  readonly errors: Writer
  readonly progress: Progress
  readonly color: ColorMode
  /** True to show what few need to read, too. */
  readonly verbose: boolean
  readonly json: boolean
  readonly fields: readonly string[] | null
  /** True if a person can be asked. */
  readonly canAsk: boolean
  /** Profile of the stored settings. */
  readonly defaultProfile: string | undefined
  /** Where the address of the directory was set; null for the default. */
  readonly addressSource: AddressSource
  /** Folder of the stored index. */
  readonly folder: string
  /** Problems of background work so far. */
  readonly problems = new Set<Problem>()
  directory: DirectoryInfo
  /** Listings that this run has fetched, which the next search would read the long way; null once they are prepared for it. */
  unprepared: AllListings | null = null
  /** True while a job runs, which is rolled back before a cancelled run ends. */
  isWorking = false
  readonly #options: RunOptions
  readonly #stored: StoredSettings
  readonly #settings: HostOptions
  readonly #replaced: Replacements
  #host: Promise<StoreHost> | null = null
  #client: StoreClient | null = null

  constructor(
    { env, stdin, stdout, stderr, replaced = {} }: Surroundings,
    options: RunOptions,
    given: Pick<Session, 'locale' | 'signal' | 'errors'> & { readonly stored: StoredSettings },
  ) {
    const { locale, signal, errors, stored } = given
    const { json = false, events = false, quiet = false, color = 'auto', fields = null } = options
    this.env = env
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    this.locale = locale
    this.words = wordsOf(locale)
    this.signal = signal
    this.errors = errors
    const columns = () => stderr.columns ?? 80
    const shown = { hasCursor: hasCursor(stderr, env), columns, events, quiet, words: this.words }
    this.progress = new Progress({ writer: errors, ...shown })
    this.color = color
    this.verbose = options.verbose === true
    this.json = json
    this.fields = fields
    this.canAsk = !json && stdin.isTTY === true && stderr.isTTY === true
    this.#options = options
    this.#stored = stored
    const { addressSource, ...settings } = resolveSettings(options, env, stored)
    this.addressSource = addressSource
    this.folder = settings.stateDir
    this.#settings = { ...settings, client: 'cli' }
    this.#replaced = replaced
    this.defaultProfile = stored.profile
    this.directory = { ...NO_DIRECTORY, url: settings.baseUrl ?? null }
  }

  /** Records in the document which listings were read. */
  noteDirectory({ loadedAt, generated, count }: CatalogueStatus, isCurrent: boolean): void {
    this.directory = {
      ...this.directory,
      generated,
      readAt: loadedAt === null ? null : new Date(loadedAt).toISOString(),
      ageMs: loadedAt === null ? null : Math.max(0, Date.now() - loadedAt),
      state: isCurrent ? 'current' : count > 0 ? 'stored' : 'unreachable',
    }
  }

  /** Names the stored copy of the directory among those in `folder`. */
  get copy(): { readonly baseUrl: string; readonly cli: string } {
    const { baseUrl = BASE_URL, cli = DEFAULTS.cli } = this.#settings
    return { baseUrl: validateBaseUrl(baseUrl), cli }
  }

  /** Opens the host, and reports what it does. */
  readonly openHost = (): Promise<StoreHost> => (this.#host ??= this.#startHost())

  async #startHost(): Promise<StoreHost> {
    // The host is most of the program: commands that need none start faster.
    const [{ createStoreHost }, { messagesFor }] = await Promise.all([
      import('../host/index.ts'),
      import('../messages/index.ts'),
    ])
    const onProblem = (problem: Problem) => {
      this.problems.add(problem)
      // The end of the run reports the state of the directory.
      if (problem !== 'directory-unread' && problem !== 'index-unfetched')
        this.progress.warn(this.words.problems[problem])
    }
    const host = createStoreHost({ onProblem, ...this.#settings }, this.#replaced)
    host.subscribe((event) => this.progress.onEvent(event, messagesFor(this.locale).job))
    return host
  }

  async openClient(): Promise<StoreClient> {
    const [opened, { StoreClient }] = await Promise.all([this.openHost(), import('../client/store-client.ts')])
    this.#client ??= new StoreClient(opened, this.signal)
    return this.#client
  }

  /** Renders a command of this program to type next, with the global options of this run. */
  readonly command = (...words: readonly string[]): string => {
    const named = (['directory', 'harness', 'home'] as const).flatMap((name) => {
      const value = this.#options[name]
      return value === undefined ? [] : [`--${name}`, value]
    })
    return commandLine('plugmark', ...words, ...named, ...(this.json ? ['--json'] : []))
  }

  harnessCommand(...words: readonly string[]): string {
    const { harness } = this.#options
    return commandLine(harness || this.env.PLUGMARK_HARNESS || this.#stored.harness || DEFAULTS.cli, ...words)
  }

  async close(): Promise<void> {
    this.progress.end()
    await (await this.#host)?.close()
  }
}
