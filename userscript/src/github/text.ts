import { isAt, isRepositoryPage } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** Pages below a repository that are forms or lists of their own. */
const FORMS: readonly (string | undefined)[] = ['edit', 'new', 'delete', 'upload', 'settings']

/** What people wrote: READMEs and other files, issues, pull requests, discussions, comments, releases, wikis, gists. */
export const text: PageKind = {
  name: 'text',
  applies: (page) =>
    page.hostname.startsWith('gist.') ||
    (isRepositoryPage(page) && !FORMS.includes(page.path[2])) ||
    (isAt(page, 'orgs/*/discussions/*') && /^\d+$/.test(page.path[3]!)),
  selector: '.markdown-body a:not([href^="#"])',
  reads: 'text',
}

export const textExamples: PageExamples = {
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
  links: (rows) => rows,
}
