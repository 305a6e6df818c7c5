import { BADGE_ATTRIBUTE } from '../marking/marks.ts'
import { repositoryOfTarget, type Target } from '../marking/target.ts'
import type { PageKind } from '../pages/kind.ts'

/** A page as it was marked. */
export interface MarkedPage {
  readonly kind: PageKind
  /** What a link was found to lead to; null or undefined for one that names no repository here. */
  readonly targetOf: (link: Element) => Target | null | undefined
}

/** Badges of the page that can be seen, in its order. */
export const badgesOf = (page: ParentNode): HTMLElement[] =>
  [...page.querySelectorAll<HTMLElement>(`[${BADGE_ATTRIBUTE}]`)].filter((badge) => badge.getClientRects().length > 0)

interface ListRow {
  readonly link: Element
  readonly target: Target
  readonly isPlugin: boolean
}

/** Links of a list that name a repository, each with whether it has a badge. */
export function rowsOf(page: ParentNode, { kind, targetOf }: MarkedPage): ListRow[] {
  const rows: ListRow[] = []
  for (const link of page.querySelectorAll(kind.selector)) {
    const target = targetOf(link)
    if (!target) continue
    rows.push({ link, target, isPlugin: link.nextElementSibling?.hasAttribute(BADGE_ATTRIBUTE) === true })
  }
  return rows
}

/** How many repositories a page names and how many of them are plugins; only a list says how many there are in all. */
export function countOf(page: ParentNode, marked: MarkedPage): { plugins: number; repositories: number | null } {
  const plugins = new Set(badgesOf(page).map((badge) => badge.getAttribute(BADGE_ATTRIBUTE))).size
  if (marked.kind.reads === 'text') return { plugins, repositories: null }
  const repositories = new Set(rowsOf(page, marked).map(({ target }) => repositoryOfTarget(target))).size
  return { plugins, repositories }
}
