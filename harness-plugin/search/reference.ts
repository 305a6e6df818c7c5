import { isOwnerName, isPackageName, isRepoName } from '@plugmark/shared/install'

/** A listing, package or repository as a person or an agent names it. */
export type Reference =
  | { readonly kind: 'package'; readonly name: string }
  /** `paths` are the subdirectories that an address may mean; a branch name may have slashes too. */
  | { readonly kind: 'repository'; readonly id: string; readonly paths: readonly string[] }
  | { readonly kind: 'name'; readonly name: string }

/** Prefix of a repository's address on the code host, as browsers, git and package.json write it. */
const ADDRESS =
  /^(?:github:|(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?(?:www\.)?github\.com\/|git@github\.com:|(?:www\.)?github\.com\/)/i
const INSTALL_COMMAND = /^(?:\$ )?\S+ plugin (?:\S+ )*add (\S+)$/

/**
 * Reads an id, a package name, the address of a repository, or a pasted install command.
 *
 * @param text any text; it is never run
 */
export function parseReference(text: string): Reference {
  const line = text.trim().replace(/\s+/g, ' ')
  const spec = INSTALL_COMMAND.exec(line)?.[1] ?? line
  const address = spec.replace(ADDRESS, '')
  if (address !== spec) return readAddress(address) ?? { kind: 'name', name: spec }
  if (/^[^/\s#]+\/[^/\s#]+(?:#\S+)?$/.test(spec) && !spec.startsWith('@'))
    return { kind: 'repository', id: spec, paths: [] }
  return isPackageName(spec) ? { kind: 'package', name: spec } : { kind: 'name', name: spec }
}

/** @param path the part behind the code host's name */
function readAddress(path: string): Reference | null {
  const [owner, name = '', view, ...rest] = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter(Boolean)
  const repo = name.replace(/\.git$/i, '')
  if (!isOwnerName(owner) || !isRepoName(repo)) return null
  const paths = view === 'tree' || view === 'blob' ? rest.slice(1).map((_, at) => rest.slice(at + 1).join('/')) : []
  return { kind: 'repository', id: `${owner}/${repo}`, paths }
}
