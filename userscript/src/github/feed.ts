import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** The feed on the first page of a person who is logged in, and an organisation's. */
export const feed: PageKind = {
  name: 'feed',
  applies: (page) => isAt(page, '', 'dashboard', 'orgs/*/dashboard', 'dashboard-feed', 'feed'),
  selector: '.js-feed-item-component h3 > .Link--primary',
  reads: 'list',
}

export const feedExamples: PageExamples = {
  paths: ['/', '/dashboard', '/orgs/lanternworks/dashboard', '/dashboard-feed', '/feed/'],
  otherPaths: ['/lanternworks/dashboard', '/orgs/lanternworks', '/feeds'],
  links: (rows) => rows,
}
