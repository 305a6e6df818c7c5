import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'
import { REACT_LIST_TITLE } from './react-list.ts'

/** The repositories of an organisation, and one's own at /repos: lists drawn by React. */
export const organization: PageKind = {
  name: 'organization',
  applies: (page) => isAt(page, 'orgs/*/repositories', 'repos', 'repos/*'),
  selector: REACT_LIST_TITLE,
  reads: 'list',
}

export const organizationExamples: PageExamples = {
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
  links: (rows) => rows,
}
