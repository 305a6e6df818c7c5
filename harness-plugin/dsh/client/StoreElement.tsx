import React, {
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { AddressEvent, StoreElementProps } from '../../view/name.ts'
import type { Shell } from './create-shell.ts'
import { Skeleton } from './Skeleton.tsx'
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
  readonly onAddress: (address: string) => void
  /** Content of the store's header, with `slot="head"`. */
  readonly children: ReactNode
}

/** Loads most of the browser half on demand, because the harness's page waits for code that runs at its start. */
async function defineElement(): Promise<void> {
  const { defineStoreElement } = await import('../../view/index.ts')
  defineStoreElement()
}

/** Renders the store's custom element. React 18 cannot set properties of one, so they are set on its node. */
export function StoreElement({ shell, place, address, onAddress, children }: Props) {
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
    if (node.current)
      Object.assign(node.current, { autofocus, bridge, language, address, place } satisfies StoreElementProps & {
        autofocus: boolean
      })
  }, [bridge, language, address, place])
  useEffect(() => {
    const { current } = node
    const onEvent = (event: Event) => onAddress((event as AddressEvent).detail[0])
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
