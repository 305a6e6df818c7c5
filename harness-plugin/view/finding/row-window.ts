import { computed, onBeforeUnmount, onMounted, type Ref, ref } from 'vue'

/** Height of a row before the list is laid out, px. Its style sets the height. */
const ROW_HEIGHT = 76
/** Rows rendered above and below the visible ones, so that a quick flick does not outrun them. */
const AROUND = 6

/**
 * Returns the visible rows of a long list. All have one height, so the position of a row is a multiplication; a library
 * that measures would keep an object for each of 20,000, and create them again at every key of a search.
 *
 * @param scroller the element that scrolls
 * @param list the list in it, maybe below something else
 */
export function useRowWindow(
  scroller: Readonly<Ref<HTMLElement | null>>,
  list: Readonly<Ref<HTMLElement | null>>,
  count: () => number,
) {
  const top = ref(0)
  const height = ref(0)
  const rowHeight = ref(ROW_HEIGHT)
  /** Where the list begins in the scrolled content, px. */
  const start = ref(0)

  function onScroll() {
    top.value = scroller.value?.scrollTop ?? 0
  }
  function measure() {
    if (!scroller.value) return
    start.value = list.value?.offsetTop ?? 0
    height.value = scroller.value.clientHeight
    rowHeight.value = Number.parseFloat(getComputedStyle(scroller.value).getPropertyValue('--row-height')) || ROW_HEIGHT
    onScroll()
  }
  const resized = new ResizeObserver(measure)
  onMounted(() => scroller.value && resized.observe(scroller.value))
  onBeforeUnmount(() => resized.disconnect())

  return {
    onScroll,
    /** Reads the layout again: call it when what is above the list changes. */
    measure,
    /** Height of every row, px. It depends on the width of the store. */
    rowHeight,
    first: computed(() =>
      Math.max(0, Math.min(Math.floor((top.value - start.value) / rowHeight.value) - AROUND, count() - 1)),
    ),
    last: computed(() =>
      Math.min(count(), Math.ceil((top.value + height.value - start.value) / rowHeight.value) + AROUND),
    ),
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
      const from = start.value + index * rowHeight.value
      const end = from + rowHeight.value
      if (from < element.scrollTop) element.scrollTop = from
      else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight
      onScroll()
    },
  }
}
