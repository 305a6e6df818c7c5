import { INDEX_EXPIRED_MS, INDEX_FRESH_MS, type IndexListing } from '../../contract/index.ts'
import type { Edition } from './documents.ts'
import { naiveLookUp } from './documents.ts'
import type { Request, SimulatedServer } from './simulated-server.ts'
import type { StorageMode, Write } from './simulated-storage.ts'
import { editionOf, sameJson, storedEdition } from './stored-edition.ts'
import type { Tab, World } from './world.ts'

const MINUTE = 60_000
/** Clocks of tabs differ by this much at most. */
const SKEW = 100
/** A request is dated when it is noted in the storage, this long before it is sent at most. */
const CLAIM = 5_000
const NEVER = Number.NEGATIVE_INFINITY

/** What a look-up was made with. */
export interface Asked {
  readonly tab: Tab
  readonly at: number
  /** Whether a whole copy was stored then. */
  readonly copyThere: boolean
}

/**
 * What must hold whatever happens, written from the design and without the engine's code. Violations are collected,
 * because what is thrown inside the engine's calls is the engine's to catch. All times are of `world.elapsed`.
 */
export class Rules {
  readonly violations: string[] = []
  private storageMode: StorageMode = 'works'
  private storageTurnedAt = NEVER
  private damagedAt = NEVER
  private copyWrittenAt = NEVER
  private clockSetAt = NEVER
  private hasCopy = false
  private failuresInRow = 0
  /** Whether one of them is known to be the server's: the others' tabs were closed before they ended. */
  private serverFails = false
  private readonly closedTabs = new Set<Tab>()
  private readonly answered = new Map<Tab, { edition: Edition; at: number }>()
  private readonly world: World
  private readonly server: SimulatedServer

  constructor(world: World, server: SimulatedServer) {
    this.world = world
    this.server = server
    world.whenClosed((tab) => this.closedTabs.add(tab))
  }

  storageTurned(mode: StorageMode): void {
    this.storageMode = mode
    this.storageTurnedAt = this.world.elapsed
  }

  storageDamaged(): void {
    this.damagedAt = this.world.elapsed
  }

  clockSet(): void {
    this.clockSetAt = this.world.elapsed
  }

  violate(what: string): void {
    this.violations.push(`${what} (after ${this.world.elapsed} ms)`)
  }

  /** Never two requests in six hours, nor sooner after a failure than the back-off, over all tabs. */
  request(request: Request): void {
    const last = this.server.requests.at(-1)
    const beforeLast = this.server.requests.at(-2)
    if (last === undefined) return
    // What was noted of the earlier ones may be lost.
    const isFirst = this.failuresInRow === 0 || this.hadTroubleSince(beforeLast!.sentAt)
    // One that a person asks for does not make the next without them come later.
    this.failuresInRow = last.storedAt !== null ? 0 : isFirst ? 1 : this.failuresInRow + (last.pressed ? 0 : 1)
    this.serverFails = last.storedAt === null && (!isBrokenOff(last, CLAIM) || (!isFirst && this.serverFails))
    if (request.pressed || this.clockSetAt >= last.sentAt - CLAIM) return

    const gap = this.world.elapsed - last.sentAt
    if (last.tab === request.tab) this.sameTab(last, gap)
    if (this.hadTroubleSince(last.sentAt)) return
    if (last.storedAt === null) {
      const pause = this.pause()
      if (gap < pause - SKEW) this.violate(`a request ${gap} ms after failure ${this.failuresInRow}, not ${pause}`)
    } else {
      const since = this.world.elapsed - last.storedAt
      if (since < INDEX_FRESH_MS - SKEW) this.violate(`a request ${since} ms after one that succeeded`)
    }
  }

  /** After so many failures, soon while there is no copy. One request that was left behind costs nothing, the next ones a minute and twice that. */
  private pause(): number {
    const doubled = 2 ** (this.failuresInRow - 1)
    if (!this.serverFails) return this.failuresInRow === 1 ? 0 : Math.min((MINUTE * doubled) / 2, INDEX_FRESH_MS)
    if (this.hasCopy) return Math.min(15 * MINUTE * doubled, INDEX_FRESH_MS)
    const minutes = [1, 2, 5, 15, 30, 60, 120, 240][this.failuresInRow - 1]
    return minutes === undefined ? INDEX_FRESH_MS : minutes * MINUTE
  }

  /** Whatever becomes of the storage, one tab does not hammer; and it remembers what the storage would not take. */
  private sameTab(last: Request, gap: number): void {
    const hadCopy = this.hasCopy && !this.hadTroubleSince(last.sentAt)
    if (gap < (hadCopy ? 15 : 1) * MINUTE - SKEW) this.violate(`one tab asked twice within ${gap} ms`)
    if (this.isHeld(last) && gap < INDEX_FRESH_MS) this.violate(`a tab forgot its own copy ${gap} ms after its request`)
  }

  /** A copy is whole, of a good edition, and never older or of another site than the one it replaces. */
  write({ tab, before, after }: Write): void {
    const request = this.server.requests.findLast((candidate) => candidate.tab === tab)
    const stored = storedEdition(after, this.server.arrived)
    const replaced = storedEdition(before, this.server.arrived)
    const trouble = this.hadTroubleSince(request?.sentAt ?? 0)
    if (before.get('index') !== after.get('index')) this.copyWrittenAt = this.world.elapsed

    this.hasCopy = stored !== null
    if (stored !== null && stored.kind !== 'good') this.violate(`an edition is stored that is ${stored.kind}`)
    if (stored === null && after.has('index') && !trouble) this.violate('what is stored is no whole edition')
    if (stored !== null && replaced !== null && !trouble) this.replacement(replaced, stored)
    if (request !== undefined && request.storedAt === null && this.isAccepted(request, replaced, stored))
      request.storedAt = this.world.elapsed
  }

  private replacement(replaced: Edition, stored: Edition): void {
    if (stored.generated < replaced.generated) this.violate(`${stored.tag} replaced the newer ${replaced.tag}`)
    if (stored.site === replaced.site || this.clockSetAt !== NEVER) return
    const checkedAt = Math.max(...this.server.requests.map(({ storedAt }) => storedAt ?? NEVER))
    if (this.world.elapsed - checkedAt < INDEX_EXPIRED_MS - SKEW)
      this.violate(`${stored.tag} replaced ${replaced.tag} of another site`)
  }

  /** Whether this write is the success of the request. A directory that moved may be believed or not. */
  private isAccepted({ answer }: Request, before: Edition | null, after: Edition | null): boolean {
    if (answer?.kind !== 'good') return false
    return this.server.hasMoved ? after?.tag === answer.tag : before === null || answer.site === before.site
  }

  /** An answer is what the naive look-up finds in one edition, never older than the tab's last. */
  answer(asked: Asked, names: readonly string[], found: ReadonlyMap<string, readonly IndexListing[]>): void {
    const of = editionOf([...found.values()].flat(), this.server.arrived)
    if (of === null) {
      this.nothing(asked, found.size)
      return
    }
    const expected = names.map((name) => [name.toLowerCase(), naiveLookUp(of, name)] as const)
    const withListings = new Map(expected.filter(([, listings]) => listings.length > 0))
    if (!sameJson([...withListings].sort(byKey), [...found].sort(byKey))) this.violate(`an answer is not ${of.tag}`)
    this.inOrder(asked, of)
  }

  private nothing({ tab, at, copyThere }: Asked, found: number): void {
    const own = this.server.requests.findLast((request) => request.tab === tab && request.answeredAt <= at)
    if (found > 0) this.violate('an answer is of no edition')
    if (copyThere && !this.hadTroubleSince(at)) this.violate('nothing was found although there is a copy')
    if (own !== undefined && this.isHeld(own)) this.violate('nothing was found although the tab holds a copy')
    this.afterBrokenOff(at)
  }

  /** Requests left behind by closed tabs, and none that was answered, keep nobody waiting for longer than they may. */
  private afterBrokenOff(at: number): void {
    const { requests } = this.server
    const last = requests.at(-1)
    if (last === undefined || !requests.every((request) => isBrokenOff(request)) || at < last.tab.closedAt) return
    // Another may have been closed between noting its attempt and sending it.
    if (this.hadTroubleSince(0) || this.clockSetAt !== NEVER || this.closedTabs.size > requests.length) return
    const pause = MINUTE * 2 ** (requests.length - 2)
    // A look-up waits for a minute.
    if (pause <= MINUTE || at >= last.sentAt + pause + SKEW)
      this.violate(`nothing was found, and not asked for, ${at - last.sentAt} ms after a tab that was closed asked`)
  }

  /** Answers may overtake each other: one that was asked for after another had come is not of an older edition. */
  private inOrder({ tab, at }: Asked, of: Edition): void {
    const last = this.answered.get(tab)
    if (last !== undefined && last.at <= at && of.generated < last.edition.generated && !this.hadTroubleSince(0))
      this.violate(`a tab was answered from ${of.tag} after ${last.edition.tag}`)
    this.answered.set(tab, { edition: of, at: this.world.elapsed })
  }

  /** The edition the tab was last answered from. */
  lastAnswered(tab: Tab): Edition | undefined {
    return this.answered.get(tab)?.edition
  }

  /** Whether the tab has the answer in memory: it was good, and nobody could write since before the request. */
  private isHeld({ sentAt, answer }: Request): boolean {
    const refusing = this.storageMode.startsWith('refuses') && this.storageTurnedAt < sentAt - CLAIM
    return refusing && answer?.kind === 'good' && !this.server.hasMoved && this.damagedAt === NEVER
  }

  /** Damage lasts until the copy is written again. */
  private hadTroubleSince(at: number): boolean {
    const isDamaged = this.damagedAt !== NEVER && this.damagedAt >= Math.min(at, this.copyWrittenAt)
    return this.storageMode !== 'works' || this.storageTurnedAt >= at || isDamaged
  }
}

/** Whether its tab was closed before it knew how the request ended, or this long after, before it had noted it. */
const isBrokenOff = ({ tab, endedAt }: Request, afterMs = 0): boolean => tab.closedAt < endedAt + afterMs

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
