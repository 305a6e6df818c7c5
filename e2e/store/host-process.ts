import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HostOptions, JobAction, JobStage, Outcome, ProfileAction } from '@plugmark/harness-plugin/host'
import type { Home } from '../harness/home.ts'
import { idOf } from './host.ts'

export interface ChildOrders {
  readonly baseUrl: string
  readonly home: string
  readonly command: readonly string[]
  readonly options: HostOptions
  /** The listings of one job, or an action on the whole profile. */
  readonly perform: { readonly ids: readonly string[]; readonly action: JobAction } | ProfileAction | null
  /** Point at which the process kills itself: the start of a stage, or its first output, or the first output with `says`. */
  readonly killAt: { readonly stage: JobStage; readonly at: 'job' | 'output'; readonly says?: string } | null
}

/** Hosts in processes of their own, over one home. */
export class HostProcesses {
  readonly #children: ChildProcess[] = []
  readonly #home: Home
  readonly #baseUrl: string

  constructor(home: Home, baseUrl: string) {
    this.#home = home
    this.#baseUrl = baseUrl
  }

  start(
    names: string | readonly string[] | null,
    given: { action?: JobAction | ProfileAction; killAt?: ChildOrders['killAt']; options?: HostOptions } = {},
  ): { readonly child: ChildProcess; outcome(): Promise<Outcome> } {
    const { action = 'install', killAt = null, options = {} } = given
    const { home, command, env } = this.#home
    const ids = [names ?? []].flat().map(idOf)
    const ofProfile = action === 'undo' || action === 'repair'
    const perform = ofProfile ? action : ids.length > 0 ? { ids, action } : null
    const orders = { baseUrl: this.#baseUrl, home, command, options, perform, killAt }
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'host-child.ts'), JSON.stringify(orders satisfies ChildOrders)],
      { env, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#children.push(child)
    const lines = createInterface({ input: child.stdout })
    return {
      child,
      async outcome() {
        const gone = once(lines, 'close').then(() => Promise.reject(new Error('The host ended without an outcome.')))
        const [line] = await Promise.race([once(lines, 'line'), gone])
        return JSON.parse(line).outcome
      },
    }
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#children.map(kill))
  }
}

/** Waits for a process to end. @returns the signal that ended it */
export async function killed(child: ChildProcess): Promise<string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await killed(child)
}
