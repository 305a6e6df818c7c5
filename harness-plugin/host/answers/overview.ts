import { realpath } from 'node:fs/promises'
import type { HarnessUpgrade, Overview as OverviewAnswer, Profile, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BackgroundWork, StoreEvents } from '../events.ts'
import { redact } from '../harness/output.ts'
import { isDesktop } from '../harness/running-harness.ts'
import type { JobQueue } from '../jobs/queue.ts'
import type { CompatibilityCheck } from '../plugins/compatibility.ts'
import type { StateReader } from '../plugins/states.ts'
import { findProgram } from '../process/run.ts'
import { listProfiles } from '../profile/home.ts'
import type { Settings } from '../settings.ts'

interface OverviewParts {
  readonly settings: Settings
  readonly events: StoreEvents
  readonly background: BackgroundWork
  readonly catalogue: Catalogue
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'version'>
  readonly states: StateReader
}

/** The first call of a page: profiles, program and jobs, and events when its answer changes. */
export class Overview {
  readonly #parts: OverviewParts
  #program: OverviewAnswer['program'] = { command: '', version: null }
  /** Upgrade of the harness that turned plugins of the host's profile off; null when none did, or it is unknown. */
  #upgrade: HarnessUpgrade | null = null
  #isWatchingUpgrades = false

  constructor(parts: OverviewParts) {
    this.#parts = parts
    const { events, background } = parts
    events.subscribe((event) => {
      if (event.type !== 'job' || event.job.state !== 'done') return
      // A job may have changed profiles that open pages show, or brought back plugins that an upgrade had turned off.
      background.add(this.emitProfiles())
      if (this.#isWatchingUpgrades) background.add(this.findUpgrade())
    })
  }

  get calls(): Pick<StoreCalls, 'overview' | 'dismissUpgrade'> {
    return {
      overview: async () => answer(await this.#read()),
      dismissUpgrade: async ({ profile }) => {
        const { states, settings } = this.#parts
        await states.dismiss(profile)
        if (profile === settings.profile) this.#emitUpgrade(null)
        return answer(null)
      },
    }
  }

  /** Reads the profiles with redacted specs: a spec may be a path, or an address with a password. */
  async profiles(): Promise<Profile[]> {
    const { home, redactions } = this.#parts.settings
    const redactSpecs = (dependencies: Profile['dependencies']) =>
      Object.fromEntries(Object.entries(dependencies).map(([name, spec]) => [name, redact(spec, redactions)]))
    const found = await listProfiles(home)
    return found.map((profile) => ({ ...profile, dependencies: redactSpecs(profile.dependencies) }))
  }

  async emitProfiles(): Promise<void> {
    this.#parts.events.emit({ type: 'profiles', profiles: await this.profiles() })
  }

  /** Looks for an upgrade of the harness that turned plugins off, and tells pages when that changes. Never rejects. */
  async findUpgrade(): Promise<HarnessUpgrade | null> {
    const { states, settings } = this.#parts
    this.#isWatchingUpgrades = true
    // A state that cannot be read now leaves the notice as it is.
    return this.#emitUpgrade(await states.upgrade(settings.profile).catch(() => this.#upgrade))
  }

  #emitUpgrade(upgrade: HarnessUpgrade | null): HarnessUpgrade | null {
    const isChanged = JSON.stringify(upgrade) !== JSON.stringify(this.#upgrade)
    this.#upgrade = upgrade
    if (isChanged) this.#parts.events.emit({ type: 'upgrade', upgrade })
    return upgrade
  }

  async #read(): Promise<OverviewAnswer> {
    const { settings, background, catalogue, queue } = this.#parts
    const { cli, profile, restart, command, env } = settings
    background.add(catalogue.load())
    const [profiles, file] = await Promise.all([this.profiles(), findProgram(command[0] ?? '', env)])
    const isFound = file !== null
    // A link of a global install may lead to another program than people think. One that is gone is named as it is.
    const real = file && (await realpath(file).catch(() => file))
    const desktop = isDesktop(settings, profile) && (await queue.hasManager(profile))
    const started = redact([real ?? command[0], ...command.slice(1)].join(' '), settings.redactions)
    this.#program = { ...this.#program, command: started }
    if (isFound && !desktop) background.add(this.#readVersion())
    return {
      cli,
      profiles,
      profile,
      harness: isFound || desktop ? 'found' : 'missing',
      program: this.#program,
      desktop,
      restart,
      // A store in another program looks for it when its shell asks to, as that starts the harness's program.
      upgrade: settings.running ? await this.findUpgrade() : this.#upgrade,
      jobs: queue.jobs(),
    }
  }

  /**
   * Reads the harness's version, which takes a second or more, so pages get it as an event. Reads it again for each page:
   * the program may not have answered in time, or was replaced.
   */
  async #readVersion(): Promise<void> {
    const version = await this.#parts.compatibility.version()
    if (version === null || version === this.#program.version) return
    this.#program = { ...this.#program, version }
    this.#parts.events.emit({ type: 'program', program: this.#program })
  }
}
