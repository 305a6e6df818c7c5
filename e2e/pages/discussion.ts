/**
 * Pages that are mostly comments: an issue, a release, a gist.
 *
 * Follow those pages as of 2026-08 as far as a link in a text can tell. Names and words are ours.
 */
import { html } from './html.ts'
import { type PageOptions, type Row, repositoryHead } from './parts.ts'
import { page } from './shell.ts'
import { comment, writing } from './text.ts'

/** https://github.com/<owner>/<repo>/issues/<number>; the rows are dealt out to two comments. */
export function issuePage(rows: readonly Row[], options: PageOptions = {}): string {
  const half = Math.ceil(rows.length / 2)
  return page({
    ...options,
    title: 'Which plugins do you use?',
    content: html`
      ${repositoryHead('lanternworks/harness', { forkedFrom: nameOf(rows) })}
      <div class="container">
        <h1>Which plugins do you use? <span class="muted">#12</span></h1>
        ${comment('wren-abbot', writing(rows.slice(0, half), 'lanternworks/harness'))}
        ${comment('cobalt-moth', writing(rows.slice(half), 'lanternworks/harness'))}
      </div>`,
  })
}

/** https://github.com/<owner>/<repo>/releases */
export function releasesPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'Releases',
    content: html`
      ${repositoryHead('lanternworks/harness', { forkedFrom: nameOf(rows) })}
      <div class="container" data-hpc>
        <section class="border p-3">
          <h2><a class="Link--primary" href="/lanternworks/harness/releases/tag/v2">Version 2</a></h2>
          <div data-test-selector="body-content" class="markdown-body my-3">${writing(rows, 'lanternworks/harness')}</div>
        </section>
      </div>`,
  })
}

/** https://gist.github.com/<owner>/<id> */
export function gistPage(rows: readonly Row[], options: PageOptions = {}): string {
  return page({
    ...options,
    title: 'plugins.md',
    content: html`
      <div class="container">
        <h1><a href="/wren-abbot">wren-abbot</a> / <a href="/wren-abbot/0123456789abcdef">plugins.md</a></h1>
        <div id="file-plugins-md" class="file border">
          <article class="markdown-body entry-content p-3">${writing(rows, 'wren-abbot/0123456789abcdef')}</article>
        </div>
      </div>`,
  })
}

/** The head of the page names one of the repositories too, outside any text. */
const nameOf = (rows: readonly Row[]) => rows[0]?.fullName ?? 'cobalt-moth/harness'
