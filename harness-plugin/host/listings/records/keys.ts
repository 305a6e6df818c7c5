import { createColumn } from './column.ts'
import type { LineStart } from './line.ts'
import { nameHash } from './name-hash.ts'

/** More stars than anything has. */
const PASSED = 1e15
/** Less than a star: it tells what waits for approval, and orders nothing. */
const WAITS = 0.5

/** What of a listing is in memory. */
export interface LineFacts {
  /** It orders listings: 0 without a record, else by stars, those that passed above all others. */
  readonly rank: number
  /** Hash of the name it is published under. */
  readonly name: number
}

/** The keys of listings (folded `fullName`s), each with a number, and by that number what orders and finds them. */
export interface Keys {
  /** Listings whose record is here. */
  readonly described: number
  /** Undefined for a listing that is not here. */
  numberOf(key: string): number | undefined
  all(): ReadonlyMap<string, number>
  /** What passed first, by stars, then the others, then those without a record. */
  inOrder(): number[]
  /** Those that may be published under this name, and all that are. */
  named(name: string): number[]
  hasPassed(number: number): boolean
  waits(number: number): boolean
  hasRecord(number: number): boolean
  facts(number: number): LineFacts
  /** @returns its number */
  set(key: string, facts: LineFacts): number
  delete(key: string): void
}

export function createKeys(): Keys {
  const numbers = new Map<string, number>()
  const ranks = createColumn()
  const names = createColumn()
  let next = 0
  let described = 0

  function set(key: string, { rank, name }: LineFacts): number {
    const number = numbers.get(key) ?? next++
    numbers.set(key, number)
    described += (rank > 0 ? 1 : 0) - (ranks.at(number) > 0 ? 1 : 0)
    ranks.set(number, rank)
    names.set(number, name)
    return number
  }

  return {
    get described() {
      return described
    },
    numberOf: (key) => numbers.get(key),
    all: () => numbers,
    inOrder: () => [...numbers.values()].sort((a, b) => ranks.at(b) - ranks.at(a)),
    named(name) {
      const hash = nameHash(name)
      return [...numbers.values()].filter((number) => names.at(number) === hash)
    },
    hasPassed: (number) => ranks.at(number) > PASSED,
    waits: (number) => ranks.at(number) % 1 === WAITS,
    hasRecord: (number) => ranks.at(number) > 0,
    facts: (number) => ({ rank: ranks.at(number), name: names.at(number) }),
    set,
    delete(key) {
      if (!numbers.has(key)) return
      set(key, { rank: 0, name: 0 })
      numbers.delete(key)
    },
  }
}

export function factsOf({ stars, verdict, name }: Omit<LineStart, 'key'>): LineFacts {
  const more = verdict === 'passed' ? PASSED : verdict === 'needs-approval' ? WAITS : 0
  return { rank: stars === null ? 0 : 1 + stars + more, name: nameHash(name) }
}
