/** Handles the screen's keys, and keeps them apart from those of the page around it. */
export interface Keys {
  /** True while a dialog of the store is open: it has the keyboard. */
  isModal(): boolean
  /** Returns true if Escape has an effect in the store, besides closing a dialog. */
  holdsEscape(): boolean
  /** Called on Escape in the screen, when `holdsEscape` returns true. */
  escape(): void
  /** Called on `/`, unless the user is typing. */
  search(): void
}

/**
 * @param element the custom element; its shadow root is open
 * @param signal removes the listeners
 */
export function ownKeys(element: HTMLElement, keys: Keys, signal: AbortSignal): void {
  // Host pages close their own dialogs on Escape from a document listener, so theirs must not hear ours. Capture on
  // window, because a click on a backdrop moves focus to the body. The default action closes our dialog, but would also
  // empty the search box.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing) return
      if (keys.isModal()) event.stopImmediatePropagation()
      else if (event.composedPath().includes(element) && keys.holdsEscape()) {
        event.stopImmediatePropagation()
        event.preventDefault()
        keys.escape()
      }
    },
    { capture: true, signal },
  )
  // Outside the shadow root the target is the element itself, so a host page cannot see that somebody is typing.
  element.shadowRoot?.addEventListener(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent
      if (isTyping(event) && !ctrlKey && !metaKey && !altKey && key !== 'Escape') event.stopPropagation()
    },
    { signal },
  )
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event) || keys.isModal() || !element.checkVisibility() || isBehind(element)) return
      event.preventDefault()
      keys.search()
    },
    { signal },
  )
}

/** Returns true if a modal dialog that does not contain the element is open: it has the keyboard. */
function isBehind(element: HTMLElement): boolean {
  const modal = [...document.querySelectorAll('dialog:modal')]
  return modal.length > 0 && !modal.some((dialog) => dialog.contains(element))
}

function isTyping(event: Event): boolean {
  const target = event.composedPath()[0]
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  )
}
