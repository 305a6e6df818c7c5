import { createElement as h, useCallback, useRef, useState } from 'react'
import { IconButton, WidenIcon } from './icons.ts'
import { StoreState } from './StoreState.ts'
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
  const onClick = () => shell.opened.open(latest.current)
  const widen = h(IconButton, { label: words.openWide, onClick, children: h(WidenIcon) })
  const className = isPage ? 'plugmark-tab plugmark-page' : 'plugmark-tab'
  return h('div', { className }, h(StoreState, { shell, address, onAddress, children: widen }))
}
