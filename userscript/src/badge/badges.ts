import type { IndexListing } from '@plugmark/shared/contract'
import type { Card } from '../card/card.ts'
import { createIntent } from '../card/intent.ts'
import type { CardOptions } from '../card/options.ts'
import type { Records } from '../card/records.ts'
import { isDoubtful } from '../card/view.ts'
import { BADGE_ATTRIBUTE } from '../marking/marks.ts'
import { type Badge, createBadge } from './badge.ts'
import { createChecks } from './checks.ts'

/** The badges of a page, with what is at hand of their install checks. */
export interface Badges {
  create(listings: readonly IndexListing[]): HTMLElement
  /** Reads which checks are at hand and shows them on the badges that are there. */
  showChecks(): Promise<void>
}

export function createBadges(options: {
  card: Card
  records: Pick<Records, 'checks'>
  /** Read when a badge is made. */
  speak: () => CardOptions
}): Badges {
  const { card, records, speak } = options
  const intent = createIntent(card)
  const made = new WeakMap<Element, { readonly badge: Badge; readonly listing: IndexListing }>()
  const show = (node: Element) => {
    const { badge, listing } = made.get(node) ?? {}
    if (badge && listing) badge.showPassed(checks.verdictOf(listing) === 'passed')
  }
  const checks = createChecks(records, () => {
    for (const node of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) show(node)
  })

  return {
    create(listings) {
      const badge = createBadge(listings, {
        ...speak(),
        openCard: (opener) => card.open(opener, listings, { pinned: true, focus: true, unfolded: true }),
        isDoubtful: () => isDoubtful(checks.verdictOf(listing)),
      })
      const listing = listings.find(({ fullName }) => fullName === badge.fullName)!
      made.set(badge.node, { badge, listing })
      intent.follow(badge.label, listings)
      show(badge.node)
      return badge.node
    },
    showChecks: checks.reload,
  }
}
