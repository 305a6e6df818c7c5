import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** Repository search. Without a type the code host shows repositories. */
export const search: PageKind = {
  name: 'search',
  applies: (page) =>
    isAt(page, 'search') && (page.parameter('type') || 'repositories').toLowerCase() === 'repositories',
  selector: '[data-testid="results-list"] .search-title a',
  reads: 'list',
}

export const searchExamples: PageExamples = {
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
  links: (rows) => rows,
}
