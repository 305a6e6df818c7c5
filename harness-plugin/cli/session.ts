import type { Readable, Writable } from 'node:stream'
import { validateBaseUrl } from '@plugmark/shared/client/core'
import { BASE_URL, DEFAULTS } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n/locale'
import type { JobData } from '../client/published.ts'
import type { StoreClient } from '../client/store-client.ts'
import type { AllListings, HostOptions, Problem, Replacements, StoreHost } from '../host/index.ts'
import { HOME_VARIABLE, resolveHome } from '../host/profile/harness-home.ts'
import type { Answer, CatalogueStatus, Job } from '../protocol/index.ts'
import {
  checkProfileName,
  commandLine,
  type GlobalOptions,
  inEffect,
  resolveSettings,
  type StoredSettings,
} from './cli-settings.ts'
import type { DirectoryInfo } from './documents.ts'
import { Failure, withoutQuery } from './failure.ts'
import { Progress } from './progress.ts'
import { type ColorMode, hasCursor, type Terminal } from './text/terminal.ts'
import { type LocalizedText, type Words, wordsOf } from './words/index.ts'
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
  readonly quiet?: true | undefined
  readonly verbose?: true | undefined
  readonly color?: ColorMode | undefined
}

/** Options of the commands about a profile. */
export interface Profiled {
  readonly profile?: string | undefined
  /** True to say what would be done, and change nothing. */
  readonly dryRun?: boolean | undefined
}

export const NO_DIRECTORY: DirectoryInfo = { url: null, generated: null, state: 'not-used', readAt: null, ageMs: null }

/** One run of the program: its settings, its host once a command needs it, and the steps that several commands take. */
export class Session {
  readonly env: Surroundings['env']
  readonly stdin: Surroundings['stdin']
  readonly stdout: Surroundings['stdout']
  readonly stderr: Surroundings['stderr']
  /** Language of the reader. Programs read English. */
  readonly locale: Locale
  readonly words: Words
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal
  /** Writes to standard error. */
  readonly errors: Writer
  readonly progress: Progress
  readonly color: ColorMode
  /** True to show what few need to read, too. */
  readonly verbose: boolean
  readonly json: boolean
  /** True if the user can be asked. */
  readonly canAsk: boolean
  /** Where the address of the directory was set; null for the default. */
  readonly addressSource: string | null
  /** Folder of the stored index. */
  readonly folder: string
  /** Problems of background work so far. */
  readonly problems = new Set<Problem>()
  directory: DirectoryInfo
  /** Listings that this run has fetched, which the next search would read the long way; null once they are prepared for it. */
  unprepared: AllListings | null = null
  /** True while a job runs, which is rolled back before a cancelled run ends. */
  isWorking = false
  readonly options: RunOptions
  readonly #stored: StoredSettings
  /** Arguments as they were typed. */
  readonly #argv: readonly string[]
  readonly #settings: HostOptions
  readonly #replaced: Replacements
  #host: Promise<StoreHost> | null = null
  #client: StoreClient | null = null

  constructor(
    { env, stdin, stdout, stderr, replaced = {} }: Surroundings,
    options: RunOptions,
    given: Pick<Session, 'locale' | 'signal' | 'errors'> & {
      readonly stored: StoredSettings
      readonly argv: readonly string[]
    },
  ) {
    const { locale, signal, errors, stored, argv } = given
    const { json = false, events = false, quiet = false, color = 'auto' } = options
    this.env = env
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    this.locale = locale
    this.words = wordsOf(locale)
    this.signal = signal
    this.errors = errors
    const columns = () => stderr.columns || 80
    const shown = { hasCursor: hasCursor(stderr, env), columns, events, quiet, words: this.words }
    this.progress = new Progress({ writer: errors, ...shown })
    this.color = color
    this.verbose = options.verbose === true
    this.json = json
    this.canAsk = !json && stdin.isTTY === true && stderr.isTTY === true
    this.options = options
    this.#stored = stored
    this.#argv = argv
    const { addressSource, ...settings } = resolveSettings(options, env, stored)
    this.addressSource = addressSource
    this.folder = settings.stateDir
    this.#settings = { ...settings, client: 'cli' }
    this.#replaced = replaced
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

  // The profile

  /** The profile of the stored settings. */
  get profileSet(): string | undefined {
    return this.#stored.profile
  }

  /**
   * Returns the profile that was named, else the one of the stored settings, else the only one.
   *
   * @throws Failure when it does not exist, and when there are several to choose from
   */
  async chooseProfile(named: string | undefined = this.#stored.profile): Promise<string> {
    if (named !== undefined) checkProfileName(named)
    const names = await this.#profileNames()
    if (named !== undefined) {
      if (names.includes(named)) return named
      if (names.length === 0) throw await this.#noProfile(named)
      const { isOneEditApart } = await import('../search/spelling.ts')
      const alike = names.filter((name) => isOneEditApart(name, named))
      const [near] = alike
      const isStored = named === this.#stored.profile
      const text: LocalizedText = ({ joined, failures }) =>
        joined(failures.unknownProfile(named, names), isStored ? failures.profileSet : failures.createProfile)
      throw new Failure('unknown-profile', text, {
        ...(near !== undefined && { data: { suggestions: alike } }),
        // Another command could change a profile that nobody named.
        next: isStored
          ? this.command('config', 'profile', '--unset')
          : // The harness would make one of any name.
            this.command('list', '--profile', near ?? names[0]!),
      })
    }
    const [only, ...others] = names
    if (only === undefined) throw await this.#noProfile(DEFAULTS.profile)
    if (others.length > 0) {
      const likely = names.includes(DEFAULTS.profile) ? DEFAULTS.profile : only
      // A program asks which.
      const next = this.json ? null : commandLine('plugmark', ...this.#argv, '--profile', likely)
      const data = { suggestions: names }
      throw new Failure('usage', ({ failures }) => failures.severalProfiles(names), { data, next })
    }
    return only
  }

  /**
   * Returns the profile as `chooseProfile` does, or the default one where there is none or nobody said which: plugins are
   * found and shown without a harness, too.
   *
   * @throws Failure when the harness has profiles, and not the one that was named
   */
  async likelyProfile(named: string | undefined = this.#stored.profile): Promise<string> {
    if (named !== undefined) checkProfileName(named)
    const { length } = await this.#profileNames()
    const isUnknown = length === 0 || (named === undefined && length > 1)
    return isUnknown ? (named ?? DEFAULTS.profile) : this.chooseProfile(named)
  }

  /** Returns the harness home, as the host does. */
  get home(): string {
    const { home: configured } = this.#settings
    return resolveHome({ configured, fromEnvironment: this.env[HOME_VARIABLE], cli: this.copy.cli })
  }

  /** Returns the profiles whose package.json can be read. */
  async #profileNames(): Promise<string[]> {
    const profiles = await (await this.openHost()).profiles()
    return profiles.map(({ name }) => name)
  }

  /** Returns the cheapest command of the harness that makes a profile. */
  #creating(name: string): string {
    return this.harnessCommand('plugin', '--profile', name, 'list')
  }

  /** Returns the failure where there is no profile: without a harness, the command that creates one is of no use. */
  async #noProfile(name: string): Promise<Failure> {
    const { home, program, findProgram } = await this.openHost()
    const isMissing = (await findProgram()) === null
    return new Failure(
      'no-profile',
      ({ failures, harnessMissing, joined }) =>
        joined(failures.noProfile(home), isMissing ? harnessMissing(program) : failures.createProfile),
      { next: isMissing ? ({ failures }) => failures.getProgram.harness : this.#creating(name) },
    )
  }

  // The directory

  /**
   * Returns every listing, and records the used index in the document.
   *
   * @throws ClientError when the directory cannot be reached and no index is stored
   */
  async readListings(options: { readonly refresh?: boolean; readonly replace?: boolean } = {}): Promise<AllListings> {
    const client = await this.openClient()
    this.progress.work(this.words.waitsFor(URL.parse(this.directory.url ?? '')?.host ?? ''))
    const startedAt = Date.now()
    try {
      const listings = await client.listings(options)
      if ((listings.status.loadedAt ?? 0) >= startedAt) this.unprepared = listings
      return listings
    } finally {
      await this.#reportDirectory(await client.status())
      this.progress.end()
    }
  }

  /** Says that the directory did not answer about a plugin, although the stored index is new enough. */
  async noteUnread(): Promise<void> {
    const client = await this.openClient()
    await this.#reportDirectory({ ...(await client.status()), state: 'failed' })
  }

  async #reportDirectory(status: CatalogueStatus): Promise<void> {
    const [{ isFresh }, { messagesFor }] = await Promise.all([
      import('../search/listings.ts'),
      import('../messages/index.ts'),
    ])
    const isCurrent = status.state !== 'failed' && isFresh(status)
    this.noteDirectory(status, isCurrent)
    const { loadedAt, failure } = status
    const { problems, stored } = this.words
    if (this.directory.state === 'stored') {
      const age = loadedAt === null ? null : messagesFor(this.locale).ago(loadedAt, Date.now())
      // The host's own message is in English.
      const reason = this.locale === 'en' && failure ? withoutQuery(failure.message) : problems['directory-unread']
      this.progress.warn(stored(age, reason))
    } else if (this.problems.has('index-unfetched') && isCurrent) this.progress.warn(problems['index-unfetched'])
  }

  // A job

  /** Starts a job, and waits for its end. If the user cancels meanwhile, returns the outcome of the rollback. */
  async finishJob(start: (client: StoreClient) => Promise<Answer<Job>>): Promise<JobData> {
    const [client, { unwrap }, { toJobData }] = await Promise.all([
      this.openClient(),
      import('../client/client-error.ts'),
      import('../client/published.ts'),
    ])
    this.isWorking = true
    try {
      const { id } = unwrap(await start(client))
      const job = await client.waitFor(id, { signal: this.signal, cancels: true })
      const log = await client.host.logFile(job.profile, job.id)
      return toJobData({ ...job, outcome: job.outcome! }, this.locale, log)
    } finally {
      this.isWorking = false
    }
  }

  /** Renders a command of this program to type next, with the global options of this run. */
  readonly command = (...words: readonly string[]): string => {
    const named = (['directory', 'harness', 'home'] as const).flatMap((name) => {
      const value = this.options[name]
      return value === undefined ? [] : [`--${name}`, value]
    })
    return commandLine('plugmark', ...words, ...named, ...(this.json ? ['--json'] : []))
  }

  /** Renders commands about the plugins of a profile. To open a page takes none. */
  readonly commandIn =
    (profile: string) =>
    (...words: readonly string[]): string =>
      this.command(...words, ...(words[0] === 'open' ? [] : ['--profile', profile]))

  harnessCommand(...words: readonly string[]): string {
    const harness = inEffect('harness', this.options, this.env, this.#stored)
    const home = inEffect('home', this.options, this.env, this.#stored)
    const place = home === null || home.from === HOME_VARIABLE ? [] : ['env', `${HOME_VARIABLE}=${home.value}`]
    return commandLine(...place, harness?.value ?? DEFAULTS.cli, ...words)
  }

  async close(): Promise<void> {
    this.progress.end()
    await (await this.#host)?.close()
  }
}
