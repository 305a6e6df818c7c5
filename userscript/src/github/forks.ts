import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** The forks of a repository: the list there is now, and the tree there was. */
export const forks: PageKind = {
  name: 'forks',
  applies: (page) => isAt(page, '*/*/forks', '*/*/network/members'),
  // The head of the page names repositories too, but not in a row.
  selector: 'main :is(li, .Box-row) a[data-hovercard-type=repository], #network .repo a:last-of-type',
  reads: 'list',
}

export const forksExamples: PageExamples = {
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
  links: (rows) => rows,
}
