import { REPOSITORY_PAGES } from '../settings/settings.ts'
import type { Address } from './address.ts'
import { dependents } from './dependents.ts'
import { explore } from './explore.ts'
import { feed } from './feed.ts'
import { forks } from './forks.ts'
import type { PageKind } from './kind.ts'
import { organization } from './organization.ts'
import { profile } from './profile.ts'
import { search } from './search.ts'
import { stars } from './stars.ts'
import { text } from './text.ts'
import { topic } from './topic.ts'
import { trending } from './trending.ts'
import { userRepositories } from './user-repositories.ts'

/** Every kind of page that is marked. Lists below a repository come before `text`, which has all that is left there. */
export const PAGE_KINDS: readonly PageKind[] = [
  topic,
  search,
  userRepositories,
  organization,
  stars,
  trending,
  explore,
  feed,
  dependents,
  forks,
  profile,
  text,
]

/** What can be switched off by itself. */
export const PAGE_NAMES: readonly string[] = [...PAGE_KINDS.map(({ name }) => name), REPOSITORY_PAGES]

/** Whether nothing is left on, which is as good as a pause, and needs a way back as one does. */
export const isAllOff = (pagesOff: readonly string[]): boolean => PAGE_NAMES.every((name) => pagesOff.includes(name))

/** The kind of a page, or null where nothing is marked. */
export function pageKind(page: Address): PageKind | null {
  // Gists are on a host of their own, whose other pages have the paths of lists.
  const kinds = page.hostname.startsWith('gist.') ? [text] : PAGE_KINDS
  return kinds.find((kind) => kind.applies(page)) ?? null
}
