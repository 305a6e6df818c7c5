import { computed, type Ref, watch } from 'vue'
import type { CatalogueStatus, StoreListing } from '../../protocol/index.ts'

/** In `localStorage`: what the directory listed when this browser last looked. */
const KEY = 'plugmark-looked'
/** Time after which opening the store is another look, in ms. */
const LOOK_MS = 60 * 60_000

interface Look {
  /** Ms since 1970. */
  readonly at: number
  readonly ids: readonly string[]
  /** Those of them that the look before did not have. */
  readonly unseen: readonly string[]
}

/**
 * Remembers this look at the directory in this browser.
 *
 * @returns ids of listings that were not there at the look before; none at the first
 */
export function followLooks(
  rows: Readonly<Ref<readonly StoreListing[]>>,
  status: Readonly<Ref<CatalogueStatus | null>>,
  now = Date.now(),
) {
  const last = readLook()
  const seen = last && new Set(last.ids)
  // The store is closed and opened again within one look.
  if (last && now - last.at < LOOK_MS) for (const id of last.unseen) seen?.delete(id)
  const unseen = computed(
    (): ReadonlySet<string> =>
      new Set(seen === null ? [] : rows.value.map(({ id }) => id).filter((id) => !seen.has(id))),
  )
  const whole = () => {
    const { count = 0, generated = null } = status.value ?? {}
    return count > 0 && rows.value.length >= count ? generated : null
  }
  watch(
    whole,
    (generated) => {
      if (generated !== null) writeLook({ at: now, ids: rows.value.map(({ id }) => id), unseen: [...unseen.value] })
    },
    { immediate: true },
  )
  return unseen
}

function readLook(): Look | null {
  try {
    const { at, ids, unseen } = JSON.parse(localStorage.getItem(KEY) ?? '')
    return typeof at === 'number' && Array.isArray(ids) && Array.isArray(unseen) ? { at, ids, unseen } : null
  } catch {
    return null
  }
}

function writeLook(look: Look): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look))
  } catch {
    // Without storage, nothing is new.
  }
}
