import { type RepositorySpec, specText } from './command.ts'
import { isRef, parsePlace } from './dependency.ts'
import { isOwnerName, isPackageName, isRepoName } from './names.ts'

/** A package, repository, folder or tarball that the user names to install it. The directory need not list it. */
export type Spec =
  | { readonly kind: 'npm'; readonly name: string; readonly range: string | null }
  /** Its `ref` may also be a commit. */
  | RepositorySpec
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'tarball'; readonly path: string }

/** Longest text that can be a source, in characters. */
export const MAX_SPEC_LENGTH = 1000

/** No character has a special meaning in a shell, apart from `~`, `\`, `$` and spaces, which only paths have. */
const PLAIN = /^[\p{L}\p{N}@%+=:,.^~#/\\_-]+$/u
const PLAIN_PATH = /^[\p{L}\p{N}@%+=:,.^~#/\\_$ -]+$/u
const INSTALL_COMMAND = /^(?:\$ )?\S+ plugin (?:\S+ )*add (?:(["'])(.+)\1|(\S+))$/
const PATH = /^(?:[/~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/
const ARCHIVE = /\.(?:tgz|tar\.gz)$/i
/** Prefix of a repository's address on the code host, as browsers, git and package.json write it. */
const ADDRESS =
  /^(?:github:|(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?(?:www\.)?github\.com\/|git@github\.com:|(?:www\.)?github\.com\/)/i
/** A page of a repository in a browser: what stands behind `#` is mostly a heading. */
const PAGE = /^https?:\/\//i
/** A heading of a README, as the address bar has it after a click. */
const HEADING = /\?.*$|#(?:readme|readme-ov-file|user-content-.*|L\d.*)$/i
/** A version, a simple range, or a tag. */
const RANGE = /^[\w^~][\w.+-]{0,99}$/

/**
 * Reads typed or pasted text: what an install command in it installs.
 *
 * @returns `repository`: the part of an address behind the code host's name; null for any other text
 */
export function readSpec(text: string): { readonly spec: string; readonly repository: string | null } {
  const [, , quoted, word] = INSTALL_COMMAND.exec(text) ?? []
  const spec = quoted ?? word ?? text
  const address = spec.replace(ADDRESS, '')
  return { spec, repository: address === spec ? null : address }
}

/**
 * Parses a source as the user types or pastes it: a package with or without a version, `github:owner/repo` or its
 * address with or without a commit, the path of a folder or a tarball, or an install command of one of these.
 *
 * @returns null for any other text
 */
export function parseSpec(text: string): Spec | null {
  const line = text.trim()
  if (line.length > MAX_SPEC_LENGTH) return null
  const { spec, repository } = readSpec(line)
  if (repository !== null) {
    const address = PAGE.test(spec) ? repository.replace(HEADING, '') : repository
    return PLAIN.test(address) ? parseRepository(address) : null
  }
  if (PATH.test(spec) && PLAIN_PATH.test(spec)) return { kind: ARCHIVE.test(spec) ? 'tarball' : 'folder', path: spec }
  if (!PLAIN.test(spec)) return null
  if (/^[a-z+]{2,}:/i.test(spec)) return null
  if (ARCHIVE.test(spec)) return { kind: 'tarball', path: spec }
  const at = spec.indexOf('@', 1)
  const [name, range] = at < 0 ? [spec, null] : [spec.slice(0, at), spec.slice(at + 1)]
  if (isPackageName(name)) return range === null || RANGE.test(range) ? { kind: 'npm', name, range } : null
  return parseRepository(spec)
}

function parseRepository(text: string): Spec | null {
  const [path = '', typed] = text.split('#', 2)
  const [owner, name = '', view, ...rest] = path.replace(/\/+$/, '').split('/')
  const repo = name.replace(/\.git$/i, '')
  const isView = view === 'tree' || view === 'commit'
  if (view !== undefined && !(isView && rest.length > 0)) return null
  if (!isOwnerName(owner) || !isRepoName(repo)) return null
  const ref = isView ? rest.join('/') : typed
  if (ref === undefined) return { kind: 'github', owner, repo }
  const place = isRef(ref) ? { ref } : parsePlace(ref)
  return place && { kind: 'github', owner, repo, ...place }
}

/** Returns the text of a source as the package manager takes it, which `parseSpec` parses to the same source. */
export function renderSpec(source: Spec): string {
  if (source.kind === 'npm') return source.range === null ? source.name : `${source.name}@${source.range}`
  return source.kind === 'github' ? specText(source) : source.path
}

/**
 * Returns true if text can only name a source, not a listing of a directory: it is a path or has a version, the prefix
 * `github:`, or an address with a commit. `owner/repo#path` is the name of a listing.
 */
export function isOnlySpec(text: string): boolean {
  const source = parseSpec(text)
  if (source === null || source.kind === 'folder' || source.kind === 'tarball') return source !== null
  if (source.kind === 'npm') return source.range !== null
  const isAddress = readSpec(text.trim()).repository !== null
  return (isAddress && (source.ref ?? source.path) !== undefined) || /^github:/i.test(text.trim())
}

/** Returns the short name of a source: a package without its scope, a repository, or the last part of a path. */
export function specName(source: Spec): string {
  if (source.kind === 'npm') return source.name.replace(/^@[^/]*\//, '')
  if (source.kind === 'github' && source.path === undefined) return source.repo
  const path = source.kind === 'github' ? source.path! : source.path
  return path.split(/[/\\]/).findLast(Boolean) ?? path
}

/** Returns the source that is the id of a job without a listing; null for the `fullName` of a listing. */
export function specOfId(id: string): Spec | null {
  const source = parseSpec(id)
  return source !== null && renderSpec(source) === id ? source : null
}
