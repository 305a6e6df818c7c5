/**
 * The address of a listing's page, on the directory's own site.
 *
 * @param site `site` of the index: an http or https address, perhaps with a path prefix
 * @param path `path` of a row, `/plugins/<slug>`
 * @returns an address of the same origin, or null when there is none. Total: never throws.
 */
export function listingLink(site: unknown, path: unknown): string | null {
  if (typeof site !== 'string' || typeof path !== 'string') return null
  try {
    const base = new URL(site)
    if (!/^https?:$/.test(base.protocol) || !path.startsWith('/')) return null
    // The slash ends the authority, so what follows cannot name another host.
    return new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`).href
  } catch {
    return null
  }
}
