/**
 * `/plugins/<slug>`, where the slug is the full name of the listing in lower-case ASCII letters and digits, with hyphens
 * for all other characters (seen in the index of the live directory, 2026-08).
 */
const LISTING_PATH = /^\/plugins\/[a-z0-9]+(?:-+[a-z0-9]+)*$/
const SLUG_MAX = 200

/**
 * Returns the URL of a listing's page on the directory's site.
 *
 * @param site `site` of the index: an http or https URL, perhaps with a path
 * @param path `path` of a row, `/plugins/<slug>`
 * @returns a URL of the same origin, or null when either is not valid; never throws
 */
export function listingUrl(site: unknown, path: unknown): string | null {
  if (typeof site !== 'string' || typeof path !== 'string') return null
  if (path.length > '/plugins/'.length + SLUG_MAX || !LISTING_PATH.test(path)) return null
  try {
    const { protocol, origin, pathname } = new URL(site)
    return /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/$/, '')}${path}` : null
  } catch {
    return null
  }
}
