import { isReserved } from '../marking/reserved.ts'

const OWNER_PAGE = /^\/([^/]+)\/?$/
const REPOSITORY_PAGE = /^\/([^/]+)\/[^/]+/

const hasOwner = (pattern: RegExp, { pathname }: URL): boolean => {
  const owner = pattern.exec(pathname)?.[1]
  return owner !== undefined && !isReserved(owner)
}

/** Whether the page is the front of a person or an organisation, whatever tab of it. */
export const isOwnerPage = (url: URL): boolean => hasOwner(OWNER_PAGE, url)

/** Whether the page is a repository's, or any page below it. */
export const isRepositoryPage = (url: URL): boolean => hasOwner(REPOSITORY_PAGE, url)
