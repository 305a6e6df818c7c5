import type { FaceCode } from './badge-data.ts'

/**
 * The faces of all listed repositories as one text, in which one is found without decoding the others: sorted rows of
 * 7 characters, 5 of hash and 2 of face. A text, because `localStorage` keeps nothing else, and of 8-bit characters,
 * because browsers keep those in a byte each.
 *
 * 40 bits of hash under a salt of this browser's own: among 20,000 repositories a page of 30 others shows a wrong badge
 * once in two million visits, and nobody can choose a name that is taken for another.
 */
export type FaceTable = string

const HASH = 5
const ROW = 7

/**
 * The face of a repository; null where there is none.
 *
 * @param repository folded `owner/repo`
 */
export function findFace(table: FaceTable, repository: string, salt: number): FaceCode | null {
  const hash = hashOf(repository, salt)
  let low = 0
  let high = table.length / ROW
  while (low < high) {
    const middle = (low + high) >> 1
    const at = middle * ROW
    const order = compare(table, at, hash)
    if (order === 0) return (table.charCodeAt(at + HASH) << 8) | table.charCodeAt(at + HASH + 1)
    if (order < 0) low = middle + 1
    else high = middle
  }
  return null
}

/** Whether a text has the form of a table. */
export const isTable = (text: string): boolean => text.length % ROW === 0

function compare(table: FaceTable, at: number, hash: string): number {
  for (let i = 0; i < HASH; i++) {
    const difference = table.charCodeAt(at + i) - hash.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return 0
}

/** Two lanes of multiply and xor, 20 bits of each. */
export function hashOf(repository: string, salt: number): string {
  let one = salt ^ 0x2545f491
  let two = salt ^ 0x6c62272e
  for (let i = 0; i < repository.length; i++) {
    const character = repository.charCodeAt(i)
    one = Math.imul(one ^ character, 0x01000193)
    two = Math.imul(two + character, 0x5bd1e995) ^ (two >>> 15)
  }
  one = mixed(one)
  two = mixed(two)
  const middle = ((one >>> 16) & 15) | ((two >>> 12) & 240)
  return String.fromCharCode(one & 255, (one >>> 8) & 255, middle, two & 255, (two >>> 8) & 255)
}

/** Short names differ in few bits. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return once ^ (once >>> 13)
}
