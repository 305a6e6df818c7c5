/**
 * The list of an organisation's repositories rendered by React, in the page. `window.reactList.show` renders it again, as the
 * code host's scripts do when a user sorts, filters or pages; `hydrate` takes over what its servers have drawn.
 */
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { type ListState, list } from './list.ts'

export interface ReactList {
  show(state: ListState): void
  /** @returns true if React had to draw the list again, because it differed from what its servers had drawn */
  hydrate(state: ListState): boolean
}

declare global {
  interface Window {
    reactList: ReactList
  }
}

addEventListener('DOMContentLoaded', () => {
  const place = document.querySelector('[data-react-root]')!
  let root: Root | undefined
  window.reactList = {
    show(state) {
      root ??= createRoot(place)
      const { render } = root
      flushSync(() => render.call(root, list(state)))
    },
    hydrate(state) {
      let isAnew = false
      const onRecoverableError = () => {
        isAnew = true
      }
      flushSync(() => {
        root = hydrateRoot(place, list(state), { onRecoverableError })
      })
      place.closest('[data-ssr]')?.classList.add('loaded')
      return isAnew
    },
  }
})
