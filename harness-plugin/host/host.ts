import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { BASE_URL } from '@plugmark/shared/contract'
import type { Overview, Profile, StoreEvent } from '../bridge/index.ts'
import { answer, directoryError, refuse } from './answer.ts'
import { rememberBuilds } from './builds/remembered.ts'
import type { StoreCalls } from './calls.ts'
import { openCatalogue } from './catalogue/catalogue.ts'
import { consentCalls } from './consent/calls.ts'
import { ConsentTokens } from './consent/tokens.ts'
import { createGate } from './gate/gate.ts'
import { installedCalls } from './installed/calls.ts'
import { createListingOf } from './installed/listing-of.ts'
import { JobQueue } from './jobs/queue.ts'
import { isDesktop } from './jobs/running.ts'
import { masked } from './masked.ts'
import { listProfiles } from './profiles/home.ts'
import { findProgram } from './profiles/program.ts'
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
  const { ownPackage = null, onProblem = () => {} } = options

  const listeners = new Set<(event: StoreEvent) => void>()
  const emit = (event: StoreEvent) => {
    for (const listener of listeners) listener(event)
  }
  const catalogue = openCatalogue({
    baseUrl: options.baseUrl ?? BASE_URL,
    cli,
    stateDir: options.stateDir ?? null,
    now,
    onStatus: (status) => emit({ type: 'catalogue', status }),
    onProblem,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const builds = rememberBuilds({
    path: options.stateDir === undefined ? null : join(options.stateDir, 'blocked-builds.json'),
    onProblem,
  })
  const queue = new JobQueue(settings, builds, (event) => {
    emit(event)
    // What a job changed, on every open page.
    if (event.type === 'job' && event.job.state === 'done')
      inBackground(shownProfiles().then((profiles) => emit({ type: 'profiles', profiles })))
  })
  const gate = createGate(settings)
  const show = (text: string) => masked(text, settings.masks)
  /** What a dependency is installed from may be a path, or an address with a password in it. */
  async function shownProfiles(): Promise<Profile[]> {
    const profiles = await listProfiles(home)
    const shown = (dependencies: Profile['dependencies']) =>
      Object.fromEntries(Object.entries(dependencies).map(([name, spec]) => [name, show(spec)]))
    return profiles.map((profile) => ({ ...profile, dependencies: shown(profile.dependencies) }))
  }
  let program: Overview['program'] = { command: '', version: null }
  let isAsked = false
  /** It takes the harness a second or more to say it, so that pages are told later. */
  async function askVersion(): Promise<void> {
    if (isAsked) return
    isAsked = true
    const version = await gate.version()
    if (version === null) return
    program = { ...program, version }
    emit({ type: 'program', program })
  }
  // A rejection that nobody takes ends the process that the store is a guest of.
  function inBackground(work: Promise<unknown>): void {
    work.catch((cause) => onProblem('The store failed at something in the background.', cause))
  }

  inBackground(queue.recover())

  const calls: StoreCalls = {
    async overview() {
      inBackground(catalogue.load())
      const [profiles, file] = await Promise.all([shownProfiles(), findProgram(command[0] ?? '', env)])
      const found = file !== null
      // A link of a global install may lead to another program than people think.
      const real = file && (await realpath(file).catch(() => file))
      const desktop = isDesktop(settings, profile) && (await queue.hasManager(profile))
      const harness = found || desktop ? 'found' : 'missing'
      const jobs = queue.jobs()
      program = { ...program, command: show([real ?? command[0], ...command.slice(1)].join(' ')) }
      if (found && !desktop) inBackground(askVersion())
      return answer({ cli, directory: catalogue.baseUrl, profiles, profile, harness, program, desktop, restart, jobs })
    },
    async listings({ from }) {
      return answer(await catalogue.page(from))
    },
    async search({ words }) {
      const found = await catalogue.search(words).catch(directoryError)
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
    ...consentCalls({ cli, settings, ownPackage, listings: catalogue, tokens: new ConsentTokens(now), queue, gate }),
    ...installedCalls({
      home,
      env,
      listingOf: createListingOf({ cli, listings: catalogue }),
      ownPackage,
      show,
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
      gate.close()
      await Promise.all([catalogue.close(), queue.close()])
      listeners.clear()
    },
  }
}
