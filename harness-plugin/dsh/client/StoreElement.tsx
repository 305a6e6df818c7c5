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
  readonly address: string
  readonly onAddress: (address: string) => void
  /** What stands in the store's head, with `slot="head"`. */
  readonly children: ReactNode
}

/** Most of the browser half: it is not run before it is needed, as the harness's page waits for what runs at once. */
async function defineElement(): Promise<void> {
  const { defineStoreElement } = await import('../../view/index.ts')
  defineStoreElement()
}

/** The store's custom element. React 18 sets no properties on one, so they are set through its node. */
export function StoreElement({ shell, address, onAddress, children }: Props) {
  const node = useRef<HTMLElement>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  if (failure) throw failure.error
  useEffect(() => void defineElement().catch((error) => setFailure({ error })), [])
  const language = useValue(shell.language)
  const generation = useValue(shell.host.feed.generation)
  // Another generation makes the screen ask for everything anew.
  const bridge = useMemo(() => ({ ...shell.host.bridge }), [shell, generation])
  useEffect(() => {
    if (node.current) Object.assign(node.current, { bridge, language, address } satisfies StoreElementProps)
  }, [bridge, language, address])
  useEffect(() => {
    const { current } = node
    const onEvent = (event: Event) => onAddress((event as AddressEvent).detail[0])
    current?.addEventListener('address', onEvent)
    return () => current?.removeEventListener('address', onEvent)
  }, [onAddress])
  return <plugmark-store ref={node}>{children}</plugmark-store>
}
