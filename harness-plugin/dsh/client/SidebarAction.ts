import { createElement as h, useSyncExternalStore } from 'react'
import { PlugIcon } from './icons.ts'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

/** The button beside Settings, at the foot of the sidebar; an icon alone where that is folded. */
export function SidebarAction({ shell, wide }: { readonly shell: Shell; readonly wide: boolean }) {
  const words = useWords(shell)
  const { isOpen } = useSyncExternalStore(shell.opened.subscribe, shell.opened.getSnapshot)
  return h(
    'button',
    {
      className: 'plugmark-action',
      type: 'button',
      'data-folded': wide ? undefined : true,
      'aria-label': words.store,
      'aria-haspopup': 'dialog',
      'aria-expanded': isOpen,
      title: wide ? undefined : words.store,
      onClick: () => shell.opened.open(),
    },
    h(PlugIcon, { size: wide ? 16 : 18 }),
    wide && h('span', { className: 'plugmark-label' }, words.store),
  )
}
