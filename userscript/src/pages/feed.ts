import type { PageExamples, PageKind } from './kind.ts'

/** The feed on the first page of a person who is logged in, and an organisation's. */
export const feed: PageKind = {
  name: 'feed',
  applies: ({ pathname }) => /^\/(|(orgs\/[^/]+\/)?dashboard|dashboard-feed|feed)\/?$/.test(pathname),
  selector: '.js-feed-item-component h3 > .Link--primary',
  reads: 'list',
}

export const feedExamples: PageExamples = {
  paths: ['/', '/dashboard', '/orgs/lanternworks/dashboard', '/dashboard-feed', '/feed/'],
  otherPaths: ['/lanternworks/dashboard', '/orgs/lanternworks', '/feeds'],
  links: (rows) => rows,
}
