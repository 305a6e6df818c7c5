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
  /** Where it is on the code host. */
  readonly url: string
  readonly markup: (rows: readonly Row[], options?: PageOptions) => string
}

const page = (kind: string, path: string, markup: KindPage['markup']): KindPage => ({
  kind,
  url: new URL(path, 'https://github.com').href,
  markup,
})

export const KIND_PAGES: readonly KindPage[] = [
  page('topic', '/topics/harness-plugin', topicPage),
  page('search', '/search?q=harness&type=repositories', searchPage),
  page('user repositories', '/wren-abbot?tab=repositories', userRepositoriesPage),
  page('user repositories', '/wren-abbot?page=2&tab=repositories', mixedListPage),
  page('organization', '/orgs/lanternworks/repositories', organizationPage),
  page('organization', '/repos', ownRepositoriesPage),
  page('stars', '/wren-abbot?tab=stars', starsPage),
  page('stars', '/wren-abbot?page=2&tab=stars', mixedListPage),
  page('stars', '/stars/wren-abbot/lists/harness-plugins', starListPage),
  page('trending', '/trending', trendingPage),
  page('trending', '/trending/developers', trendingDevelopersPage),
  page('explore', '/explore', explorePage),
  page('feed', '/', feedPage),
  page('dependents', '/lanternworks/harness/network/dependents', dependentsPage),
  page('forks', '/lanternworks/harness/forks', forksPage),
  page('forks', '/lanternworks/harness/network/members', networkPage),
  page('profile', '/lanternworks', profilePage),
  page('text', '/lanternworks/harness', repositoryPage),
  page('text', '/lanternworks/harness/issues/12', issuePage),
  page('text', '/lanternworks/harness/releases', releasesPage),
  page('text', 'https://gist.github.com/wren-abbot/0123456789abcdef', gistPage),
]

/** Path and query of a page, for a host of our own. */
export function pathOf({ url }: KindPage): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
