/** Every copy of the store in this process or page, whatever its package is called. One of them has the names. */
const CLAIM = Symbol.for('plugmark.store')

/**
 * How long the names of a copy that left stay free, ms: one that is loaded again is back by then (seen to take up to 0.5 s
 * on 0.1.0-rc.8), and what it had registered is undone.
 */
const HANDOVER_MS = 1000

interface Copy {
  readonly name: string
  /** @param others the other copies, by the names they gave */
  readonly serve: (others: () => readonly string[]) => void
  isServing: boolean
}

interface Scope {
  [CLAIM]?: Set<Copy>
}

export interface Claim {
  isServing(): boolean
  release(): void
}

/**
 * Two copies would register the same names, and a name that is taken ends the harness: one serves, the others stand back.
 * A plugin that is loaded again releases its claim and makes another. It serves again, unless that took it so long that
 * the next copy has taken its place.
 *
 * @param serve called once it is this copy's turn: here, or when the one that serves has left
 */
export function claim(name: string, serve: Copy['serve'], scope: Scope = globalThis as Scope): Claim {
  scope[CLAIM] ??= new Set()
  const copies = scope[CLAIM]
  const own: Copy = { name, serve, isServing: false }
  copies.add(own)
  const take = (next: Copy | undefined) => {
    if (next === undefined || [...copies].some(({ isServing }) => isServing)) return
    next.isServing = true
    next.serve(() => [...copies].filter((copy) => copy !== next).map((copy) => copy.name))
  }
  take(own)
  return {
    isServing: () => own.isServing,
    release() {
      copies.delete(own)
      if (own.isServing) setTimeout(() => take([...copies][0]), HANDOVER_MS)
    },
  }
}
