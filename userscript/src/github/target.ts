import { OFF_LIMITS } from '../marker/excluded.ts'
import type { PageKind } from './page-kinds.ts'
import { targetOfLink } from './repository-link.ts'

/**
 * What a link leads to, as one text: `owner/repo`, `owner/repo/tree/<ref>/<path>` for a subdirectory, or
 * `owner/repo#<ref>/<path>` for a subdirectory that counts only when it is a listing itself. Folded.
 */
export type Target = string

/**
 * Tells the target of a link, or null when it gets no badge.
 *
 * @param page address of the page the links are on
 */
export function createTargets(linkStyle: PageKind['linkStyle'], page: URL): (link: HTMLAnchorElement) => Target | null {
  const origin = codeHost(page)
  const ownRepository =
    linkStyle === 'prose' ? targetOfLink(`${origin}${firstTwo(page.pathname)}`, origin)?.repository : undefined
  return (link) => {
    const path = link.getAttribute('href')
    // As the host's own lists write it: to ask where it leads is a third of the look at a link.
    const target = targetOf(linkStyle === 'list' && path?.startsWith('/') ? origin + path : link.href)
    // A link around a picture has no name to stand beside.
    return target === null || link.textContent.trim() === '' || link.closest(OFF_LIMITS) ? null : target
  }

  function targetOf(href: string): Target | null {
    const target = targetOfLink(href, origin)
    if (target === null) return null
    const { repository, tree, isBlob } = target
    // A repository's own pages speak of it all the time; only their links to other plugins in it say something new.
    const own = repository === ownRepository
    // A list names repositories as the code host itself writes them, and nothing in them.
    if (linkStyle === 'list' && (tree !== null || !href.startsWith(origin))) return null
    if (tree === null) return own ? null : repository
    return own || isBlob ? `${repository}#${tree}` : `${repository}/tree/${tree}`
  }
}

/** Folded `owner/repo` of a target. */
export const repositoryOfTarget = (target: Target): string =>
  isRepository(target) ? target : target.split('#', 1)[0]!.split('/', 2).join('/')

/** Whether a target is a repository, whatever is in it. */
export const isRepository = (target: Target): boolean =>
  target.indexOf('/', target.indexOf('/') + 1) < 0 && !target.includes('#')

/** Whether a target that is no listing itself stands for its repository. */
export const mayStandForAll = (target: Target): boolean => !target.includes('#')

/** Gists have a host of their own; what they link to is on the main one. */
export const codeHost = ({ protocol, host }: URL | Location) =>
  `${protocol}//${host.startsWith('gist.') ? host.slice(5) : host}`

/** `/owner/repo` of a path, or less where it has less. */
export const firstTwo = (pathname: string) => pathname.split('/', 3).join('/')
