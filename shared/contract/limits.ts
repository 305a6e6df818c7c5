/** Numbers the contract fixes, and the bounds this client sets on what it accepts. Sizes are in bytes, times in ms. */
export const LIMITS = {
  /** Page sizes that are right on every server: the live one snaps to these and then cuts to `limit`. */
  safePageSizes: [24, 48, 96],
  /** Longest `q` a client sends, in UTF-16 units. */
  queryLength: 200,
  /** Longest `fullName` accepted. */
  fullNameLength: 512,
  /** Longest text accepted in any other field; the longest seen on the live service is 1,100 characters. */
  textLength: 20_000,
  /** Largest response body accepted, unless a client is told otherwise. */
  bodyBytes: 8_000_000,
} as const

/** `limit` of `GET /api/v1/plugins`. */
export const PAGE_SIZE = { min: 1, max: 100, default: 20 } as const

/** Fair use: an index copy younger than this is not refreshed. */
export const INDEX_FRESH_MS = 6 * 3_600_000
/** An index copy older than this is refreshed before it is used, when that is possible. */
export const INDEX_EXPIRED_MS = 30 * 24 * 3_600_000
