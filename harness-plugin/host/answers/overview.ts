import { realpath } from 'node:fs/promises'
import { createTurns } from '@plugmark/shared/async'
import type { Finding, Overview as OverviewAnswer, Profile, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import { examinePrograms } from '../doctor/diagnose.ts'
import { redact } from '../harness/output.ts'
import { isDesktop } from '../harness/running-harness.ts'
import type { Parts } from '../parts.ts'
import { watchProfiles } from '../plugins/watch.ts'
import { findProgram } from '../process/run.ts'
import { listProfiles } from '../profile/home.ts'
import type { Upgrades } from './upgrades.ts'

/** The first call of a page: profiles, program and jobs, and events when its answer changes. */
export class Overview {
  readonly #parts: Parts
  readonly #upgrades: Upgrades
  #program: OverviewAnswer['program'] = { command: '', version: null }

  constructor(parts: Parts, upgrades: Upgrades) {
    this.#parts = parts
    this.#upgrades = upgrades
    const { settings, events, background, signal } = parts
    events.subscribe((event) => {
      // A job may have changed profiles that open pages show.
      if (event.type === 'job' && event.job.state === 'done') background.add(this.emitProfiles())
    })
    const { hasPage } = settings.trial
    watchProfiles({ ...settings, hasPage, onChange: () => this.emitProfiles(), signal })
  }

  get calls(): Pick<StoreCalls, 'overview'> {
    return { overview: async () => answer(await this.#read()) }
  }

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
    return found.map((profile) => ({ ...profile, dependencies: redactSpecs(profile.dependencies) }))
  }

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
    // A link of a global install may lead to another program than people think. One that is gone is named as it is.
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
