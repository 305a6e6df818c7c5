import { nameParts, repositoryKey } from '@plugmark/shared/contract'
import type { StoreListing } from '../protocol/index.ts'
import { listingName, packageName } from '../search/listings.ts'
import type { Reference } from '../search/query.ts'
import { isOneEditApart } from '../search/spelling.ts'

export type Resolved =
  | { readonly listing: StoreListing }
  /** Several plugins have this name. */
  | { readonly several: readonly StoreListing[] }
  | { readonly listing: null }

const fold = (text: string) => text.toLowerCase()

/**
 * Finds the listing that a reference names exactly. Case does not count in names of repositories.
 *
 * @param options.byName true to accept the name of a repository, or of a plugin, that only one listing has
 */
export function resolveListing(
  rows: readonly StoreListing[],
  reference: Reference,
  { byName = false }: { readonly byName?: boolean } = {},
): Resolved {
  if (reference.kind === 'repository') {
    const ids = [...reference.paths.map((path) => `${reference.id}#${path}`), reference.id].map(fold)
    const found = rows.find(({ id }) => ids.includes(fold(id)))
    if (found) return { listing: found }
    if (reference.id.includes('#')) return { listing: null }
    return only(
      rows.filter(({ id }) => repositoryKey(id) === fold(reference.id)),
      byName,
    )
  }
  const { kind, name } = reference
  const published = kind === 'package' ? rows.filter(({ npmPackage }) => npmPackage === name) : []
  if (published.length > 0) return only(published, true)
  const named = rows.filter(
    (row) => fold(nameParts(row.id).repo) === fold(name) || fold(listingName(row)) === fold(name),
  )
  // A change does not accept a short name, because another plugin may have the same name tomorrow.
  return byName ? only(named, true) : { listing: null }
}

/** Returns the only listing, or several. @param isOneEnough false if a single listing is ambiguous too */
function only(found: readonly StoreListing[], isOneEnough: boolean): Resolved {
  const [first, ...others] = found
  if (first === undefined) return { listing: null }
  return others.length === 0 && isOneEnough ? { listing: first } : { several: found }
}

/** Minimum length of a name to compare, because shorter ones are similar to everything. */
const LEAST_LETTERS = 3
/** Generic prefix of a plugin's name, which does not identify it. */
const GENERIC = /^(?:dsh|plugin|harness)+(?=[a-z\d])/

/** Returns the letters of a name that distinguish it from others. */
function distinctive(name: string): string {
  const letters = fold(name).replace(/[^\p{L}\p{N}]+/gu, '')
  return letters.replace(GENERIC, '') || letters
}

/** Returns the ids of the listings with similar names, most similar first. */
export function suggestListings(rows: readonly StoreListing[], reference: Reference, most = 5): string[] {
  const typed = reference.kind === 'repository' ? reference.id : reference.name
  const wanted = distinctive(typed.split(/[/#]/).findLast(Boolean) ?? '')
  if (wanted.length < LEAST_LETTERS) return []
  const likeness = (row: StoreListing) => {
    const names = [listingName(row), nameParts(row.id).repo, row.npmPackage === null ? '' : packageName(row.npmPackage)]
    return Math.max(...names.map((name) => likenessOf(distinctive(name), wanted)))
  }
  return rows
    .map((row) => ({ row, likeness: likeness(row) }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || (b.row.stars ?? -1) - (a.row.stars ?? -1))
    .slice(0, most)
    .map(({ row }) => row.id)
}

/** Returns true when two names are the same, one typing error apart, or one contains most of the other. */
export function isAlike(name: string, typed: string): boolean {
  const wanted = distinctive(packageName(typed))
  return wanted.length >= LEAST_LETTERS && likenessOf(distinctive(packageName(name)), wanted) > 0
}

/** Returns 3 for the same name, 2 for one typing error, 1 for a part of the name or a little more than it, otherwise 0. */
function likenessOf(name: string, wanted: string): number {
  if (name === wanted) return 3
  if (isOneEditApart(name, wanted)) return 2
  const isLittleMore = wanted.includes(name) && name.length >= LEAST_LETTERS && name.length * 2 > wanted.length
  return name.includes(wanted) || isLittleMore ? 1 : 0
}
