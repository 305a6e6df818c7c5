/**
 * The forks of a repository, https://github.com/<owner>/<repo>/forks, and the tree there was at /network/members.
 *
 * Follows those pages as of 2026-08 (rows with links to owner and repository told apart by `data-hovercard-type`; the
 * tree in `#network`, a `.repo` a row with picture, owner and name). Names and words are ours.
 *
 * Decoys: the head of the page, which says what the repository itself was forked from; the picture, the owner, counts.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import { repositoryHead } from './repository-head.ts'
import type { Row } from './row.ts'
import { page } from './shell.ts'

/** One half in the rows there are now, the other in those there were. */
export function forksPage(rows: readonly Row[], options: PageOptions = {}): string {
  const half = Math.ceil(rows.length / 2)
  return page({
    ...options,
    title: 'Forks',
    content: html`
      ${repositoryHead('lanternworks/harness', { forkedFrom: rows[0]?.fullName ?? 'cobalt-moth/harness' })}
      <div class="container" id="repo-content-pjax-container">
        <ul class="rows">${rows.slice(0, half).map((row) => html`<li>${fork(row)}</li>`)}</ul>
        <div class="Box rows">${rows.slice(half).map((row) => html`<div class="Box-row">${fork(row)}</div>`)}</div>
      </div>`,
  })
}

const fork = (row: Row): Html => html`
  ${ownerPicture(row.fullName)}
  <span>
    <a data-hovercard-type="user" href="/${ownerOf(row.fullName)}">${ownerOf(row.fullName)}</a> /
    <a data-hovercard-type="repository" href="/${row.fullName}">${repoOf(row.fullName)}</a>
  </span>
  ${facts(row)}`

export function networkPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Network members',
    content: html`
      ${repositoryHead('lanternworks/harness')}
      <div class="container">
        <div class="network rows" id="network">
          ${rows.map(
            ({ fullName }) => html`
            <div class="repo">
              ${ownerPicture(fullName)}
              <a class="avatar" data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a> /
              <a href="/${fullName}">${repoOf(fullName)}</a>
            </div>`,
          )}
        </div>
      </div>`,
  })
}
