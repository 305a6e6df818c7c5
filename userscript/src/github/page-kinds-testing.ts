/** Test support: addresses of each kind of page. */
import type { PageName } from './page-kinds.ts'

/** Examples that tie a page kind to addresses of the code host, and to our own page of that kind. */
export interface PageExamples {
  /** Paths that the kind matches; a path that is not on the code host's main site is a whole address. */
  readonly paths: readonly string[]
  /** Paths of similar pages that it must not match. */
  readonly otherPaths: readonly string[]
  /** Links to each repository on our page of that kind. @default 1 */
  readonly linksPerRow?: number
}

export const PAGE_EXAMPLES: Readonly<Record<PageName, PageExamples>> = {
  package: {
    paths: [
      'https://packages.example/package/dsh-plugin-tide-table',
      'https://packages.example/package/@lanternworks/kit/v/1.2.0',
      'https://packages.example/package/@lanternworks/kit/?activeTab=readme',
    ],
    otherPaths: [
      'https://packages.example/package',
      'https://packages.example/',
      'https://packages.example/search?q=dsh',
      'https://packages.example/~lanternworks',
    ],
  },
  topic: {
    paths: [
      '/topics/harness-plugin',
      '/topics/agents?l=typescript',
      '/topics/agents?o=desc&s=updated',
      '/topics/agents/',
    ],
    otherPaths: [
      '/topics',
      '/topics/',
      '/topics/agents/feed',
      '/lanternworks/topics',
      '/lanternworks/topics/agents',
      '/',
    ],
  },
  search: {
    paths: [
      '/search?q=harness',
      '/search?q=harness&type=repositories',
      '/search?q=harness&type=',
      '/search/?type=Repositories&q=x&p=2',
    ],
    otherPaths: [
      '/search?q=harness&type=issues',
      '/search?q=harness&type=users',
      '/search/advanced',
      '/lanternworks/search',
    ],
  },
  'user repositories': {
    paths: [
      '/lanternworks?tab=repositories',
      '/wren-abbot?tab=repositories&q=&type=source&language=&sort=name',
      '/wren-abbot/?page=2&tab=repositories',
    ],
    otherPaths: [
      '/?tab=repositories',
      '/explore?tab=repositories',
      '/lanternworks?tab=followers',
      '/a/b?tab=repositories',
    ],
  },
  organization: {
    paths: [
      '/orgs/lanternworks/repositories',
      '/orgs/lanternworks/repositories?q=harness&type=all',
      '/repos',
      '/repos/forks/',
    ],
    otherPaths: [
      '/orgs/lanternworks/people',
      '/orgs/lanternworks',
      '/lanternworks/repos',
      '/orgs/lanternworks/teams/a/repositories',
      '/orgs/lanternworks/repositories/new',
    ],
  },
  stars: {
    paths: [
      '/wren-abbot?tab=stars',
      '/wren-abbot?direction=desc&sort=updated&tab=stars',
      '/stars',
      '/stars/wren-abbot',
      '/stars/wren-abbot/repositories?filter=all',
      '/stars/wren-abbot/lists/harness-plugins/',
    ],
    otherPaths: ['/wren-abbot?tab=followers', '/stars/wren-abbot/topics', '/explore?tab=stars', '/wren-abbot/stars'],
  },
  trending: {
    paths: ['/trending', '/trending/typescript?since=weekly', '/trending/developers', '/trending/developers/c++/'],
    otherPaths: [
      '/lanternworks/trending',
      '/trends',
      '/trending-topics',
      '/trending/developers/c++/feed',
      '/topics/trending',
    ],
  },
  explore: {
    paths: ['/explore', '/explore/', '/explore/email?since=daily'],
    otherPaths: ['/lanternworks/explore', '/marketplace', '/explored', '/explore/email/preferences'],
  },
  feed: {
    paths: ['/', '/dashboard', '/orgs/lanternworks/dashboard', '/dashboard-feed', '/feed/'],
    otherPaths: ['/lanternworks/dashboard', '/orgs/lanternworks', '/feeds'],
  },
  collection: {
    paths: ['/collections/harness-tools', '/collections/harness-tools/'],
    otherPaths: ['/collections', '/lanternworks/collections', '/collections/a/b'],
  },
  'code search': {
    paths: ['/search?q=harness&type=code', '/search?type=Code&q=x&p=2'],
    otherPaths: [
      '/search?q=harness&type=codes',
      '/search/advanced?type=code',
      '/lanternworks/harness/search?type=code',
    ],
  },
  dashboard: {
    paths: ['/issues', '/pulls', '/issues/assigned', '/pulls/mentioned?q=is%3Aopen'],
    otherPaths: ['/lanternworks/harness/issues', '/lanternworks/pulls', '/pulls/a/b'],
  },
  dependencies: {
    paths: ['/lanternworks/harness/network/dependencies', '/lanternworks/harness/network/dependencies/?q=dsh'],
    otherPaths: [
      '/lanternworks/harness/network',
      '/lanternworks/harness/network/dependencies/a',
      '/network/dependencies',
    ],
  },
  dependents: {
    paths: [
      '/lanternworks/harness/network/dependents',
      '/lanternworks/harness/network/dependents/?dependent_type=PACKAGE&package_id=UGFj',
    ],
    otherPaths: [
      '/lanternworks/harness/network/dependents/feed',
      '/lanternworks/harness/network/dependencies',
      '/lanternworks/harness/network',
      '/network/dependents',
    ],
  },
  forks: {
    paths: [
      '/lanternworks/harness/forks',
      '/lanternworks/harness/forks?include=active&page=1&period=2y&sort_by=stargazer_counts',
      '/lanternworks/harness/network/members/',
    ],
    otherPaths: [
      '/lanternworks/forks',
      '/lanternworks/harness/forks/new',
      '/lanternworks/harness/fork',
      '/lanternworks/harness/network',
    ],
  },
  profile: {
    paths: ['/lanternworks', '/lanternworks/', '/wren-abbot?tab=overview&from=2026-01-01'],
    otherPaths: ['/', '/lanternworks?tab=people', '/explore', '/new', '/lanternworks/harness'],
    linksPerRow: 2,
  },
  text: {
    paths: [
      '/lanternworks/harness',
      '/lanternworks/harness/blob/main/new/settings/plugins.md',
      '/lanternworks/harness/news',
      '/lanternworks/harness/issues/12',
      '/lanternworks/harness/pull/3',
      '/lanternworks/harness/discussions/4',
      '/lanternworks/harness/releases',
      '/lanternworks/harness/wiki/Plugins',
      '/orgs/lanternworks/discussions/7/',
      'https://gist.github.com/wren-abbot/0123456789abcdef',
    ],
    otherPaths: [
      '/lanternworks',
      '/lanternworks/',
      '/settings/profile',
      '/orgs/lanternworks/people',
      '/orgs/lanternworks/discussions/categories',
      '/login/orgs/lanternworks/discussions/7',
      '/lanternworks/harness/edit/main/README.md',
      '/lanternworks/harness/settings',
      '/lanternworks/harness/new/main',
      '/lanternworks/harness/delete/main/README.md',
      '/lanternworks/harness/upload/main',
      '/features/actions',
    ],
  },
}
