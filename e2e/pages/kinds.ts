/** Our pages of every kind, each at an address of that kind; what is tried on all of them goes through this table. */
import { dependentsPage } from './dependents.ts'
import { gistPage, issuePage, releasesPage } from './discussion.ts'
import { explorePage } from './explore.ts'
import { feedPage } from './feed.ts'
import { forksPage, networkPage } from './forks.ts'
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
  /** Name of the page kind. */
  readonly kind: string
  /** Names the page in a list of them. */
  readonly title: string
  /** Where it is on the code host. */
  readonly url: string
  readonly markup: (rows: readonly Row[], options?: PageOptions) => string
}

const page = (kind: string, title: string, path: string, markup: KindPage['markup']): KindPage => ({
  kind,
  title,
  url: new URL(path, 'https://github.com').href,
  markup,
})

export const KIND_PAGES: readonly KindPage[] = [
  page('topic', 'A topic', '/topics/harness-plugin', topicPage),
  page('search', 'A search', '/search?q=harness&type=repositories', searchPage),
  page('user repositories', 'Repositories of a person', '/wren-abbot?tab=repositories', userRepositoriesPage),
  page(
    'user repositories',
    'Repositories of a person, drawn by React',
    '/wren-abbot?page=2&tab=repositories',
    mixedListPage,
  ),
  page('organization', 'Repositories of an organization', '/orgs/lanternworks/repositories', organizationPage),
  page('organization', 'Your own repositories', '/repos', ownRepositoriesPage),
  page('stars', 'Stars of a person', '/wren-abbot?tab=stars', starsPage),
  page('stars', 'Stars of a person, drawn by React', '/wren-abbot?page=2&tab=stars', mixedListPage),
  page('stars', 'A list of stars', '/stars/wren-abbot/lists/harness-plugins', starListPage),
  page('trending', 'Trending repositories', '/trending', trendingPage),
  page('trending', 'Trending developers', '/trending/developers', trendingDevelopersPage),
  page('explore', 'Explore', '/explore', explorePage),
  page('feed', 'The feed', '/', feedPage),
  page('dependents', 'Dependents of a repository', '/lanternworks/harness/network/dependents', dependentsPage),
  page('forks', 'Forks of a repository', '/lanternworks/harness/forks', forksPage),
  page('forks', 'Forks of a repository, as a tree', '/lanternworks/harness/network/members', networkPage),
  page('profile', 'The profile of an organization', '/lanternworks', profilePage),
  page('text', 'A repository and its README', '/lanternworks/harness', repositoryPage),
  page('text', 'An issue', '/lanternworks/harness/issues/12', issuePage),
  page('text', 'Releases', '/lanternworks/harness/releases', releasesPage),
  page('text', 'A gist', 'https://gist.github.com/wren-abbot/0123456789abcdef', gistPage),
]

/** Path and query of a page, for a host of our own. */
export function pathOf({ url }: KindPage): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
