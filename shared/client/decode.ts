import * as v from 'valibot'
import {
  type IndexDocument,
  IndexDocumentSchema,
  type PluginRecord,
  PluginRecordSchema,
  WholeNumberSchema,
} from '../contract/index.ts'
import { DirectoryError } from './error.ts'
import type { PluginsPage, Rejection } from './types.ts'

/**
 * Reads an answer of the plugins endpoint: `{results, total?, count?}`, or a bare array of rows. A row that does not
 * parse is reported and dropped; the rest of the page lives.
 *
 * @throws DirectoryError of kind `invalid` when the answer is neither
 */
export function decodePlugins(body: unknown, url: string, onRejected: (rejection: Rejection) => void): PluginsPage {
  const { results, total } = Array.isArray(body) ? { results: body, total: null } : envelope(body)
  if (!Array.isArray(results)) throw notTheContract(url, 'neither an array nor an object with an array called results')
  const records: PluginRecord[] = []
  for (const [index, row] of results.entries()) {
    const parsed = v.safeParse(PluginRecordSchema, row)
    if (parsed.success) records.push(parsed.output)
    else onRejected({ url, index, reason: explain(parsed.issues[0]) })
  }
  return { records, total: v.is(WholeNumberSchema, total) ? total : null, received: results.length }
}

function envelope(body: unknown): { results?: unknown; total?: unknown } {
  return typeof body === 'object' && body !== null ? body : {}
}

/** @throws DirectoryError of kind `invalid` when the answer is no index document; its rows are not looked at */
export function decodeIndex(body: unknown, url: string): IndexDocument {
  const parsed = v.safeParse(IndexDocumentSchema, body)
  if (!parsed.success) throw notTheContract(url, `no index document: ${explain(parsed.issues[0])}`)
  return parsed.output
}

const explain = (issue: v.BaseIssue<unknown>): string => `${v.getDotPath(issue) ?? 'row'}: ${issue.message}`

function notTheContract(url: string, what: string): DirectoryError {
  const message = `${url} answered with ${what}. Check that the API address is a plugin directory's.`
  return new DirectoryError(message, { kind: 'invalid', url, status: 200 })
}
