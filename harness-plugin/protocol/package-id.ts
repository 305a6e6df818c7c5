/** Names of packages with a version, and of commits, as they are shown. Pages load this file, so it has no schemas. */

/** Splits `name@version` and the like at its version; null for a name alone. */
export function splitPackageId(id: string): { readonly name: string; readonly version: string | null } {
  const at = id.indexOf('@', 1)
  return at < 0 ? { name: id, version: null } : { name: id.slice(0, at), version: id.slice(at + 1) }
}

/** Returns the beginning of a commit, as git shows it. */
export const shortCommit = (commit: string): string => commit.slice(0, 7)
