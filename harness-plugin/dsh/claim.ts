/** Key of all copies of the store in this process or page, with any package name. One of them owns the names. */
const CLAIM = Symbol.for('plugmark.store')

/**
 * Time that the names of a copy that left stay free, in ms. A reloaded copy is back by then (observed: up to 0.5 s on
 * 0.1.0-rc.8), and its old registrations are removed.
 */
const HANDOVER_MS = 1000

interface Copy {
  readonly name: string
  /** Starts to serve. @param others returns the names of the other copies */
  readonly serve: (others: () => readonly string[]) => void
  isServing: boolean
}

interface Scope {
  [CLAIM]?: Set<Copy>
}

interface Claim {
  isServing(): boolean
  release(): void
}

/**
 * Claims the names of the store for one copy; the others stay inactive. Two copies would register the same names, and a
 * name that is taken ends the harness. A reloaded plugin releases its claim and makes another. It serves again, unless
 * the reload took so long that the next copy has taken over.
 *
 * @param serve called once it is this copy's turn: at once, or when the serving copy has left
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
