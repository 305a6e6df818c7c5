import { computed, type Ref, watch } from 'vue'
import type { CatalogueStatus, StoreListing } from '../../protocol/index.ts'
import { lookAgain, parseLook } from '../../search/listings.ts'

/** In `localStorage`: what the directory listed when this browser last looked. */
const KEY = 'plugmark-looked'

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
  const look = computed(() =>
    lookAgain(
      last,
      rows.value.map(({ id }) => id),
      now,
    ),
  )
  const whole = () => {
    const { count = 0, generated = null } = status.value ?? {}
    return count > 0 && rows.value.length >= count ? generated : null
  }
  watch(
    whole,
    (generated) => {
      if (generated !== null) writeLook(JSON.stringify(look.value))
    },
    { immediate: true },
  )
  return computed((): ReadonlySet<string> => new Set(look.value.unseen))
}

function readLook() {
  try {
    return parseLook(localStorage.getItem(KEY))
  } catch {
    return null
  }
}

function writeLook(look: string): void {
  try {
    localStorage.setItem(KEY, look)
  } catch {
    // Without storage, nothing is new.
  }
}
