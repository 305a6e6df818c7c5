import { createElement as h, type ReactElement, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { About } from '../channel.ts'
import { StoreElement } from './StoreElement.ts'
import type { Shell } from './shell.ts'
import { useWords } from './words.ts'

interface Props {
  readonly shell: Shell
  readonly address: string
  readonly onAddress: (address: string) => void
  /** A button of the place that it stands in. */
  readonly children: ReactElement
}

/** The store, or why it is not there. */
export function StoreState(props: Props) {
  const words = useWords(props.shell)
  if (props.shell.host.isNear) return h(NearStore, props)
  return h('div', { className: 'plugmark-state', role: 'alert' }, props.children, h('p', null, words.far))
}

function NearStore({ shell, address, onAddress, children }: Props) {
  const words = useWords(shell)
  const edition = useSyncExternalStore(shell.host.feed.edition.subscribe, shell.host.feed.edition.getSnapshot)
  const [about, setAbout] = useState<About | 'asking' | 'no answer'>('asking')
  const ask = useCallback(() => {
    let isCurrent = true
    const take = (answer: About | 'no answer') => isCurrent && setAbout(answer)
    shell.host.about().then(take, () => take('no answer'))
    return () => {
      isCurrent = false
    }
  }, [shell])
  // Another configuration is another edition.
  useEffect(ask, [ask, edition])

  if (about === 'asking') return h('p', { className: 'plugmark-head' }, children)
  if (about === 'no answer')
    return h(
      'div',
      { className: 'plugmark-state', role: 'alert' },
      children,
      h('p', null, words.noAnswer),
      h('button', { className: 'plugmark-button', type: 'button', onClick: ask }, words.again),
    )
  if (about.problem !== null)
    return h(
      'div',
      { className: 'plugmark-state', role: 'alert' },
      children,
      h('p', null, h('strong', null, words.isOff)),
      h('p', { lang: 'en' }, about.problem),
      h('p', null, words.howOn),
    )
  return h(
    'div',
    { className: 'plugmark-frame' },
    about.others.length > 0 && h('p', { className: 'plugmark-others' }, words.others(about.others.join(', '))),
    about.agents !== null && h('p', { className: 'plugmark-others' }, words.agents[about.agents]),
    h(StoreElement, { shell, address, onAddress, children }),
  )
}
