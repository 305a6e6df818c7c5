import { computed, onBeforeUnmount, onMounted, type Ref, ref } from 'vue'

/** Height of every row, px. */
export const ROW_HEIGHT = 88
/** Rows rendered above and below the visible ones, so that a quick flick does not outrun them. */
const AROUND = 6

/**
 * Returns the visible rows of a long list. All have one height, so the position of a row is a multiplication; a library
 * that measures would keep an object for each of 20,000, and create them anew at every key of a search.
 *
 * @param scroller the element that scrolls
 */
export function useRowWindow(scroller: Readonly<Ref<HTMLElement | null>>, count: () => number) {
  const top = ref(0)
  const height = ref(0)

  function onScroll() {
    top.value = scroller.value?.scrollTop ?? 0
  }
  const resized = new ResizeObserver(() => {
    height.value = scroller.value?.clientHeight ?? 0
  })
  onMounted(() => scroller.value && resized.observe(scroller.value))
  onBeforeUnmount(() => resized.disconnect())

  return {
    onScroll,
    first: computed(() => Math.max(0, Math.min(Math.floor(top.value / ROW_HEIGHT) - AROUND, count() - 1))),
    last: computed(() => Math.min(count(), Math.ceil((top.value + height.value) / ROW_HEIGHT) + AROUND)),
    toTop() {
      // Setting it forces a layout, even when it changes nothing.
      if (top.value === 0) return
      top.value = 0
      if (scroller.value) scroller.value.scrollTop = 0
    },
    /** Scrolls no further than needed. */
    reveal(index: number) {
      const element = scroller.value
      if (!element) return
      const start = index * ROW_HEIGHT
      const end = start + ROW_HEIGHT
      if (start < element.scrollTop) element.scrollTop = start
      else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight
      onScroll()
    },
  }
}
