import { isReserved, type LinkStyle } from './links.ts'
import { packageOfPage } from './repository-page.ts'

/** A rule that recognises one kind of page, by its paths or by more, and the links on it that name a repository. */
interface PageRule {
  /** Paths of its pages, in which `*` stands for any one segment. */
  readonly paths?: readonly string[]
  readonly matches?: (page: URL, markup: ParentNode | null) => boolean
  /** In a list: exactly one link a row, the one that names the repository. In prose: every link. */
  readonly selector: string
  /** @default list */
  readonly linkStyle?: LinkStyle
}

/** Path without the slash at its end. */
const pathOf = ({ pathname }: URL): string => (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)

/** Returns true for a path of one of these forms. Compiling a pattern takes longer than to compare segments. */
function isPath(page: URL, ...forms: readonly string[]): boolean {
  const path = pathOf(page).split('/')
  for (const form of forms) {
    const segments = form.split('/')
    if (segments.length !== path.length) continue
    let at = 0
    while (at < path.length && (segments[at] === '*' ? path[at] !== '' : segments[at] === path[at])) at++
    if (at === path.length) return true
  }
  return false
}

/** Returns true for the page of a user, an organisation or a repository, and those below it. */
const isOwned = (page: URL): boolean => {
  const owner = page.pathname.split('/')[1] ?? ''
  return owner !== '' && !isReserved(owner)
}

const isOwnerPage = (page: URL): boolean => isOwned(page) && isPath(page, '/*')

const isGist = (page: URL): boolean => page.hostname.startsWith('gist.')

/** Returns true if an owner's page shows this tab. */
const hasTab = (page: URL, tab: string): boolean => isOwnerPage(page) && page.searchParams.get('tab') === tab

/** Pages below a repository that are forms or lists of their own. */
const FORMS = ['edit', 'new', 'delete', 'upload', 'settings']

/**
 * The title of a row in the code host's lists that React renders. Class names end in a hash that changes with every
 * release, and not all of them have the test id: each selector matches a markup that was observed.
 */
const REACT_LIST_TITLE = [
  '[data-testid="list-view-item-title-container"] :is(h3, h4) a',
  '[data-listview-item-title-container] :is(h3, h4) a',
  '[class*=ReposListItem-module__NwoTitle] a',
].join(', ')

/** The first kind that matches counts: lists below a repository come before `text`, which matches everything else. */
const RULES = {
  /** A package on a website that the user added: its README. */
  package: {
    matches: (page, markup) => packageOfPage(page, markup) !== null,
    selector: ':is(#readme, .markdown-body) a:not([href^="#"])',
    linkStyle: 'prose',
  },
  /** Each card's heading holds two links: the owner, then the repository. */
  topic: {
    paths: ['/topics/*'],
    selector: 'article h3 a:nth-of-type(2)',
  },
  /** Without a type the code host shows repositories. */
  search: {
    matches: (page) => isPath(page, '/search') && /^(repositories)?$/i.test(page.searchParams.get('type') ?? ''),
    selector: '[data-testid="results-list"] .search-title a',
  },
  /** Each result names the file and the repository that has it. */
  'code search': {
    matches: (page) => isPath(page, '/search') && page.searchParams.get('type')?.toLowerCase() === 'code',
    selector: '[data-testid="results-list"] a',
  },
  /** Repositories of a user, or of an organisation on its former page. */
  'user repositories': {
    matches: (page) => hasTab(page, 'repositories'),
    selector: `#user-repositories-list a[itemprop~=codeRepository], ${REACT_LIST_TITLE}`,
  },
  /** The repositories of an organisation, and one's own at /repos. */
  organization: {
    paths: ['/orgs/*/repositories', '/repos', '/repos/*'],
    selector: REACT_LIST_TITLE,
  },
  /** The repositories that a user starred, and their lists of them. */
  stars: {
    matches: (page) =>
      isPath(page, '/stars', '/stars/*', '/stars/*/repositories', '/stars/*/lists/*') || hasTab(page, 'stars'),
    selector: `:is(#user-starred-repos, #user-list-repositories) :is(h2, h3) a, ${REACT_LIST_TITLE}`,
  },
  /**
   * Repositories, and developers with the repository that each is known for: their own name is a heading without `h4`.
   */
  trending: {
    paths: ['/trending', '/trending/*', '/trending/*/*'],
    selector: 'article.Box-row :is(h2, h1.h4) a',
  },
  /** Cards like those of a topic, under headings of another level. */
  explore: {
    paths: ['/explore', '/explore/*'],
    selector: 'article :is(h1, h2, h3) a:nth-of-type(2)',
  },
  /** Cards whose title is one link. */
  collection: {
    paths: ['/collections/*'],
    selector: 'article :is(h1, h2, h3) a',
  },
  /** On the first page of a user who is logged in, and an organisation's. */
  feed: {
    paths: ['', '/dashboard', '/orgs/*/dashboard', '/dashboard-feed', '/feed'],
    selector: '.js-feed-item-component h3 > .Link--primary',
  },
  /** One's issues and pull requests, each with a link to its repository. */
  dashboard: {
    paths: ['/issues', '/issues/*', '/pulls', '/pulls/*'],
    selector:
      'main :is(.js-issue-row, [data-testid="list-row-repo-name-and-number"]) a[data-hovercard-type=repository]',
  },
  dependencies: {
    paths: ['/*/*/network/dependencies'],
    selector: '[data-test-selector="dg-repo-pkg-dependency"] a',
  },
  dependents: {
    paths: ['/*/*/network/dependents'],
    selector: '[data-test-id="dg-repo-pkg-dependent"] a[data-hovercard-type="repository"]',
  },
  /** The current list, and the former tree. The head of the page names repositories too, but not in a row. */
  forks: {
    paths: ['/*/*/forks', '/*/*/network/members'],
    selector: 'main :is(li, .Box-row) a[data-hovercard-type=repository], #network .repo a:last-of-type',
  },
  /** The overview of a user or an organisation: pinned repositories, the organisation's latest, a README. */
  profile: {
    matches: (page) => isOwnerPage(page) && (!page.searchParams.has('tab') || hasTab(page, 'overview')),
    selector:
      '.pinned-item-list-item-content a:has(> .repo), #org-repositories a[itemprop~=codeRepository], .markdown-body a:not([href^="#"])',
    linkStyle: 'prose',
  },
  /** READMEs and other files, issues, pull requests, discussions, comments, releases, wikis, gists. */
  text: {
    matches: (page) =>
      isGist(page) ||
      /^\/orgs\/[^/]+\/discussions\/\d+$/.test(pathOf(page)) ||
      (isOwned(page) && !isOwnerPage(page) && !FORMS.includes(page.pathname.split('/')[3] ?? '')),
    selector: '.markdown-body a:not([href^="#"])',
    linkStyle: 'prose',
  },
} as const satisfies Readonly<Record<string, PageRule>>

export type PageName = keyof typeof RULES

export interface PageKind extends PageRule {
  readonly name: PageName
  readonly linkStyle: LinkStyle
}

export const PAGE_KINDS: readonly PageKind[] = Object.entries<PageRule>(RULES).map(([name, rule]) => ({
  name: name as PageName,
  linkStyle: 'list',
  ...rule,
}))

/** @param markup the page's document; null when only its address is known */
export const isKind = ({ paths = [], matches }: PageRule, page: URL, markup: ParentNode | null): boolean =>
  isPath(page, ...paths) || matches?.(page, markup) === true

/**
 * Returns the kind of a page, or null when nothing is marked on it. On the host of gists, the paths of lists belong to users.
 *
 * @param markup the page's document; null when only its address is known
 */
export function pageKindOf(page: URL, markup: ParentNode | null): PageKind | null {
  const isOfGists = isGist(page)
  for (const kind of PAGE_KINDS) if (isOfGists ? kind.name === 'text' : isKind(kind, page, markup)) return kind
  return null
}
