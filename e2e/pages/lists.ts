/**
 * The code host's lists of repositories, one entry each: the title, what stands around the rows, and a row.
 *
 * They follow those pages as of 2026-08; those after `collection` as public scrapers and style sheets describe them in
 * 2026-11, not seen on a real page (see docs/tested-with.md). Hashes, names and words are ours.
 *
 * Decoys, which must not be marked: heads, tabs, owners, pictures, lines of facts, stars, sponsors, topics, menus.
 */
import { type Html, html } from './html.ts'
import { facts, ownerOf, ownerPicture, type PageOptions, type Row, repoOf, repositoryHead } from './parts.ts'
import { hovercard, octicon, page } from './shell.ts'

interface List {
  readonly title: string
  /** The rows and what stands around them. */
  readonly frame: (items: readonly Html[], rows: readonly Row[]) => Html
  readonly item: (row: Row, index: number) => Html
}

/** Returns the markup of a list's page. */
export const listPage =
  ({ title, frame, item }: List) =>
  (rows: readonly Row[], options: PageOptions = {}): string =>
    page({ ...options, title, content: frame(rows.map(item), rows) })

const name = ({ fullName }: Row) => html`<span class="text-normal">${ownerOf(fullName)} / </span>${repoOf(fullName)}`
const starButton = (to: string, word = 'Star') =>
  html`<a class="btn" href="/login?return_to=%2F${to}">${octicon('star')} ${word}</a>`

const starred =
  (heading: (name: Html) => Html): List['item'] =>
  (row) =>
    html`
    <div class="col-12 d-block width-full py-4">
      <div class="d-inline-block mb-1">${heading(html`<a href="/${row.fullName}">${name(row)}</a>`)}</div>
      ${starButton(row.fullName, 'Starred')}
      <p class="muted" itemprop="description">${row.description}</p>
      ${facts(row)}
    </div>`

/** One heading level after the other. */
const headed = (index: number, name: Html): Html => {
  if (index % 3 === 0) return html`<h1 class="h3 lh-condensed">${name}</h1>`
  return index % 3 === 1 ? html`<h2 class="h3">${name}</h2>` : html`<h3>${name}</h3>`
}

const trending = (title: string): Omit<List, 'item'> => ({
  title,
  frame: (items) => html`
    <div class="container">
      <h1>${title}</h1>
      <nav class="UnderlineNav" aria-label="Trending">
        <a class="UnderlineNav-item" href="/trending">Repositories</a>
        <a class="UnderlineNav-item" href="/trending/developers">Developers</a>
      </nav>
      <div class="Box rows" data-hpc>${items}</div>
      <article><h2 class="h3"><a href="/cobalt-moth/lantern">From our sponsors</a></h2></article>
    </div>`,
})

const fork: List['item'] = (row) => html`
  ${ownerPicture(row.fullName)}
  <span>
    <a data-hovercard-type="user" href="/${ownerOf(row.fullName)}">${ownerOf(row.fullName)}</a> /
    <a data-hovercard-type="repository" href="/${row.fullName}">${repoOf(row.fullName)}</a>
  </span>
  ${facts(row)}`

/** A list that React renders: rows of `ListItem-module__listItem` with a hash, the title in one of several markups. */
const react = (title: string, heading: List['item']): List => ({
  title,
  frame: (items, rows) => html`
    <div class="container" data-testid="repos-list">
      <h1><a href="/lanternworks">lanternworks</a> / Repositories</h1>
      <ul class="ListView-module__ul__m5N6b rows" data-listview-component="items-list">${items}</ul>
      ${rows.slice(0, 1).map(({ fullName }) => hovercard(fullName))}
    </div>`,
  item: (row, index) => html`
    <li class="ListItem-module__listItem__v3B4n" tabindex="-1">
      ${heading(row, index)}
      <div class="ReposListItem-module__FormattedDescription__a9S8d muted">${row.description}
        <a href="/${ownerOf(row.fullName)}">${ownerOf(row.fullName)}</a></div>
      ${ownerPicture(row.fullName)} ${facts(row)}
    </li>`,
})

const SPELLINGS: readonly ((name: Html) => Html)[] = [
  (name) => html`<div data-testid="list-view-item-title-container"><h4>${name}</h4></div>`,
  (name) => html`<div data-testid="list-view-item-title-container"><h3>${name}</h3></div>`,
  (name) => html`<div data-listview-item-title-container="true"><h4>${name}</h4></div>`,
  (name) => html`<div data-listview-item-title-container="true"><h3>${name}</h3></div>`,
  (name) => html`<div class="ReposListItem-module__NwoTitle__p7L8k">${name}</div>`,
]

const plain =
  (before: Html | '' = ''): List['frame'] =>
  (items) =>
    html`${before}<div class="container">${items}</div>`

export const LISTS = {
  /** https://github.com/<owner>?tab=repositories */
  userRepositories: {
    title: 'wren-abbot · Repositories',
    frame: (items) => html`
      <div class="container">
        <nav class="UnderlineNav" aria-label="User">
          <a class="UnderlineNav-item" href="/wren-abbot">Overview</a>
          <a class="UnderlineNav-item" href="/wren-abbot?tab=repositories">Repositories</a>
          <a class="UnderlineNav-item" href="/wren-abbot?tab=stars">Stars</a>
        </nav>
        <div id="user-repositories-list"><ul data-filterable-for="your-repos-filter" class="rows">${items}</ul></div>
      </div>`,
    item: (row, index) => {
      const source = `cobalt-moth/${repoOf(row.fullName)}`
      const isFork = index % 3 === 0
      return html`
        <li class="col-12 d-flex width-full py-4 color-border-muted public ${isFork ? 'fork' : 'source'}" itemprop="owns">
          <div class="width-full">
            <h3 class="wb-break-all">
              <a href="/${row.fullName}" itemprop="name codeRepository">${repoOf(row.fullName)}</a>
              <span class="Label">Public</span>
            </h3>
            ${isFork ? html`<p class="muted">Forked from <a class="muted" href="/${source}">${source}</a></p>` : ''}
            <p class="muted" itemprop="description">${row.description}</p>
            ${facts(row)}
          </div>
          ${starButton(ownerOf(row.fullName))}
        </li>`
    },
  },

  /** https://github.com/<owner>?tab=stars */
  stars: {
    title: 'wren-abbot · Stars',
    frame: (items) => html`
      <div class="container">
        <div id="profile-lists-container" class="rows">
          <a class="d-block" href="/stars/wren-abbot/lists/harness-plugins"><h3>Harness plugins</h3> 5 repositories</a>
        </div>
        <turbo-frame id="user-starred-repos">
          <div class="columns">
            <div class="rows">${items}</div>
            <div><h2 class="f3">Starred topics</h2><h3><a href="/topics/agents">agents</a></h3></div>
          </div>
        </turbo-frame>
      </div>`,
    item: starred((name) => html`<h3>${name}</h3>`),
  },

  /** https://github.com/stars/<owner>/lists/<list> */
  starList: {
    title: 'Harness plugins · wren-abbot’s list',
    frame: (items) => html`
      <div class="container">
        <h2><a href="/wren-abbot?tab=stars">Stars</a> / Harness plugins</h2>
        <div id="user-list-repositories" class="rows">${items}</div>
      </div>`,
    item: starred((name) => html`<h2 class="h3">${name}</h2>`),
  },

  /** https://github.com/explore */
  explore: {
    title: 'Explore',
    frame: (items) => html`
      <div class="container rows">
        ${items}
        <article class="border rounded my-4 p-3">
          <div class="muted">Popular topic</div>
          <h1 class="h3"><a href="/topics">Topics</a> / <a href="/topics/agents">Agents</a></h1>
        </article>
        <article class="border rounded my-4 p-3">
          <h2><a href="/collections">Collections</a> / <a href="/collections/agent-tools">Tools for agents</a></h2>
        </article>
      </div>`,
    item: (row, index) => html`
      <article class="border rounded color-shadow-small my-4">
        <div class="px-3 my-3 muted">Trending repository</div>
        <div class="px-3 p-3">
          ${ownerPicture(row.fullName)}
          ${headed(
            index,
            html`<a class="Link" href="/${ownerOf(row.fullName)}" data-hovercard-type="organization">${ownerOf(row.fullName)}</a> /
            <a class="text-bold wb-break-word" href="/${row.fullName}">${repoOf(row.fullName)}</a>`,
          )}
          <a class="btn" href="/login">${octicon('star')} Star</a>
          <p class="muted">${row.description}</p>
          ${facts(row)}
        </div>
      </article>`,
  },

  /** https://github.com/trending */
  trending: {
    ...trending('Trending'),
    item: (row) => html`
      <article class="Box-row">
        <a class="btn" style="float: right" href="/login?return_to=%2F${row.fullName}">${octicon('star')} Star</a>
        <h2 class="h3 lh-condensed">
          <a class="Link" href="/${row.fullName}" data-hydro-click="{}">${octicon('repo')} ${name(row)}</a>
        </h2>
        <p class="muted">${row.description}</p>
        ${facts(row)} <span class="muted">Built by ${ownerPicture(row.fullName)}</span>
      </article>`,
  },

  /** https://github.com/trending/developers: `h1.h3` for the developer, `h1.h4` for the repository they are known for. */
  trendingDevelopers: {
    ...trending('Trending developers'),
    item: ({ fullName, description }, index) => html`
      <article class="Box-row" id="pa-${ownerOf(fullName)}-${index}">
        ${ownerPicture(fullName)}
        <h1 class="h3 lh-condensed"><a class="Link" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></h1>
        <p class="f4 muted"><a class="muted" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></p>
        <article>
          <div class="muted">${octicon('repo')} Popular repo</div>
          <h1 class="h4 lh-condensed"><a class="css-truncate" href="/${fullName}">${repoOf(fullName)}</a></h1>
          <div class="muted">${description}</div>
        </article>
        <a class="btn" href="/sponsors/${ownerOf(fullName)}">Sponsor</a> <a class="btn" href="/login">Follow</a>
      </article>`,
  },

  /** https://github.com/<owner>/<repo>/forks: one half in the current rows, the other in the former ones. */
  forks: {
    title: 'Forks',
    frame: (items, rows) => {
      const half = Math.ceil(items.length / 2)
      return html`
        ${repositoryHead('lanternworks/harness', { forkedFrom: rows[0]?.fullName ?? 'cobalt-moth/harness' })}
        <div class="container" id="repo-content-pjax-container">
          <ul class="rows">${items.slice(0, half).map((item) => html`<li>${item}</li>`)}</ul>
          <div class="Box rows">${items.slice(half).map((item) => html`<div class="Box-row">${item}</div>`)}</div>
        </div>`
    },
    item: fork,
  },

  /** https://github.com/<owner>/<repo>/network/members */
  network: {
    title: 'Network members',
    frame: (items) => html`
      ${repositoryHead('lanternworks/harness')}
      <div class="container"><div class="network rows" id="network">${items}</div></div>`,
    item: ({ fullName }) => html`
      <div class="repo">
        ${ownerPicture(fullName)}
        <a class="avatar" data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a> /
        <a href="/${fullName}">${repoOf(fullName)}</a>
      </div>`,
  },

  /** https://github.com/<owner>/<repo>/network/dependents */
  dependents: {
    title: 'Network dependents',
    frame: (items) => html`
      ${repositoryHead('lanternworks/harness')}
      <div class="container" id="dependents">
        <p><a class="btn-link selected" href="/lanternworks/harness/network/dependents">${items.length} repositories</a></p>
        <div class="Box rows">${items}</div>
      </div>`,
    item: ({ fullName, stars }) => html`
      <div class="Box-row d-flex flex-items-center" data-test-id="dg-repo-pkg-dependent">
        ${ownerPicture(fullName)}
        <span class="f5 muted" data-repository-hovercards-enabled>
          <a data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a> /
          <a class="text-bold" data-hovercard-type="repository" href="/${fullName}">${repoOf(fullName)}</a>
          <small></small>
        </span>
        <span class="muted text-bold pl-3">${octicon('star')} ${stars}</span>
      </div>`,
  },

  /** https://github.com/orgs/<org>/repositories */
  organization: react(
    'lanternworks repositories',
    ({ fullName }) => html`
      <div data-testid="list-view-item-title-container" data-listview-item-title-container="true" class="Title-module__container__q1W2e">
        <h4 class="Title-module__heading__r3T4y">
          <a class="Title-module__anchor__u5I6o prc-Link-Link-x9y8Z" href="/${fullName}"><span>${repoOf(fullName)}</span></a>
          <span class="Label">Public</span>
        </h4>
      </div>`,
  ),

  /** https://github.com/repos: each row names the owner too. */
  ownRepositories: react(
    'My repositories',
    ({ fullName }) => html`
      <h3 class="ReposListItem-module__NwoTitle__p7L8k">
        <a class="Title-module__anchor__u5I6o" href="/${fullName}">
          <span class="ReposListItem-module__RepoOwner__z1X2c">${ownerOf(fullName)} / </span><span>${repoOf(fullName)}</span>
        </a>
      </h3>`,
  ),

  /** A list whose rows have each of the markups that were observed. */
  mixed: react('wren-abbot', ({ fullName }, index) =>
    SPELLINGS[index % SPELLINGS.length]!(
      html`<a class="Title-module__anchor__u5I6o" href="/${fullName}"><span>${repoOf(fullName)}</span></a>`,
    ),
  ),

  /** https://github.com/collections/<name>: a card for each repository, its title one link. */
  collection: {
    title: 'Collection: harness tools',
    frame: plain(),
    item: (row) => html`
      <article class="Box-row">
        ${ownerPicture(row.fullName)}
        <h2 class="h3"><a href="/${row.fullName}">${name(row)}</a></h2>
        <p>${row.description}</p>
        ${facts(row)}
      </article>`,
  },

  /** https://github.com/search?type=code: a file for each result, below the repository that contains it. */
  codeSearch: {
    title: 'Code search results',
    frame: plain(html`<nav><a href="/search?q=harness&amp;type=repositories">Repositories</a></nav>`),
    item: ({ fullName }, index) => html`
      <div data-testid="results-list">
        <div class="code-result">
          ${ownerPicture(fullName)}
          <a class="Link" href="/${fullName}">${fullName}</a> ·
          <a href="/${fullName}/blob/0123456789abcdef/package.json">package.json</a>
          <pre><a href="/${fullName}/blob/0123456789abcdef/package.json#L${index + 1}">"dsh": {}</a></pre>
        </div>
      </div>`,
  },

  /** https://github.com/pulls and /issues: a title for each row, and the repository it belongs to. */
  dashboard: {
    title: 'Pull requests',
    frame: plain(html`<nav><a href="/pulls/assigned">Assigned</a> <a href="/pulls/mentioned">Mentioned</a></nav>`),
    item: ({ fullName }, index) => html`
      <div class="Box-row js-issue-row">
        ${octicon('star')}
        <a class="muted" data-hovercard-type="repository" href="/${fullName}">${fullName}</a>
        <a class="text-bold" data-hovercard-type="pull_request" href="/${fullName}/pull/${index + 1}">Repair the mast</a>
        <a href="/${fullName}/pulls?q=label%3Abug">bug</a>
        <small>#${index + 1} by <a data-hovercard-type="user" href="/${ownerOf(fullName)}">${ownerOf(fullName)}</a></small>
      </div>`,
  },

  /** https://github.com/<owner>/<repo>/network/dependencies */
  dependencies: {
    title: 'Network dependencies',
    frame: plain(repositoryHead('lanternworks/harness')),
    item: ({ fullName }) => html`
      <div class="Box-row" data-test-selector="dg-repo-pkg-dependency">
        ${ownerPicture(fullName)}
        <a class="h4" data-hovercard-type="dependendency_graph_package" href="/${fullName}">${ownerOf(fullName)} / ${repoOf(fullName)}</a>
        <small>^1.0.0 in <a href="/lanternworks/harness/blob/main/package.json">package.json</a></small>
      </div>`,
  },
} as const satisfies Readonly<Record<string, List>>
