import { type ComponentType, createElement, Fragment } from 'react'
import { COMMAND, wordsIn } from '../command.ts'
import { attempt } from './attempt.ts'
import { Boundary } from './Boundary.ts'
import { connectHost } from './bridge.ts'
import type { ClientContext, ClientServices } from './harness.ts'
import { searchFor } from './opened.ts'
import { SidebarAction } from './SidebarAction.ts'
import { StoreOverlay } from './StoreOverlay.ts'
import { StoreTab } from './StoreTab.ts'
import { createShell, type Shell } from './shell.ts'
import { addStyle } from './style.ts'
import { TrialFrames } from './TrialFrames.ts'
import { wordsOf } from './words.ts'

const ID = 'plugmark'
const CLAIM = Symbol.for('plugmark.store')

/**
 * The browser half. Whatever is thrown in here replaces the harness's whole page by an error, so nothing is; services
 * are waited for where they are needed, for the same reason.
 */
export function apply(ctx: ClientContext): void {
  attempt(() => {
    const page = globalThis as { [CLAIM]?: boolean }
    // Another copy of the store has the names already.
    if (page[CLAIM]) return
    page[CLAIM] = true
    ctx.effect(() => () => void delete page[CLAIM], 'plugmark: claim')
    ctx.inject(['connection', 'slots', 'locale'], (ctx) => attempt(() => furnish(ctx)))
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
  place('settings.plugins.tab', () => createElement(StoreTab, { shell }), { order: 20, label })
  place('shell.overlay', () =>
    createElement(Fragment, null, createElement(StoreOverlay, { shell }), createElement(TrialFrames, { shell })),
  )
  place<{ wide: boolean }>('sidebar.footer.action', ({ wide }) => createElement(SidebarAction, { shell, wide }), {
    order: 10,
  })
}

/** Whether the harness keeps its entries apart is its own affair. */
const alone =
  <P extends object>(component: ComponentType<P>): ComponentType<P> =>
  (props) =>
    createElement(Boundary, { fallback: () => null, children: createElement(component, props) })
