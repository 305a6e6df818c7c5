import { repositoryKey } from '@plugmark/shared/contract'
import { isReserved } from './reserved.ts'

/** Owner: letters, digits, hyphens, and the underscore of managed accounts. Repository: what the code host allows. */
const REPOSITORY_PATH = /^\/([a-z\d][a-z\d_-]{0,99})\/([\w.-]{1,100})\/?$/i

/**
 * The repository a link of a list leads to.
 *
 * @param href address of the link, absolute
 * @param origin origin of the code host
 * @returns the folded `owner/repo`, or null when the link leads anywhere else: a page below a repository, an owner, one
 * of the host's own pages, another site
 */
export function repositoryOfLink(href: string, origin: string): string | null {
  const url = URL.canParse(href) ? new URL(href) : null
  if (url?.origin !== origin) return null
  const [, owner, name] = REPOSITORY_PATH.exec(url.pathname) ?? []
  if (owner === undefined || name === undefined || isReserved(owner)) return null
  const repo = name.replace(/\.git$/i, '')
  return /^\.{0,2}$/.test(repo) ? null : repositoryKey(`${owner}/${repo}`)
}
