/**
 * The front of an organisation, https://github.com/<org>, or of a user.
 *
 * Follows that page as of 2026-08 (`.pinned-item-list-item-content` with the name in `.repo`; an organisation's latest
 * in `#org-repositories`; the README of the profile in `.markdown-body`). Names and words are ours.
 *
 * Decoys: owners, people, a pinned gist, the line of facts, links below repositories.
 */
import { html } from './html.ts'
import { facts, ownerOf, type PageOptions, type Row, repoOf } from './parts.ts'
import { octicon, page } from './shell.ts'

export interface ProfilePageOptions extends PageOptions {
  /** @default 'lanternworks' */
  readonly owner?: string
}

/** Every row stands there twice: the even ones pinned, the odd ones listed, and all of them in the README. */
export function profilePage(rows: readonly Row[], options: ProfilePageOptions = {}): string {
  const { owner = 'lanternworks' } = options
  const pinned = rows.filter((_, index) => index % 2 === 0)
  const listed = rows.filter((_, index) => index % 2 === 1)
  return page({
    ...options,
    title: owner,
    content: html`
      <div class="container">
        <h1><a href="/${owner}">${owner}</a></h1>
        <article class="markdown-body entry-content">
          <h2>What we make<a class="anchor" href="#what-we-make" aria-label="Permalink">#</a></h2>
          <ul>
            ${rows.map(({ fullName }) => html`<li><a href="/${fullName}">${repoOf(fullName)}</a></li>`)}
          </ul>
          <p>See <a href="/orgs/${owner}/people">who we are</a>.</p>
        </article>
        <ol class="js-pinned-items-reorder-list rows">
          ${pinned.map(
            (row) => html`
            <li class="pinned-item-list-item">
              <div class="pinned-item-list-item-content">
                ${octicon('repo')}
                <a class="text-bold wb-break-word" href="/${row.fullName}"><span class="owner">${ownerOf(row.fullName)}/</span><span class="repo">${repoOf(row.fullName)}</span></a>
                <p class="pinned-item-desc muted">${row.description}</p>
                ${facts(row)}
              </div>
            </li>`,
          )}
          <li class="pinned-item-list-item">
            <div class="pinned-item-list-item-content"><a href="https://gist.github.com/wren-abbot/0123456789abcdef"><span class="gist">notes.md</span></a></div>
          </li>
        </ol>
        <div id="org-repositories">
          <ul class="rows">
            ${listed.map(
              (row) => html`
              <li class="Box-row">
                <h3><a href="/${row.fullName}" itemprop="name codeRepository">${repoOf(row.fullName)}</a></h3>
                ${facts(row)}
              </li>`,
            )}
          </ul>
        </div>
        <a href="/wren-abbot" data-hovercard-type="user">wren-abbot</a>
      </div>`,
  })
}
