/** Calls that read several pages of the plugins endpoint. */
import { LIMITS, listingKey, nameParts, type PluginRecord } from '../contract/index.ts'
import { DirectoryError } from './errors.ts'
import type { CallOptions, DirectoryClient, PluginsPage, PluginsQuery, VerifiedPlugin } from './types.ts'

/** The largest page that is right on every server. */
const PAGE_LIMIT = LIMITS.safePageSizes[2]
/** Far more pages than a catalogue has, so that a server with endless pages is not read forever. */
const MAX_PAGES = 5_000
/** Pages read for each query of `findPlugin`. */
const MAX_PAGES_TO_FIND = 2

type Endpoint = Pick<DirectoryClient, 'plugins' | 'baseUrl'>

/**
 * Yields the pages of a query, each row once, up to the first empty page, with one request in flight at a time. Also
 * ends at a page without new rows, because a server that ignores `page` repeats the first one.
 *
 * @throws DirectoryError
 */
export async function* pagesOf(
  client: Endpoint,
  query: Omit<PluginsQuery, 'limit' | 'page'>,
  options: CallOptions,
): AsyncGenerator<PluginsPage, void, undefined> {
  const seen = new Set<string>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const response = await client.plugins({ ...query, limit: PAGE_LIMIT, page }, options)
    if (response.received === 0) return
    const records = response.records.filter(({ fullName }) => {
      const key = listingKey(fullName)
      return !seen.has(key) && seen.add(key)
    })
    if (records.length === 0 && response.records.length > 0) return
    yield { ...response, records }
  }
  const message = `${client.baseUrl} sent ${MAX_PAGES} pages without an end. Narrow the query.`
  throw new DirectoryError(message, { kind: 'invalid', url: client.baseUrl })
}

/**
 * Finds one listing by its name; names are equal when their listing keys are. The contract has no such endpoint, and the first hit of a search may
 * only mention the name. So this searches the full name, then the repository's, and compares every hit.
 *
 * @returns null when none of the hits has this name
 * @throws DirectoryError
 */
export async function findPlugin(
  client: Pick<DirectoryClient, 'plugins'>,
  fullName: string,
  options: CallOptions,
): Promise<PluginRecord | null> {
  const key = listingKey(fullName)
  for (const q of [fullName, nameParts(fullName).repo]) {
    if (q.length > LIMITS.queryLength) continue
    for (let page = 1; page <= MAX_PAGES_TO_FIND; page++) {
      const { records, received, total } = await client.plugins({ q, limit: PAGE_LIMIT, page }, options)
      const found = records.find((record) => listingKey(record.fullName) === key)
      if (found) return found
      if (received === 0 || (total !== null && total <= page * PAGE_LIMIT)) break
    }
  }
  return null
}

/**
 * Returns the client's `verifiedPlugins`.
 *
 * A server may ignore the filter `installCheck`, so a record's own verdict decides. When records carry none, the first
 * call also asks the server for `failed`: if a row is in both responses, the server does not filter, and nothing counts
 * as verified.
 */
export function createVerifiedPlugins(client: Endpoint): DirectoryClient['verifiedPlugins'] {
  let filterWorks: boolean | undefined
  let recordsCarryVerdicts = false

  async function probeFilter(
    query: Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>,
    passed: readonly PluginRecord[],
    options: CallOptions,
  ): Promise<boolean> {
    const failed = await client.plugins({ ...query, installCheck: 'failed', limit: PAGE_LIMIT }, options)
    const names = new Set(passed.map(({ fullName }) => listingKey(fullName)))
    const overlap = failed.records.some(({ fullName }) => names.has(listingKey(fullName)))
    // Rows that break the contract cannot be compared.
    return !overlap && failed.records.length === failed.received
  }

  return async function* (query = {}, options = {}): AsyncGenerator<VerifiedPlugin, void, undefined> {
    for await (const { records } of pagesOf(client, { ...query, installCheck: 'passed' }, options)) {
      recordsCarryVerdicts ||= records.some((record) => record.installCheck !== undefined)
      if (!recordsCarryVerdicts && records.length > 0) filterWorks ??= await probeFilter(query, records, options)
      for (const record of records) {
        if (record.installCheck === 'passed') yield { record, by: 'record' }
        else if (record.installCheck === undefined && !recordsCarryVerdicts && filterWorks)
          yield { record, by: 'server-filter' }
      }
    }
  }
}
