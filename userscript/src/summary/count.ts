import type { LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { Marker } from '../marker/marker.ts'

/** A page as it was marked. */
export interface MarkedPage {
  readonly kind: PageKind
  readonly marker: Pick<Marker, 'targetOf' | 'isPlugin'>
}

/** Links of the page that name a plugin and are not hidden, in its order, whether their badge is there or still to come. */
export const pluginsOf = (page: ParentNode, { kind, marker }: MarkedPage): Element[] =>
  [...page.querySelectorAll(kind.selector)].filter((link) => marker.isPlugin(link) && isShown(link))

/** Several times as fast as asking for its box; not in every browser. */
const isShown = (link: Element) => link.checkVisibility?.() !== false

interface ListRow {
  readonly link: Element
  readonly target: LinkTarget
  readonly isPlugin: boolean
}

/** Links of a list that name a repository, each with whether it is a plugin. */
export function rowsOf(page: ParentNode, { kind, marker }: MarkedPage): ListRow[] {
  const rows: ListRow[] = []
  for (const link of page.querySelectorAll(kind.selector)) {
    const target = marker.targetOf(link)
    if (target) rows.push({ link, target, isPlugin: marker.isPlugin(link) })
  }
  return rows
}

/** How many repositories a page shows and how many of them are plugins; only a list says how many there are in all. */
export function countOf(page: ParentNode, marked: MarkedPage): { plugins: number; repositories: number | null } {
  const rows = rowsOf(page, marked).filter(({ link }) => isShown(link))
  const distinct = (some: readonly ListRow[]) => new Set(some.map(({ target }) => target.repository)).size
  return {
    plugins: distinct(rows.filter(({ isPlugin }) => isPlugin)),
    repositories: marked.kind.linkStyle === 'prose' ? null : distinct(rows),
  }
}
