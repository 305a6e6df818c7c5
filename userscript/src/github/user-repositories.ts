import { isOwnerPage } from './address.ts'
import type { PageExamples, PageKind } from './kind.ts'
import { REACT_LIST_TITLE } from './react-list.ts'

/** The repositories of a person, or of an organisation seen the old way. */
export const userRepositories: PageKind = {
  name: 'user repositories',
  applies: (page) => isOwnerPage(page) && page.parameter('tab') === 'repositories',
  selector: `#user-repositories-list a[itemprop~=codeRepository], ${REACT_LIST_TITLE}`,
  reads: 'list',
}

export const userRepositoriesExamples: PageExamples = {
  paths: [
    '/lanternworks?tab=repositories',
    '/wren-abbot?tab=repositories&q=&type=source&language=&sort=name',
    '/wren-abbot/?page=2&tab=repositories',
  ],
  otherPaths: [
    '/?tab=repositories',
    '/explore?tab=repositories',
    '/lanternworks?tab=followers',
    '/a/b?tab=repositories',
  ],
  links: (rows) => rows,
}
