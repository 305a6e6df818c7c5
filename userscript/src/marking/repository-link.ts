import { repositoryKey } from '@plugmark/shared/contract'
import { isReserved } from './reserved.ts'

/** Owner: letters, digits, hyphens, and the underscore of managed accounts. Repository: what the code host allows. */
const REPOSITORY_PATH = /^\/([A-Za-z\d][\w-]{0,99})\/([\w.-]{1,100})(?:\/tree\/(.+?))?\/?$/

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
 * @param href address of the link, absolute and as a browser writes it
 * @param origin origin of the code host
 * @returns the folded `owner/repo`, or null when the link leads anywhere else: a page below a repository, an owner, one
 * of the host's own pages, another site
 */
export function repositoryOfLink(href: string, origin: string): string | null {
  const target = href.startsWith(origin) ? targetOfPath(pathOf(href.slice(origin.length))) : null
  return target?.tree === null ? target.repository : null
}

/**
 * Where a link that a person wrote leads: as in a list, but also with `http:`, with `www.`, and into a subdirectory.
 */
export function targetOfTextLink(href: string, origin: string): TextTarget | null {
  const address = withoutScheme(href)
  const host = withoutScheme(origin)
  if (address === null || host === null || !address.startsWith(host)) return null
  return targetOfPath(pathOf(address.slice(host.length)))
}

// Addresses are taken apart as text: a page has thousands of links, and a URL object costs more than all the rest.
const withoutScheme = (address: string): string | null => {
  const scheme = /^https?:\/\/(?:www\.)?/.exec(address)
  return scheme && address.slice(scheme[0].length)
}

const pathOf = (afterHost: string): string => {
  const end = afterHost.search(/[?#]/)
  return end < 0 ? afterHost : afterHost.slice(0, end)
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
