/** The demo's list of all its pages, and what it answers where it has none. */
import { html } from './html.ts'
import { KIND_PAGES, pathOf } from './kinds.ts'
import type { PageOptions } from './parts.ts'
import { page } from './shell.ts'

/** Address of each page: the demo opens on its search, where the code host has the feed. */
export function servedAt(one: (typeof KIND_PAGES)[number]): string {
  if (one.kind === 'search') return '/'
  return one.kind === 'feed' ? '/feed' : pathOf(one)
}

/** Nothing on it is a list of repositories. */
export function pageListPage(options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'All pages',
    content: html`
      <div class="container">
        <h1>All pages</h1>
        <p class="muted">One of every kind that the userscript marks, with the code host’s markup and its Content-Security-Policy.</p>
        <ul class="page-list">${KIND_PAGES.map((one) => html`<li><a href="${servedAt(one)}">${one.title}</a></li>`)}</ul>
      </div>`,
  })
}

/** @param repository `owner/repo` that the address is below, where the demo has it */
export function missingPage(repository: string | null, options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Not part of the demo',
    content: html`
      <div class="container">
        <h1>Not part of the demo</h1>
        <p class="muted">The code host has a page here. The demo has only those that list repositories or speak of them.</p>
        <ul class="page-list">
          ${repository === null ? '' : html`<li><a href="/${repository}">${repository}</a></li>`}
          <li><a href="/">Start page</a></li>
          <li><a href="/pages">All pages</a></li>
        </ul>
      </div>`,
  })
}
