import type { IndexListing } from '@plugmark/shared/contract'
import type { Card } from '../card/card.ts'
import { followIntent } from '../card/intent.ts'
import type { CardOptions } from '../card/options.ts'
import { isDoubtful } from '../card/view.ts'
import { repositoryOfTarget, type Target } from '../marking/target.ts'
import { keepFromPage, showCopied } from '../ui/copy-button.ts'
import { whenIdle } from '../ui/idle.ts'
import { actionOf, labelOf, specify } from './badge.ts'
import type { Badges, Made } from './badges.ts'
import type { Checks } from './checks.ts'
import { offerFor } from './offer.ts'

/** Badges that are told what their rows say without being asked: as many as a page of a list has. */
const FIRST = 30

export interface BehaviourOptions {
  readonly badges: Badges
  readonly card: Card
  readonly checks: Checks
  /** All listings each target stands for. */
  readonly lookUp: (targets: readonly Target[]) => Promise<ReadonlyMap<Target, readonly IndexListing[]>>
  /** A badge stands for nothing, as its rows have it. */
  readonly onGone: (target: Target) => void
  /** Read whenever something is said. */
  readonly speak: () => CardOptions
}

/** What badges do. The rows behind one are read when a person turns to it, and those of a page's first ones anyway. */
export interface Behaviour {
  /** Takes care of a new badge. */
  greet(made: Made): void
  /** Another page, or another voice: its first badges are told again. */
  begin(): void
  /** Reads which checks are at hand and shows them on the badges that are there. */
  showChecks(): Promise<void>
  /** The catalogue may have other rows by now. */
  forgetRows(): void
}

/** Starts listening; one set of listeners serves all badges. */
export function followBadges({ badges, card, checks, lookUp, speak, onGone }: BehaviourOptions): Behaviour {
  let rows = new WeakMap<Made, Promise<readonly IndexListing[]>>()
  const first = new Set<Made>()
  let greeted = 0

  /** Reads the rows of several badges at once. */
  const read = (several: readonly Made[]) => {
    const found = lookUp(several.map(({ target }) => target))
    for (const made of several) {
      const listings = found.then((all) => all.get(made.target) ?? [])
      // Whoever asks is told of a failure.
      listings.catch(() => {})
      rows.set(made, listings)
    }
  }
  const listingsOf = (made: Made): Promise<readonly IndexListing[]> => {
    if (!rows.has(made)) read([made])
    return rows.get(made)!
  }

  /** Brings the badge up to what its rows say; gives what its button does now. */
  const tell = async (made: Made) => {
    const listings = await listingsOf(made)
    if (listings.length === 0) {
      onGone(made.target)
      return null
    }
    const voice = speak()
    const offer = offerFor(listings, voice)
    const offered = offer.kind === 'command' ? offer.offered : null
    const { fullName } = offered ?? listings[0]!
    const verdict = checks.verdictOf(listings.find((listing) => listing.fullName === fullName)!)
    const exact = { fullName, command: offered?.command ?? null, passed: verdict === 'passed' }
    specify(made.node, made.face, exact, voice)
    return { listings, offered: isDoubtful(verdict) ? null : offered }
  }
  const tellSoon = (made: Made) => {
    tell(made).catch(() => {
      // It goes on saying what it said.
    })
  }
  const press = async (made: Made) => {
    const known = await tell(made)
    if (known === null) return
    if (known.offered === null) {
      card.open(labelOf(made.node), known.listings, { pinned: true, focus: true, unfolded: true })
    } else if (await speak().copy(known.offered)) showCopied(actionOf(made.node))
  }

  followIntent({
    card,
    labelAt(node) {
      const made = badges.at(node)
      const label = made && labelOf(made.node)
      return label?.contains(node as Node) ? label : null
    },
    async listingsOf(label) {
      const made = badges.at(label)
      return made ? listingsOf(made) : []
    },
  })
  const tellFirst = whenIdle([
    () => {
      const several = [...first].filter((made) => !rows.has(made) && made.node.isConnected)
      first.clear()
      read(several)
      several.forEach(tellSoon)
    },
  ])
  for (const type of ['pointerover', 'focusin'] as const) {
    addEventListener(type, ({ target }) => {
      const made = badges.at(target)
      if (made && !rows.has(made)) tellSoon(made)
    })
  }
  const onClick = (event: MouseEvent) => {
    const made = badges.at(event.target)
    const button = made && actionOf(made.node)
    if (!made || button?.localName !== 'button' || !button.contains(event.target as Node)) return
    keepFromPage(event)
    press(made).catch(() => {
      // Nothing was copied, and nothing says that it was.
    })
  }
  addEventListener('click', onClick, { capture: true })

  const greet = (made: Made) => {
    if (greeted++ < FIRST) {
      first.add(made)
      tellFirst()
    } else if (checks.hasAny(repositoryOfTarget(made.target))) tellSoon(made)
  }
  const begin = () => {
    greeted = 0
    for (const made of badges.all()) if (greeted < FIRST) greet(made)
  }
  return {
    greet,
    begin,
    async showChecks() {
      await checks.reload()
      for (const made of badges.all()) if (checks.hasAny(repositoryOfTarget(made.target))) tellSoon(made)
    },
    forgetRows() {
      rows = new WeakMap()
      begin()
    },
  }
}
