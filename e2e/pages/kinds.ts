/** Our pages of every kind, each at an address of that kind; what is tried on all of them goes through this table. */
import type { PageName } from '@plugmark/userscript/github/page-kinds'
import { gistPage, issuePage, releasesPage } from './discussion.ts'
import { feedPage } from './feed.ts'
import { LISTS, listPage } from './lists.ts'
import { packagePage } from './package.ts'
import type { PageOptions, Row } from './parts.ts'
import { profilePage } from './profile.ts'
import { repositoryPage } from './repository.ts'
import { searchPage } from './search.ts'
import { topicPage } from './topic.ts'

export interface KindPage {
  readonly kind: PageName
  /** Names the page in a list of them. */
  readonly title: string
  /** Its address on the code host. */
  readonly url: string
  readonly markup: (rows: readonly Row[], options?: PageOptions) => string
}

/** Title, address and markup of each page. */
const PAGES: Readonly<Record<PageName, readonly (readonly [string, string, KindPage['markup']])[]>> = {
  topic: [['A topic', '/topics/harness-plugin', topicPage]],
  search: [['A search', '/search?q=harness&type=repositories', searchPage]],
  'user repositories': [
    ['Repositories of a user', '/wren-abbot?tab=repositories', listPage(LISTS.userRepositories)],
    ['Repositories of a user, drawn by React', '/wren-abbot?page=2&tab=repositories', listPage(LISTS.mixed)],
  ],
  organization: [
    ['Repositories of an organization', '/orgs/lanternworks/repositories', listPage(LISTS.organization)],
    ['Your own repositories', '/repos', listPage(LISTS.ownRepositories)],
  ],
  stars: [
    ['Stars of a user', '/wren-abbot?tab=stars', listPage(LISTS.stars)],
    ['Stars of a user, drawn by React', '/wren-abbot?page=2&tab=stars', listPage(LISTS.mixed)],
    ['A list of stars', '/stars/wren-abbot/lists/harness-plugins', listPage(LISTS.starList)],
  ],
  trending: [
    ['Trending repositories', '/trending', listPage(LISTS.trending)],
    ['Trending developers', '/trending/developers', listPage(LISTS.trendingDevelopers)],
  ],
  explore: [['Explore', '/explore', listPage(LISTS.explore)]],
  feed: [['The feed', '/', feedPage]],
  collection: [['A collection', '/collections/harness-tools', listPage(LISTS.collection)]],
  'code search': [['A search of code', '/search?q=harness&type=code', listPage(LISTS.codeSearch)]],
  dashboard: [['Your pull requests', '/pulls', listPage(LISTS.dashboard)]],
  dependencies: [
    ['Dependencies of a repository', '/lanternworks/harness/network/dependencies', listPage(LISTS.dependencies)],
  ],
  dependents: [['Dependents of a repository', '/lanternworks/harness/network/dependents', listPage(LISTS.dependents)]],
  forks: [
    ['Forks of a repository', '/lanternworks/harness/forks', listPage(LISTS.forks)],
    ['Forks of a repository, as a tree', '/lanternworks/harness/network/members', listPage(LISTS.network)],
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
