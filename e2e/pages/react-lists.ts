/**
 * The lists that are drawn by React: the repositories of an organisation, https://github.com/orgs/<org>/repositories,
 * one's own, /repos, and those of a person and their stars where the code host tries it out there.
 *
 * Follows the React list of those pages as of 2026-08: rows of `ListItem-module__listItem` with a hash, the title in
 * `data-testid="list-view-item-title-container"` or, on /repos, in `ReposListItem-module__NwoTitle`. Hashes, names and
 * words are ours.
 *
 * Decoys: the organisation, the owner before the name on /repos, the row's description and facts, a row's menu.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import type { Row } from './row.ts'
import { hovercard, page } from './shell.ts'

/** The list of an organisation. */
export function organizationPage(rows: readonly Row[], options: PageOptions = {}): string {
  return reactListPage(
    'lanternworks repositories',
    rows,
    options,
    ({ fullName }) => html`
    <div data-testid="list-view-item-title-container" data-listview-item-title-container="true" class="Title-module__container__q1W2e">
      <h4 class="Title-module__heading__r3T4y">
        <a class="Title-module__anchor__u5I6o prc-Link-Link-x9y8Z" href="/${fullName}"><span>${repoOf(fullName)}</span></a>
        <span class="Label">Public</span>
      </h4>
    </div>`,
  )
}

/** A list whose rows are spelled in all the ways there are, one after the other. */
export function mixedListPage(rows: readonly Row[], options: PageOptions = {}): string {
  return reactListPage('wren-abbot', rows, options, ({ fullName }, index) => {
    const name = html`<a class="Title-module__anchor__u5I6o" href="/${fullName}"><span>${repoOf(fullName)}</span></a>`
    return SPELLINGS[index % SPELLINGS.length]!(name)
  })
}

const SPELLINGS: readonly ((name: Html) => Html)[] = [
  (name) => html`<div data-testid="list-view-item-title-container"><h4>${name}</h4></div>`,
  (name) => html`<div data-testid="list-view-item-title-container"><h3>${name}</h3></div>`,
  (name) => html`<div data-listview-item-title-container="true"><h4>${name}</h4></div>`,
  (name) => html`<div data-listview-item-title-container="true"><h3>${name}</h3></div>`,
  (name) => html`<div class="ReposListItem-module__NwoTitle__p7L8k">${name}</div>`,
]

/** The list of one's own repositories, where each row names the owner too. */
export function ownRepositoriesPage(rows: readonly Row[], options: PageOptions = {}): string {
  return reactListPage(
    'My repositories',
    rows,
    options,
    ({ fullName }) => html`
    <h3 class="ReposListItem-module__NwoTitle__p7L8k">
      <a class="Title-module__anchor__u5I6o" href="/${fullName}">
        <span class="ReposListItem-module__RepoOwner__z1X2c">${ownerOf(fullName)} / </span><span>${repoOf(fullName)}</span>
      </a>
    </h3>`,
  )
}

function reactListPage(
  title: string,
  rows: readonly Row[],
  options: PageOptions,
  titleOf: (row: Row, index: number) => Html,
): string {
  return page({
    ...options,
    title,
    content: html`
      <div class="container" data-testid="repos-list">
        <h1><a href="/lanternworks">lanternworks</a> / Repositories</h1>
        <ul class="ListView-module__ul__m5N6b rows" data-listview-component="items-list">
          ${rows.map(
            (row, index) => html`
            <li class="ListItem-module__listItem__v3B4n" tabindex="-1">
              ${titleOf(row, index)}
              <div class="ReposListItem-module__FormattedDescription__a9S8d muted">${row.description}
                <a href="/${ownerOf(row.fullName)}">${ownerOf(row.fullName)}</a></div>
              ${ownerPicture(row.fullName)} ${facts(row)}
            </li>`,
          )}
        </ul>
        ${rows.slice(0, 1).map(({ fullName }) => hovercard(fullName))}
      </div>`,
  })
}
