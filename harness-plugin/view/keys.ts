/** Handles the screen's keys, and keeps them apart from those of the page around it. */
export interface Keys {
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
  /** Returns the dialog or menu of the store that has the keyboard. */
  const open = () =>
    [...(element.shadowRoot?.querySelectorAll<HTMLElement>('dialog:modal, :popover-open') ?? [])].at(-1)
  // Host pages close their own dialogs on Escape from a document listener, so theirs must not hear ours. Capture on
  // window, because a click on a backdrop moves focus to the body. The default action would also empty the search box,
  // and close the dialog around: a browser closes dialogs together that it saw open without a click between them.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing) return
      const inner = open()
      if (!inner && !(event.composedPath().includes(element) && keys.holdsEscape())) return
      event.stopImmediatePropagation()
      event.preventDefault()
      if (!inner) keys.escape()
      else if (inner instanceof HTMLDialogElement) inner.close()
      else inner.hidePopover()
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
      if (isTyping(event) || open() || !element.checkVisibility() || isBehind(element)) return
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
