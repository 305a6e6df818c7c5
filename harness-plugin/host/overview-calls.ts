import { realpath } from 'node:fs/promises'
import type { Overview, Profile, StoreCalls } from '../protocol/index.ts'
import { answer } from './guard/make-answer.ts'
import { redact } from './harness/output.ts'
import { isDesktop } from './harness/running-harness.ts'
import type { HostParts } from './host-parts.ts'
import { findProgram } from './process/run.ts'
import { listProfiles } from './profile/home.ts'
import type { Upgrades } from './watch-upgrades.ts'

/** Creates the first call of a page, and emits events when its answer changes. */
export function overviewCalls(
  { settings, events, background, catalogue, queue, compatibility }: HostParts,
  upgrades: Pick<Upgrades, 'current' | 'find'>,
) {
  const { cli, profile, restart, command, home, env } = settings
  let program: Overview['program'] = { command: '', version: null }

  /** Reads the profiles with redacted specs: a spec may be a path, or an address with a password. */
  async function profiles(): Promise<Profile[]> {
    const redactSpecs = (dependencies: Profile['dependencies']) =>
      Object.fromEntries(Object.entries(dependencies).map(([name, spec]) => [name, redact(spec, settings.redactions)]))
    const found = await listProfiles(home)
    return found.map((profile) => ({ ...profile, dependencies: redactSpecs(profile.dependencies) }))
  }

  /** Reads the harness's version, which takes a second or more, so pages get it as an event. */
  async function readVersion(): Promise<void> {
    const version = await compatibility.version()
    if (version === null || version === program.version) return
    program = { ...program, version }
    events.emit({ type: 'program', program })
  }

  // A job may have changed profiles that open pages show.
  events.subscribe((event) => {
    if (event.type === 'job' && event.job.state === 'done')
      background.add(profiles().then((profiles) => events.emit({ type: 'profiles', profiles })))
  })

  const calls: Pick<StoreCalls, 'overview'> = {
    async overview() {
      background.add(catalogue.load())
      const [known, file] = await Promise.all([profiles(), findProgram(command[0] ?? '', env)])
      const found = file !== null
      // A link of a global install may lead to another program than people think.
      const real = file && (await realpath(file).catch(() => file))
      const desktop = isDesktop(settings, profile) && (await queue.hasManager(profile))
      const started = redact([real ?? command[0], ...command.slice(1)].join(' '), settings.redactions)
      program = { ...program, command: started }
      if (found && !desktop) background.add(readVersion())
      return answer({
        cli,
        directory: catalogue.baseUrl,
        profiles: known,
        profile,
        harness: found || desktop ? 'found' : 'missing',
        program,
        desktop,
        restart,
        // A store in another program looks for it when its shell asks to, as that starts the harness's program.
        upgrade: settings.running ? await upgrades.find() : upgrades.current(),
        jobs: queue.jobs(),
      })
    },
  }
  return { calls, profiles }
}
