/**
 * The repositories that a person starred, https://github.com/<owner>?tab=stars, and a list they made of it,
 * https://github.com/stars/<owner>/lists/<list>.
 *
 * Follows those pages as of 2026-08 (`#user-starred-repos` with `h3`, `#user-list-repositories` with `h2.h3`, a name
 * whose owner stands in a span). Names and words are ours.
 *
 * Decoys: the lists, the topics one starred, the line of facts, the star button.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, type PageOptions, repoOf } from './parts.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

export function starsPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'wren-abbot · Stars',
    content: html`
      <div class="container">
        <div id="profile-lists-container" class="rows">
          <a class="d-block" href="/stars/wren-abbot/lists/harness-plugins"><h3>Harness plugins</h3> 5 repositories</a>
        </div>
        <turbo-frame id="user-starred-repos">
          <div class="columns">
            <div class="rows">${rows.map((row) => starred(row, (name) => html`<h3>${name}</h3>`))}</div>
            <div>
              <h2 class="f3">Starred topics</h2>
              <h3><a href="/topics/agents">agents</a></h3>
            </div>
          </div>
        </turbo-frame>
      </div>`,
  })
}

export function starListPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Harness plugins · wren-abbot’s list',
    content: html`
      <div class="container">
        <h2><a href="/wren-abbot?tab=stars">Stars</a> / Harness plugins</h2>
        <div id="user-list-repositories" class="rows">
          ${rows.map((row) => starred(row, (name) => html`<h2 class="h3">${name}</h2>`))}
        </div>
      </div>`,
  })
}

function starred(row: Row, heading: (name: Html) => Html): Html {
  const { fullName, description } = row
  return html`
    <div class="col-12 d-block width-full py-4">
      <div class="d-inline-block mb-1">
        ${heading(html`<a href="/${fullName}"><span class="text-normal">${ownerOf(fullName)} / </span>${repoOf(fullName)}</a>`)}
      </div>
      <a class="btn" href="/login?return_to=%2F${fullName}">${octicon('star')} Starred</a>
      <p class="muted" itemprop="description">${description}</p>
      ${facts(row)}
    </div>`
}
