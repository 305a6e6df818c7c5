import { createElement as h, useCallback, useRef, useState } from 'react'
import { IconButton, WidenIcon } from './icons.ts'
import { StoreState } from './StoreState.ts'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

/** The tab in Settings → Plugins. */
export function StoreTab({ shell }: { readonly shell: Shell }) {
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
  return h('div', { className: 'plugmark-tab' }, h(StoreState, { shell, address, onAddress, children: widen }))
}
