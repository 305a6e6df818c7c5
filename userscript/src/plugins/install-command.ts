import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall } from '@plugmark/shared/install'

/** A command ready to be copied, and the listing it installs. */
export interface OfferedCommand {
  readonly fullName: string
  readonly command: string
}

/** What a repository's badge offers to copy. */
export type Offer =
  | { readonly kind: 'none'; readonly reason: NotInstallableReason }
  | { readonly kind: 'command'; readonly offered: OfferedCommand }
  /** Several listings can be installed and none of them is the repository's root: the person says which. */
  | { readonly kind: 'choice'; readonly among: readonly OfferedCommand[] }

export interface OfferOptions {
  readonly cli: string
  /** @default the profile the directory writes */
  readonly profile?: string
}

/**
 * What to offer for the listings of one repository: the root's command, else the only one there is, else a choice.
 *
 * @param listings at least one; their commands are untrusted until bound
 */
export function offerFor(listings: readonly IndexListing[], { cli, ...own }: OfferOptions): Offer {
  const offered: OfferedCommand[] = []
  let reason: NotInstallableReason | null = null
  for (const listing of rootFirst(listings)) {
    const bound = bindInstall(listing, { cli })
    const command = bound.ok ? renderInstall(bound.plan, own) : null
    if (command === null) reason ??= bound.ok ? 'malformed' : bound.reason
    else if (isRoot(listing)) return { kind: 'command', offered: { fullName: listing.fullName, command } }
    else offered.push({ fullName: listing.fullName, command })
  }
  const [first, second] = offered
  if (first === undefined) return { kind: 'none', reason: reason ?? 'no-command' }
  return second === undefined ? { kind: 'command', offered: first } : { kind: 'choice', among: offered }
}

const isRoot = (listing: IndexListing) => nameParts(listing.fullName).subpath === null

/** The root stands before the subdirectories, whatever the order of the directory. */
export function rootFirst(listings: readonly IndexListing[]): IndexListing[] {
  return [...listings.filter(isRoot), ...listings.filter((listing) => !isRoot(listing))]
}
