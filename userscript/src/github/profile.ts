import { isOwnerPage } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** The front of a person or an organisation: pinned repositories, the organisation's latest, a README. */
export const profile: PageKind = {
  name: 'profile',
  applies: (page) => isOwnerPage(page) && ['overview', null].includes(page.parameter('tab')),
  selector:
    '.pinned-item-list-item-content a:has(> .repo), #org-repositories a[itemprop~=codeRepository], .markdown-body a:not([href^="#"])',
  reads: 'text',
}

export const profileExamples: PageExamples = {
  paths: ['/lanternworks', '/lanternworks/', '/wren-abbot?tab=overview&from=2026-01-01'],
  otherPaths: ['/', '/lanternworks?tab=people', '/explore', '/new', '/lanternworks/harness'],
  links: (rows) => 2 * rows,
}
