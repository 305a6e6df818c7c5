import { join } from 'node:path'
import { OPTIONS } from '../config/index.ts'
import type { StoreEvent } from '../protocol/index.ts'
import type { OnProblem } from '../protocol/problems.ts'
import { openCatalogue } from './catalogue/catalogue.ts'
import { type HostOptions, readSettings } from './host-settings.ts'
import { JobQueue } from './jobs/queue.ts'
import { createCompatibilityCheck } from './plugins/compatibility.ts'
import { Declarations } from './plugins/declarations.ts'
import { openEvidence, openLastSeen } from './plugins/evidence.ts'
import { lastSeenFile, sharedFile } from './plugins/shared-state.ts'
import { createStateReader } from './plugins/states.ts'

/** Events of a host, for its shells. */
export class StoreEvents {
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

/** Parts of a host that its calls share. */
export type HostParts = ReturnType<typeof createHostParts>

/**
 * Creates the parts of a host from its options. Starts nothing.
 *
 * @throws Error with a sentence for a person when an option is invalid
 */
export function createHostParts(options: HostOptions) {
  const settings = readSettings(options)
  const { cli, env, now } = settings
  const { stateDir = null, onProblem = () => {} } = options
  const events = new StoreEvents(onProblem)
  const stateFile = (name: string) => stateDir && join(stateDir, name)
  const declarations = new Declarations({
    path: stateFile('declarations.json'),
    env,
    now,
    onProblem,
    rawUrl: options.rawUrl,
  })
  const shared = (name: string) => stateDir && sharedFile(settings.home, name)
  const evidence = openEvidence({ path: shared('fit-trials.json'), now, onProblem })
  const compatibility = createCompatibilityCheck(settings, declarations, evidence)
  return {
    settings,
    ownPackage: options.ownPackage ?? null,
    events,
    background: new BackgroundWork(onProblem),
    closing: new AbortController(),
    catalogue: openCatalogue({
      baseUrl: options.baseUrl ?? OPTIONS.api.default,
      cli,
      stateDir,
      now,
      onStatus: (status) => events.emit({ type: 'catalogue', status }),
      onProblem,
      ...(options.fetch ? { fetch: options.fetch } : {}),
    }),
    queue: new JobQueue(settings, onProblem, {
      emit: (event) => events.emit(event),
      async onTried(tried) {
        const harnessVersion = await compatibility.version()
        if (harnessVersion !== null) await evidence.record(tried, harnessVersion)
      },
    }),
    declarations,
    compatibility,
    evidence,
    states: createStateReader({
      settings,
      version: compatibility.version,
      evidence,
      lastSeen: openLastSeen({ path: stateDir && lastSeenFile(settings.home), onProblem }),
    }),
  }
}
