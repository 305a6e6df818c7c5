/**
 * A page of repository search, https://github.com/search?q=…&type=repositories.
 *
 * Follows the result list of that page as of 2026-08 (`[data-testid="results-list"]`, a title in `.search-title` whose
 * one link names the repository, hashed class names around it, the found words in `em`). Names and words are ours.
 *
 * Decoys: the owner's picture, the README, topics, stargazers, a sponsor link, a hovercard, filters by kind, paging.
 */
import { type Html, html } from './html.ts'
import type { PageOptions, Row } from './parts.ts'
import { avatar, hovercard, octicon, page } from './shell.ts'

export interface SearchPageOptions extends PageOptions {
  readonly query?: string
  /** 1-based. */
  readonly pageNumber?: number
  readonly pages?: number
}

export function searchPage(rows: readonly Row[], options: SearchPageOptions = {}): string {
  const { query = 'harness plugin', pageNumber = 1, pages = 1 } = options
  const at = (type: string, number = 1) => `/search?q=${encodeURIComponent(query)}&type=${type}&p=${number}`
  return page({
    ...options,
    title: `Repository search results · ${query}`,
    content: html`
      <div class="search-layout">
        <nav class="search-filters" aria-label="Filter by">
          <a href="${at('repositories')}">Repositories</a> <a href="${at('code')}">Code</a>
          <a href="${at('issues')}">Issues</a> <a href="${at('users')}">Users</a> <a href="${at('topics')}">Topics</a>
        </nav>
        <div>
          <p class="muted">${rows.length === 1 ? '1 result' : `${rows.length} results`} on this page</p>
          <div data-testid="results-list">
            ${rows.map((row) => result(row, query))} ${rows.slice(0, 1).map(({ fullName }) => hovercard(fullName))}
          </div>
          <nav class="pagination" aria-label="Pagination">
            ${pageNumber > 1 ? html`<a rel="prev" href="${at('repositories', pageNumber - 1)}">Previous</a>` : ''}
            <span class="muted">Page ${pageNumber} of ${pages}</span>
            ${pageNumber < pages ? html`<a rel="next" href="${at('repositories', pageNumber + 1)}">Next</a>` : ''}
          </nav>
        </div>
      </div>`,
  })
}

function result({ fullName, description, stars, language }: Row, query: string): Html {
  const owner = fullName.split('/', 1)[0]!
  const at = `/${fullName}`
  return html`
    <div class="Result-module__Result--a1b2C search-result">
      <div class="search-heading">
        <a href="/${owner}" data-hovercard-type="user" aria-label="${owner}">${avatar(owner)}</a>
        <h3>
          <div class="Result-module__Title--d3e4F search-title">
            <a class="prc-Link-Link-x9y8Z" href="${at}"><span class="Text-module__Match--q5 search-match">${emphasise(fullName, query)}</span></a>
          </div>
        </h3>
        <a class="btn" href="/sponsors/${owner}" style="margin-left: auto">Sponsor</a>
      </div>
      <p class="Result-module__Description--g7 search-match">${description}</p>
      <p><a class="topic-tag" href="/topics/harness-plugin">harness-plugin</a></p>
      <ul class="list-style-none muted">
        ${language === null ? '' : html`<li><span class="repo-language-color"></span> ${language}</li>`}
        <li><a class="muted" href="${at}/stargazers">${octicon('star')} ${stars.toLocaleString('en')}</a></li>
        <li><a class="muted" href="${at}#readme">Readme</a></li>
        <li><a class="muted" href="${at}/issues?q=is%3Aopen+label%3A%22help+wanted%22">Issues that need help</a></li>
      </ul>
    </div>`
}

/** Puts the words of the query that stand in `text` into `em`, as the code host does. */
function emphasise(text: string, query: string): Html[] {
  const words = query.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return [html`${text}`]
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})`, 'iu')
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? html`<em>${part}</em>` : html`${part}`))
}
