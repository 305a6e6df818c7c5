import React from 'react'
import { PlugIcon } from './icons.tsx'
import type { Shell } from './shell.ts'
import { useValue } from './value.ts'
import { useWords } from './words.ts'

/** Button beside Settings at the bottom of the sidebar; only an icon when the sidebar is collapsed. */
export function SidebarAction({ shell, wide }: { readonly shell: Shell; readonly wide: boolean }) {
  const words = useWords(shell)
  const { isOpen } = useValue(shell.dialog)
  return (
    <button
      className="plugmark-action"
      type="button"
      data-folded={wide ? undefined : true}
      aria-label={words.store}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={wide ? undefined : words.store}
      onClick={() => shell.dialog.open()}
    >
      <PlugIcon size={wide ? 16 : 18} />
      {wide && <span className="plugmark-label">{words.store}</span>}
    </button>
  )
}
