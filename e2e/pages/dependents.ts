/**
 * The repositories that depend on one, https://github.com/<owner>/<repo>/network/dependents.
 *
 * Follows that page as of 2026-08 (`#dependents`, rows of `data-test-id="dg-repo-pkg-dependent"` with links to owner
 * and repository told apart by `data-hovercard-type`). Names and words are ours.
 *
 * Decoys: the head of the page, the picture, the owner, the counts.
 */
import { html } from './html.ts'
import { ownerOf, ownerPicture, type PageOptions, repoOf } from './parts.ts'
import { repositoryHead } from './repository-head.ts'
import type { Row } from './row.ts'
import { octicon, page } from './shell.ts'

export function dependentsPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Network dependents',
    content: html`
      ${repositoryHead('lanternworks/harness')}
      <div class="container" id="dependents">
        <p><a class="btn-link selected" href="/lanternworks/harness/network/dependents">${rows.length} repositories</a></p>
        <div class="Box rows">
          ${rows.map(
            ({ fullName, stars }) => html`
            <div class="Box-row d-flex flex-items-center" data-test-id="dg-repo-pkg-dependent">
              ${ownerPicture(fullName)}
              <span class="f5 muted" data-repository-hovercards-enabled>
                <a data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a> /
                <a class="text-bold" data-hovercard-type="repository" href="/${fullName}">${repoOf(fullName)}</a>
                <small></small>
              </span>
              <span class="muted text-bold pl-3">${octicon('star')} ${stars}</span>
            </div>`,
          )}
        </div>
      </div>`,
  })
}
