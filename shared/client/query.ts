import * as v from 'valibot'
import { FullNameSchema, LIMITS, VERDICTS } from '../contract/index.ts'
import { DirectoryError } from './error.ts'
import type { PluginsQuery } from './types.ts'

/** The largest page that is right on every server. */
export const WHOLE_PAGE = LIMITS.safePageSizes[2]

/** Page size when the caller names none: the smallest that is right on every server. */
const DEFAULT_PAGE_SIZE = LIMITS.safePageSizes[0]

const { pageSize, queryLength } = LIMITS
const pageSizeRule = `a whole number from ${pageSize.min} to ${pageSize.max}`
const pageRule = 'a whole number from 1'
const wholeNumber = (min: number, max: number, rule: string) =>
  v.pipe(v.number(rule), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule))

const QuerySchema = v.strictObject({
  q: v.optional(v.pipe(v.string('text'), v.maxLength(queryLength, `at most ${queryLength} characters`))),
  category: v.optional(v.pipe(v.string('text'), v.nonEmpty('a category id'), v.maxLength(100, 'a category id'))),
  limit: v.optional(wholeNumber(pageSize.min, pageSize.max, pageSizeRule)),
  installCheck: v.optional(v.picklist(VERDICTS, `one of ${VERDICTS.join(', ')}`)),
  page: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, pageRule)),
})

/**
 * The query part of a plugins address.
 * @throws DirectoryError of kind `invalid` that names the argument and its rule
 */
export function pluginsSearch(query: PluginsQuery, baseUrl: string): string {
  const checked = check(QuerySchema, query, baseUrl)
  const search = new URLSearchParams()
  if (checked.q) search.set('q', checked.q)
  if (checked.category) search.set('category', checked.category)
  search.set('limit', String(checked.limit ?? DEFAULT_PAGE_SIZE))
  if (checked.installCheck) search.set('installCheck', checked.installCheck)
  search.set('page', String(checked.page ?? 1))
  return search.toString()
}

/** @throws DirectoryError of kind `invalid` when `fullName` is not `owner/repo` or `owner/repo#sub/path` */
export function checkFullName(fullName: string, baseUrl: string): string {
  return check(v.object({ fullName: FullNameSchema }), { fullName }, baseUrl).fullName
}

function check<T>(schema: v.GenericSchema<unknown, T>, value: unknown, url: string): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const name = v.getDotPath(issue) ?? 'query'
  const expected = issue.type === 'strict_object' ? 'no argument of this call' : issue.message
  throw new DirectoryError(`Nothing was sent: ${name} must be ${expected}, not ${issue.received}.`, {
    kind: 'invalid',
    url,
  })
}

/**
 * The directory's address without a trailing slash.
 * @throws DirectoryError of kind `invalid` when it is not a plain http or https address
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    const message = `The API address must be an http or https address without user, query or hash, not ${JSON.stringify(baseUrl)}.`
    throw new DirectoryError(message, { kind: 'invalid', url: String(baseUrl) })
  }
  return url.href.replace(/\/+$/, '')
}
