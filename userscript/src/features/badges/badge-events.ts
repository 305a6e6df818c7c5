import type { IndexListing, Verdict } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { whileShown } from '../../base/lifetime.ts'
import { report, reportAs } from '../../base/report.ts'
import { offerFor } from '../../catalogue/offers.ts'
import { spelledAs } from '../../github/links.ts'
import { CONTRACT } from '../../i18n/index.ts'
import { type Badge, badgeAt } from '../../start/badge.ts'
import { copyCommand, showCopied } from '../../ui/copy.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { showSettings } from '../settings/dialog.ts'
import partsCss from './badge-parts.css?raw'
import { actionOf, expandBadge, isExpanded, labelOf, showBadgeCopied, updateBadge } from './badge-parts.ts'
import { BADGE_WORDS } from './badge-words.ts'

/** Events with which the user begins to use a badge. */
const EXPANDING = ['pointerover', 'pointerdown', 'focusin', 'click'] as const

/** Events that a row must not receive from a badge in it: the row may be a link or a control itself. */
const KEPT_FROM_PAGE = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'touchstart',
  'touchend',
  'click',
  'auxclick',
  'dblclick',
  'dragstart',
] as const

/** Keys that a badge uses. All others are the site's own, also while a badge has the focus. */
const USED_KEYS = ['Enter', ' ', 'ArrowLeft', 'ArrowRight']

/**
 * Adds the buttons of a badge when the user points at or focuses it, and keeps its events from the page and badges from
 * copied text. Our listeners on the window still receive these events. Register this before them.
 */
export function listenToBadges({ locale, announcer }: App, signal: AbortSignal): void {
  const expand = ({ target }: Event) => {
    const badge = badgeAt(target)
    if (badge === null || isExpanded(badge.node)) return
    addStyles(partsCss)
    expandBadge(badge, locale())
    announcer.prepare()
  }
  for (const type of EXPANDING) addEventListener(type, expand, { capture: true, signal })

  const keep = (event: Event) => {
    if (badgeAt(event.target)) event.stopPropagation()
  }
  for (const type of KEPT_FROM_PAGE) addEventListener(type, keep, { capture: true, passive: true, signal })
  const keepKey = (event: KeyboardEvent) => {
    if (USED_KEYS.includes(event.key)) keep(event)
  }
  for (const type of ['keydown', 'keypress', 'keyup'] as const)
    addEventListener(type, keepKey, { capture: true, signal })

  // The label is the badge's tab stop; arrow keys move the focus between its two buttons.
  const move = ({ key, target }: KeyboardEvent) => {
    const badge = badgeAt(target)
    if (badge && key === 'ArrowRight') actionOf(badge.node).focus()
    if (badge && key === 'ArrowLeft') labelOf(badge.node).focus()
  }
  addEventListener('keydown', move, { capture: true, signal })
}

/**
 * Returns the part of a badge to which an event belongs. An event that began before the badge was expanded has the
 * whole badge as its target: then the pointer's position decides, and without a pointer it is the label.
 */
export function badgePartAt(event: Event): HTMLElement | null {
  const badge = badgeAt(event.target)
  if (badge === null || badge.node.firstElementChild === null) return null
  const [label, action] = [labelOf(badge.node), actionOf(badge.node)]
  const hit =
    event.target === badge.node && event instanceof MouseEvent
      ? document.elementFromPoint(event.clientX, event.clientY)
      : (event.target as Node)
  if (action.contains(hit)) return action
  if (label.contains(hit)) return label
  return event.type === 'click' ? label : null
}

/** Longest wait for the directory before a command is copied. ms */
const RECORD_LIMIT_MS = 3000

/** Overlay that a badge shows beside it. */
interface BadgeOverlays {
  openCard(badge: Badge, listings: readonly IndexListing[]): void
  /** Shows a sentence for a while, for those who do not hear it announced. */
  showNote(text: string, beside: HTMLElement): void
}

/**
 * Makes the copy buttons of badges work: a button copies, or opens the card when the user has to choose or decide.
 * One set of listeners serves all badges, and gives each exact names when the user points at it or focuses it.
 */
export function listenToCopyButtons(app: App, overlays: BadgeOverlays, signal: AbortSignal): void {
  /**
   * Updates a badge by its listings.
   *
   * @returns the listings, and the one whose command its button copies, null when the user must choose; null when the
   *   badge has no listings any more
   */
  const update = async ({ node, link, target, data }: Badge) => {
    const listings = await app.lookup.listings(target)
    if (listings.length === 0) {
      app.lookup.markUnlisted(target)
      // The marker evaluates the link again.
      node.remove()
      return null
    }
    const offer = offerFor(listings, app.settings.current)
    const chosen = offer.kind === 'command' ? offer : null
    const { fullName } = spelledAs(chosen?.listing ?? listings[0]!, link)
    const name = chosen || listings.length === 1 ? fullName : fullName.split('#', 1)[0]!
    updateBadge(node, data, { fullName: name, command: chosen?.command ?? null }, app.locale())
    return { listings, chosen }
  }

  const onCopy = async (badge: Badge): Promise<void> => {
    const updated = update(badge)
    let verdict: Verdict | null = null
    const command = updated.then(async (offered) => {
      const chosen = offered?.chosen
      if (!chosen) return null
      const checked = await checkedCommand(app, chosen.listing, chosen.command)
      verdict = app.directory.records.verdictOf(chosen.listing)
      return checked
    })
    const remark = () => {
      const { name, sentence } = CONTRACT[app.locale()].verdict('needs-approval')
      return verdict === 'needs-approval' ? `${name}: ${sentence}` : ''
    }
    // The command is copied even if the page ends meanwhile; nothing is shown on the next one.
    const outcome = await whileShown(signal, copyCommand(app, command, remark))
    // The failure of a copy that nobody waits for any more is not shown.
    if (outcome === 'superseded') return
    const offered = await updated
    if (offered === null || !badge.node.isConnected) return
    if (outcome === 'copied') {
      showCopied(badge.node, (isCopied) => showBadgeCopied(badge.node, isCopied))
      if (remark()) overlays.showNote(`${BADGE_WORDS[app.locale()].copiedBut} ${remark()}`, actionOf(badge.node))
    } else overlays.openCard(badge, offered.listings)
  }

  const onPoint = ({ target }: Event) => {
    const badge = badgeAt(target)
    // When the index cannot be read, the badge keeps its names.
    if (badge) update(badge).catch(reportAs('badge: listings'))
  }
  addEventListener('pointerover', onPoint, { capture: true, signal })
  addEventListener('focusin', onPoint, { capture: true, signal })
  addEventListener(
    'click',
    (event) => {
      const badge = badgeAt(event.target)
      if (badge === null) return
      event.preventDefault()
      const button = actionOf(badge.node)
      if (badgePartAt(event) !== button || button.localName !== 'button') return
      whileShown(signal, onCopy(badge)).catch((error) => {
        report('badge: copy', error)
        // The settings show the state of the index and the failure. Not for a user who has moved on.
        if (button.matches(':hover, :focus')) showSettings(app)
      })
    },
    { capture: true, signal },
  )
}

/**
 * Returns a listing's own command, unless its install check failed: the card collapses such a command. Asks the directory
 * once a day, as the card does, and does not wait long for the answer.
 */
export async function checkedCommand(
  { directory }: App,
  listing: IndexListing,
  command: string,
): Promise<string | null> {
  const { records } = directory
  const asked = records.get(listing.fullName).catch(reportAs('badge: record'))
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, RECORD_LIMIT_MS))])
  return records.isDoubtful(listing) ? null : command
}
