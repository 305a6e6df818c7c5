import { isReserved } from './reserved.ts'

/** Where a link leads. */
export interface LinkTarget {
  /** Folded `owner/repo`. */
  readonly repository: string
  /** Git reference and path in it, folded and joined as the address has them; null for the repository. */
  readonly tree: string | null
  /** Whether that path may be a file: the code host has it in front of directories too, where a text links to them. */
  readonly isBlob: boolean
}

/**
 * The repository a link leads to, or what is in it; also with `http:` and `www.`, as people write them.
 *
 * @param href address of the link, absolute and as a browser writes it
 * @param origin origin of the code host
 * @returns null when the link leads anywhere else: a page below a repository, an owner, one of the host's own pages,
 * another site
 */
export function targetOfLink(href: string, origin: string): LinkTarget | null {
  const address = withoutScheme(href)
  const host = withoutScheme(origin)
  if (address === null || host === null || !address.startsWith(host)) return null
  return targetOfPath(address.slice(host.length))
}

// Addresses are taken apart as text, and by hand: a page has thousands of links, a URL object costs more than all the rest,
// and to compile a pattern, or to take an array apart, costs as much as to read thirty addresses does.
function withoutScheme(address: string): string | null {
  const scheme = address.startsWith('https://') ? 8 : address.startsWith('http://') ? 7 : 0
  return scheme === 0 ? null : address.slice(address.startsWith('www.', scheme) ? scheme + 4 : scheme)
}

function until(text: string, mark: string): string {
  const end = text.indexOf(mark)
  return end < 0 ? text : text.slice(0, end)
}

/**
 * Which characters a name is of is not asked: what no repository can be called is not in the directory.
 *
 * @param afterHost path and what follows it
 */
function targetOfPath(afterHost: string): LinkTarget | null {
  const path = until(until(afterHost, '#'), '?').toLowerCase()
  const slash = path.indexOf('/', 1)
  // The host goes on: github.community, or a port.
  if (path[0] !== '/' || slash < 0) return null
  const below = path.indexOf('/', slash + 1)
  const owner = path.slice(1, slash)
  const name = path.slice(slash + 1, below < 0 ? path.length : below)
  const repo = name.endsWith('.git') ? name.slice(0, -4) : name
  if (owner === '' || isReserved(owner) || repo === '') return null
  const rest = below < 0 || below === path.length - 1 ? '' : path.slice(below, path.endsWith('/') ? -1 : path.length)
  const isBlob = rest.startsWith('/blob/')
  if (rest !== '' && ((!isBlob && !rest.startsWith('/tree/')) || rest.length === 6)) return null
  return { repository: `${owner}/${repo}`, tree: rest === '' ? null : decoded(rest.slice(6)).toLowerCase(), isBlob }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone percent sign is part of a name then.
    return path
  }
}
