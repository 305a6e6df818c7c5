import React, {
  Component,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { AddressEvent, StoreElementProps } from '../../view/name.ts'
import type { About } from '../harness-channel.ts'
import type { NoAnswer } from './harness-bridge.ts'
import { useWords, wordsOf } from './page-words.ts'
import type { Shell } from './shell.ts'
import { useValue } from './value.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'plugmark-store': DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>
    }
  }
}

interface Props {
  readonly shell: Shell
  readonly place: StoreElementProps['place']
  readonly address: string
  readonly onAddress: (...detail: AddressEvent['detail']) => void
  readonly children: ReactElement
}

/** Renders the store, or the reason why it is missing. */
export function StoreState(props: Props) {
  // Use the page's language, because the services of the harness may have failed.
  const { failed, again } = wordsOf(document.documentElement.lang)
  const fallback = (retry: () => void) => (
    <Notice button={props.children} text={failed}>
      <Button text={again} onClick={retry} />
    </Notice>
  )
  return (
    <Boundary fallback={fallback}>
      <AskedStore {...props} />
    </Boundary>
  )
}

function AskedStore({ shell, place, address, onAddress, children }: Props) {
  const words = useWords(shell)
  const generation = useValue(shell.host.feed.generation)
  const [about, setAbout] = useState<About | NoAnswer | 'asking'>('asking')
  const ask = useCallback(() => {
    let isCurrent = true
    shell.host.about().then((answer) => isCurrent && setAbout(answer))
    return () => {
      isCurrent = false
    }
  }, [shell])
  // A new configuration is a new generation.
  useEffect(ask, [ask, generation])

  if (about === 'asking')
    return (
      <>
        <p className="plugmark-head">{children}</p>
        <Skeleton />
      </>
    )
  if (typeof about === 'string')
    return (
      <Notice button={children} text={words.noAnswer[about]}>
        <Button text={words.again} onClick={ask} />
      </Notice>
    )
  if (about.problem !== null)
    return (
      <Notice button={children} text={<strong>{words.isOff}</strong>}>
        <p lang="en">{about.problem}</p>
        <p>{words.howOn}</p>
      </Notice>
    )
  return (
    <div className="plugmark-frame">
      {about.others.length > 0 && <p className="plugmark-others">{words.others(about.others.join(', '))}</p>}
      {about.agents !== null && <p className="plugmark-others">{words.agents[about.agents]}</p>}
      <StoreElement shell={shell} place={place} address={address} onAddress={onAddress}>
        {children}
      </StoreElement>
    </div>
  )
}

interface NoticeProps {
  readonly button: ReactElement
  readonly text: ReactNode
  readonly children: ReactNode
}

const Notice = ({ button, text, children }: NoticeProps) => (
  <div className="plugmark-state" role="alert">
    {button}
    <p>{text}</p>
    {children}
  </div>
)

const Button = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <button className="plugmark-button" type="button" onClick={onClick}>
    {text}
  </button>
)

interface ElementProps extends Omit<Props, 'children'> {
  readonly children: ReactNode
}

/** Loads most of the browser half on demand, because the harness's page waits for code that runs at its start. */
async function defineElement(): Promise<void> {
  const { defineStoreElement } = await import('../../view/index.ts')
  defineStoreElement()
}

/** Renders the store's custom element. React 18 cannot set properties of one, so they are set on its node. */
function StoreElement({ shell, place, address, onAddress, children }: ElementProps) {
  const node = useRef<HTMLElement>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  if (failure) throw failure.error
  const [isDefined, setDefined] = useState(false)
  useEffect(() => {
    defineElement().then(
      () => setDefined(true),
      (error) => setFailure({ error }),
    )
  }, [])
  const language = useValue(shell.language)
  const generation = useValue(shell.host.feed.generation)
  // A new generation makes the screen reload all data.
  const bridge = useMemo(() => ({ ...shell.host.bridge }), [shell, generation])
  useEffect(() => {
    // Not on a touch screen, where it would open the keyboard.
    const autofocus = place === 'dialog' && !matchMedia('(pointer: coarse)').matches
    // The bridge comes last: it shows the screen, which selects the words of the address.
    if (node.current)
      Object.assign(node.current, { autofocus, language, address, place, bridge } satisfies StoreElementProps & {
        autofocus: boolean
      })
  }, [bridge, language, address, place])
  useEffect(() => {
    const { current } = node
    const onEvent = (event: Event) => onAddress(...(event as AddressEvent).detail)
    current?.addEventListener('address', onEvent)
    return () => current?.removeEventListener('address', onEvent)
  }, [onAddress])
  return (
    <>
      {!isDefined && <Skeleton />}
      <plugmark-store ref={node}>{children}</plugmark-store>
    </>
  )
}

const ROWS = 6

const Skeleton = () => (
  <div className="plugmark-skeleton" aria-hidden>
    <i />
    {Array.from({ length: ROWS }, (_, row) => (
      <p key={row}>
        <i />
        <i />
      </p>
    ))}
  </div>
)

interface BoundaryProps {
  readonly children: ReactNode
  /** Renders a replacement after a failure. @param again renders the part once more */
  readonly fallback: (again: () => void) => ReactNode
}

/**
 * Catches errors that one of our components throws while it renders. The harness has such a boundary around each entry
 * of a slot, but shows an empty place without a message (dsh-client-ui-renderer 0.1.0-rc.8).
 */
export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    console.error('A part of the plugin store failed:', error)
  }

  override render() {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children
  }
}
