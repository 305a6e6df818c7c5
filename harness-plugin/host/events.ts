import type { StoreEvent } from '../protocol/index.ts'
import type { OnProblem } from '../protocol/problems.ts'

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
