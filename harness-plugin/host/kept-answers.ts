interface Kept<T> {
  readonly answer: Promise<T>
  /** Time of the answer; null while it is asked. */
  at: number | null
}

interface Limits<T> {
  /** Time that an answer is kept, in ms. */
  readonly ms: number
  readonly isKept: (answer: T) => boolean
  /** @default a clock that nobody sets */
  readonly now?: () => number
  /** Most answers. @default 100 */
  readonly max?: number
}

/** Answers that are kept for a time; of too many, the oldest goes first. Whoever asks at the same time shares one request. */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #limits: Limits<T>

  constructor(limits: Limits<T>) {
    this.#limits = limits
  }

  /** Returns what is kept, or asks. */
  read<Answer extends T>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { ms, isKept, now = () => performance.now(), max = 100 } = this.#limits
    const known = this.#kept.get(key)
    const age = known?.at == null ? 0 : now() - known.at
    if (known && age >= 0 && age < ms) return known.answer as Promise<Answer>
    const kept: Kept<T> = { answer: ask(), at: null }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > max && oldest !== undefined) this.#kept.delete(oldest)
    const forget = () => this.#kept.get(key) === kept && this.#kept.delete(key)
    kept.answer.then((answer) => {
      kept.at = now()
      if (!isKept(answer)) forget()
    }, forget)
    return kept.answer as Promise<Answer>
  }

  forget(key: string): void {
    this.#kept.delete(key)
  }
}
