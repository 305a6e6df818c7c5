import { type Ref, watch } from 'vue'
import type { AddressBar } from '../view-context.ts'
import { addressOf, placeOf, type View } from './address.ts'
import type { Finding } from './create-finding.ts'

/** Pause in typing before the address changes. */
const TYPING_MS = 300

/** Keeps the search and the page's address equal, in both directions. */
export function followAddress(
  bar: AddressBar,
  finding: Pick<Finding, 'text' | 'filters' | 'selectedId' | 'comparison'> & { readonly view: Ref<View> },
) {
  const { text, filters, selectedId, comparison, view } = finding
  let waiting: ReturnType<typeof setTimeout> | null = null
  let wasTyped = false
  /** The address that was passed to the page last. It comes back late, when more may have been typed. */
  let written: string | null = null
  const here = () =>
    addressOf({
      text: text.value,
      filters: filters.value,
      listing: selectedId.value,
      view: view.value,
      compared: comparison.shown.value,
    })

  function write(isTyped: boolean) {
    if (waiting) clearTimeout(waiting)
    waiting = null
    // Everything that is typed in one go is one step of Back.
    const replace = isTyped && wasTyped
    wasTyped = isTyped
    if (here() === (written ?? bar.address.value)) return
    written = here()
    bar.write(written, replace)
  }

  const stop = watch(
    bar.address,
    (address) => {
      if (address === written) return
      written = null
      wasTyped = false
      const place = placeOf(address)
      text.value = place.text
      filters.value = place.filters
      selectedId.value = place.listing
      view.value = place.view
      comparison.show(place.compared)
    },
    { immediate: true },
  )

  return {
    write: () => write(false),
    writeTyping() {
      if (waiting) clearTimeout(waiting)
      waiting = setTimeout(() => write(true), TYPING_MS)
    },
    stop() {
      if (waiting) clearTimeout(waiting)
      stop()
    },
  }
}
