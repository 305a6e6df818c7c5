import { isAt, isOwnerPage } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'
import { REACT_LIST_TITLE } from './react-list.ts'

/** What somebody starred, and the lists they made of it. */
export const stars: PageKind = {
  name: 'stars',
  applies: (page) =>
    isAt(page, 'stars', 'stars/*', 'stars/*/repositories', 'stars/*/lists/*') ||
    (isOwnerPage(page) && page.parameter('tab') === 'stars'),
  selector: `:is(#user-starred-repos, #user-list-repositories) :is(h2, h3) a, ${REACT_LIST_TITLE}`,
  reads: 'list',
}

export const starsExamples: PageExamples = {
  paths: [
    '/wren-abbot?tab=stars',
    '/wren-abbot?direction=desc&sort=updated&tab=stars',
    '/stars',
    '/stars/wren-abbot',
    '/stars/wren-abbot/repositories?filter=all',
    '/stars/wren-abbot/lists/harness-plugins/',
  ],
  otherPaths: ['/wren-abbot?tab=followers', '/stars/wren-abbot/topics', '/explore?tab=stars', '/wren-abbot/stars'],
  links: (rows) => rows,
}
