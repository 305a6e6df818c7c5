import { type ComponentType, createElement, Fragment } from 'react'
import { claim } from '../claim.ts'
import { COMMAND, wordsIn } from '../command.ts'
import { attempt } from './attempt.ts'
import { Boundary } from './Boundary.ts'
import { connectHost } from './bridge.ts'
import type { ClientContext, ClientServices } from './harness.ts'
import { ListingButton, packageOf } from './ListingButton.ts'
import { searchFor } from './opened.ts'
import { SidebarAction } from './SidebarAction.ts'
import { StoreOverlay } from './StoreOverlay.ts'
import { StoreTab } from './StoreTab.ts'
import { createShell, type Shell } from './shell.ts'
import { addStyle } from './style.ts'
import { TrialFrames } from './TrialFrames.ts'
import { wordsOf } from './words.ts'

const ID = 'plugmark'
const PLUGINS_PAGE = 'plugins.tab'
/** Slots for the store's tab, the best first. */
const TAB_SLOTS = [PLUGINS_PAGE, 'settings.plugins.tab']

/**
 * The browser half. Whatever is thrown in here replaces the harness's whole page by an error, so nothing is; services
 * are waited for where they are needed, for the same reason.
 */
export function apply(ctx: ClientContext): void {
  attempt(() => {
    const copy = claim(ID, () =>
      attempt(() => ctx.inject(['connection', 'slots', 'locale'], (ctx) => attempt(() => furnish(ctx)))),
    )
    ctx.effect(() => copy.release, 'plugmark: claim')
  })
}

type Furnished = ClientContext & Pick<ClientServices, 'connection' | 'slots' | 'locale'>

function furnish(ctx: Furnished): void {
  const gone = new AbortController()
  ctx.effect(() => () => gone.abort(), 'plugmark: requests')
  ctx.effect(addStyle, 'plugmark: style')
  const shell = createShell(connectHost(ctx.connection, gone.signal), ctx.locale)
  register(ctx, shell)
  ctx.on('command/executed', (_session, name, { kind, text }) => {
    if (name === COMMAND && kind === 'success') shell.opened.open(searchFor(wordsIn(text)))
  })
}

function register({ slots }: Furnished, shell: Shell): void {
  const label = () => wordsOf(shell.locale.getLanguage()).store
  function place<P extends object>(
    name: string,
    component: ComponentType<P>,
    options: { order?: number; label?: () => string } = {},
  ) {
    // Called whenever the slot is declared, and so not only from here.
    const enter = () => attempt(() => slots.register({ name, id: ID, ...options }, alone(component))) ?? (() => {})
    attempt(() => slots.inject(name, enter))
  }
  registerTab(slots, (name) =>
    slots.register(
      { name, id: ID, order: 20, label },
      alone(() => createElement(StoreTab, { shell, isPage: name === PLUGINS_PAGE })),
    ),
  )
  place<{ subject: unknown }>('plugins.detail.actions', ({ subject }) =>
    createElement(ListingButton, { shell, packageName: packageOf(subject) }),
  )
  place('shell.overlay', () =>
    createElement(Fragment, null, createElement(StoreOverlay, { shell }), createElement(TrialFrames, { shell })),
  )
  place<{ wide: boolean }>('sidebar.footer.action', ({ wide }) => createElement(SidebarAction, { shell, wide }), {
    order: 10,
  })
}

/** A tab of the Plugins page where the harness has one (since 0.2), else of Settings, whichever is declared first. */
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

/** Whether the harness keeps its entries apart is its own affair. */
const alone =
  <P extends object>(component: ComponentType<P>): ComponentType<P> =>
  (props) =>
    createElement(Boundary, { fallback: () => null, children: createElement(component, props) })
