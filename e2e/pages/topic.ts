/**
 * A topic page, https://github.com/topics/<topic>: a card a repository, whose heading links the owner and then the
 * repository.
 *
 * Follows the cards of that page as of 2026-08 (`article`, `h3.f3` with two links, the picture, the tabs, the star
 * button behind a log-in, topic tags, the line of facts). Names, words and pictures are ours.
 *
 * Decoys: the owner, the picture, the Code tab and a line of thanks lead to the same repository, its owner or another; Issues, Pull requests,
 * stargazers, sponsors, topics, the log-in, a hovercard and paging do not lead to a list's repository at all.
 */
import { type Html, html } from './html.ts'
import type { PageOptions, Row } from './parts.ts'
import { hovercard, octicon, page } from './shell.ts'

export interface TopicPageOptions extends PageOptions {
  readonly topic?: string
  /** Address of the next page of the same topic. */
  readonly next?: string
}

export function topicPage(rows: readonly Row[], options: TopicPageOptions = {}): string {
  const { topic = 'harness-plugin', next } = options
  return page({
    ...options,
    title: `${topic} · Topics`,
    content: html`
      <div class="container">
        <h1>${topic}</h1>
        <p class="muted">Here are ${rows.length} public repositories matching this topic.</p>
        <div class="columns">
          <div>
            ${rows.map((row, index) => card(row, topic, index))}
            <div class="pagination">
              ${next ? html`<a class="btn ajax-pagination-btn" href="${next}" rel="next">Load more…</a>` : ''}
            </div>
          </div>
          <aside>
            <p class="muted">Related topics</p>
            <a class="topic-tag" href="/topics/agents">agents</a> <a class="topic-tag" href="/topics/cordis">cordis</a>
            <p class="muted">Collections</p>
            <a href="/collections/agent-tools">Tools for agents</a>
          </aside>
        </div>
        ${rows.slice(0, 1).map(({ fullName }) => hovercard(fullName))}
      </div>`,
  })
}

function card({ fullName, description, stars, language }: Row, topic: string, index: number): Html {
  const owner = fullName.split('/', 1)[0]!
  const repo = fullName.slice(owner.length + 1)
  const at = `/${fullName}`
  return html`
    <article class="border rounded color-shadow-small color-bg-subtle my-4">
      <div class="px-3">
        <div class="d-flex flex-justify-between my-3">
          <div class="d-flex flex-auto">
            ${octicon('repo')}
            <h3 class="f3 color-fg-muted text-normal lh-condensed">
              <a class="Link" href="/${owner}" data-hovercard-type="user" data-turbo="false">${owner}</a> /
              <a class="Link text-bold wb-break-word" href="${at}" data-turbo="false">${repo}</a>
            </h3>
          </div>
          <div>
            <a class="btn" href="/sponsors/${owner}">Sponsor</a>
            <a class="btn" href="/login?return_to=${encodeURIComponent(at)}">${octicon('star')} Star</a>
            <a class="Counter muted" href="${at}/stargazers">${stars.toLocaleString('en')}</a>
          </div>
        </div>
        ${index === 0 ? html`<a href="${at}"><img class="d-block width-full" alt="" src="${PICTURE}"></a>` : ''}
        <nav class="UnderlineNav" aria-label="${fullName}">
          <a class="UnderlineNav-item selected" href="${at}">Code</a>
          <a class="UnderlineNav-item" href="${at}/issues">Issues</a>
          <a class="UnderlineNav-item" href="${at}/pulls">Pull requests</a>
        </nav>
      </div>
      <div class="color-bg-default">
        <div class="p-3">
          <p class="color-fg-muted mb-0">${description}</p>
          <p class="muted">After <a href="${at}">${repo}</a> by ${owner} and <a href="/cobalt-moth/lantern">lantern</a></p>
          <p><a class="topic-tag" href="/topics/${topic}">${topic}</a></p>
          <ul class="d-flex list-style-none color-fg-muted">
            <li>Updated <relative-time>this week</relative-time></li>
            ${language === null ? '' : html`<li><span class="repo-language-color"></span> ${language}</li>`}
          </ul>
        </div>
      </div>
    </article>`
}

const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 88" fill="none" stroke="#6e7781" stroke-opacity=".5">' +
    '<path d="M0 60q40-30 80 0t80 0 80 0 80 0 80 0 80 0 80 0 80 0M0 72q40-30 80 0t80 0 80 0 80 0 80 0 80 0 80 0 80 0"/>' +
    '<circle cx="560" cy="28" r="12"/></svg>',
)}`
