import type { IndexListing } from '@plugmark/shared/contract'
import { isDoubtful } from '@plugmark/shared/contract'
import type { Card } from '../card/card.ts'
import type { CardOptions } from '../card/options.ts'
import { followIntent } from '../card/triggers.ts'
import type { Target } from '../github/target.ts'
import { offerFor } from '../plugins/install-command.ts'
import type { Checks } from '../plugins/verdicts.ts'
import { keepFromPage } from '../ui/button.ts'
import { showCopied } from '../ui/copy-button.ts'
import { actionOf, labelOf } from './badge.ts'
import type { Badges, Made } from './badges.ts'
import { specify } from './update-badge.ts'

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

/** What badges do. The rows behind one are read when a person turns to it, or it stands for a part of its repository. */
export interface Behaviour {
  /** Takes an event as if it were listened for when it came. */
  hear(event: Event): void
  /** Brings badges up to what their rows say. */
  tell(several: readonly Made[]): void
  /** The catalogue may have other rows by now. */
  forgetRows(): void
}

/** Starts listening; one set of listeners serves all badges. */
export function followBadges({ badges, card, checks, lookUp, speak, onGone }: BehaviourOptions): Behaviour {
  let rows = new WeakMap<Made, Promise<readonly IndexListing[]>>()

  const listingsOf = (made: Made): Promise<readonly IndexListing[]> => {
    const known = rows.get(made)
    if (known) return known
    const listings = lookUp([made.target]).then((found) => found.get(made.target) ?? [])
    rows.set(made, listings)
    // The next turn tries again.
    listings.catch(() => rows.delete(made))
    return listings
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
    const meant = listings.length > 1 ? listings.find(({ fullName }) => fullName === offered?.fullName) : listings[0]
    // The check of one of several says nothing of the others.
    const verdict = meant ? checks.verdictOf(meant) : null
    const fullName = meant?.fullName ?? listings[0]!.fullName.split('#', 1)[0]!
    const exact = { fullName, command: offered?.command ?? null }
    specify(made.node, made.face, exact, voice)
    return { listings, offered: isDoubtful(verdict) ? null : offered }
  }
  const tellSoon = (made: Made) => {
    tell(made).catch(() => {
      // It goes on saying what it said.
    })
  }
  const press = async (made: Made) => {
    // Another tab may know by now that the command failed.
    await checks.reload()
    const known = await tell(made)
    if (known === null) return
    if (known.offered && (await speak().copy(known.offered))) showCopied(actionOf(made.node))
    else card.open(labelOf(made.node), known.listings, { pinned: true, focus: true, unfolded: true })
  }

  const hearIntent = followIntent({
    card,
    labelAt(node) {
      const made = badges.at(node)
      const label = made && labelOf(made.node)
      return label?.contains(node as Node) ? label : null
    },
    async listingsOf(label) {
      // A card begins with what is known of its command.
      await checks.reload()
      const made = badges.at(label)
      // What cannot be read is not opened.
      return made ? listingsOf(made).catch(() => []) : []
    },
  })
  const onTurn = ({ target }: Event) => {
    const made = badges.at(target)
    if (made) tellSoon(made)
  }
  const onClick = (event: Event) => {
    const made = badges.at(event.target)
    const button = made && actionOf(made.node)
    if (!made || button?.localName !== 'button' || !button.contains(event.target as Node)) return
    keepFromPage(event)
    press(made).catch(() => {
      // They say what there is of the directory, why there is no more, and can ask for it; not to somebody who has gone on.
      if (button.matches(':hover, :focus')) speak().openSettings()
    })
  }
  const heard = new Map([
    ['pointerover', onTurn],
    ['focusin', onTurn],
    ['click', onClick],
  ])
  for (const [type, act] of heard) addEventListener(type, act, { capture: true })

  return {
    hear(event) {
      hearIntent(event)
      heard.get(event.type)?.(event)
    },
    tell: (several) => several.forEach(tellSoon),
    forgetRows() {
      rows = new WeakMap()
    },
  }
}
