import { LIMITS, nameParts, type PluginRecord } from '../contract/index.ts'
import { WHOLE_PAGE } from './address.ts'
import type { CallOptions, DirectoryClient } from './types.ts'

const PAGES_A_QUERY = 2

/**
 * Finds one listing by its exact name. The contract has no such endpoint, and the first hit of a search is any listing
 * that mentions the name: so the full name is searched first, then the repository's, and every hit is compared.
 */
export async function findPlugin(
  client: Pick<DirectoryClient, 'plugins'>,
  fullName: string,
  options: CallOptions,
): Promise<PluginRecord | null> {
  const wanted = fullName.toLowerCase()
  for (const q of [fullName, nameParts(fullName).repo]) {
    if (q.length > LIMITS.queryLength) continue
    for (let page = 1; page <= PAGES_A_QUERY; page++) {
      const { records, received, total } = await client.plugins({ q, limit: WHOLE_PAGE, page }, options)
      const found = records.find((record) => record.fullName.toLowerCase() === wanted)
      if (found) return found
      if (received === 0 || (total !== null && total <= page * WHOLE_PAGE)) break
    }
  }
  return null
}
