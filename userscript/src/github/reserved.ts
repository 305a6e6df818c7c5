/**
 * First path segments under which the code host has pages of its own, so that no owner can have that name and no link
 * below one is a repository.
 *
 * Source: the routes of github.com as of 2026-08; github-reserved-names keeps a longer list.
 */
const SEGMENTS = ` ${[
  'about account advisories api apps assets blog codespaces collections contact copilot',
  'customer-stories dashboard dashboard-feed discussions enterprise enterprises events explore',
  'features feed gist gists github-copilot home issues join login logout marketplace models new',
  'notifications oauth organizations orgs pages pricing projects pulls readme repos resources search',
  'security session sessions settings signup site solutions sponsors stars stargazers support team',
  'teams topics trending users watching',
].join(' ')} `

/** @param segment a path segment, in any case, as an address has it: without a space */
export function isReserved(segment: string): boolean {
  return SEGMENTS.includes(` ${segment.toLowerCase()} `)
}
