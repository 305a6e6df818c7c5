import React, { useEffect } from 'react'
import type { Shell } from './create-shell.ts'
import { IconButton, WidenIcon } from './icons.tsx'
import { useWords } from './page-words.ts'
import { StoreState } from './StoreState.tsx'
import { useValue } from './value.ts'

interface Props {
  readonly shell: Shell
  /** True for a tab of the Plugins page, false for one of Settings. */
  readonly isPage: boolean
}

/** The tab in Plugins, or in Settings → Plugins. */
export function StoreTab({ shell, isPage }: Props) {
  const words = useWords(shell)
  const { tab, dialog } = shell
  const { address } = useValue(tab)
  useEffect(() => {
    tab.show()
    // Delayed: an unloading page part first records that the tab is shown.
    return () => void setTimeout(tab.hide)
  }, [tab])
  // Read the snapshot: a click right after the search box lost focus comes before the next rendering.
  const widen = () => dialog.open(tab.getSnapshot().address)
  return (
    <div className={isPage ? 'plugmark-tab plugmark-page' : 'plugmark-tab'}>
      <StoreState shell={shell} place="tab" address={address} onAddress={tab.goTo}>
        <IconButton label={words.openWide} onClick={widen}>
          <WidenIcon />
        </IconButton>
      </StoreState>
    </div>
  )
}
