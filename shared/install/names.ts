/**
 * The names that a command may contain. The rules are narrower than those of the servers: every character they allow
 * means itself in a shell, in a URL and in an argument list.
 */

/** The registry's own limit, in characters. Source: the naming rules in npm's package.json documentation. */
const PACKAGE_NAME_MAX = 214
const UNSCOPED = /^[a-z0-9][a-z0-9._-]*$/
const SCOPED = /^@[a-z0-9][a-z0-9._-]*\/[a-z0-9_-][a-z0-9._-]*$/
const RESERVED = new Set(['node_modules', 'favicon.ico'])
/** The registry accepts such names, but `npm install koi.tgz` opens a local file. Source: npm-package-arg, `isFileType`. */
const ARCHIVE = /\.(?:tgz|tar|tar\.gz)$/

/**
 * Whether `name` is a name the registry accepts for a new package, and nothing more: no version, tag, alias, path,
 * archive or URL. Names of Node's own modules pass: the registry has such packages, though it accepts no new ones.
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

// Names of enterprise-managed users contain an underscore.
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/
const REPO = /^[A-Za-z0-9._-]{1,100}$/

/** Whether `owner` can be a user or organisation on GitHub: at most 39 characters. */
export function isOwnerName(owner: unknown): owner is string {
  return typeof owner === 'string' && OWNER.test(owner)
}

/** Whether `repo` can be a repository on GitHub: at most 100 characters, and no name that has a meaning to git. */
export function isRepoName(repo: unknown): repo is string {
  return typeof repo === 'string' && REPO.test(repo) && repo !== '.' && repo !== '..' && !/\.git$/i.test(repo)
}

const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** What a harness profile can be called: one word of at most 64 letters, digits, dots, underscores and hyphens. */
export const PROFILE_NAME = WORD

/** Whether `text` can be a harness profile. */
export function isProfileName(text: unknown): text is string {
  return typeof text === 'string' && PROFILE_NAME.test(text)
}

/** Whether `text` can be the harness's command-line program: one plain word, no path and no options. */
export function isProgramName(text: unknown): text is string {
  return typeof text === 'string' && WORD.test(text)
}
