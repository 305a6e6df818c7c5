import type { ListingDetails, StoreListing } from '../../bridge/index.ts'
import type { Connect } from './connect.ts'
import { createDescribing } from './describing.ts'
import { detailsOf } from './details.ts'
import type { Opened } from './reading.ts'
import type { KnownRecord } from './row.ts'
import { keyOf } from './table.ts'

/** Hits that a search asks the directory for: one page. */
const SEARCH_ROWS = 96
/** Records that a search or a look brought are saved together. */
const SAVE_AFTER_MS = 30_000

/** Questions about single listings, which the directory is asked where nothing here answers them. */
export interface Asking {
  /** @throws DirectoryError */
  search(words: string): Promise<StoreListing[]>
  /**
   * Fetches records of these, as far as they are not here.
   * @returns their rows
   * @throws DirectoryError
   */
  describe(ids: readonly string[]): Promise<StoreListing[]>
  /**
   * The record of this id: one that is here, else the directory is asked for it.
   * @throws DirectoryError
   */
  find(id: string): Promise<KnownRecord | null>
  /**
   * Ids of the listings that are published under this name: by the index, else the directory is asked.
   * @throws DirectoryError
   */
  published(name: string): Promise<string[]>
  /** @throws DirectoryError when nothing at all is known of it, and the directory could not be asked */
  details(id: string, profile: string): Promise<ListingDetails | null>
  /** Nothing is saved after this. */
  close(): void
}

export function createAsking(options: {
  readonly connect: Connect
  /** Program that install commands name. */
  readonly cli: string
  readonly now: () => number
  readonly signal: AbortSignal
  readonly opened: Promise<Opened>
  readonly joined: Promise<unknown>
  readonly onChange: () => void
  /** Saves what came. Never rejects. */
  readonly save: () => Promise<void>
}): Asking {
  const { connect, cli, now, signal, opened, joined } = options
  let saving: NodeJS.Timeout | null = null

  function noteChange() {
    options.onChange()
    saving ??= setTimeout(() => {
      saving = null
      void options.save()
    }, SAVE_AFTER_MS).unref()
  }

  async function find(id: string): Promise<KnownRecord | null> {
    const is = await opened
    const known = is.table.record(keyOf(id))
    if (known) return known
    const record = await connect({}).plugin(id, { signal })
    if (record === null) return null
    is.table.glimpse(record)
    noteChange()
    return is.table.record(keyOf(id))
  }

  async function search(words: string): Promise<StoreListing[]> {
    const is = await opened
    const { records: found } = await connect({}).plugins({ q: words, limit: SEARCH_ROWS }, { signal })
    for (const record of found) is.table.glimpse(record)
    noteChange()
    return is.table.rows(found.map(({ fullName }) => keyOf(fullName)))
  }

  return {
    find,
    search,
    describe: createDescribing({ connect, now, signal, opened, onChange: noteChange }),
    async published(name) {
      const { records, table } = await joined.then(() => opened)
      if (records.facts.generated !== null) return table.published(name)
      return (await search(name)).filter(({ npmPackage }) => npmPackage === name).map(({ id }) => id)
    },
    async details(id, profile) {
      const { table } = await opened
      const key = keyOf(id)
      const found = await find(id).catch((error: unknown) => {
        if (table.row(key)) return null
        throw error
      })
      const row = table.row(key)
      return row && detailsOf(row, found?.record ?? null, { cli, profile, siblings: table.siblings(key) })
    },
    close() {
      if (saving) clearTimeout(saving)
    },
  }
}
