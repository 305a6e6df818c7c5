import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import { OPTIONS } from '../config/index.ts'
import type {
  Answer,
  CatalogueStatus,
  Job,
  Overview,
  Profile,
  Review,
  StoreCalls,
  StoreEvent,
  StoreListing,
} from '../protocol/index.ts'
import { openCatalogue } from './catalogue/catalogue.ts'
import { consentCalls, type Reviewed } from './consent/calls.ts'
import { ConsentTokens } from './consent/tokens.ts'
import type { Diagnosis, DoctorOptions } from './doctor/diagnosis.ts'
import { diagnose } from './doctor/doctor.ts'
import { fitCalls } from './fit/calls.ts'
import { createCompatibilityCheck } from './fit/compatibility.ts'
import { openDeclarations } from './fit/declarations.ts'
import { openEvidence } from './fit/evidence.ts'
import { answer, directoryError, refuse } from './guard/answer.ts'
import { isDesktop } from './harness/harness.ts'
import { installedCalls } from './installed/calls.ts'
import { createFindListing } from './installed/installed.ts'
import { redact } from './job/redact.ts'
import type { JobRequest } from './job/request.ts'
import { findProgram } from './process/which.ts'
import { listProfiles, profileDirectory, readProfile } from './profile/home.ts'
import { readProfileState } from './profile/state.ts'
import { JobQueue } from './queue/job-queue.ts'
import { type HostOptions, readSettings } from './settings.ts'
import { changedSince, readLastChange } from './transaction/commit.ts'

export interface StoreHost {
  /** What pages may call. The other members are for a shell in the same process alone. */
  readonly calls: StoreCalls
  /** The harness home, absolute. */
  readonly home: string
  /** The profiles of the home, by name. Unlike `calls.overview`, this asks nobody for anything. */
  profiles(): Promise<Profile[]>
  /** @returns null when it is no longer known */
  job(id: string): Job | null
  /** Returns every listing. Unlike `calls.listings`, it makes no pages. */
  listings(): Promise<{ readonly rows: readonly StoreListing[]; readonly status: CatalogueStatus }>
  /** Reads the directory anew, unless that is going on. Resolves once it is over, however that went. */
  readDirectory(options?: { readonly replace?: boolean }): Promise<void>
  /**
   * Asks the directory for a listing itself, so that what is reviewed next is what it says now.
   *
   * @returns whether it lists the plugin
   */
  confirm(id: string): Promise<Answer<boolean>>
  /**
   * Finds out what a profile and the programs it needs are like. Changes nothing but what recovery does in any case.
   *
   * @returns findings as data; never rejects for anything that it finds
   */
  doctor(options: DoctorOptions): Promise<Diagnosis>
  /**
   * Queues a job that makes the harness start from a profile again: what earlier jobs left is recovered, and layers whose
   * package is not installed are taken out of `dsh.profile.bundles`, if a copy of the profile starts without them. Their
   * dependencies stay, so that an install brings them back. All else stays byte for byte as it is.
   *
   * @returns the job: its outcome is `repaired`, `nothing-to-do`, `profile-broken` or another failure
   */
  repair(options: { readonly profile: string }): Promise<Answer<Job>>
  /**
   * Queues a job that takes the last change of a profile back: the last job of any shell that changed it. That can be
   * undone too, which makes the change again. Its snapshot is kept until the next job begins to change the profile.
   *
   * @param change id of the job that is meant, as `lastChange` told it: one that came meanwhile is left
   * @returns the job: its outcome is `reverted`, `nothing-to-do`, `profile-changed` when somebody else changed the
   *   profile since, or another failure
   */
  undo(profile: string, change: string): Promise<Answer<Job>>
  /** @returns the change that `undo` would take back; null when none is kept */
  lastChange(profile: string): Promise<LastChange | null>
  /** Reviews the removal of any package that a profile depends on. Needs no directory. */
  reviewRemoval(target: { readonly package: string; readonly profile: string }): Promise<Answer<Review>>
  /**
   * Queues one job of several reviews of one profile. It is tried, kept or rolled back as a whole; its outcome has
   * `parts`. Refuses as `calls.start` does, for the first review that cannot be started, and then starts none; and as
   * `malformed` when there are none, two of one listing, or those of several profiles.
   */
  startAll(reviewed: readonly Reviewed[]): Promise<Answer<Job>>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
  /**
   * Cancels unfinished jobs, waits for their rollback, and ends all else: nothing of the host keeps the process alive or
   * goes on. The next host reports those jobs as interrupted; a shell that reports them itself cancels them first.
   */
  close(): Promise<void>
}

/** The last change of a profile, whose snapshot is kept. */
export interface LastChange {
  readonly job: Pick<Job, 'id' | 'action' | 'listing' | 'more' | 'command' | 'startedAt'>
  /** When it was kept, ms since 1970. */
  readonly endedAt: number
  /** Files of the profile that somebody else changed since, so that it cannot be undone. */
  readonly changed: readonly string[]
}

/**
 * The store without its screen: what can be installed, into which profiles, and the jobs themselves.
 *
 * @throws Error with a sentence for a person when an option has no sense
 */
export function createStoreHost(options: HostOptions = {}): StoreHost {
  const settings = readSettings(options)
  const { cli, profile, restart, command, home, env, now } = settings
  const { ownPackage = null, stateDir = null, onProblem = () => {} } = options

  const listeners = new Set<(event: StoreEvent) => void>()
  const emit = (event: StoreEvent) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (cause) {
        // A page that is gone must not end a job.
        onProblem('background', cause)
      }
    }
  }
  const catalogue = openCatalogue({
    baseUrl: options.baseUrl ?? OPTIONS.api.default,
    cli,
    stateDir,
    now,
    onStatus: (status) => emit({ type: 'catalogue', status }),
    onProblem,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const queue = new JobQueue(settings, onProblem, (event) => {
    emit(event)
    // A job may have changed the profiles that open pages show.
    if (event.type === 'job' && event.job.state === 'done')
      inBackground(readProfiles().then((profiles) => emit({ type: 'profiles', profiles })))
  })
  const declarations = openDeclarations({
    path: stateDir && join(stateDir, 'declarations.json'),
    env,
    now,
    onProblem,
    rawUrl: options.rawUrl,
  })
  const compatibility = createCompatibilityCheck(settings, declarations)
  const evidence = openEvidence({ path: stateDir && join(stateDir, 'fit-trials.json'), now, onProblem })
  const redacted = (text: string) => redact(text, settings.redactions)
  /** The spec of a dependency may be a path, or an address with a password in it. */
  async function readProfiles(): Promise<Profile[]> {
    const profiles = await listProfiles(home)
    const redactSpecs = (dependencies: Profile['dependencies']) =>
      Object.fromEntries(Object.entries(dependencies).map(([name, spec]) => [name, redacted(spec)]))
    return profiles.map((profile) => ({ ...profile, dependencies: redactSpecs(profile.dependencies) }))
  }
  let program: Overview['program'] = { command: '', version: null }
  let isVersionRead = false
  /** The harness takes a second or more to answer, so pages get it as an event. */
  async function readVersion(): Promise<void> {
    if (isVersionRead) return
    isVersionRead = true
    const version = await compatibility.version()
    if (version === null) return
    program = { ...program, version }
    emit({ type: 'program', program })
  }
  const closing = new AbortController()
  const background = new Set<Promise<unknown>>()
  // An unhandled rejection would end the process that the store is a guest of.
  function inBackground(work: Promise<unknown>): void {
    const ended = work.catch((cause) => onProblem('background', cause)).finally(() => background.delete(ended))
    background.add(ended)
  }

  inBackground(queue.recover())

  const {
    calls: consent,
    startAll,
    reviewRemoval,
  } = consentCalls({
    cli,
    settings,
    ownPackage,
    listings: catalogue,
    tokens: new ConsentTokens(now),
    queue,
    compatibility,
  })
  const { close: closeFit, ...fit } = fitCalls({
    ...{ cli, home, catalogue, declarations, evidence, now, emit },
    version: compatibility.version,
    signal: closing.signal,
  })
  const calls: StoreCalls = {
    async overview() {
      inBackground(catalogue.load())
      const [profiles, file] = await Promise.all([readProfiles(), findProgram(command[0] ?? '', env)])
      const found = file !== null
      // A link of a global install may lead to another program than people think.
      const real = file && (await realpath(file).catch(() => file))
      const desktop = isDesktop(settings, profile) && (await queue.hasManager(profile))
      const harness = found || desktop ? 'found' : 'missing'
      const jobs = queue.jobs()
      program = { ...program, command: redacted([real ?? command[0], ...command.slice(1)].join(' ')) }
      if (found && !desktop) inBackground(readVersion())
      return answer({ cli, directory: catalogue.baseUrl, profiles, profile, harness, program, desktop, restart, jobs })
    },
    async listings({ from }) {
      return answer(await catalogue.page(from))
    },
    async search({ query }) {
      const found = await catalogue.search(query).catch(directoryError)
      return 'ok' in found ? found : answer(found)
    },
    async describe({ ids }) {
      const found = await catalogue.describe(ids).catch(directoryError)
      return 'ok' in found ? found : answer(found)
    },
    async details({ id, profile }) {
      const found = await catalogue.details(id, profile).catch(directoryError)
      if (found === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      return 'ok' in found ? found : answer(found)
    },
    async refresh({ replace = false }) {
      inBackground(catalogue.load({ force: true, replace }))
      return answer(catalogue.status())
    },
    async download() {
      inBackground(catalogue.download())
      return answer(catalogue.status())
    },
    async stopDownload() {
      await catalogue.stopDownload()
      return answer(catalogue.status())
    },
    ...consent,
    ...fit,
    ...installedCalls({
      home,
      env,
      findListing: createFindListing({ cli, listings: catalogue, now }),
      ownPackage,
      redact: redacted,
      canSwitch: (profile) => queue.hasManager(profile),
    }),
  }

  /** Queues a job of a whole profile. */
  async function startOn(profile: string, request: Omit<JobRequest, 'profile' | 'changes'>): Promise<Answer<Job>> {
    if (!isProfileName(profile) || (await readProfile(home, profile)) === null)
      return refuse('unknown-profile', `The profile "${profile}" does not exist, or its package.json cannot be read.`)
    if (isDesktop(settings, profile)) return refuse('no-plugin-manager', 'Only the Desktop app changes this profile.')
    return answer(await queue.add({ ...request, profile, changes: [] }))
  }
  async function lastChange(profile: string): Promise<LastChange | null> {
    // It may complete a commit.
    await queue.recovered()
    const directory = profileDirectory(home, profile)
    const read = readLastChange(directory).catch(() => null)
    const [last, now] = await Promise.all([read, readProfileState(directory)])
    return last && now && { job: last.job, endedAt: last.endedAt, changed: changedSince(last, now) }
  }

  return {
    calls,
    home,
    profiles: readProfiles,
    job: (id) => queue.job(id),
    listings: () => catalogue.all(),
    readDirectory: ({ replace = false } = {}) => catalogue.load({ force: true, replace }),
    async confirm(id) {
      const listed = await catalogue.confirm(id).catch(directoryError)
      return typeof listed === 'boolean' ? answer(listed) : listed
    },
    async doctor(options) {
      const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
      await queue.recovered()
      const given = { settings, version: await compatibility.version(), jobs: queue.jobs() }
      const diagnosed = diagnose(given, { ...options, signal })
      inBackground(diagnosed)
      return diagnosed
    },
    repair: ({ profile }) => startOn(profile, { action: 'repair', listing: null, more: [] }),
    async undo(profile, change) {
      const { listing = null, more = [] } = (await lastChange(profile))?.job ?? {}
      return startOn(profile, { action: 'undo', listing, more, undoes: change })
    },
    lastChange,
    reviewRemoval,
    startAll,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closing.abort()
      compatibility.close()
      await closeFit()
      await Promise.all([catalogue.close(), queue.close()])
      await Promise.all(background)
      await declarations.save()
      listeners.clear()
    },
  }
}
