import { type Html, html } from './html.ts'
import { ownerOf, repoOf } from './parts.ts'

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
