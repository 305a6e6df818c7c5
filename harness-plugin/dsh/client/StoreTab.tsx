import React, { useCallback, useRef, useState } from 'react'
import { IconButton, WidenIcon } from './icons.tsx'
import { StoreState } from './StoreState.tsx'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

interface Props {
  readonly shell: Shell
  /** Whether it is a tab of the Plugins page, and not of Settings. */
  readonly isPage: boolean
}

/** The tab in Plugins, or in Settings → Plugins. */
export function StoreTab({ shell, isPage }: Props) {
  const words = useWords(shell)
  const [address, setAddress] = useState('')
  // A click right after the search box was left comes before the next rendering.
  const latest = useRef('')
  const onAddress = useCallback((next: string) => {
    latest.current = next
    setAddress(next)
  }, [])
  return (
    <div className={isPage ? 'plugmark-tab plugmark-page' : 'plugmark-tab'}>
      <StoreState shell={shell} address={address} onAddress={onAddress}>
        <IconButton label={words.openWide} onClick={() => shell.dialog.open(latest.current)}>
          <WidenIcon />
        </IconButton>
      </StoreState>
    </div>
  )
}
