import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { OPTIONS } from '../config/index.ts'
import type { Overview, Profile, StoreCalls, StoreEvent } from '../protocol/index.ts'
import { rememberBuilds } from './builds/remembered.ts'
import { openCatalogue } from './catalogue/catalogue.ts'
import { consentCalls } from './consent/calls.ts'
import { ConsentTokens } from './consent/tokens.ts'
import { answer, directoryError, refuse } from './guard/answer.ts'
import { createCompatibilityCheck } from './harness/compatibility.ts'
import { isDesktop } from './harness/harness.ts'
import { installedCalls } from './installed/calls.ts'
import { createFindListing } from './installed/installed.ts'
import { redact } from './job/redact.ts'
import { findProgram } from './process/which.ts'
import { listProfiles } from './profile/home.ts'
import { JobQueue } from './queue/job-queue.ts'
import { type HostOptions, readSettings } from './settings.ts'

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
  const settings = readSettings(options)
  const { cli, profile, restart, command, home, env, now } = settings
  const { ownPackage = null, stateDir = null, onProblem = () => {} } = options

  const listeners = new Set<(event: StoreEvent) => void>()
  const emit = (event: StoreEvent) => {
    for (const listener of listeners) listener(event)
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
  const builds = rememberBuilds({
    path: stateDir && join(stateDir, 'blocked-builds.json'),
    onProblem,
  })
  const queue = new JobQueue(settings, builds, (event) => {
    emit(event)
    // A job may have changed the profiles that open pages show.
    if (event.type === 'job' && event.job.state === 'done')
      inBackground(readProfiles().then((profiles) => emit({ type: 'profiles', profiles })))
  })
  const compatibility = createCompatibilityCheck(settings)
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
  // An unhandled rejection would end the process that the store is a guest of.
  function inBackground(work: Promise<unknown>): void {
    work.catch((cause) => onProblem('The store failed at something in the background.', cause))
  }

  inBackground(queue.recover())

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
    async refresh() {
      inBackground(catalogue.load({ force: true }))
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
    ...consentCalls({
      cli,
      settings,
      ownPackage,
      listings: catalogue,
      tokens: new ConsentTokens(now),
      queue,
      compatibility,
    }),
    ...installedCalls({
      home,
      env,
      findListing: createFindListing({ cli, listings: catalogue }),
      ownPackage,
      redact: redacted,
      canSwitch: (profile) => queue.hasManager(profile),
    }),
  }

  return {
    calls,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      compatibility.close()
      await Promise.all([catalogue.close(), queue.close()])
      listeners.clear()
    },
  }
}
