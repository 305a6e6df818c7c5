/**
 * The repositories of a person, https://github.com/<owner>?tab=repositories.
 *
 * Follows that page as of 2026-08 (`#user-repositories-list`, `h3` with a link of `itemprop="name codeRepository"`,
 * the line of facts). Names and words are ours.
 *
 * Decoys: the tabs, the link of a fork to what it was forked from, the line of facts.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, type PageOptions, repoOf } from './parts.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

export function userRepositoriesPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'wren-abbot · Repositories',
    content: html`
      <div class="container">
        <nav class="UnderlineNav" aria-label="User">
          <a class="UnderlineNav-item" href="/wren-abbot">Overview</a>
          <a class="UnderlineNav-item" href="/wren-abbot?tab=repositories">Repositories</a>
          <a class="UnderlineNav-item" href="/wren-abbot?tab=stars">Stars</a>
        </nav>
        <div id="user-repositories-list">
          <ul data-filterable-for="your-repos-filter" class="rows">${rows.map(item)}</ul>
        </div>
      </div>`,
  })
}

function item(row: Row, index: number): Html {
  const { fullName, description } = row
  const source = `cobalt-moth/${repoOf(fullName)}`
  return html`
    <li class="col-12 d-flex width-full py-4 color-border-muted public ${index % 3 ? 'source' : 'fork'}" itemprop="owns">
      <div class="width-full">
        <h3 class="wb-break-all">
          <a href="/${fullName}" itemprop="name codeRepository">${repoOf(fullName)}</a>
          <span class="Label">Public</span>
        </h3>
        ${index % 3 ? '' : html`<p class="muted">Forked from <a class="muted" href="/${source}">${source}</a></p>`}
        <p class="muted" itemprop="description">${description}</p>
        ${facts(row)}
      </div>
      <a class="btn" href="/login?return_to=%2F${ownerOf(fullName)}">${octicon('star')} Star</a>
    </li>`
}
