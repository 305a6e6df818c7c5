import { repositoryKey } from '@plugmark/shared/contract'
import { isReserved } from './reserved.ts'

/** Owner: letters, digits, hyphens, and the underscore of managed accounts. Repository: what the code host allows. */
const REPOSITORY_PATH = /^\/([a-z\d][a-z\d_-]{0,99})\/([\w.-]{1,100})(?:\/tree\/(.+?))?\/?$/i

/** Where a link of a text leads. */
export interface TextTarget {
  /** Folded `owner/repo`. */
  readonly repository: string
  /** Git reference and path of a subdirectory, folded and joined as the address has them; null for the repository. */
  readonly tree: string | null
}

/**
 * The repository a link of a list leads to.
 *
 * @param href address of the link, absolute
 * @param origin origin of the code host
 * @returns the folded `owner/repo`, or null when the link leads anywhere else: a page below a repository, an owner, one
 * of the host's own pages, another site
 */
export function repositoryOfLink(href: string, origin: string): string | null {
  const url = URL.canParse(href) ? new URL(href) : null
  const target = url?.origin === origin ? targetOfPath(url.pathname) : null
  return target?.tree === null ? target.repository : null
}

/**
 * Where a link that a person wrote leads: as in a list, but also with `http:`, with `www.`, and into a subdirectory.
 */
export function targetOfTextLink(href: string, origin: string): TextTarget | null {
  const url = URL.canParse(href) ? new URL(href) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.host.replace(/^www\./, '') === new URL(origin).host ? targetOfPath(url.pathname) : null
}

function targetOfPath(pathname: string): TextTarget | null {
  const [, owner, name, tree] = REPOSITORY_PATH.exec(pathname) ?? []
  if (owner === undefined || name === undefined || isReserved(owner)) return null
  const repo = name.replace(/\.git$/i, '')
  if (/^\.{0,2}$/.test(repo)) return null
  return {
    repository: repositoryKey(`${owner}/${repo}`),
    tree: tree === undefined ? null : decoded(tree).toLowerCase(),
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone percent sign is part of a name then.
    return path
  }
}
