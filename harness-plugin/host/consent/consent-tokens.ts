import { randomBytes } from 'node:crypto'
import type { Compatibility } from '../../protocol/index.ts'
import type { PluginChange } from '../harness/job.ts'

/** Time that a review stays valid, in ms. */
const VALID_MS = 10 * 60_000
/** Most reviews open at once; the oldest are dropped. */
const MAX_OPEN = 100

/** A review that a person agrees to. The change has action, spec and profile, which no page can set. */
export interface Consent {
  readonly change: PluginChange
  /** True if it needs a deliberate step. */
  readonly cautious: boolean
  /** Compatibility of the package and the harness; null when it is unknown. Never rejects. */
  readonly compatibility: Promise<Compatibility | null>
  readonly expiresAt: number
}

/** One-time tokens, each for one consent. */
export class ConsentTokens {
  readonly #open = new Map<string, Consent>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(consent: Omit<Consent, 'expiresAt'>): { token: string; expiresAt: number } {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = this.#now() + VALID_MS
    this.#open.set(token, { ...consent, expiresAt })
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest)
    return { token, expiresAt }
  }

  /** Returns the consent of a token without spending it; null when it is unknown, used, expired, or for another listing. */
  read(token: string, id: string): Consent | null {
    const consent = this.#open.get(token)
    if (consent === undefined) return null
    if (consent.expiresAt <= this.#now()) {
      this.#open.delete(token)
      return null
    }
    return consent.change.listing === id ? consent : null
  }

  spend(token: string): void {
    this.#open.delete(token)
  }
}
