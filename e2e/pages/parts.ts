/** Pieces many pages share. */
import { type Html, html } from './html.ts'
import type { Row } from './row.ts'
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

/** The line of facts below a name. All its links are decoys: to the repository once more, below it, or to a search. */
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
