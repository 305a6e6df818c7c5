/** Our pages of every kind, each at an address of that kind; what is tried on all of them goes through this table. */
import type { PageName } from '@plugmark/userscript/github/page-kinds'
import { dependentsPage } from './dependents.ts'
import { gistPage, issuePage, releasesPage } from './discussion.ts'
import { explorePage } from './explore.ts'
import { feedPage } from './feed.ts'
import { forksPage, networkPage } from './forks.ts'
import { codeSearchPage, collectionPage, dashboardPage, dependenciesPage } from './mentions.ts'
import { packagePage } from './package.ts'
import type { PageOptions } from './parts.ts'
import { profilePage } from './profile.ts'
import { mixedListPage, organizationPage, ownRepositoriesPage } from './react-lists.ts'
import { repositoryPage } from './repository.ts'
import type { Row } from './row.ts'
import { searchPage } from './search.ts'
import { starListPage, starsPage } from './stars.ts'
import { topicPage } from './topic.ts'
import { trendingDevelopersPage, trendingPage } from './trending.ts'
import { userRepositoriesPage } from './user-repositories.ts'

export interface KindPage {
  readonly kind: PageName
  /** Names the page in a list of them. */
  readonly title: string
  /** Where it is on the code host. */
  readonly url: string
  readonly markup: (rows: readonly Row[], options?: PageOptions) => string
}

/** Title, address and markup of each page. */
const PAGES: Readonly<Record<PageName, readonly (readonly [string, string, KindPage['markup']])[]>> = {
  topic: [['A topic', '/topics/harness-plugin', topicPage]],
  search: [['A search', '/search?q=harness&type=repositories', searchPage]],
  'user repositories': [
    ['Repositories of a person', '/wren-abbot?tab=repositories', userRepositoriesPage],
    ['Repositories of a person, drawn by React', '/wren-abbot?page=2&tab=repositories', mixedListPage],
  ],
  organization: [
    ['Repositories of an organization', '/orgs/lanternworks/repositories', organizationPage],
    ['Your own repositories', '/repos', ownRepositoriesPage],
  ],
  stars: [
    ['Stars of a person', '/wren-abbot?tab=stars', starsPage],
    ['Stars of a person, drawn by React', '/wren-abbot?page=2&tab=stars', mixedListPage],
    ['A list of stars', '/stars/wren-abbot/lists/harness-plugins', starListPage],
  ],
  trending: [
    ['Trending repositories', '/trending', trendingPage],
    ['Trending developers', '/trending/developers', trendingDevelopersPage],
  ],
  explore: [['Explore', '/explore', explorePage]],
  feed: [['The feed', '/', feedPage]],
  collection: [['A collection', '/collections/harness-tools', collectionPage]],
  'code search': [['A search of code', '/search?q=harness&type=code', codeSearchPage]],
  dashboard: [['Your pull requests', '/pulls', dashboardPage]],
  dependencies: [['Dependencies of a repository', '/lanternworks/harness/network/dependencies', dependenciesPage]],
  dependents: [['Dependents of a repository', '/lanternworks/harness/network/dependents', dependentsPage]],
  forks: [
    ['Forks of a repository', '/lanternworks/harness/forks', forksPage],
    ['Forks of a repository, as a tree', '/lanternworks/harness/network/members', networkPage],
  ],
  package: [['A package', 'https://packages.example/package/dsh-plugin-tide-table', packagePage]],
  profile: [['The profile of an organization', '/lanternworks', profilePage]],
  text: [
    ['A repository and its README', '/lanternworks/harness', repositoryPage],
    ['An issue', '/lanternworks/harness/issues/12', issuePage],
    ['Releases', '/lanternworks/harness/releases', releasesPage],
    ['A gist', 'https://gist.github.com/wren-abbot/0123456789abcdef', gistPage],
  ],
}

export const KIND_PAGES: readonly KindPage[] = Object.entries(PAGES).flatMap(([kind, pages]) =>
  pages.map(([title, path, markup]) => ({
    kind: kind as PageName,
    title,
    url: new URL(path, 'https://github.com').href,
    markup,
  })),
)

/** Path and query of a page, for a host of our own. */
export function pathOf({ url }: KindPage): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
