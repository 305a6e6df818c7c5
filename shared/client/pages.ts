import { WHOLE_PAGE } from './address.ts'
import { DirectoryError } from './error.ts'
import type { CallOptions, DirectoryClient, PluginsPage, PluginsQuery } from './types.ts'

/** Far more than a catalogue has; a server that never ends is told from one that is large. */
const MOST_PAGES = 5_000

/**
 * The pages of one query, each row once, up to the first empty page. One request is in flight at a time.
 *
 * A server that ignores `page` sends the same rows again and again: a page that brings nothing new is the last.
 */
export async function* pagesOf(
  client: Pick<DirectoryClient, 'plugins' | 'baseUrl'>,
  query: Omit<PluginsQuery, 'limit' | 'page'>,
  options: CallOptions,
): AsyncGenerator<PluginsPage, void, undefined> {
  const seen = new Set<string>()
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await client.plugins({ ...query, limit: WHOLE_PAGE, page }, options)
    if (answer.received === 0) return
    const fresh = answer.records.filter(({ fullName }) => {
      const key = fullName.toLowerCase()
      return !seen.has(key) && seen.add(key)
    })
    if (fresh.length === 0 && answer.records.length > 0) return
    yield { ...answer, records: fresh }
  }
  throw new DirectoryError(`${client.baseUrl} sent ${MOST_PAGES} pages without an end. Narrow the query.`, {
    kind: 'invalid',
    url: client.baseUrl,
  })
}
