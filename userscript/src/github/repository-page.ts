import { parseRepositoryUrl } from './links.ts'

/** A place on the page: as `parent.insertBefore(node, before)` takes it. */
export interface Place {
  readonly parent: Element
  readonly before: Node | null
}

/** In the order they are tried: the side pane of today, the one of pages that were not drawn by React. */
const PANES = ['main [class*=PageLayout-Pane-]', 'main .Layout-sidebar']

/** The README below the list of files: its box where there is one, else its text. */
const READMES = ['#readme', '[class*=OverviewRepoFiles]', 'article.markdown-body']

/**
 * The repository whose own page this is.
 *
 * @param url address of the page
 * @returns the folded `owner/repo`, or null on any other page, those below a repository included
 */
export function repositoryOfPage(url: URL): string | null {
  if (url.hostname.startsWith('gist.')) return null
  const target = parseRepositoryUrl(url, url.origin)
  return target?.tree === null ? target.repository : null
}

/**
 * Where the card of the repository goes on its own page: first in the side pane, else above the README. Null when the
 * page has neither yet; it may still be drawn.
 */
export function cardPlace(page: ParentNode): Place | null {
  const pane = firstOf(page, PANES)
  if (pane) return { parent: pane, before: pane.firstChild }
  const readme = firstOf(page, READMES)
  return readme?.parentElement ? { parent: readme.parentElement, before: readme } : null
}

/** Paths the page of a repository has, and paths of neighbours; for tests. */
export const repositoryExamples = {
  paths: ['/lanternworks/harness', '/lanternworks/harness/', '/LanternWorks/Harness?tab=readme-ov-file#install'],
  otherPaths: [
    '/lanternworks',
    '/lanternworks/harness/issues',
    '/lanternworks/harness/tree/main/packages/kite',
    '/topics/harness-plugin',
    '/settings/profile',
    'https://gist.github.com/wren-abbot/0123456789abcdef',
  ],
} as const

function firstOf(page: ParentNode, selectors: readonly string[]): Element | null {
  for (const selector of selectors) {
    const found = page.querySelector(selector)
    if (found) return found
  }
  return null
}
