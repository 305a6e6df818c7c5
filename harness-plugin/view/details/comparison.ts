import { computed, ref } from 'vue'

/** Most plugins side by side. */
export const MAX_COMPARED = 4

/** Keeps which plugins a person has chosen to compare, and which are shown side by side. */
export function createComparison() {
  /** Ids of the chosen plugins, in the order in which they were chosen. */
  const chosen = ref<readonly string[]>([])
  /** Ids of the plugins side by side; empty while none are shown. */
  const shown = ref<readonly string[]>([])
  return {
    chosen,
    shown,
    isFull: computed(() => chosen.value.length >= MAX_COMPARED),
    /** Adds a plugin, or takes it out again. Adds none beyond the limit. */
    toggle(id: string) {
      const others = chosen.value.filter((one) => one !== id)
      if (others.length < chosen.value.length) chosen.value = others
      else if (others.length < MAX_COMPARED) chosen.value = [...others, id]
    },
    /** Takes a plugin out, also of those side by side. */
    remove(id: string) {
      chosen.value = chosen.value.filter((one) => one !== id)
      shown.value = shown.value.filter((one) => one !== id)
    },
    /** Shows plugins side by side, and chooses them. @default the chosen ones */
    show(ids: readonly string[] = chosen.value) {
      shown.value = ids.slice(0, MAX_COMPARED)
      if (shown.value.length > 0) chosen.value = shown.value
    },
    hide() {
      shown.value = []
    },
    clear() {
      chosen.value = []
      shown.value = []
    },
  }
}
