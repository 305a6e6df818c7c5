import type { LinkTarget } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { isVisible, stateOf } from '../badges/link-states.ts'

/** A link that names a repository. */
interface RepositoryLink {
  readonly link: Element
  readonly target: LinkTarget
  readonly isPlugin: boolean
}

export function repositoryLinks(kind: PageKind): RepositoryLink[] {
  return [...document.querySelectorAll(kind.selector)].flatMap((link) => {
    const state = stateOf(link)
    return state ? { link, target: state.target, isPlugin: Boolean(state.data) } : []
  })
}

/** Counts the visible repositories, and the plugins among them. Returns no total in prose, which is no list. */
export function countPlugins(kind: PageKind): { readonly plugins: number; readonly repositories: number | null } {
  const links = repositoryLinks(kind).filter(({ link }) => isVisible(link))
  const distinct = (some: readonly RepositoryLink[]) => new Set(some.map(({ target }) => target.repository)).size
  return {
    plugins: distinct(links.filter(({ isPlugin }) => isPlugin)),
    repositories: kind.linkStyle === 'list' ? distinct(links) : null,
  }
}
