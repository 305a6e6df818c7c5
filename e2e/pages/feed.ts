/**
 * The feed on the first page of a user who is logged in, https://github.com/.
 *
 * Follows that feed as of 2026-08 (`article.js-feed-item-component` with a heading that says who did what, and a card
 * whose `h3 > .Link--primary` names the repository). Names and words are ours.
 *
 * Decoys: the user and the repository in the heading, a pull request and a release as cards, the picture, the list of
 * one's own repositories at the side, the line of facts.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, type Row } from './parts.ts'
import { octicon, page } from './shell.ts'

export function feedPage(rows: readonly Row[], options: PageOptions = {}): string {
  const [first] = rows
  return page({
    ...options,
    title: 'Home',
    content: html`
      <div class="search-layout">
        <aside class="feed-left-sidebar" aria-label="Your repositories">
          <ul class="rows">
            ${rows.slice(0, 3).map(
              ({ fullName }) => html`
              <li><a class="color-fg-default" href="/${fullName}" data-hovercard-type="repository">${fullName}</a></li>`,
            )}
          </ul>
        </aside>
        <feed-container>
          <h2>Feed</h2>
          <div id="conduit-feed-frame" class="rows">
            ${rows.map((row, index) =>
              item(
                row.fullName,
                index % 2 ? 'starred' : 'made',
                html`
              <h3 class="lh-condensed"><a class="Link--primary text-bold" href="/${row.fullName}">${row.fullName}</a></h3>
              <p class="muted">${row.description}</p>
              ${facts(row)}`,
              ),
            )}
            ${first === undefined ? '' : others(first.fullName)}
          </div>
        </feed-container>
      </div>`,
  })
}

function item(fullName: string, did: string, card: Html): Html {
  const owner = ownerOf(fullName)
  return html`
    <article class="js-feed-item-component js-feed-item-view">
      <header>
        ${ownerPicture(fullName)}
        <h5 class="text-normal"><a class="Link--primary text-bold" href="/${owner}">${owner}</a> ${did}
          <a class="Link--primary" href="/${fullName}">a repository</a></h5>
      </header>
      <div class="border p-3">${card} <a class="btn" href="/login">${octicon('star')} Star</a></div>
    </article>`
}

const others = (fullName: string): Html => html`
  ${item(fullName, 'opened', html`<h3><a class="Link--primary" href="/${fullName}/pull/7">Straighten the keel</a></h3>`)}
  ${item(fullName, 'released', html`<h3><a class="Link--primary" href="/${fullName}/releases/tag/v2">Version 2</a></h3>`)}`
