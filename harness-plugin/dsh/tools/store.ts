import { type StoreHost, serve } from '../../host/index.ts'
import type { Answer, CatalogueStatus, Overview, Profile, StoreBridge, StoreListing } from '../../protocol/index.ts'
import { unlessAborted } from './tool.ts'

/** How long the first question waits for the directory to be read, in ms. */
const LOADING_MS = 20_000

/** The bridge of the tools: the input of a call comes from an agent, and is parsed like that of a page. */
export const toBridge = (host: StoreHost, onFault: (error: unknown) => void): StoreBridge => ({
  call: (call, input) => serve(host, call, input, { check: () => null, onFault }),
  subscribe: (listener) => host.subscribe(listener),
})

export interface Catalogue {
  readonly rows: readonly StoreListing[]
  readonly status: CatalogueStatus
}

/** Every listing that is here. Where none has been yet, this waits for the directory to be read, within bounds. */
export async function readCatalogue(store: StoreBridge, signal: AbortSignal): Promise<Answer<Catalogue>> {
  await firstReading(store, signal)
  const rows = new Map<string, StoreListing>()
  let revision: number | null = null
  for (let from = 0; ; ) {
    const page = await store.call('listings', { from })
    if (!page.ok) return page
    const { status, next, rows: more } = page.value
    if (revision !== null && revision !== status.revision) rows.clear()
    // Places of another revision do not hold.
    from = revision === null || revision === status.revision ? next : 0
    revision = status.revision
    for (const row of from === 0 ? [] : more) rows.set(row.id, row)
    if (from >= status.end) return { ok: true, value: { rows: [...rows.values()], status } }
  }
}

/** To ask for the overview starts the reading, where it is due. */
async function firstReading(store: StoreBridge, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const isRead = ({ state, loadedAt }: CatalogueStatus) => loadedAt !== null || !['idle', 'loading'].includes(state)
  const stop = store.subscribe((event) => {
    if (event.type === 'catalogue' && isRead(event.status)) resolve()
  })
  const limit = setTimeout(resolve, LOADING_MS)
  try {
    await store.call('overview', {})
    const first = await store.call('listings', { from: 0 })
    if (!first.ok || isRead(first.value.status)) return
    await unlessAborted(signal, read)
  } finally {
    clearTimeout(limit)
    stop()
  }
}

/** The profile that the harness runs from; the store's host knows its name. */
export function currentProfile({ profile, profiles }: Overview): Profile | undefined {
  return profiles.find(({ name }) => name === profile)
}
