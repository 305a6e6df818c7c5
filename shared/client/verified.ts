import type { PluginRecord } from '../contract/index.ts'
import { WHOLE_PAGE } from './address.ts'
import { pagesOf } from './pages.ts'
import type { CallOptions, DirectoryClient, PluginsQuery, VerifiedPlugin } from './types.ts'

type Query = Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>

/**
 * Lists what is known to have passed its install check.
 *
 * The filter of a server proves nothing by itself, for a server may ignore it. A record's own verdict decides; where
 * records carry none, the server is asked once for `failed`: rows that are in both answers show that it does not
 * filter, and then nothing is verified.
 */
export function createVerified(client: Pick<DirectoryClient, 'plugins' | 'baseUrl'>) {
  let honoured: boolean | undefined
  let recordsCarryVerdicts = false

  async function serverFilters(query: Query, passed: readonly PluginRecord[], options: CallOptions): Promise<boolean> {
    const probe = await client.plugins({ ...query, installCheck: 'failed', limit: WHOLE_PAGE }, options)
    const names = new Set(passed.map(({ fullName }) => fullName.toLowerCase()))
    const shared = probe.records.some(({ fullName }) => names.has(fullName.toLowerCase()))
    // Rows that did not parse cannot be compared, and what was not compared is not verified.
    return !shared && probe.records.length === probe.received
  }

  return async function* verifiedPlugins(
    query: Query = {},
    options: CallOptions = {},
  ): AsyncGenerator<VerifiedPlugin, void, undefined> {
    for await (const { records } of pagesOf(client, { ...query, installCheck: 'passed' }, options)) {
      recordsCarryVerdicts ||= records.some((record) => record.installCheck !== undefined)
      if (!recordsCarryVerdicts && records.length > 0) honoured ??= await serverFilters(query, records, options)
      for (const record of records) {
        if (record.installCheck === 'passed') yield { record, by: 'record' }
        else if (record.installCheck === undefined && !recordsCarryVerdicts && honoured)
          yield { record, by: 'server-filter' }
      }
    }
  }
}
