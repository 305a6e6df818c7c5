/**
 * Trending repositories, https://github.com/trending, and developers, https://github.com/trending/developers.
 *
 * Follows those pages as of 2026-08 (`article.Box-row`; `h2` with one link of owner and name; for developers `h1.h3`
 * for the person and `h1.h4` for the repository they are known for). Names and words are ours.
 *
 * Decoys: the person, the picture, who built it, sponsors, the line of facts, an offer below the list.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

export function trendingPage(rows: readonly Row[], options: PageOptions = {}): string {
  return boxPage(
    'Trending',
    rows,
    options,
    (row) => html`
    <article class="Box-row">
      <a class="btn" style="float: right" href="/login?return_to=%2F${row.fullName}">${octicon('star')} Star</a>
      <h2 class="h3 lh-condensed">
        <a class="Link" href="/${row.fullName}" data-hydro-click="{}">
          ${octicon('repo')} <span class="text-normal">${ownerOf(row.fullName)} /</span> ${repoOf(row.fullName)}
        </a>
      </h2>
      <p class="muted">${row.description}</p>
      ${facts(row)} <span class="muted">Built by ${ownerPicture(row.fullName)}</span>
    </article>`,
  )
}

export function trendingDevelopersPage(rows: readonly Row[], options: PageOptions = {}): string {
  return boxPage(
    'Trending developers',
    rows,
    options,
    ({ fullName, description }, index) => html`
    <article class="Box-row" id="pa-${ownerOf(fullName)}-${index}">
      ${ownerPicture(fullName)}
      <h1 class="h3 lh-condensed"><a class="Link" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></h1>
      <p class="f4 muted"><a class="muted" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></p>
      <article>
        <div class="muted">${octicon('repo')} Popular repo</div>
        <h1 class="h4 lh-condensed"><a class="css-truncate" href="/${fullName}">${repoOf(fullName)}</a></h1>
        <div class="muted">${description}</div>
      </article>
      <a class="btn" href="/sponsors/${ownerOf(fullName)}">Sponsor</a> <a class="btn" href="/login">Follow</a>
    </article>`,
  )
}

function boxPage(
  title: string,
  rows: readonly Row[],
  options: PageOptions,
  rowOf: (row: Row, index: number) => Html,
): string {
  return page({
    ...options,
    title,
    content: html`
      <div class="container">
        <h1>${title}</h1>
        <nav class="UnderlineNav" aria-label="Trending">
          <a class="UnderlineNav-item" href="/trending">Repositories</a>
          <a class="UnderlineNav-item" href="/trending/developers">Developers</a>
        </nav>
        <div class="Box rows" data-hpc>${rows.map(rowOf)}</div>
        <article><h2 class="h3"><a href="/cobalt-moth/lantern">From our sponsors</a></h2></article>
      </div>`,
  })
}
