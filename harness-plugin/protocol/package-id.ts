/** Names of packages with a version, and of commits, as they are shown. Pages load this file, so it has no schemas. */

/** Splits `name@version` and the like at its version; null for a name alone. */
export function splitPackageId(id: string): { readonly name: string; readonly version: string | null } {
  const at = id.indexOf('@', 1)
  return at < 0 ? { name: id, version: null } : { name: id.slice(0, at), version: id.slice(at + 1) }
}

/** Returns the beginning of a commit, as git shows it. */
export const shortCommit = (commit: string): string => commit.slice(0, 7)

/** Returns an installed version with the commit that it is of, such as 1.2.0 (a1b2c3d). */
export const versionText = ({ version, commit }: { readonly version: string | null; readonly commit: string | null }) =>
  [version ?? '', commit === null ? '' : `(${commit})`].filter(Boolean).join(' ')

/** Returns true for the full name of a commit. */
export const isCommit = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** Returns a version as it is, and of a commit the beginning. */
export const shortVersion = (version: string): string => (isCommit(version) ? shortCommit(version) : version)
