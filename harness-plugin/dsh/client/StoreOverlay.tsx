import React, { type SyntheticEvent, useEffect, useRef } from 'react'
import type { Shell } from './create-shell.ts'
import { CloseIcon, IconButton } from './icons.tsx'
import { useWords } from './page-words.ts'
import { StoreState } from './StoreState.tsx'
import { useValue } from './value.ts'

/** The wide store, above the whole page. */
export function StoreOverlay({ shell }: { readonly shell: Shell }) {
  const { isOpen, address } = useValue(shell.dialog)
  return isOpen ? <StoreDialog shell={shell} address={address} /> : null
}

/**
 * Native modal dialog, because it is above the harness's Settings, traps the keyboard focus, and restores the focus
 * after it closes.
 */
function StoreDialog({ shell, address }: { readonly shell: Shell; readonly address: string }) {
  const words = useWords(shell)
  const node = useRef<HTMLDialogElement>(null)
  /** True if the store did not handle Escape itself by closing a part of its own. */
  const isLeft = useRef(false)
  useEffect(() => {
    const { current } = node
    if (current && !current.open) current.showModal()
    // Settings listens on the document, and would close too. A closed dialog stays mounted until its close event, and a
    // key
    // that is pressed before that event is for Settings.
    const keep = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current?.open) return
      event.stopPropagation()
      isLeft.current = true
    }
    document.documentElement.addEventListener('keydown', keep)
    return () => document.documentElement.removeEventListener('keydown', keep)
  }, [])
  const close = () => node.current?.close()
  const isOwn = ({ target }: SyntheticEvent) => target === node.current
  function onCancel(event: SyntheticEvent) {
    if (isOwn(event) && !isLeft.current) event.preventDefault()
    isLeft.current = false
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape and the button
    <dialog
      ref={node}
      className="plugmark-overlay"
      aria-label={words.store}
      onCancel={onCancel}
      onClose={(event) => isOwn(event) && shell.dialog.close()}
      onClick={(event) => isOwn(event) && close()}
    >
      <div className="plugmark-panel">
        <StoreState shell={shell} place="dialog" address={address} onAddress={shell.dialog.goTo}>
          <IconButton label={words.close} onClick={close}>
            <CloseIcon />
          </IconButton>
        </StoreState>
      </div>
    </dialog>
  )
}
