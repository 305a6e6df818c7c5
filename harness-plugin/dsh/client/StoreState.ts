import {
  createElement as h,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { About } from '../channel.ts'
import { Boundary } from './Boundary.ts'
import type { NoAnswer } from './bridge.ts'
import { StoreElement } from './StoreElement.ts'
import type { Shell } from './shell.ts'
import { useWords, wordsOf } from './words.ts'

interface Props {
  readonly shell: Shell
  readonly address: string
  readonly onAddress: (address: string) => void
  /** A button of the place that it stands in. */
  readonly children: ReactElement
}

/** The store, or why it is not there. */
export function StoreState(props: Props) {
  // The services of the harness may be what failed, so the language is that of the page.
  const { failed, again } = wordsOf(document.documentElement.lang)
  return h(Boundary, {
    fallback: (retry) =>
      h(Notice, { button: props.children, text: failed }, h(Button, { text: again, onClick: retry })),
    children: h(AskedStore, props),
  })
}

function AskedStore({ shell, address, onAddress, children }: Props) {
  const words = useWords(shell)
  const edition = useSyncExternalStore(shell.host.feed.edition.subscribe, shell.host.feed.edition.getSnapshot)
  const [about, setAbout] = useState<About | NoAnswer | 'asking'>('asking')
  const ask = useCallback(() => {
    let isCurrent = true
    shell.host.about().then((answer) => isCurrent && setAbout(answer))
    return () => {
      isCurrent = false
    }
  }, [shell])
  // Another configuration is another edition.
  useEffect(ask, [ask, edition])

  if (about === 'asking') return h('p', { className: 'plugmark-head' }, children)
  if (typeof about === 'string')
    return h(Notice, { button: children, text: words.noAnswer[about] }, h(Button, { text: words.again, onClick: ask }))
  if (about.problem !== null)
    return h(
      Notice,
      { button: children, text: h('strong', null, words.isOff) },
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

interface NoticeProps {
  /** The button of the place. */
  readonly button: ReactElement
  readonly text: ReactNode
  readonly children?: ReactNode
}

/** What stands in the place of the store. */
const Notice = ({ button, text, children }: NoticeProps) =>
  h('div', { className: 'plugmark-state', role: 'alert' }, button, h('p', null, text), children)

const Button = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) =>
  h('button', { className: 'plugmark-button', type: 'button', onClick }, text)
