/**
 * `/plugins/<slug>`: the listing's full name in lower-case ASCII letters and digits, with hyphens for all else, as the
 * live directory makes it (seen in its index, 2026-08).
 */
const LISTING_PATH = /^\/plugins\/[a-z0-9]+(?:-+[a-z0-9]+)*$/
const SLUG_MAX = 200

/**
 * The address of a listing's page, on the directory's own site.
 *
 * @param site `site` of the index: an http or https address, perhaps with a path prefix
 * @param path `path` of a row, `/plugins/<slug>`
 * @returns an address of the same origin, or null when there is none. Total: never throws.
 */
export function listingLink(site: unknown, path: unknown): string | null {
  if (typeof site !== 'string' || typeof path !== 'string') return null
  if (path.length > '/plugins/'.length + SLUG_MAX || !LISTING_PATH.test(path)) return null
  try {
    const { protocol, origin, pathname } = new URL(site)
    return /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/$/, '')}${path}` : null
  } catch {
    return null
  }
}
