const MAX_REPORTS = 50

/** A problem that did not stop the script. */
export interface Report {
  /** ms since the page began */
  readonly at: number
  /** The operation that failed, in words of this script. */
  readonly where: string
  readonly error: string
}

const reports: Report[] = []

/**
 * Records a problem after which the script continues. Writes nothing to the console: on another site's page, that would be
 * mistaken for an error of the page's own.
 *
 * @param where names the operation, without any content of the page
 */
export function report(where: string, error: unknown): void {
  reports.push({ at: Math.round(performance.now()), where, error: withoutNames(String(error)) })
  if (reports.length > MAX_REPORTS) reports.shift()
}

/** @returns a handler for a promise whose failure makes no difference to the user */
export const reportAs = (where: string) => (error: unknown) => report(where, error)

/** Returns the last reports, the oldest first. */
export const lastReports = (): readonly Report[] => [...reports]

/** Removes words that may reveal where the user was: addresses, and names with a slash or an at sign in them. */
const withoutNames = (text: string): string => text.replace(/\S*[/@\\]\S*/g, '…').slice(0, 300)
