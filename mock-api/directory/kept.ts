/** Values that are computed once for the requests that ask for the same. Forgets the oldest when they are too large. */
export class Kept<T> {
  readonly #values = new Map<string, { readonly value: T; readonly size: number }>()
  readonly #limit: number
  #size = 0

  /** @param limit of all sizes and the lengths of all keys together, in characters */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): T | undefined {
    return this.#values.get(key)?.value
  }

  /** @param size in characters @returns the value */
  set(key: string, value: T, size: number): T {
    const whole = key.length + size
    this.#size += whole - (this.#values.get(key)?.size ?? 0)
    this.#values.set(key, { value, size: whole })
    for (const [oldest, { size: freed }] of this.#values) {
      if (this.#size <= this.#limit) break
      this.#values.delete(oldest)
      this.#size -= freed
    }
    return value
  }
}
