import { type StoreHost, serve } from '../../host/index.ts'
import type { Answer, CatalogueStatus, Overview, Profile, StoreBridge, StoreListing } from '../../protocol/index.ts'
import { createListingCopy } from '../../search/listing-copy.ts'
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
  const copy = createListingCopy()
  for (;;) {
    const page = await store.call('listings', { from: copy.next() })
    if (!page.ok) return page
    if (!copy.take(page.value)) return { ok: true, value: { rows: copy.rows(), status: page.value.status } }
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
