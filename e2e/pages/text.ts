/**
 * Text that users wrote, as it stands in READMEs, issues, comments, releases and gists.
 *
 * Follows `.markdown-body` of those pages as of 2026-08. Names and words are ours.
 *
 * Decoys: the table of contents, a link to the page's own repository, pictures that are links, issues, people, topics,
 * files, searches, other sites, code, a comment that is being edited, a hovercard.
 */
import { type Html, html } from './html.ts'
import { ownerOf, type Row, repoOf } from './parts.ts'
import { avatar, hovercard } from './shell.ts'

/** Spellings of a link to a repository; each row has one of them, in turn. */
const SPELLINGS: readonly ((fullName: string) => { href: string; name: string })[] = [
  (fullName) => ({ href: `https://github.com/${fullName}`, name: fullName }),
  (fullName) => ({ href: `http://github.com/${fullName}`, name: 'a plugin for the harness' }),
  (fullName) => ({ href: `https://www.github.com/${fullName}/`, name: `${repoOf(fullName).slice(0, 4)}…` }),
  (fullName) => ({ href: `https://github.com/${fullName}.git`, name: `git clone ${fullName}` }),
  (fullName) => ({ href: `https://github.com/${fullName}?tab=readme-ov-file#usage`, name: 'its usage' }),
  (fullName) => ({ href: `https://GitHub.com/${fullName.toUpperCase()}`, name: 'LOUD' }),
  (fullName) => ({ href: `https://github.com/${fullName}/tree/main/docs`, name: 'its documents' }),
]

/**
 * One text.
 *
 * @param own repository the page belongs to
 */
export function writing(rows: readonly Row[], own: string): Html {
  const fullName = rows[0]?.fullName ?? own
  return html`
    <h2>Contents<a class="anchor" href="#contents" aria-label="Permalink">#</a></h2>
    <p><a href="#plugins">Plugins</a>, <a href="/${own}#readme">this page</a>, <a href="/${own}/tree/main/docs">documents</a></p>
    <p><a href="https://github.com/${fullName}"><img alt="${fullName}" src="${PICTURE}"></a></p>
    <ul>
      ${rows.map((row, index) => {
        const { href, name } = SPELLINGS[index % SPELLINGS.length]!(row.fullName)
        return html`<li><a href="${href}">${name}</a> – ${row.description}</li>`
      })}
    </ul>
    <p>
      See <a class="issue-link" data-hovercard-type="issue" href="/${fullName}/issues/3">${fullName}#3</a> by
      <a class="user-mention" data-hovercard-type="user" href="/${ownerOf(fullName)}">@${ownerOf(fullName)}</a>,
      <a href="/${fullName}/blob/main/README.md">its README</a>, <a href="/${fullName}/releases">its releases</a>,
      <a href="/topics/harness-plugin">the topic</a>, <a href="/search?q=${fullName}">a search</a>,
      <a href="https://example.com/${fullName}">a mirror</a>, <a href="https://gist.github.com/${fullName}">a gist</a>,
      <a href="/orgs/lanternworks">the organisation</a>, <a href="/marketplace/${repoOf(fullName)}">an offer</a>.
    </p>
    <pre><code>git clone <a href="https://github.com/${fullName}">https://github.com/${fullName}</a></code></pre>
    <div contenteditable="true" role="textbox" aria-label="Comment"><a href="https://github.com/${fullName}">${fullName}</a></div>
    ${hovercard(fullName)}`
}

/** A comment around a text, as issues and discussions have it. */
export const comment = (author: string, text: Html): Html => html`
  <div class="timeline-comment border my-4">
    <div class="px-3 muted">${avatar(author)} <a class="author" href="/${author}">${author}</a> wrote</div>
    <div class="comment-body markdown-body p-3" data-testid="markdown-body">${text}</div>
  </div>`

const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><rect width="90" height="20" rx="3" fill="#6e7781"/></svg>',
)}`
