/** Pieces many pages share. */
import { type Html, html } from './html.ts'
import { avatar, octicon } from './shell.ts'
import type { Theme } from './theme.ts'

/** Options of every test page besides its rows. */
export interface PageOptions {
  readonly theme?: Theme
  /** Between the header and the content. */
  readonly above?: Html
  /** Scripts of the same origin. */
  readonly scripts?: readonly string[]
}

export const ownerOf = (fullName: string): string => fullName.split('/', 1)[0]!
export const repoOf = (fullName: string): string => fullName.slice(ownerOf(fullName).length + 1)

/** The owner's picture in a link to the owner: a decoy. */
export function ownerPicture(fullName: string): Html {
  const owner = ownerOf(fullName)
  return html`<a href="/${owner}" data-hovercard-type="user" aria-label="${owner}">${avatar(owner)}</a>`
}

/** The line of facts below a name. All its links are decoys: to the repository again, below it, or to a search. */
export function facts({ fullName, stars, language }: Row): Html {
  const at = `/${fullName}`
  return html`
    <div class="facts muted">
      ${language === null ? '' : html`<span><span class="repo-language-color"></span> ${language}</span>`}
      <a class="muted" href="${at}/stargazers">${octicon('star')} ${stars.toLocaleString('en')}</a>
      <a class="muted" href="${at}#readme">Readme</a>
      <a class="muted" href="${at}/forks">${Math.floor(stars / 4)} forks</a>
      <a class="muted" href="${at}/issues?q=is%3Aopen+label%3A%22help+wanted%22">Needs help</a>
      <a class="topic-tag" href="/topics/harness-plugin">harness-plugin</a>
      <a class="muted" href="/search?q=${encodeURIComponent(repoOf(fullName))}&amp;type=code">Uses of it</a>
      <span>Updated <relative-time>this week</relative-time></span>
    </div>`
}

/** One repository in a list on a page. */
export interface Row {
  /** `owner/repo`, in its own spelling. */
  readonly fullName: string
  readonly description: string
  readonly stars: number
  /** Main programming language; null when the code host knows none. */
  readonly language: string | null
}

/** The head of every page of a repository: its name, its tabs. All links are decoys. */
export function repositoryHead(fullName: string, { forkedFrom }: { forkedFrom?: string } = {}): Html {
  const at = `/${fullName}`
  return html`
    <div id="repository-container-header" class="container">
      <strong class="f3">
        <a href="/${ownerOf(fullName)}" data-hovercard-type="organization">${ownerOf(fullName)}</a> /
        <a href="${at}" data-hovercard-type="repository">${repoOf(fullName)}</a>
      </strong>
      ${
        forkedFrom === undefined
          ? ''
          : html`
        <span class="muted">forked from <a href="/${forkedFrom}" data-hovercard-type="repository">${forkedFrom}</a></span>`
      }
      <nav class="UnderlineNav" aria-label="Repository">
        <a class="UnderlineNav-item" href="${at}">Code</a> <a class="UnderlineNav-item" href="${at}/issues">Issues</a>
        <a class="UnderlineNav-item" href="${at}/pulls">Pull requests</a>
      </nav>
    </div>`
}
