import React from 'react'
import type { Shell } from './create-shell.ts'
import { PlugIcon } from './icons.tsx'
import { useWords } from './page-words.ts'

interface Props {
  readonly shell: Shell
  /** Closes the menu (0.2.1). */
  readonly onDismiss: unknown
}

/** Entry of the menu beside "Add plugin" on the Plugins page, which opens the store. */
export function AddAction({ shell, onDismiss }: Props) {
  const words = useWords(shell)
  const open = () => {
    if (typeof onDismiss === 'function') onDismiss()
    shell.dialog.open()
  }
  return (
    <button className="plugmark-add" type="button" role="menuitem" onClick={open}>
      <PlugIcon size={14} />
      <span>
        {words.store}
        <small>{words.aboutStore}</small>
      </span>
    </button>
  )
}
