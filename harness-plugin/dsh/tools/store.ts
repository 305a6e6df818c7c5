import { type StoreHost, serve } from '../../host/index.ts'
import type { Answer, CatalogueStatus, Overview, Profile, StoreBridge, StoreListing } from '../../protocol/index.ts'
import { createListingCopy } from '../../search/listing-copy.ts'
import { unlessAborted } from './tool.ts'

/** Time limit for the first reading of the directory, in ms. */
const LOADING_MS = 20_000

/** Connects the tools to the host. Input comes from an agent, and is parsed like that of a page. */
export const toBridge = (host: StoreHost, onFault: (error: unknown) => void): StoreBridge => ({
  call: (call, input) => serve(host, call, input, { check: () => null, onFault }),
  subscribe: (listener) => host.subscribe(listener),
})

export interface Catalogue {
  readonly rows: readonly StoreListing[]
  readonly status: CatalogueStatus
}

/** Reads every listing. Waits for the first reading of the directory, within a time limit. */
export async function readCatalogue(store: StoreBridge, signal: AbortSignal): Promise<Answer<Catalogue>> {
  await firstReading(store, signal)
  const copy = createListingCopy()
  for (;;) {
    const page = await store.call('listings', { from: copy.next() })
    if (!page.ok) return page
    if (!copy.take(page.value)) return { ok: true, value: { rows: copy.rows(), status: page.value.status } }
  }
}

/** Waits until the directory was read once. The call `overview` starts that where it is due. */
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

/** Returns the profile that the harness runs from. */
export function currentProfile({ profile, profiles }: Overview): Profile | undefined {
  return profiles.find(({ name }) => name === profile)
}
