import * as v from 'valibot'
import { FullNameSchema, LIMITS, PAGE_SIZE, VERDICTS } from '../contract/index.ts'
import { DirectoryError } from './errors.ts'
import type { PluginsQuery } from './types.ts'

const { queryLength } = LIMITS
const pageSizeRule = `a whole number from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}`
const pageRule = 'a whole number from 1'
const wholeNumber = (min: number, max: number, rule: string) =>
  v.pipe(v.number(rule), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule))

const QuerySchema = v.strictObject({
  q: v.optional(v.pipe(v.string('text'), v.maxLength(queryLength, `at most ${queryLength} characters`))),
  category: v.optional(v.pipe(v.string('text'), v.nonEmpty('a category id'), v.maxLength(100, 'a category id'))),
  limit: v.optional(wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, pageSizeRule)),
  installCheck: v.optional(v.picklist(VERDICTS, `one of ${VERDICTS.join(', ')}`)),
  page: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, pageRule)),
})

/** @throws DirectoryError of kind `invalid`, whose message names the argument and its rule */
export function validateQuery(query: PluginsQuery, baseUrl: string): void {
  check(QuerySchema, query, baseUrl)
}

/** @throws DirectoryError of kind `invalid` when `fullName` is not `owner/repo` or `owner/repo#sub/path` */
export function validateFullName(fullName: string, baseUrl: string): void {
  check(v.object({ fullName: FullNameSchema }), { fullName }, baseUrl)
}

function check(schema: v.GenericSchema, value: unknown, url: string): void {
  const result = v.safeParse(schema, value)
  if (result.success) return
  const [issue] = result.issues
  const name = v.getDotPath(issue) ?? 'query'
  const expected = issue.type === 'strict_object' ? 'no argument of this call' : issue.message
  throw new DirectoryError(`Nothing was sent: ${name} must be ${expected}, not ${issue.received}.`, {
    kind: 'invalid',
    url,
  })
}

/**
 * Returns the directory's address without a trailing slash.
 *
 * @throws DirectoryError of kind `invalid` when it is not a plain http or https address
 */
export function validateBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    const message = `The API address must be an http or https address without user, query or hash, not ${JSON.stringify(baseUrl)}.`
    throw new DirectoryError(message, { kind: 'invalid', url: String(baseUrl) })
  }
  return url.href.replace(/\/+$/, '')
}
