/**
 * The own page of a repository, https://github.com/<owner>/<repo>: files, README, side pane.
 *
 * Follows that page as of 2026-08 (the React layout with a `PageLayout-Pane` and a hash, the README in
 * `article.markdown-body`), and before it was drawn by React (`.Layout-sidebar`). Names and words are ours.
 */
import { type Html, html } from './html.ts'
import { type PageOptions, type Row, repoOf, repositoryHead } from './parts.ts'
import { page } from './shell.ts'
import { writing } from './text.ts'

export interface RepositoryPageOptions extends PageOptions {
  /** @default 'lanternworks/harness' */
  readonly fullName?: string
  /** @default a sentence that says nothing */
  readonly description?: string
  /** Kind of the side pane; null leaves it out. @default 'react' */
  readonly pane?: 'react' | 'rails' | null
  /** Shows the tree of files, as the page of a file does. @default false */
  readonly hasTree?: boolean
}

/** @param rows repositories the README links to */
export function repositoryPage(rows: readonly Row[], options: RepositoryPageOptions = {}): string {
  const { fullName = 'lanternworks/harness', description = 'What this repository is for.' } = options
  const { pane = 'react', hasTree = false } = options
  return page({
    ...options,
    title: fullName,
    content: html`
      ${repositoryHead(fullName)}
      <div class="container columns prc-PageLayout-PageLayoutRoot-1a2b3">
        ${hasTree ? tree : ''}
        <div class="prc-PageLayout-ContentWrapper-4c5d6">
          <table aria-labelledby="folders-and-files" class="border">
            <tr class="react-directory-row"><td><a href="/${fullName}/tree/main/docs">docs</a></td></tr>
            <tr class="react-directory-row"><td><a href="/${fullName}/blob/main/README.md">README.md</a></td></tr>
          </table>
          <div class="OverviewRepoFiles-module__Box_1__7e8f9 border my-4">
            <article class="markdown-body entry-content container-lg p-3" itemprop="text">
              <h1>${repoOf(fullName)}</h1>
              ${writing(rows, fullName)}
            </article>
          </div>
        </div>
        ${pane === null ? '' : PANES[pane](aboutOf(description))}
      </div>`,
  })
}

const tree = html`
  <div class="prc-PageLayout-PaneWrapper-0g1h2" data-position="start">
    <div class="prc-PageLayout-Pane-3i4j5"><h2 class="h4">Files</h2></div>
  </div>`

const aboutOf = (description: string) => html`
  <h2 class="h4">About</h2>
  <p class="muted">${description}</p>
  <p><a class="topic-tag" href="/topics/harness-plugin">harness-plugin</a></p>`

const PANES: Readonly<Record<'react' | 'rails', (about: Html) => Html>> = {
  react: (about) => html`
    <div class="prc-PageLayout-PaneWrapper-0g1h2" data-position="end">
      <div class="prc-PageLayout-Pane-3i4j5"><div class="BorderGrid">${about}</div></div>
    </div>`,
  rails: (about) => html`<div class="Layout-sidebar"><div class="BorderGrid">${about}</div></div>`,
}
