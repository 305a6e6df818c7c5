/** Returns the page of a repository's release notes; null where the code host has none by that address. */
export function releasesOf(repoUrl: string | null): string | null {
  const url = repoUrl === null ? null : URL.parse(repoUrl)
  return url?.hostname === 'github.com' && /^\/[^/]+\/[^/]+\/?$/.test(url.pathname)
    ? `${url.origin}${url.pathname.replace(/\/$/, '')}/releases`
    : null
}
