/**
 * The names that a command may contain. The rules are narrower than those of the servers: no allowed character has a
 * special meaning in a shell, in a URL or in an argument list. In ABNF (RFC 5234), upper and lower case differ:
 *
 *     package   = [ "@" scope "/" ] name           ; at most 214 characters, scope included
 *     scope     = LOWER-DIGIT *CHAR
 *     name      = LOWER-DIGIT *CHAR                ; in a scope it may begin with "_" or "-" too
 *                                                  ; not "node_modules", "favicon.ico", *.tgz, *.tar, *.tar.gz
 *     owner     = ALPHA-DIGIT *38( ALPHA-DIGIT / "-" / "_" )
 *     repo      = 1*100( ALPHA-DIGIT / "." / "_" / "-" )     ; not ".", "..", *.git
 *     profile   = ALPHA-DIGIT *63( ALPHA-DIGIT / "." / "_" / "-" )
 *     program   = profile
 *     CHAR      = LOWER-DIGIT / "." / "_" / "-"
 *
 * Cases: `cases/package-names.*.txt`, `cases/profile-names.*.txt`.
 */

/** The registry's own limit, in characters. Source: the naming rules in npm's package.json documentation. */
const PACKAGE_NAME_MAX = 214
const UNSCOPED = /^[a-z0-9][a-z0-9._-]*$/
const SCOPED = /^@[a-z0-9][a-z0-9._-]*\/[a-z0-9_-][a-z0-9._-]*$/
const RESERVED = new Set(['node_modules', 'favicon.ico'])
/**
 * The registry accepts such names, but `npm install koi.tgz` opens a local file. Source: npm-package-arg, `isFileType`.
 */
const ARCHIVE = /\.(?:tgz|tar|tar\.gz)$/

/**
 * Returns true if the registry accepts `name` for a new package: a name without version, tag, alias, path, archive or
 * URL. Also accepts names of Node's own modules: the registry has such packages, though it accepts no new ones.
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

/** Returns true if `owner` can be a user or organisation on GitHub: at most 39 characters. */
export function isOwnerName(owner: unknown): owner is string {
  return typeof owner === 'string' && OWNER.test(owner)
}

/** Returns true if `repo` can be a repository on GitHub: at most 100 characters, and no name with a meaning to git. */
export function isRepoName(repo: unknown): repo is string {
  return typeof repo === 'string' && REPO.test(repo) && repo !== '.' && repo !== '..' && !/\.git$/i.test(repo)
}

const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Name of a harness profile: one word of at most 64 letters, digits, dots, underscores and hyphens. */
export const PROFILE_NAME = WORD

/** Returns true if `text` can be a harness profile. */
export function isProfileName(text: unknown): text is string {
  return typeof text === 'string' && PROFILE_NAME.test(text)
}

/** Returns true if `text` can be the harness's command-line program: one plain word, no path and no options. */
export function isProgramName(text: unknown): text is string {
  return typeof text === 'string' && WORD.test(text)
}
