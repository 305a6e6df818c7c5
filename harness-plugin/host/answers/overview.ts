import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createTurns } from '@plugmark/shared/async'
import { isProfileName } from '@plugmark/shared/install'
import type { Finding, Overview as OverviewAnswer, Profile, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import { examinePrograms } from '../doctor/diagnose.ts'
import { redact } from '../harness/output.ts'
import { harnessAt, isDesktop, type RunningHarness } from '../harness/running-harness.ts'
import type { Parts } from '../parts.ts'
import { findProgram } from '../process/run.ts'
import { listProfiles, profileDirectory } from '../profile/home.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { holdsFile, journalFile, updatesFile } from '../profile/state-folder.ts'
import { readOtherJob } from '../transaction/journal.ts'
import type { Upgrades } from './upgrades.ts'

/** The first call of a page: profiles, program and jobs, and events when its answer changes. */
export class Overview {
  readonly #parts: Parts
  readonly #upgrades: Upgrades
  #program: OverviewAnswer['program'] = { command: '', version: null }

  constructor(parts: Parts, upgrades: Upgrades) {
    this.#parts = parts
    this.#upgrades = upgrades
    const { events, background } = parts
    events.subscribe((event) => {
      // A job may have changed profiles that open pages show.
      if (event.type === 'job' && event.job.state === 'done') background.add(this.emitProfiles())
    })
    watchProfiles(parts, this.#isOwn, () => this.emitProfiles())
  }

  readonly overview: StoreCalls['overview'] = async () => answer(await this.#read())

  /** Returns the name of the program that starts the harness. */
  get program(): string {
    const { command, cli } = this.#parts.settings
    return command[0] ?? cli
  }

  /** Finds the file of the program that starts the harness; null when there is none. */
  readonly findProgram = (): Promise<string | null> => findProgram(this.program, this.#parts.settings.env)

  /** Finds the programs that every job needs and that are not there. */
  readonly missingPrograms = async (): Promise<readonly Finding[]> => {
    const { settings, fitCheck } = this.#parts
    return (await examinePrograms(settings, await fitCheck.version())).missing
  }

  /**
   * Returns the profiles of the home by name. Unlike `calls.overview`, starts no program. Their specs are redacted: one may
   * be a path, or an address with a password.
   */
  readonly profiles = async (): Promise<Profile[]> => {
    const { home, redactions } = this.#parts.settings
    const redactSpecs = (dependencies: Profile['dependencies']) =>
      Object.fromEntries(Object.entries(dependencies).map(([name, spec]) => [name, redact(spec, redactions)]))
    const found = await listProfiles(home)
    return Promise.all(
      found.map(async (profile) => {
        const job = await readOtherJob(profileDirectory(home, profile.name), this.#isOwn)
        const otherJob = job && { action: job.action, listing: job.listing, more: job.more }
        return { ...profile, dependencies: redactSpecs(profile.dependencies), ...(otherJob && { otherJob }) }
      }),
    )
  }
  readonly #isOwn = (id: string): boolean => this.#parts.queue.job(id) !== null

  readonly #turn = createTurns()
  async emitProfiles(): Promise<void> {
    const counts = this.#turn()
    const profiles = await this.profiles()
    if (counts()) this.#parts.events.emit({ type: 'profiles', profiles })
  }

  async #read(): Promise<OverviewAnswer> {
    const { settings, background, catalogue, queue } = this.#parts
    const { cli, profile, restart, command } = settings
    background.add(catalogue.load())
    const [profiles, file] = await Promise.all([this.profiles(), this.findProgram()])
    // A link of a global install may lead to another program than its name says. One that is gone is named as it is.
    const real = file && (await realpath(file).catch(() => file))
    const desktop = isDesktop(settings, profile) && (await queue.hasManager(profile))
    const started = redact([real ?? command[0], ...command.slice(1)].join(' '), settings.redactions)
    this.#program = { ...this.#program, command: started }
    if (file !== null && !desktop) background.add(this.#readVersion())
    return {
      cli,
      profiles,
      profile,
      harness: file !== null || desktop ? 'found' : 'missing',
      program: this.#program,
      desktop,
      restart,
      upgrade: await this.#upgrades.shown(),
      jobs: queue.jobs(),
    }
  }

  /**
   * Reads the harness's version, which takes a second or more, so pages get it as an event. Reads it again for each page:
   * the program may not have answered in time, or was replaced.
   */
  async #readVersion(): Promise<void> {
    const version = await this.#parts.fitCheck.version()
    if (version === null || version === this.#program.version) return
    this.#program = { ...this.#program, version }
    this.#parts.events.emit({ type: 'program', program: this.#program })
  }
}

// Changes of profiles by other programs

/** Interval of looking, in ms. */
const EVERY_MS = 1000

/**
 * Watches profiles, while a page is open, for changes that this host does not make: by the harness's own command line,
 * another store, or an editor. Looks at the times of a few files, which works on every system and disk, unlike the events
 * of a system.
 *
 * @param isOwn true for the id of a job of this host
 * @param onChange called when the profiles, or what the running harness loads, are no longer as they were
 */
function watchProfiles(
  { settings, signal }: Pick<Parts, 'settings' | 'signal'>,
  isOwn: (id: string) => boolean,
  onChange: () => Promise<void>,
): void {
  const { home, running, trial } = settings
  const seen = new Map<string, { readonly files: string | null; readonly job: string | null }>()

  async function look(): Promise<void> {
    const names = (await readdir(join(home, 'profiles')).catch((): string[] => [])).filter(isProfileName)
    const looks = await Promise.all(
      names.map(async (name) => {
        const job = await readOtherJob(profileDirectory(home, name), isOwn)
        return [name, { files: await lookAt(home, name, running), job: job?.id ?? null }] as const
      }),
    )
    const gone = [...seen.keys()].filter((name) => !names.includes(name))
    for (const name of gone) seen.delete(name)
    let isChanged = gone.length > 0
    for (const [name, now] of looks) {
      const before = seen.get(name)
      // The end of a job is an event of its own, or a change of the files.
      const files = now.files ?? before?.files ?? null
      seen.set(name, { ...now, files })
      if (files !== (before?.files ?? null) || now.job !== (before?.job ?? null)) isChanged = true
    }
    if (isChanged) await onChange()
  }
  async function lookOften(): Promise<void> {
    // The first look reports a change too: it may have happened after the page that has just opened read the profile.
    if (trial.hasPage()) await look().catch(() => {})
    if (!signal.aborted) timer = setTimeout(() => void lookOften(), EVERY_MS).unref()
  }
  let timer = setTimeout(() => void lookOften(), EVERY_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Returns a text that changes with a profile; null while a job changes it. */
async function lookAt(home: string, name: string, running: RunningHarness | null): Promise<string | null> {
  const directory = profileDirectory(home, name)
  const files = [...PROFILE_FILES.map((file) => join(directory, file)), updatesFile(directory), holdsFile(directory)]
  const [journal, ...times] = await Promise.all([journalFile(directory), ...files].map(timeOf))
  if (journal !== null) return null
  const rows = (await harnessAt(directory, running))?.tree().rows ?? []
  return JSON.stringify([times, rows.map(({ id, disabled, active }) => [id, disabled, active])])
}

/** Returns what changes with each write of a file; null if there is none. */
async function timeOf(path: string): Promise<string | null> {
  // A file that cannot be looked at is as one that is missing: who reads it reports that.
  const file = await stat(path).catch(() => null)
  return file && `${file.ino} ${file.mtimeMs} ${file.ctimeMs} ${file.size}`
}
