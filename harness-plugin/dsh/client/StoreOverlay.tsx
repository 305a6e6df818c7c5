import React, { type SyntheticEvent, useEffect, useRef } from 'react'
import { CloseIcon, IconButton } from './icons.tsx'
import { StoreState } from './StoreState.tsx'
import type { Shell } from './shell.ts'
import { useValue } from './value.ts'
import { useWords } from './words.ts'

/** The wide store, over everything. */
export function StoreOverlay({ shell }: { readonly shell: Shell }) {
  const { isOpen, address } = useValue(shell.dialog)
  return isOpen ? <StoreDialog shell={shell} address={address} /> : null
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
        <StoreState shell={shell} address={address} onAddress={shell.dialog.goTo}>
          <IconButton label={words.close} onClick={close}>
            <CloseIcon />
          </IconButton>
        </StoreState>
      </div>
    </dialog>
  )
}
