import { isPackageName } from '@plugmark/shared/install/names'
import { codeHostOf, decodePath, parseRepositoryUrl } from './links.ts'

/**
 * The side pane of a repository's page: the current markup, and the one that React does not render. The pane at the
 * start has the tree of files.
 */
const PANES = ['main [data-position=end] > [class*=PageLayout-Pane-]', 'main .Layout-sidebar']

/** The README below the list of files: its box, or its text when it has no box. */
const READMES = ['#readme', '[class*=OverviewRepoFiles]', 'article.markdown-body']

/**
 * Returns the repository whose own page this is, or whose files at a branch, tag or commit it lists.
 *
 * @returns the folded `owner/repo`; null on any other page, including those below a repository, and a branch with a slash
 *   in its name, whose address could be that of a folder
 */
export function repositoryOfPage(page: URL): string | null {
  if (page.origin !== codeHostOf(page)) return null
  const { repository = null, tree = null, isBlob } = parseRepositoryUrl(page, page.origin) ?? {}
  return tree === null || (!isBlob && !tree.includes('/')) ? repository : null
}

/**
 * Returns true if a page belongs to the code host's software: on github.com, or on an Enterprise server, where an owner
 * may have any name. Source: each of its pages names its host in a `meta` element (github.com, 2026-08).
 *
 * @param markup the page's document; null when only its address is known
 */
const isOfCodeHost = (page: URL, markup: ParentNode | null): boolean =>
  /^(?:gist\.)?github\.com$/.test(page.hostname) || Boolean(markup?.querySelector('meta[name=hostname]'))

/**
 * Returns the package whose page this is, on a website for packages that the user added.
 *
 * @param markup the page's document; null when only its address is known
 * @returns its name; null on any other page
 */
export function packageOfPage(page: URL, markup: ParentNode | null): string | null {
  if (isOfCodeHost(page, markup)) return null
  const [, name = ''] = /^\/package\/((?:@[^/]+\/)?[^/]+)(?:\/v\/[^/]+)?\/?$/.exec(decodePath(page.pathname)) ?? []
  return isPackageName(name) ? name : null
}

/** Matches a window that is so narrow that the side pane is below the README. */
export const NARROW = '(max-width: 767px)'

/**
 * Returns the place of a repository's card on its own page: first in the side pane, else above the README. In a narrow
 * window, where the pane is below the README, the place is above the list of files.
 *
 * @returns the arguments of `parent.insertBefore(card, before)`, or null while the page has neither
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

/** Returns the first match of the first selector that matches anything. */
function firstMatch(page: ParentNode, selectors: readonly string[]): Element | null {
  for (const selector of selectors) {
    const match = page.querySelector(selector)
    if (match) return match
  }
  return null
}
