/**
 * The suggestions of the code host, https://github.com/explore.
 *
 * Follows that page as of 2026-08 (`article` cards whose heading, of one level or another, links owner and repository).
 * Names and words are ours.
 *
 * Decoys: a card for a topic and one for a collection, the owner, the picture, the line of facts.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

export function explorePage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Explore',
    content: html`
      <div class="container rows">
        ${rows.map(
          (row, index) => html`
          <article class="border rounded color-shadow-small my-4">
            <div class="px-3 my-3 muted">Trending repository</div>
            <div class="px-3 p-3">
              ${ownerPicture(row.fullName)}
              ${headed(
                index,
                html`<a class="Link" href="/${ownerOf(row.fullName)}" data-hovercard-type="organization">${ownerOf(row.fullName)}</a> /
                <a class="text-bold wb-break-word" href="/${row.fullName}">${repoOf(row.fullName)}</a>`,
              )}
              <a class="btn" href="/login">${octicon('star')} Star</a>
              <p class="muted">${row.description}</p>
              ${facts(row)}
            </div>
          </article>`,
        )}
        <article class="border rounded my-4 p-3">
          <div class="muted">Popular topic</div>
          <h1 class="h3"><a href="/topics">Topics</a> / <a href="/topics/agents">Agents</a></h1>
        </article>
        <article class="border rounded my-4 p-3">
          <h2><a href="/collections">Collections</a> / <a href="/collections/agent-tools">Tools for agents</a></h2>
        </article>
      </div>`,
  })
}

function headed(index: number, name: Html): Html {
  if (index % 3 === 0) return html`<h1 class="h3 lh-condensed">${name}</h1>`
  return index % 3 === 1 ? html`<h2 class="h3">${name}</h2>` : html`<h3>${name}</h3>`
}
