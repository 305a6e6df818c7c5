import { INDEX_EXPIRED_MS, INDEX_FRESH_MS, type IndexListing } from '../../contract/index.ts'
import { BUCKETS } from '../buckets.ts'
import { type Edition, MARKER, naiveLookUp } from './documents.ts'
import type { Request, SimulatedServer } from './simulated-server.ts'
import type { Write } from './simulated-storage.ts'
import type { Tab, World } from './world.ts'

const MINUTE = 60_000
/** Clocks of tabs differ by this much at most. */
const SKEW = 100
/** A request is dated when it is noted in the storage, this long before it is sent at most. */
const CLAIM = 5_000

/**
 * What must hold whatever happens, written from the design and without the engine's code (but for the number of
 * buckets). Violations are collected, because what is thrown inside the engine's calls is the engine's to catch.
 */
export class Rules {
  readonly violations: string[] = []
  /** When storage last failed or was damaged, and when the clock was last set: elapsed ms. */
  troubleAt = Number.NEGATIVE_INFINITY
  clockSetAt = Number.NEGATIVE_INFINITY
  damagedAt = Number.NEGATIVE_INFINITY
  private storedAt = Number.NEGATIVE_INFINITY
  storageWorks = true
  private failuresInRow = 0
  private chainSince = 0
  private readonly answered = new Map<Tab, { edition: Edition; at: number }>()
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Never two requests in six hours, nor sooner after a failure than the back-off, over all tabs. */
  request(request: Request, earlier: readonly Request[]): void {
    const last = earlier.at(-1)
    if (last !== undefined) {
      this.failuresInRow = last.storedAt === null ? this.failuresInRow + 1 : 0
      // What was noted of the failures may be lost.
      if (this.chainSince <= Math.max(this.troubleAt, this.damagedAt)) this.failuresInRow = 0
      this.chainSince = this.world.elapsed
    }
    if (last === undefined || request.pressed || this.clockSetAt >= last.sentAt - CLAIM) return
    const gap = this.world.elapsed - last.sentAt
    if (last.tab === request.tab && gap < 15 * MINUTE - SKEW) this.violate(`one tab asked twice within ${gap} ms`)
    if (this.hadTroubleSince(last.sentAt)) return
    if (last.storedAt !== null) {
      const since = this.world.elapsed - last.storedAt
      if (since < INDEX_FRESH_MS - SKEW) this.violate(`a request ${since} ms after one that succeeded`)
      return
    }
    const pause = Math.min(15 * MINUTE * 2 ** (this.failuresInRow - 1), INDEX_FRESH_MS)
    if (gap < pause - SKEW) this.violate(`a request ${gap} ms after failure ${this.failuresInRow}, not ${pause}`)
  }

  /** A copy is whole, of a good edition, and never older or of another site than the one it replaces. */
  write({ tab, before, after }: Write, server: SimulatedServer): void {
    const request = server.requests.findLast((candidate) => candidate.tab === tab)
    const stored = storedEdition(after, server)
    const replaced = storedEdition(before, server)
    if (before.get('copy') !== after.get('copy')) this.storedAt = this.world.elapsed
    this.noteSuccess(request, replaced, stored, server)
    if (stored === null) {
      if (after.has('copy') && !this.hadTroubleSince(0)) this.violate('what is stored is no whole edition')
      return
    }
    if (stored.kind !== 'good') this.violate(`an edition is stored that is ${stored.kind}`)
    if (replaced === null || request === undefined || this.hadTroubleSince(request.sentAt)) return
    if (stored.generated < replaced.generated) this.violate(`${stored.tag} replaced the newer ${replaced.tag}`)
    if (stored.site !== replaced.site && this.clockSetAt < 0 && this.copyAge(server) < INDEX_EXPIRED_MS - SKEW)
      this.violate(`${stored.tag} replaced ${replaced.tag} of another site`)
  }

  private noteSuccess(
    request: Request | undefined,
    before: Edition | null,
    stored: Edition | null,
    server: SimulatedServer,
  ) {
    if (request?.answer?.kind !== 'good' || request.storedAt !== null) return
    const { answer } = request
    const twoSites = [...server.sent.values()].some(({ site }) => site !== answer.site)
    if (twoSites ? stored?.tag === answer.tag : before === null || answer.site === before.site)
      request.storedAt = this.world.elapsed
  }

  /** ms since a request last succeeded. */
  private copyAge(server: SimulatedServer): number {
    const succeeded = server.requests.flatMap(({ storedAt }) =>
      storedAt === null || storedAt === this.world.elapsed ? [] : [storedAt],
    )
    return this.world.elapsed - Math.max(...succeeded)
  }

  /** An answer is what the naive look-up finds in one edition, never older than the tab's last. */
  answer(
    tab: Tab,
    asked: readonly string[],
    found: ReadonlyMap<string, readonly IndexListing[]>,
    server: SimulatedServer,
    from: { at: number; copyThere: boolean },
  ): void {
    const of = editionOf([...found.values()].flat(), server)
    if (of === null) {
      if (found.size > 0) this.violate('an answer is of no edition')
      if (from.copyThere && !this.hadTroubleSince(from.at)) this.violate('nothing was found although there is a copy')
      return
    }
    const expected = new Map(
      asked.map((name) => [name.toLowerCase(), naiveLookUp(of, name)] as const).filter(([, rows]) => rows.length > 0),
    )
    if (!sameJson([...expected].sort(byKey), [...found].sort(byKey))) this.violate(`an answer differs from ${of.tag}`)
    this.inOrder(tab, of, from.at)
  }

  /** The whole copy is every listing of one edition, in its order. */
  wholeAnswer(tab: Tab, found: readonly IndexListing[], server: SimulatedServer, askedAt: number): void {
    const of = editionOf(found, server)
    if (of === null ? found.length > 0 : !sameJson(of.listings, found)) this.violate('all() is not one edition')
    if (of !== null) this.inOrder(tab, of, askedAt)
  }

  private inOrder(tab: Tab, of: Edition, askedAt: number): void {
    const last = this.answered.get(tab)
    // Answers may overtake each other: only one asked for after the other arrived must not be older.
    if (last !== undefined && last.at <= askedAt && of.generated < last.edition.generated && !this.hadTroubleSince(0))
      this.violate(`a tab was answered from ${of.tag} after ${last.edition.tag}`)
    this.answered.set(tab, { edition: of, at: this.world.elapsed })
  }

  /** The edition the tab was last answered from. */
  lastAnswered(tab: Tab): Edition | undefined {
    return this.answered.get(tab)?.edition
  }

  private hadTroubleSince(at: number): boolean {
    // Damage lasts until the copy is written again.
    return !this.storageWorks || this.troubleAt >= at || this.damagedAt >= Math.min(at, this.storedAt)
  }

  violate(what: string): void {
    this.violations.push(`${what} (after ${this.world.elapsed} ms)`)
  }
}

/** The edition that is stored as a whole; null when there is none, or something else. */
export function storedEdition(values: ReadonlyMap<string, unknown>, server: SimulatedServer): Edition | null {
  const record = values.get('copy') as { generated: string } | undefined
  const rows: [number, ...(string | null)[]][] = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const text = values.get(`rows-${bucket}`)
    if (typeof text !== 'string') return null
    for (const line of text.split('\n').slice(1, -1)) {
      try {
        rows.push(JSON.parse(line.split('\t')[1]!))
      } catch {
        return null
      }
    }
  }
  const listings = rows
    .sort((a, b) => a[0] - b[0])
    .map(([, fullName, category, install, path, npm]) => ({ fullName, category, install, path, npm }))
  const of = editionOf(listings as IndexListing[], server)
  return of !== null && sameJson(of.listings, listings) && record?.generated === of.generated ? of : null
}

function editionOf(listings: readonly IndexListing[], server: SimulatedServer): Edition | null {
  const path = listings.find(({ fullName }) => fullName === MARKER)?.path
  return server.sent.get(path ?? '') ?? null
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
