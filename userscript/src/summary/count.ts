import type { LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { Marker } from '../marker/marker.ts'

/** A page whose links the marker looks up. */
export interface MarkedPage {
  readonly kind: PageKind
  readonly marker: Pick<Marker, 'targetOf' | 'isPlugin'>
}

/** Visible links that name a plugin, in the order of the page, whether or not they have their badge yet. */
export const pluginLinks = ({ kind, marker }: MarkedPage): Element[] =>
  [...document.querySelectorAll(kind.selector)].filter((link) => marker.isPlugin(link) && isVisible(link))

/** Several times as fast as measuring the link. Not in every browser. */
const isVisible = (link: Element) => link.checkVisibility?.() !== false

/** A link that names a repository. */
interface RepositoryLink {
  readonly link: Element
  readonly target: LinkTarget
  readonly isPlugin: boolean
}

export function repositoryLinks({ kind, marker }: MarkedPage): RepositoryLink[] {
  return [...document.querySelectorAll(kind.selector)].flatMap((link) => {
    const target = marker.targetOf(link)
    return target ? { link, target, isPlugin: marker.isPlugin(link) } : []
  })
}

/** How many visible repositories are plugins, of how many; null for prose, which is no list of repositories. */
export function countPlugins(page: MarkedPage): { readonly plugins: number; readonly repositories: number | null } {
  const links = repositoryLinks(page).filter(({ link }) => isVisible(link))
  const distinct = (some: readonly RepositoryLink[]) => new Set(some.map(({ target }) => target.repository)).size
  return {
    plugins: distinct(links.filter(({ isPlugin }) => isPlugin)),
    repositories: page.kind.linkStyle === 'list' ? distinct(links) : null,
  }
}
