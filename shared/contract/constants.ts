/** Address of the live directory. Users and builds may set any other server that implements the contract. */
export const BASE_URL = 'https://dshmarketplace.dev'

/** Defaults of other settings. Code takes these as parameters. */
export const DEFAULTS = {
  /** Command-line program of the harness. */
  cli: 'dsh',
  /** Profile in the commands that the API returns. */
  profile: 'web',
} as const

/** `limit` of `GET /api/v1/plugins`. */
export const PAGE_SIZE = { min: 1, max: 100, default: 20 } as const

/** Bounds on what clients send and accept. */
export const LIMITS = {
  /** Page sizes that every server handles correctly: the live one rounds up to these, and then cuts to `limit`. */
  safePageSizes: [24, 48, 96],
  /** Longest `q` that a client sends, in UTF-16 units. */
  queryLength: 200,
  /** Longest `fullName` accepted, in UTF-16 units. */
  fullNameLength: 512,
  /** Longest text accepted in any other field, in UTF-16 units; the longest seen on the live service is 1,100. */
  textLength: 20_000,
  /** Most entries accepted in a list of one record; the longest seen on the live service is 8. */
  listLength: 100,
  /** Largest response body accepted by default, bytes after decompression. */
  bodyBytes: 8_000_000,
} as const

/** Fair use: a cached index younger than this is not refreshed, ms. */
export const INDEX_FRESH_MS = 6 * 3_600_000
/** A cached index older than this is refreshed before it is used, if possible, ms. */
export const INDEX_EXPIRED_MS = 30 * 24 * 3_600_000
