import { createElement, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { StoreBridge } from '../../protocol/index.ts'
import { ELEMENT } from '../../view/name.ts'
import type { Shell } from './shell.ts'

interface Props {
  readonly shell: Shell
  readonly address: string
  readonly onAddress: (address: string) => void
  /** What stands in the store's head, with `slot: 'head'`. */
  readonly children: ReactNode
}

interface StoreElementNode extends HTMLElement {
  bridge: StoreBridge
  language: string
  address: string
  noFrames: boolean
}

/** Most of the browser half: it is not run before it is needed, as the harness's page waits for what runs at once. */
async function defineElement(): Promise<void> {
  const { defineStoreElement } = await import('../../view/index.ts')
  defineStoreElement()
}

/** The store's custom element. React 18 sets no properties on one, so they are set through its node. */
export function StoreElement({ shell, address, onAddress, children }: Props) {
  const node = useRef<StoreElementNode>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  if (failure) throw failure.error
  useEffect(() => void defineElement().catch((error) => setFailure({ error })), [])
  const language = useSyncExternalStore(shell.locale.subscribe, shell.locale.getLanguage)
  const edition = useSyncExternalStore(shell.host.feed.edition.subscribe, shell.host.feed.edition.getSnapshot)
  // Another edition makes the screen ask for everything anew.
  useEffect(() => {
    if (node.current) Object.assign(node.current, { noFrames: true, bridge: { ...shell.host.bridge } })
  }, [shell, edition])
  useEffect(() => {
    if (node.current) node.current.language = language
  }, [language])
  useEffect(() => {
    if (node.current) node.current.address = address
  }, [address])
  useEffect(() => {
    const { current } = node
    const onEvent = (event: Event) => onAddress((event as CustomEvent<[address: string]>).detail[0])
    current?.addEventListener('address', onEvent)
    return () => current?.removeEventListener('address', onEvent)
  }, [onAddress])
  return createElement(ELEMENT, { ref: node }, children)
}
