/** Creates what the answers of one host share: settings, state of the directory and of the profiles, and jobs. */
import { OPTIONS } from '../config.ts'
import type { StoreEvent } from '../protocol/index.ts'
import type { OnProblem } from '../protocol/problems.ts'
import { createExpectedBuilds } from './builds/expected-builds.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import type { OpenSync } from './harness/job.ts'
import { JobQueue } from './jobs/queue.ts'
import { Declarations, declarationsFile } from './plugins/declarations.ts'
import { FitCheck } from './plugins/fit-check.ts'
import { openLastSeen, openRunRecords } from './plugins/run-records.ts'
import { createStateReader } from './plugins/states.ts'
import { UpdateStates } from './plugins/updates.ts'
import { lastSeenFile, sharedFile } from './profile/state-folder.ts'
import { type HostOptions, type Replacements, readSettings } from './settings.ts'
import { findRestarts } from './transaction/restarts.ts'

export type Parts = ReturnType<typeof createParts>

/** Creates the parts of a host from its options. Starts nothing. */
export function createParts(options: HostOptions, replaced: Replacements) {
  const settings = readSettings(options, replaced)
  const { env, now, home, cli } = settings
  const { stateDir = null, onProblem = () => {} } = options
  const { rawUrl, apiUrl, fetch } = replaced
  const events = new StoreEvents(onProblem)
  const background = new BackgroundWork(onProblem)
  const closing = new AbortController()
  const { signal } = closing
  const declarations = new Declarations({
    path: stateDir && declarationsFile(stateDir),
    env,
    signal,
    now,
    onProblem,
    rawUrl,
  })
  const runRecords = openRunRecords({ path: stateDir && sharedFile(home, 'fit-trials.json'), now, onProblem })
  const fitCheck = new FitCheck({ settings, declarations, runRecords, signal, background })
  const lastSeen = openLastSeen({ path: stateDir && lastSeenFile(home), onProblem })
  return {
    options,
    settings,
    cli,
    now,
    rawUrl,
    apiUrl,
    fetch,
    events,
    background,
    /** Ends all work of the host. */
    closing,
    signal,
    catalogue: new Catalogue({
      baseUrl: options.baseUrl ?? OPTIONS.api.default,
      cli,
      stateDir,
      now,
      onStatus: (status) => events.emit({ type: 'catalogue', status }),
      onProblem,
      ...(fetch ? { fetch } : {}),
    }),
    queue: new JobQueue(settings, onProblem, {
      emit: (event) => events.emit(event),
      harnessVersion: fitCheck.version,
      runRecords: {
        async add(runs) {
          const harnessVersion = await fitCheck.version()
          if (harnessVersion !== null) await runRecords.add(runs, harnessVersion)
        },
        async hasRun(plugin) {
          const harnessVersion = await fitCheck.version()
          await runRecords.refresh()
          return harnessVersion !== null && runRecords.find(plugin, harnessVersion)?.runs === true
        },
      },
    }),
    declarations,
    fitCheck,
    runRecords,
    states: createStateReader({ settings, version: fitCheck.version, runRecords, lastSeen, findRestarts }),
    updates: new UpdateStates(),
    /** Plans of syncs, by token. */
    syncs: new Map<string, OpenSync>(),
    readBuilds: createExpectedBuilds({ env, signal, now }),
  }
}

/** Events of a host, for its shells. */
class StoreEvents {
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  readonly #onProblem: OnProblem

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem
  }

  emit(event: StoreEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (cause) {
        // A listener of a closed page must not end a job.
        this.#onProblem('background', cause)
      }
    }
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  clear(): void {
    this.#listeners.clear()
  }
}

/** Work that no call awaits. Logs its errors: an unhandled rejection would end the process that the store runs in. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>()
  readonly #onProblem: OnProblem

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem
  }

  add(work: Promise<unknown>): void {
    const ended = work.catch((cause) => this.#onProblem('background', cause)).finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  /** Resolves when all work added so far has ended. Never rejects. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
}
