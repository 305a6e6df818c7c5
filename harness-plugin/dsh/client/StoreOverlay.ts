import { createElement as h, type SyntheticEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { CloseIcon, IconButton } from './icons.ts'
import { StoreState } from './StoreState.ts'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

/** The wide store, over everything. */
export function StoreOverlay({ shell }: { readonly shell: Shell }) {
  const { isOpen, address } = useSyncExternalStore(shell.opened.subscribe, shell.opened.getSnapshot)
  return isOpen ? h(StoreDialog, { shell, address }) : null
}

/**
 * A modal dialog of the browser's own lies above the harness's Settings, keeps the keyboard, and gives the focus back
 * to where it was.
 */
function StoreDialog({ shell, address }: { readonly shell: Shell; readonly address: string }) {
  const words = useWords(shell)
  const node = useRef<HTMLDialogElement>(null)
  /** Whether Escape came through the store, which takes it where it has something of its own to close. */
  const isLeft = useRef(false)
  useEffect(() => {
    const { current } = node
    if (current && !current.open) current.showModal()
    // Settings listens on the document, and would close behind this. A closed dialog stays until it is told so, and a key
    // that comes before that is for Settings.
    const keep = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current?.open) return
      event.stopPropagation()
      isLeft.current = true
    }
    document.documentElement.addEventListener('keydown', keep)
    return () => document.documentElement.removeEventListener('keydown', keep)
  }, [])
  const isOwn = ({ target }: { readonly target: unknown }) => target === node.current
  const close = h(IconButton, { label: words.close, onClick: () => node.current?.close(), children: h(CloseIcon) })
  return h(
    'dialog',
    {
      ref: node,
      className: 'plugmark-overlay',
      'aria-label': words.store,
      onCancel: (event: SyntheticEvent) => {
        if (isOwn(event) && !isLeft.current) event.preventDefault()
        isLeft.current = false
      },
      onClose: (event: SyntheticEvent) => isOwn(event) && shell.opened.close(),
      onClick: (event: SyntheticEvent) => isOwn(event) && node.current?.close(),
    },
    h(
      'div',
      { className: 'plugmark-panel' },
      h(StoreState, { shell, address, onAddress: shell.opened.goTo, children: close }),
    ),
  )
}
