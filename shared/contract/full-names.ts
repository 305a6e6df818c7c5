/**
 * The full name of a listing. In ABNF:
 *
 *     full-name = owner "/" repo [ "#" subpath ]   ; at most 512 UTF-16 units
 *     owner     = 1*NAME-CHAR
 *     repo      = 1*NAME-CHAR
 *     subpath   = 1*VCHAR                          ; any printable character but white space
 *     NAME-CHAR = any printable character but "/", "#" and white space
 *
 * Owner and repository are compared folded, as code hosts do; the case of the path counts. Cases:
 * `cases/full-names.*.txt`.
 */

/** Parts of a `fullName`, `owner/repo` or `owner/repo#sub/path`. */
interface NameParts {
  readonly owner: string
  readonly repo: string
  /** Null when the plugin is the repository's root. */
  readonly subpath: string | null
}

/** Splits a `fullName` that passed FullNameSchema. */
export function nameParts(fullName: string): NameParts {
  const hash = fullName.indexOf('#')
  const repository = hash < 0 ? fullName : fullName.slice(0, hash)
  const slash = repository.indexOf('/')
  return {
    owner: repository.slice(0, slash),
    repo: repository.slice(slash + 1),
    subpath: hash < 0 ? null : fullName.slice(hash + 1),
  }
}

/** Returns the key of a listing: owner and repository folded, as code hosts do, and the case of the path kept. */
export function listingKey(fullName: string): string {
  const hash = fullName.indexOf('#')
  return hash < 0 ? fullName.toLowerCase() : fullName.slice(0, hash).toLowerCase() + fullName.slice(hash)
}

/** Returns the key that the listings of one repository share: `owner/repo`, folded, without a subdirectory. */
export function repositoryKey(fullName: string): string {
  return fullName.split('#', 1)[0]!.toLowerCase()
}

/** Facts that a listing gets its name from. */
interface Titled {
  readonly fullName: string
  /** Its package; null when it is published nowhere. */
  readonly npmPackage: string | null
}

/** Last parts of names that say nothing about a plugin. */
const GENERIC =
  /^(?:(?:dsh|deepseek|harness|plugins?|bundle|client|server|host|core|main|index|app|web|ui|cli|lib|src|packages?)[-_.]?)+$/i

/** Returns a package's name without its scope. */
export const packageName = (name: string): string => name.replace(/^@[^/]*\//, '')

/**
 * Returns the title of a listing everywhere: its package without the scope, else the end of its path, else its
 * repository. When that is generic, such as `client`, returns the first of repository, scope and owner that is not.
 */
export function listingTitle({ fullName, npmPackage }: Titled): string {
  const { owner, repo, subpath } = nameParts(fullName)
  const scope = /^@([^/]+)\//.exec(npmPackage ?? '')?.[1] ?? ''
  const part = (subpath ?? '').split('/').findLast(Boolean) ?? ''
  const names = [npmPackage === null ? '' : packageName(npmPackage), part, repo, scope, owner].filter(Boolean)
  return names.find((name) => !GENERIC.test(name)) ?? names[0] ?? repo
}
