/** The first page of the demo's code host: the way to the lists. Nothing on it is a list. */
import { html } from './html.ts'
import { KIND_PAGES, pathOf } from './kinds.ts'
import { page } from './shell.ts'

export function homePage(scripts: readonly string[]): string {
  return page({
    title: 'A code host on this machine',
    scripts,
    content: html`
      <div class="container">
        <h1>A code host on this machine</h1>
        <p class="muted">Pages of our own making, with the code host’s markup and its Content-Security-Policy.</p>
        <ul>
          <li><a href="/topics/harness-plugin">A topic</a></li>
          <li><a href="/search?q=dsh&amp;type=repositories">A search</a></li>
          ${KIND_PAGES.filter(({ kind }) => !['topic', 'search', 'feed'].includes(kind)).map(
            (one) => html`<li><a href="${pathOf(one)}">${one.kind}: ${pathOf(one)}</a></li>`,
          )}
        </ul>
      </div>`,
  })
}
