import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HostOptions, Outcome } from '@plugmark/harness-plugin/host'
import type { Home } from '../harness/home.ts'
import { idOf } from './host.ts'

export interface ChildOrders {
  readonly baseUrl: string
  readonly home: string
  readonly command: readonly string[]
  readonly options: HostOptions
  /** The listing to install; null to recover only. */
  readonly install: string | null
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

  /** Starts a host. @param name of the plugin to install; null to recover only */
  start(name: string | null, options: HostOptions = {}): { readonly child: ChildProcess; outcome(): Promise<Outcome> } {
    const { home, command, env } = this.#home
    const orders = { baseUrl: this.#baseUrl, home, command, options, install: name && idOf(name) }
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

/** Kills a process and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
