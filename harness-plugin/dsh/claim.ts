/** Every copy of the store in this process, whatever its package is called. The first one has the names. */
const CLAIM = Symbol.for('plugmark.store')

interface Scope {
  [CLAIM]?: Set<{ readonly name: string }>
}

export interface Claim {
  readonly isFirst: boolean
  /** The other copies, by the names they gave. */
  others(): readonly string[]
  release(): void
}

/** Two copies would register the same names, and a name that is taken ends the harness: one of them stands back. */
export function claim(name: string, scope: Scope = globalThis as Scope): Claim {
  const copies = scope[CLAIM] ?? new Set()
  scope[CLAIM] = copies
  const own = { name }
  const isFirst = copies.size === 0
  copies.add(own)
  return {
    isFirst,
    others: () => [...copies].filter((copy) => copy !== own).map((copy) => copy.name),
    release: () => void copies.delete(own),
  }
}
