/**
 * The frame around the content of every page: header, navigation and footer, in our own words.
 *
 * The classes and attributes a script may look at (`AppHeader`, `data-hovercard-*`, `data-turbo-*`, the theme on the
 * root element) follow github.com as of 2026-08. All links here are decoys: none of them names a repository of a list.
 */
import { type Html, html, raw } from './html.ts'
import { PAGE_STYLES } from './styles.ts'
import { THEME_STYLES, type Theme, themeAttributes } from './theme.ts'

export interface ShellOptions {
  readonly title: string
  readonly content: Html
  /** Between the header and the content. */
  readonly above?: Html
  readonly theme?: Theme
  /** Scripts of the same origin, as the demo's stand-in for a userscript manager needs them. */
  readonly scripts?: readonly string[]
  /** False for another website, whose head does not name a host. @default true */
  readonly isCodeHost?: boolean
}

export function page({ title, content, above, theme = 'auto', scripts = [], isCodeHost = true }: ShellOptions): string {
  const attributes = Object.entries(themeAttributes(theme)).map(([name, value]) => html` ${name}="${value}"`)
  return html`<!doctype html>
<html lang="en"${attributes}>
  <head>
    <meta charset="utf-8">
    ${isCodeHost ? html`<meta name="hostname" content="github.com">` : ''}
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${raw(THEME_STYLES + PAGE_STYLES)}</style>
  </head>
  <body class="logged-in env-production page-responsive">
    <div class="position-relative">
      <header class="AppHeader" role="banner">
        <a class="AppHeader-logo" href="/" aria-label="Homepage">${octicon('mark')}</a>
        <form class="AppHeader-search" role="search" action="/search">
          <input type="search" name="q" aria-label="Search" placeholder="Type to search">
        </form>
        <nav aria-label="Global">
          <a href="/explore">Explore</a> <a href="/trending">Trending</a> <a href="/topics/harness-plugin">Topic</a>
          <a href="/pages">All pages</a>
        </nav>
        <a class="AppHeader-user" href="/wren-abbot" data-hovercard-type="user"
          data-hovercard-url="/users/wren-abbot/hovercard">${avatar('wren-abbot')}</a>
      </header>
      ${drawer}
    </div>
    ${above ?? ''}
    <main id="js-repo-pjax-container">${content}</main>
    <footer class="footer">A page of our own making, for trying Plugmark. <a href="/pages">All pages</a></footer>
    ${scripts.map((src) => html`<script src="${src}"></script>`)}
  </body>
</html>
`.toString()
}

/** A picture of an account: the initial on a plain ground, as a data: address, which the policy allows. */
export function avatar(owner: string): Html {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" fill="#8c959f"/><text x="10" y="14" font-size="11" font-family="sans-serif" text-anchor="middle" fill="#fff">${(owner[0] ?? '').replace(/[^\p{L}\p{N}]/u, '')}</text></svg>`
  return html`<img class="avatar" width="20" height="20" alt="@${owner}" src="data:image/svg+xml,${encodeURIComponent(svg)}">`
}

/** The hovercard of the code host, closed; it has a link to the repository too. */
export function hovercard(fullName: string): Html {
  const owner = fullName.split('/', 1)[0]!
  return html`
    <div class="Popover js-hovercard-content hovercard">
      ${avatar(owner)} <a href="/${owner}">${owner}</a> <a class="text-bold" href="/${fullName}">${fullName}</a>
    </div>`
}

const SHAPES = {
  mark: 'M2 8a6 6 0 1 0 12 0A6 6 0 0 0 2 8m3 0h6',
  repo: 'M3 2.5h9.5v11H3zM3 10.5h9.5M5.5 2.5v8',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
} as const

/** A small drawing in the place of the code host's own icons. */
export function octicon(name: keyof typeof SHAPES): Html {
  return html`<svg class="octicon octicon-${name}" aria-hidden="true" viewBox="0 0 16 16" width="16" height="16"><path d="${SHAPES[name]}"/></svg>`
}

/** Names a repository of no list; a script that marks it took it for a row. */
const AT = '/cobalt-moth/seen-lately'

/**
 * The closed drawer of recently seen repositories that every page has beside its list. Each entry looks like the row of
 * some list and lacks one thing of it: the list around it, its heading, its mark. All links are decoys.
 */
const drawer: Html = html`
  <aside class="AppHeader-drawer" aria-label="Seen lately" hidden>
    <ul>
      <li><a data-hovercard-type="repository" href="${AT}">seen-lately</a></li>
      <li data-test-id="seen-lately"><a data-hovercard-type="repository" href="${AT}">seen-lately</a></li>
      <li><a href="${AT}" itemprop="name codeRepository">seen-lately</a></li>
      <li><a href="${AT}"><span class="owner">cobalt-moth/</span><span class="repo">seen-lately</span></a></li>
      <li class="repo"><a href="${AT}">seen-lately</a></li>
      <li><a href="/site/terms">Terms</a> <a href="/marketplace/seen-lately">An offer</a></li>
    </ul>
    <h3><a href="/cobalt-moth">cobalt-moth</a> / <a class="Link--primary" href="${AT}">seen-lately</a></h3>
    <div data-testid="seen-lately">
      <div class="search-title"><a href="${AT}">seen-lately</a></div>
      <h2><a href="${AT}">seen-lately</a></h2>
      <h3><a href="${AT}">seen-lately</a></h3>
      <h4><a href="${AT}">seen-lately</a></h4>
    </div>
    <div class="Box-row"><h2><a href="${AT}">seen-lately</a></h2></div>
  </aside>`
