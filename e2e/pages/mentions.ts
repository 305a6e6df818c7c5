/**
 * Pages of the code host whose rows name a repository beside something else: a collection, code search, the dashboards
 * of pull requests, and what a repository depends on.
 *
 * Follows their structure as public scrapers and style sheets describe it in 2026-11; not seen on a real page (see
 * docs/tested-with.md). Names and words are ours.
 *
 * Decoys: owners, pictures, files, issues, labels, counts, paging.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import { repositoryHead } from './repository-head.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

type Markup = (rows: readonly Row[], options?: PageOptions) => string

const listPage =
  (title: string, before: Html | '', rowOf: (row: Row, index: number) => Html): Markup =>
  (rows, options = {}) =>
    page({ ...options, title, content: html`${before}<div class="container">${rows.map(rowOf)}</div>` })

/** The page of a collection, https://github.com/collections/<name>: a card for each repository, its title one link. */
export const collectionPage = listPage(
  'Collection: harness tools',
  '',
  (row) => html`
    <article class="Box-row">
      ${ownerPicture(row.fullName)}
      <h2 class="h3"><a href="/${row.fullName}"><span class="text-normal">${ownerOf(row.fullName)} /</span> ${repoOf(row.fullName)}</a></h2>
      <p>${row.description}</p>
      ${facts(row)}
    </article>`,
)

/** Code search, https://github.com/search?type=code: a file for each result, below the repository that has it. */
export const codeSearchPage: Markup = (rows, options) =>
  listPage(
    'Code search results',
    html`<nav><a href="/search?q=harness&amp;type=repositories">Repositories</a></nav>`,
    ({ fullName }, index) => html`
      <div data-testid="results-list">
        <div class="code-result">
          ${ownerPicture(fullName)}
          <a class="Link" href="/${fullName}">${fullName}</a> ·
          <a href="/${fullName}/blob/0123456789abcdef/package.json">package.json</a>
          <pre><a href="/${fullName}/blob/0123456789abcdef/package.json#L${index + 1}">"dsh": {}</a></pre>
        </div>
      </div>`,
  )(rows, options)

/** The dashboards, https://github.com/pulls and /issues: a title for each row, and the repository it belongs to. */
export const dashboardPage = listPage(
  'Pull requests',
  html`<nav><a href="/pulls/assigned">Assigned</a> <a href="/pulls/mentioned">Mentioned</a></nav>`,
  ({ fullName }, index) => html`
    <div class="Box-row js-issue-row">
      ${octicon('star')}
      <a class="muted" data-hovercard-type="repository" href="/${fullName}">${fullName}</a>
      <a class="text-bold" data-hovercard-type="pull_request" href="/${fullName}/pull/${index + 1}">Mend the mast</a>
      <a href="/${fullName}/pulls?q=label%3Abug">bug</a>
      <small>#${index + 1} by <a data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></small>
    </div>`,
)

/** What a repository depends on, https://github.com/<owner>/<repo>/network/dependencies. */
export const dependenciesPage = listPage(
  'Network dependencies',
  repositoryHead('lanternworks/harness'),
  ({ fullName }) => html`
    <div class="Box-row" data-test-selector="dg-repo-pkg-dependency">
      ${ownerPicture(fullName)}
      <a class="h4" data-hovercard-type="dependendency_graph_package" href="/${fullName}">${ownerOf(fullName)} / ${repoOf(fullName)}</a>
      <small>^1.0.0 in <a href="/lanternworks/harness/blob/main/package.json">package.json</a></small>
    </div>`,
)
