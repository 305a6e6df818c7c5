/**
 * The page of a package on a website for packages, /package/<name>: its name, its README, facts at the side.
 *
 * The address and `#readme` are meant to be the npm website’s, which nobody has looked at. Everything else, names and
 * words are ours.
 */
import { html } from './html.ts'
import type { PageOptions, Row } from './parts.ts'
import { page } from './shell.ts'
import { writing } from './text.ts'

export interface PackagePageOptions extends PageOptions {
  /** @default 'dsh-plugin-tide-table' */
  readonly name?: string
}

/** @param rows repositories the README links to */
export function packagePage(rows: readonly Row[], options: PackagePageOptions = {}): string {
  const { name = 'dsh-plugin-tide-table' } = options
  return page({
    ...options,
    title: name,
    isCodeHost: false,
    content: html`
      <div class="container">
        <h1>${name}</h1>
        <div id="readme"><article>${writing(rows, `package/${name}`)}</article></div>
        <aside><h3>Repository</h3><p>Kept elsewhere.</p></aside>
      </div>`,
  })
}
