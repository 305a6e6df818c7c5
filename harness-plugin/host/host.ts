import { homedir } from 'node:os'
import { DEFAULTS } from '@plugmark/shared/contract'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { StoreEvent } from '../bridge/index.ts'
import { answer, directoryError, refuse } from './answer.ts'
import type { StoreCalls } from './calls.ts'
import { consentCalls } from './consent/calls.ts'
import { ConsentTokens } from './consent/tokens.ts'
import { installedCalls } from './installed/calls.ts'
import { createListingOf } from './installed/listing-of.ts'
import { jobEnvironment } from './jobs/environment.ts'
import { JobQueue } from './jobs/queue.ts'
import { openListings } from './listings/open.ts'
import { listProfiles, resolveHome } from './profiles/home.ts'
import { programExists } from './profiles/program.ts'

export interface HostOptions {
  /** Address of the directory. @default the live one */
  readonly baseUrl?: string
  /** Program that install commands name. @default 'dsh' */
  readonly cli?: string
  /** Program and leading arguments that start it here. @default [cli] */
  readonly command?: readonly string[]
  /** The harness home. @default the home variable of `env`, else `~/.dsh` */
  readonly home?: string
  /** @default 'DSH_HOME' */
  readonly homeVariable?: string
  /** Directory that the copy of the catalogue is kept in. @default none: it is asked for anew at each start */
  readonly stateDir?: string
  /** Told what went wrong in the background, for a log. @default nobody */
  readonly onProblem?: (message: string, cause: unknown) => void
  /** Profile that is offered first. @default 'web' */
  readonly profile?: string
  /** Whether a plugin is tried in a copy of the profile first. @default true */
  readonly trial?: boolean
  /** How long the harness may take to start in a trial, in ms. @default 30_000 */
  readonly startLimitMs?: number
  /** The layer that makes a profile serve a web page. @default '@deepseek-ai/dsh-web-app' */
  readonly webLayer?: string
  /** Time limit of one job, in ms. @default 600_000 */
  readonly timeLimitMs?: number
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** @default Date.now */
  readonly now?: () => number
}

export interface StoreHost {
  readonly calls: StoreCalls
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
  /** Cancels unfinished jobs and ends requests. */
  close(): Promise<void>
}

/**
 * The store without its screen: what can be installed, into which profiles, and the jobs themselves.
 *
 * @throws Error with a sentence for a person when an option has no sense
 */
export function createStoreHost(options: HostOptions = {}): StoreHost {
  const env = options.env ?? process.env
  const now = options.now ?? Date.now
  const cli = options.cli ?? DEFAULTS.cli
  const profile = options.profile ?? DEFAULTS.profile
  const homeVariable = options.homeVariable ?? DEFAULTS.homeVariable
  const command = options.command ?? [cli]
  if (!isProgramName(cli)) throw new Error(`"${cli}" cannot be the name of the harness's program.`)
  if (!isProfileName(profile)) throw new Error(`"${profile}" cannot be the name of a profile.`)
  if (!command[0]) throw new Error('The harness command names no program.')
  const timeLimitMs = limit(options.timeLimitMs ?? 600_000)
  const trial = { startLimitMs: limit(options.startLimitMs ?? 30_000), webLayer: options.webLayer ?? DEFAULTS.webLayer }
  const home = resolveHome({ configured: options.home, fromEnvironment: env[homeVariable], cli })

  const listeners = new Set<(event: StoreEvent) => void>()
  const emit = (event: StoreEvent) => {
    for (const listener of listeners) listener(event)
  }
  const listings = openListings({
    baseUrl: options.baseUrl ?? DEFAULTS.baseUrl,
    cli,
    stateDir: options.stateDir ?? null,
    now,
    onStatus: (status) => emit({ type: 'catalogue', status }),
    onProblem: options.onProblem ?? (() => {}),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const jobEnv = jobEnvironment(env, { home, homeVariable })
  const queue = new JobQueue(
    {
      command,
      home,
      homeVariable,
      env: jobEnv,
      timeLimitMs,
      trial: options.trial === false ? null : trial,
      now,
      masks: [
        [home, `$${homeVariable}`],
        [homedir(), '~'],
      ],
    },
    (event) => {
      emit(event)
      // What a job changed, on every open page.
      if (event.type === 'job' && event.job.state === 'done')
        listProfiles(home).then((profiles) => emit({ type: 'profiles', profiles }))
    },
  )

  void queue.recover()

  const calls: StoreCalls = {
    async overview() {
      void listings.load()
      const [profiles, found] = await Promise.all([listProfiles(home), programExists(command[0] ?? '', jobEnv)])
      const harness = found ? 'found' : 'missing'
      return answer({ cli, directory: listings.baseUrl, profiles, profile, harness, jobs: queue.jobs() })
    },
    async listings({ from }) {
      return answer(await listings.page(from))
    },
    async search({ words }) {
      const found = await listings.search(words).catch(directoryError)
      return 'ok' in found ? found : answer(found)
    },
    async details({ id, profile }) {
      const found = await listings.details(id, profile).catch(directoryError)
      if (found === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      return 'ok' in found ? found : answer(found)
    },
    async refresh() {
      void listings.load({ force: true })
      return answer(listings.status())
    },
    async download() {
      void listings.download()
      return answer(listings.status())
    },
    async stopDownload() {
      await listings.stopDownload()
      return answer(listings.status())
    },
    ...consentCalls({ cli, home, trial: options.trial !== false, listings, tokens: new ConsentTokens(now), queue }),
    ...installedCalls({ home, env: jobEnv, listingOf: createListingOf({ cli, listings }) }),
  }

  return {
    calls,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await Promise.all([listings.close(), queue.close()])
      listeners.clear()
    },
  }
}

function limit(ms: number): number {
  // setTimeout takes no more than this, and at once ends what has more.
  if (ms > 0 && ms <= 0x7fff_ffff) return ms
  throw new Error('A time limit must be more than 0 and less than 24 days.')
}
