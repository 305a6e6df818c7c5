import { isAt } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'

/** The repositories that depend on one. */
export const dependents: PageKind = {
  name: 'dependents',
  applies: (page) => isAt(page, '*/*/network/dependents'),
  selector: '[data-test-id="dg-repo-pkg-dependent"] a[data-hovercard-type="repository"]',
  reads: 'list',
}

export const dependentsExamples: PageExamples = {
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
  links: (rows) => rows,
}
