import React, { type ComponentType } from 'react'
import { claim } from '../claim.ts'
import { COMMAND, wordsIn } from '../harness-channel.ts'
import type { ClientContext, ClientServices } from './client-context.ts'
import { connectHost } from './harness-bridge.ts'
import { addStyle } from './page-style.ts'
import { wordsOf } from './page-words.ts'
import { AddAction, ListingButton, SidebarAction, StoreOverlay, StoreTab } from './places.tsx'
import { Boundary } from './StoreState.tsx'
import { attempt, createShell, followFragment, type Shell, selectTab } from './shell.ts'

const ID = 'plugmark'
const PLUGINS_PAGE = 'plugins.tab'
/** Slots for the store's tab, in order of preference. */
const TAB_SLOTS = [PLUGINS_PAGE, 'settings.plugins.tab']

/**
 * Starts the browser half. Never throws, because any error replaces the harness's whole page with a message. For the
 * same reason each part waits for the services that it needs.
 */
export function apply(ctx: ClientContext): void {
  attempt(() => {
    const copy = claim(ID, () =>
      attempt(() => ctx.inject(['connection', 'slots', 'locale'], (ctx) => attempt(() => start(ctx)))),
    )
    ctx.effect(() => copy.release, 'plugmark: claim')
  })
}

type PageContext = ClientContext & Pick<ClientServices, 'connection' | 'slots' | 'locale'>

function start(ctx: PageContext): void {
  const gone = new AbortController()
  ctx.effect(() => () => gone.abort(), 'plugmark: requests')
  ctx.effect(addStyle, 'plugmark: style')
  const shell = createShell(connectHost(ctx.connection, gone.signal), ctx.locale, gone.signal)
  register(ctx, shell, gone.signal)
  attempt(() => followFragment(shell, gone.signal))
  ctx.on('command/executed', (_session, name, { kind, text }) => {
    if (name !== COMMAND || kind !== 'success') return
    const words = wordsIn(text)
    shell.dialog.open(words === '' ? '' : new URLSearchParams({ q: words }).toString())
  })
}

function register({ slots }: PageContext, shell: Shell, signal: AbortSignal): void {
  const label = () => wordsOf(shell.language.getSnapshot()).store
  function place<P extends object>(
    name: string,
    component: ComponentType<P>,
    options: { order?: number; label?: () => string } = {},
  ) {
    // The harness calls this whenever the slot is declared, so it needs its own `attempt`.
    const enter = () => attempt(() => slots.register({ name, id: ID, ...options }, alone(component))) ?? (() => {})
    attempt(() => slots.inject(name, enter))
  }
  if (shell.tab.getSnapshot().isOpen) selectTab(label(), signal)
  registerTab(slots, (name) =>
    slots.register(
      { name, id: ID, order: 20, label },
      alone(() => <StoreTab shell={shell} isPage={name === PLUGINS_PAGE} />),
    ),
  )
  place<{ subject: unknown }>('plugins.detail.actions', ({ subject }) => (
    <ListingButton shell={shell} subject={subject} />
  ))
  place<{ onDismiss: unknown }>('plugins.add.actions', ({ onDismiss }) => (
    <AddAction shell={shell} onDismiss={onDismiss} />
  ))
  place('shell.overlay', () => <StoreOverlay shell={shell} />)
  place<{ wide: boolean }>('sidebar.footer.action', ({ wide }) => <SidebarAction shell={shell} wide={wide} />, {
    order: 10,
  })
}

/** Registers a tab of the Plugins page if the harness has one (since 0.2), otherwise of Settings, in any order. */
function registerTab(slots: ClientServices['slots'], register: (slot: string) => () => void): void {
  const declared = new Set<string>()
  let current: string | undefined
  let remove: (() => void) | undefined
  const update = () => {
    const next = TAB_SLOTS.find((slot) => declared.has(slot))
    if (next === current) return
    remove?.()
    current = next
    remove = next === undefined ? undefined : attempt(() => register(next))
  }
  for (const slot of TAB_SLOTS)
    attempt(() =>
      slots.inject(slot, () => {
        declared.add(slot)
        update()
        return () => {
          declared.delete(slot)
          update()
        }
      }),
    )
}

/** Limits a failure to its own entry, in case the harness does not. */
const alone =
  <P extends object>(Entry: ComponentType<P>): ComponentType<P> =>
  (props) => (
    <Boundary fallback={() => null}>
      <Entry {...props} />
    </Boundary>
  )
