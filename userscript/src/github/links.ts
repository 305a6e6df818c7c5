/**
 * Parts of a page that are never marked: text in an editor, code, the code host's hover cards, and this script's own
 * elements.
 */
const EXCLUDED_SELECTORS = [
  '[contenteditable]:not([contenteditable=false])',
  'pre',
  '.js-hovercard-content',
  '[class^=plugmark-]',
].join(', ')

/** First path segments under which the code host shows pages of its own that a user comes to, or reads a link to. */
export const RESERVED = (
  'about account advisories apps blog business codespaces collections contact copilot customer-stories dashboard ' +
  'dashboard-feed enterprise events explore features feed github-copilot home issues join login logout marketplace mcp ' +
  'new notifications organizations orgs pricing pulls readme repos resources search security sessions settings signup ' +
  'site sponsors stars status team topics trending users watching'
).split(' ')

/**
 * Returns true if a first path segment is not the name of an owner.
 *
 * @param segment in any case
 */
export const isReserved = (segment: string): boolean => RESERVED.includes(segment.toLowerCase())

/** A repository, or a place in it. */
interface RepositoryPlace {
  /** Folded `owner/repo`. */
  readonly repository: string
  /** Git reference and path, joined as the address has them; null for the repository itself. */
  readonly tree: string | null
}

interface RepositoryPath extends RepositoryPlace {
  /** True if the path may be a file: in prose the code host writes `/blob/` in front of folders, too. */
  readonly isBlob: boolean
}

/**
 * In a `list`, a link is the address of a repository and nothing else. In `prose`, which users wrote, it may have many
 * spellings and lead into a subdirectory.
 */
export type LinkStyle = 'list' | 'prose'

/** The place to which a link leads. */
export interface LinkTarget extends RepositoryPlace {
  /** True if the link counts only when that path is a listing of its own, and never stands for the repository. */
  readonly isExact: boolean
  /** Equal for links with the same target. */
  readonly key: string
}

const GITHUB = 'https://github.com'
/** The demo serves a code host of its own on this machine. */
const DEMO = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?$/

/**
 * Returns the origin of the code host whose repositories the directory lists. Gists have a host of their own, but link to
 * repositories on the main one. On a site that the user added, such as GitHub Enterprise, it is github.com: a repository
 * of that site is another one, whatever its name.
 */
export function codeHostOf({ protocol, host }: Pick<URL, 'protocol' | 'host'>): string {
  const own = `${protocol}//${host}`
  return DEMO.test(own) ? own : GITHUB
}

/**
 * Parses the address of a repository, or of a place in it. Accepts also `http:` and `www.`, as users write them, and
 * `redirect.`, as update bots write them to avoid a mention in the repository.
 *
 * @param codeHost origin
 * @returns null for any other address: a page below a repository, an owner, one of the host's own pages, another site
 */
export function parseRepositoryUrl(
  { protocol, host, pathname }: Pick<URL, 'protocol' | 'host' | 'pathname'>,
  codeHost: string,
): RepositoryPath | null {
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const ownHost = codeHost.slice(codeHost.indexOf('//') + 2)
  if (host !== ownHost && host !== `www.${ownHost}` && host !== `redirect.${ownHost}`) return null
  const [, , , kind, ...tree] = (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname).split('/')
  const name = repositoryName(pathname)
  if (name === null) return null
  const repository = name.toLowerCase()
  if (kind === undefined) return { repository, tree: null, isBlob: false }
  if ((kind !== 'tree' && kind !== 'blob') || tree.length === 0) return null
  return { repository, tree: decodePath(tree.join('/')), isBlob: kind === 'blob' }
}

/**
 * Returns `owner/repo` as a path spells it; null when its first two segments are not the name of a repository.
 *
 * @param pathname its beginning at least; may be percent-encoded
 */
export function repositoryName(pathname: string): string | null {
  const [, owner = '', repo = ''] = pathname.split('/', 3)
  if (isReserved(owner)) return null
  const name = `${decodePath(owner)}/${decodePath(repo).replace(/\.git$/i, '')}`
  return /^[\w.-]+\/[\w.-]+$/.test(name) ? name : null
}

/**
 * Splits the address of a link once: a browser parses it again for each property that is read. By positions, as a start
 * would compile a pattern for the few links of its page.
 */
function addressOf({ href }: HTMLAnchorElement): Pick<URL, 'protocol' | 'host' | 'pathname'> | null {
  const [address] = href.split('#', 1)[0]!.split('?', 1) as [string]
  const [protocol, empty, host] = address.split('/', 3) as [string, ...string[]]
  // An address that a browser cannot parse stays as it was written: `http:`.
  if (empty || !host) return null
  return { protocol, host, pathname: address.slice(protocol.length + '//'.length + host.length) }
}

/** Replaces the page of a package that a repository publishes on the code host by that of the repository. */
const withoutPackage = (address: ReturnType<typeof addressOf>): ReturnType<typeof addressOf> =>
  address?.pathname.includes('/pkgs/npm/')
    ? { ...address, pathname: address.pathname.replace(/^(\/[^/]+\/[^/]+)\/pkgs\/npm\/[^/]+\/?$/, '$1') }
    : address

export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone percent sign is part of the name.
    return path
  }
}

/**
 * @param page address of the page with the links
 * @returns a function that returns the target of a link, or null when it gets no badge
 */
export function createLinkParser(linkStyle: LinkStyle, page: URL): (link: HTMLAnchorElement) => LinkTarget | null {
  const codeHost = codeHostOf(page)
  const [, owner, name] = page.pathname.split('/')
  const ownRepository =
    linkStyle === 'prose' && name !== undefined && page.origin === codeHost
      ? parseRepositoryUrl(new URL(`/${owner}/${name}`, codeHost), codeHost)?.repository
      : undefined

  const targetOf = (link: HTMLAnchorElement): LinkTarget | null => {
    const address = linkStyle === 'prose' ? withoutPackage(addressOf(link)) : addressOf(link)
    const path = address && parseRepositoryUrl(address, codeHost)
    if (!path) return null
    const { repository, tree, isBlob } = path
    if (linkStyle === 'list') {
      // A list names repositories in the code host's own spelling, and no places in them.
      return tree === null && `${address.protocol}//${address.host}` === codeHost
        ? { repository, tree, isExact: false, key: repository }
        : null
    }
    // A repository's own pages mention it all the time. Only their links to other plugins in it add something.
    const isOwn = repository === ownRepository
    if (tree === null) return isOwn ? null : { repository, tree, isExact: false, key: repository }
    const isExact = isOwn || isBlob
    return { repository, tree, isExact, key: `${repository}${isExact ? '#' : '/tree/'}${tree}` }
  }

  return (link) => {
    const target = targetOf(link)
    // A link around a picture has no name to put a badge beside.
    return target === null || link.textContent.trim() === '' || link.closest(EXCLUDED_SELECTORS) ? null : target
  }
}

/** Returns a listing with the name of its repository in the spelling of a link. For display only. */
export function spelledAs<T extends { readonly fullName: string }>(listing: T, { pathname }: Pick<URL, 'pathname'>): T {
  const [repository = '', ...subpath] = listing.fullName.split('#')
  const spelled = repositoryName(pathname)
  if (spelled?.toLowerCase() !== repository.toLowerCase()) return listing
  return { ...listing, fullName: [spelled, ...subpath].join('#') }
}
