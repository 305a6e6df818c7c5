import { repositoryKey } from '@plugmark/shared/contract'
import type { StoreListing } from '../protocol/index.ts'
import { shortNames, withoutPrefix } from './listings.ts'
import type { Reference } from './query.ts'

/** Returns the ids that a reference may mean, folded: a folder of a repository before the whole one. */
export const idsOf = ({ id, paths }: Reference & { kind: 'repository' }): string[] =>
  [...paths.map((path) => `${id}#${path}`), id].map(fold)

type NameResolution =
  | { readonly listing: StoreListing }
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
): NameResolution {
  if (reference.kind === 'repository') {
    const byId = new Map(rows.map((row) => [fold(row.id), row]))
    const found = idsOf(reference)
      .map((id) => byId.get(id))
      .find((row) => row !== undefined)
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
  // A change does not accept a short name, because another plugin may have the same name tomorrow.
  if (!byName) return { listing: null }
  const named = rows.filter((row) => shortNames(row).includes(fold(name)))
  const isCalled = (row: StoreListing) => shortNames(row).some((one) => withoutPrefix(one) === fold(name))
  return only(named.length > 0 ? named : rows.filter(isCalled), true)
}

/** Returns the only listing, or several. @param isOneEnough false if a single listing is ambiguous too */
function only(found: readonly StoreListing[], isOneEnough: boolean): NameResolution {
  const [first, ...others] = found
  if (first === undefined) return { listing: null }
  return others.length === 0 && isOneEnough ? { listing: first } : { several: found }
}
