import { parseRepositoryUrl } from './links.ts'

/**
 * The side pane of a repository's page as it is today, and as it is where React does not render it. The pane at the start
 * has the tree of files.
 */
const PANES = ['main [data-position=end] > [class*=PageLayout-Pane-]', 'main .Layout-sidebar']

/** The README below the list of files: its box, or its text where it has no box. */
const READMES = ['#readme', '[class*=OverviewRepoFiles]', 'article.markdown-body']

/**
 * The repository whose own page this is.
 *
 * @returns the folded `owner/repo`; null on any other page, those below a repository included
 */
export function repositoryOfPage(page: URL): string | null {
  if (page.hostname.startsWith('gist.')) return null
  const target = parseRepositoryUrl(page, page.origin)
  return target?.tree === null ? target.repository : null
}

/** The window is as narrow as this where the side pane stands below the README. */
export const NARROW = '(max-width: 767px)'

/**
 * Returns the place of a repository's card on its own page: first in the side pane, else above the README. In a narrow
 * window, where the pane stands below the README, it is above the list of files.
 *
 * @returns what `parent.insertBefore(card, before)` takes, or null while the page has neither
 */
export function cardPlace(
  page: ParentNode,
  { isNarrow }: { readonly isNarrow: boolean },
): { readonly parent: Element; readonly before: Node | null } | null {
  const pane = firstMatch(page, PANES)
  const readme = firstMatch(page, READMES)
  if (pane && isNarrow && readme?.parentElement) {
    return { parent: readme.parentElement, before: readme.parentElement.firstChild }
  }
  if (pane) return { parent: pane, before: pane.firstChild }
  return readme?.parentElement ? { parent: readme.parentElement, before: readme } : null
}

/** The first selector that matches anything decides, wherever on the page that is. */
function firstMatch(page: ParentNode, selectors: readonly string[]): Element | null {
  for (const selector of selectors) {
    const match = page.querySelector(selector)
    if (match) return match
  }
  return null
}
