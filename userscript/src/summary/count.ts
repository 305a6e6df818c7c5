import { BADGE_ATTRIBUTE } from '../marking/marks.ts'
import { repositoryOfTarget, type Target, targetOf } from '../marking/target.ts'
import type { PageKind } from '../pages/kind.ts'

/** Badges of the page that can be seen, in its order. */
export const badgesOf = (page: ParentNode): HTMLElement[] =>
  [...page.querySelectorAll<HTMLElement>(`[${BADGE_ATTRIBUTE}]`)].filter((badge) => badge.getClientRects().length > 0)

interface ListRow {
  readonly link: HTMLAnchorElement
  readonly target: Target
  readonly isPlugin: boolean
}

/** Links of a list that name a repository, each with whether it has a badge. */
export function rowsOf(page: ParentNode, kind: PageKind): ListRow[] {
  const rows: ListRow[] = []
  for (const link of page.querySelectorAll<HTMLAnchorElement>(kind.selector)) {
    const target = targetOf(link, kind.reads, location)
    if (target === null) continue
    rows.push({ link, target, isPlugin: link.nextElementSibling?.hasAttribute(BADGE_ATTRIBUTE) === true })
  }
  return rows
}

/** How many repositories a page names and how many of them are plugins; only a list says how many there are in all. */
export function countOf(page: ParentNode, kind: PageKind): { plugins: number; repositories: number | null } {
  const plugins = new Set(badgesOf(page).map((badge) => badge.getAttribute(BADGE_ATTRIBUTE))).size
  if (kind.reads === 'text') return { plugins, repositories: null }
  const repositories = new Set(rowsOf(page, kind).map(({ target }) => repositoryOfTarget(target))).size
  return { plugins, repositories }
}
