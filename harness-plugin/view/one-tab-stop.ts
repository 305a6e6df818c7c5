import { onBeforeUnmount, onMounted, type Ref } from 'vue'

const CONTROLS = 'input, button, summary'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/**
 * Makes all controls in an element one stop of the Tab key, as in a toolbar: arrow keys, Home and End move between them,
 * also between radio buttons, which Space chooses.
 */
export function useOneTabStop(root: Readonly<Ref<HTMLElement | null>>): void {
  let last: Element | null = null
  const controls = () =>
    [...(root.value?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter(
      (control) => !control.matches(':disabled') && control.checkVisibility(),
    )

  function update() {
    const all = controls()
    const stop = all.find((control) => control === last) ?? all[0]
    for (const control of all) {
      const tabIndex = control === stop ? 0 : -1
      if (control.tabIndex !== tabIndex || !control.hasAttribute('tabindex')) control.tabIndex = tabIndex
    }
  }
  function onFocus({ target }: FocusEvent) {
    last = target as Element
    update()
  }
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const all = controls()
    const at = all.indexOf(event.target as HTMLElement)
    const step = STEPS[event.key]
    const next = { Home: 0, End: all.length - 1 }[event.key] ?? (step && at + step)
    if (at < 0 || next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }

  const changed = new MutationObserver(update)
  const gone = new AbortController()
  onMounted(() => {
    const { value: element } = root
    if (!element) return
    const { signal } = gone
    element.addEventListener('focusin', onFocus, { signal })
    element.addEventListener('keydown', onKey, { signal })
    // A list of more filters that opens.
    element.addEventListener('toggle', update, { capture: true, signal })
    changed.observe(element, { childList: true, subtree: true })
    update()
  })
  onBeforeUnmount(() => {
    gone.abort()
    changed.disconnect()
  })
}
