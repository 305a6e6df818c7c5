import type { Shell } from './create-shell.ts'

const START = '#plugmark'

/** Returns the store's address in a page's fragment, such as `q=notes` of `#plugmark?q=notes`; null for another one. */
function addressOfFragment(fragment: string): string | null {
  if (fragment === START) return ''
  return fragment.startsWith(`${START}?`) ? fragment.slice(START.length + 1) : null
}

/**
 * Keeps the page's fragment equal to the shown view of the store, so that its address can be copied. The harness has no
 * address for a place in its page, so a link opens the wide store.
 *
 * @param signal removes the listeners
 */
export function followFragment({ dialog, tab }: Pick<Shell, 'dialog' | 'tab'>, signal: AbortSignal): void {
  const here = () => addressOfFragment(location.hash)
  function shown(): string | null {
    const wide = dialog.getSnapshot()
    if (wide.isOpen) return wide.address
    const { isShown, address } = tab.getSnapshot()
    return isShown ? address : null
  }
  function open() {
    const address = here()
    if (address !== null && address !== shown()) dialog.open(address)
  }
  function write() {
    const address = shown()
    if (address === here()) return
    const fragment = address === null ? '' : address === '' ? START : `${START}?${address}`
    history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
  }
  open()
  window.addEventListener('hashchange', open, { signal })
  for (const state of [dialog, tab]) signal.addEventListener('abort', state.subscribe(write))
  write()
}
