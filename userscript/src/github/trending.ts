import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** Trending repositories, and trending developers with the repository each is known for. */
export const trending: PageKind = {
  name: 'trending',
  applies: (page) => isAt(page, 'trending', 'trending/*', 'trending/*/*'),
  // A developer's own name is a heading of the same level; it has another class.
  selector: 'article.Box-row :is(h2, h1.h4) a',
  reads: 'list',
}

export const trendingExamples: PageExamples = {
  paths: ['/trending', '/trending/typescript?since=weekly', '/trending/developers', '/trending/developers/c++/'],
  otherPaths: [
    '/lanternworks/trending',
    '/trends',
    '/trending-topics',
    '/trending/developers/c++/feed',
    '/topics/trending',
  ],
  links: (rows) => rows,
}
