/**
 * The names a spec may hold. Both rules are narrower than what servers ever accepted: every character they allow means
 * itself in a shell, in an address and in an argument list.
 */

/** The registry's own limit, in characters. Source: the naming rules in npm's package.json documentation. */
const PACKAGE_NAME_MAX = 214
const UNSCOPED = /^[a-z0-9][a-z0-9._-]*$/
const SCOPED = /^@[a-z0-9][a-z0-9._-]*\/[a-z0-9_-][a-z0-9._-]*$/
const RESERVED = new Set(['node_modules', 'favicon.ico'])
/** The registry takes such names, but `npm install koi.tgz` opens a local file. Source: npm-package-arg, `isFileType`. */
const ARCHIVE = /\.(?:tgz|tar|tar\.gz)$/

/**
 * Whether `name` is a name the registry takes for a new package, alone: no version, tag, alias, path, archive or
 * address. Names of Node's own modules pass: the registry has such packages, it only takes no new ones.
 */
export function isPackageName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= PACKAGE_NAME_MAX &&
    !RESERVED.has(name) &&
    !ARCHIVE.test(name) &&
    (UNSCOPED.test(name) || SCOPED.test(name))
  )
}

// An underscore stands in the names of enterprise-managed users.
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/
const REPO = /^[A-Za-z0-9._-]{1,100}$/

/** Whether `owner` can be a user or organisation on GitHub: at most 39 characters. */
export function isOwnerName(owner: unknown): owner is string {
  return typeof owner === 'string' && OWNER.test(owner)
}

/** Whether `repo` can be a repository on GitHub: at most 100 characters, and none of the names git gives a meaning. */
export function isRepoName(repo: unknown): repo is string {
  return typeof repo === 'string' && REPO.test(repo) && repo !== '.' && repo !== '..' && !/\.git$/i.test(repo)
}

/** A letter or digit, then letters, digits, `.`, `_`, `-`; at most 64. */
const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether `text` can be a harness profile: one word of at most 64 letters, digits, dots, underscores and hyphens. */
export function isProfileName(text: unknown): text is string {
  return typeof text === 'string' && WORD.test(text)
}

/** Whether `text` can be the harness's command-line program: one plain word, no path and no options. */
export function isProgramName(text: unknown): text is string {
  return typeof text === 'string' && WORD.test(text)
}
