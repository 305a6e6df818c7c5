/** The places of the harness's page that show the store or open it. */
import React, { type ReactNode, type SyntheticEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ICONS } from '../../view/icons.ts'
import { useWords } from './page-words.ts'
import { StoreState } from './StoreState.tsx'
import { type Shell, stepsInStore } from './shell.ts'
import { useValue } from './value.ts'

interface TabProps {
  readonly shell: Shell
  /** True for a tab of the Plugins page, false for one of Settings. */
  readonly isPage: boolean
}

export function StoreTab({ shell, isPage }: TabProps) {
  const words = useWords(shell)
  const { tab, dialog } = shell
  const { address } = useValue(tab)
  useEffect(() => {
    tab.open()
    // Delayed: an unloading page part first records that the tab is shown.
    return () => void setTimeout(tab.close)
  }, [tab])
  // Read the snapshot: a click right after the search box lost focus comes before the next rendering.
  const widen = () => dialog.open(tab.getSnapshot().address)
  return (
    <div className={isPage ? 'plugmark-tab plugmark-page' : 'plugmark-tab'}>
      <StoreState shell={shell} place="tab" address={address} onAddress={tab.goTo}>
        <IconButton label={words.openWide} onClick={widen}>
          <WidenIcon />
        </IconButton>
      </StoreState>
    </div>
  )
}

export function StoreOverlay({ shell }: { readonly shell: Shell }) {
  const { isOpen, address } = useValue(shell.dialog)
  return isOpen ? <StoreDialog shell={shell} address={address} /> : null
}

/**
 * Native modal dialog, because it is above the harness's Settings, traps the keyboard focus, and restores the focus
 * after it closes.
 */
function StoreDialog({ shell, address }: { readonly shell: Shell; readonly address: string }) {
  const words = useWords(shell)
  const node = useRef<HTMLDialogElement>(null)
  /** True if Escape asks to close it: the store did not handle the key itself by closing a part of its own. */
  const isLeft = useRef(false)
  useEffect(() => {
    const { current } = node
    if (current && !current.open) current.showModal()
    // Settings listens on the document, and would close too. A closed dialog stays mounted until its close event, and a
    // key that is pressed before that event is for Settings.
    const keep = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current?.open) return
      event.stopPropagation()
      isLeft.current = true
    }
    document.documentElement.addEventListener('keydown', keep)
    return () => document.documentElement.removeEventListener('keydown', keep)
  }, [])
  // Back removes it. Only a dialog that is closed gives the focus back.
  useLayoutEffect(() => {
    const { current } = node
    return () => current?.close()
  }, [])
  const close = () => node.current?.close()
  const isOwn = ({ target }: SyntheticEvent) => target === node.current
  function onCancel(event: SyntheticEvent) {
    // Back of a phone asks a dialog to close before it asks the page.
    if (isOwn(event) && !isLeft.current && stepsInStore() > 0) {
      event.preventDefault()
      history.back()
    }
    isLeft.current = false
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape and the button
    <dialog
      ref={node}
      className="plugmark-overlay"
      aria-label={words.store}
      onCancel={onCancel}
      onClose={(event) => isOwn(event) && shell.dialog.close()}
      onClick={(event) => isOwn(event) && close()}
    >
      <div className="plugmark-panel">
        <StoreState shell={shell} place="dialog" address={address} onAddress={shell.dialog.goTo}>
          <IconButton label={words.close} onClick={close}>
            <CloseIcon />
          </IconButton>
        </StoreState>
      </div>
    </dialog>
  )
}

// Buttons that open it

/** Button beside Settings at the bottom of the sidebar; only an icon when the sidebar is collapsed. */
export function SidebarAction({ shell, wide }: { readonly shell: Shell; readonly wide: boolean }) {
  const words = useWords(shell)
  const { isOpen } = useValue(shell.dialog)
  const off = useValue(shell.host.feed.off)
  const updates = useValue(shell.host.feed.updates)
  // What is broken comes before what is new.
  const label = off > 0 ? words.storeWithOff(off) : updates > 0 ? words.storeWithUpdates(updates) : words.store
  return (
    <button
      className="plugmark-action"
      type="button"
      data-folded={wide ? undefined : true}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={wide && label === words.store ? undefined : label}
      onClick={() => shell.dialog.open()}
    >
      <PlugIcon size={wide ? 16 : 18} />
      {wide && <span className="plugmark-label">{words.store}</span>}
      {(off || updates) > 0 && (
        <span className={off > 0 ? 'plugmark-count' : 'plugmark-count plugmark-news'}>{off || `↑${updates}`}</span>
      )}
    </button>
  )
}

interface AddProps {
  readonly shell: Shell
  /** Closes the menu (0.2.1). */
  readonly onDismiss: unknown
}

/** Entry of the menu beside "Add plugin" on the Plugins page, which opens the store. */
export function AddAction({ shell, onDismiss }: AddProps) {
  const words = useWords(shell)
  const open = () => {
    if (typeof onDismiss === 'function') onDismiss()
    shell.dialog.open()
  }
  return (
    <button className="plugmark-add" type="button" role="menuitem" onClick={open}>
      <PlugIcon size={14} />
      <span>
        {words.store}
        <small>{words.aboutStore}</small>
      </span>
    </button>
  )
}

interface ListingProps {
  readonly shell: Shell
  /** A `subject` of the Plugins page (0.2.1). */
  readonly subject: unknown
}

/** Opens a plugin's listing from the harness's own page of the plugin. Renders nothing for an unlisted plugin. */
export function ListingButton({ shell, subject }: ListingProps) {
  const words = useWords(shell)
  const generation = useValue(shell.host.feed.generation)
  const packageName = packageOf(subject)
  const [listing, setListing] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setListing(null)
    if (packageName !== null)
      shell.host.listingOf(packageName).then(
        (found) => isCurrent && setListing(found),
        // Without an answer the button is left out.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [shell, packageName, generation])
  if (listing === null) return null
  const details = new URLSearchParams({ plugin: listing }).toString()
  return (
    <button className="plugmark-listing" type="button" onClick={() => shell.dialog.open(details)}>
      {words.inStore}
    </button>
  )
}

/** Returns the name of the package; null for one of the harness's own, which the directory does not list. */
function packageOf(subject: unknown): string | null {
  const { pkg } = (subject ?? {}) as { readonly pkg?: { readonly name?: unknown; readonly official?: unknown } | null }
  return typeof pkg?.name === 'string' && pkg.official !== true ? pkg.name : null
}

// Icons

const Icon = ({ path, size }: { readonly path: string; readonly size: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden>
    <path fill="currentColor" fillRule="evenodd" d={path} />
  </svg>
)

const CloseIcon = () => <Icon size={14} path={ICONS.close} />

const WidenIcon = () => (
  <Icon size={14} path="M9 1.5h5.5V7h-1.4V3.9L9.9 7.1l-1-1 3.2-3.2H9zM7 14.5H1.5V9h1.4v3.1l3.2-3.2 1 1-3.2 3.2H7z" />
)

const PlugIcon = ({ size }: { readonly size: number }) => <Icon size={size} path={ICONS.plug} />

interface IconButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Button for the slot in the store's header. */
const IconButton = ({ label, onClick, children }: IconButtonProps) => (
  <button className="plugmark-icon" slot="head" type="button" aria-label={label} title={label} onClick={onClick}>
    {children}
  </button>
)
