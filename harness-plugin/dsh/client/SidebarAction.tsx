import React from 'react'
import type { Shell } from './create-shell.ts'
import { PlugIcon } from './icons.tsx'
import { useWords } from './page-words.ts'
import { useValue } from './value.ts'

/** Button beside Settings at the bottom of the sidebar; only an icon when the sidebar is collapsed. */
export function SidebarAction({ shell, wide }: { readonly shell: Shell; readonly wide: boolean }) {
  const words = useWords(shell)
  const { isOpen } = useValue(shell.dialog)
  const off = useValue(shell.host.feed.off)
  const label = off === 0 ? words.store : words.storeWithOff(off)
  return (
    <button
      className="plugmark-action"
      type="button"
      data-folded={wide ? undefined : true}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={wide && off === 0 ? undefined : label}
      onClick={() => shell.dialog.open()}
    >
      <PlugIcon size={wide ? 16 : 18} />
      {wide && <span className="plugmark-label">{words.store}</span>}
      {off > 0 && <span className="plugmark-count">{off}</span>}
    </button>
  )
}
