import { type IndexListing, isCategory, nameParts } from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall, specText } from '@plugmark/shared/install'
import type { LinkTarget } from '../github/links.ts'
import type { BadgeData } from '../start/stored-badges.ts'

/** An install command, or the reason why there is none. */
export type Command =
  | { readonly ok: true; readonly command: string }
  | { readonly ok: false; readonly reason: NotInstallableReason }

export interface CommandOptions {
  readonly cli: string
  /** @default the profile in the directory's commands */
  readonly profile?: string
}

/**
 * Binds a command to its listing and renders it for the user's profile. No other code does this.
 *
 * @param install the listing's own command, or another from its record; untrusted
 */
export function commandOf(
  listing: IndexListing,
  { cli, profile }: CommandOptions,
  install: string | null = listing.install,
): Command {
  const bound = bindInstall({ ...listing, install }, { cli })
  if (!bound.ok) return bound
  const command = renderInstall(bound.plan, profile === undefined ? {} : { profile })
  return command === null ? { ok: false, reason: 'bad-profile' } : { ok: true, command }
}

/**
 * Returns the command of Plugmark's own command line, which tries a listing in a copy of the profile before it installs
 * it. Like the harness's command, it has no character with a special meaning in a shell.
 */
export function trialOf(listing: IndexListing, { cli, profile }: CommandOptions): Command {
  const bound = bindInstall(listing, { cli })
  if (!bound.ok) return bound
  const id = isRoot(listing) ? listing.fullName : specText(bound.plan.spec)
  return { ok: true, command: `plugmark install ${id} --profile ${profile ?? bound.plan.profile}` }
}

/** The command that a repository's badge copies, and the listing that it installs. */
export type Offer =
  | { readonly kind: 'none'; readonly reason: NotInstallableReason }
  | { readonly kind: 'command'; readonly listing: IndexListing; readonly command: string }
  /** Ambiguous: the root cannot be installed, or there is none and several others can be. */
  | { readonly kind: 'choice' }

/**
 * Returns the offer for the listings of one repository: the command of the root; without a root, the only command; else
 * a choice, even of one, so that nobody who wants the root gets another plugin.
 *
 * @param listings at least one
 */
export function offerFor(listings: readonly IndexListing[], options: CommandOptions): Offer {
  const commands: Extract<Offer, { kind: 'command' }>[] = []
  let reason: NotInstallableReason | null = null
  for (const listing of rootFirst(listings)) {
    const result = commandOf(listing, options)
    if (result.ok) commands.push({ kind: 'command', listing, command: result.command })
    else reason ??= result.reason
  }
  const [first] = commands
  if (first === undefined) return { kind: 'none', reason: reason ?? 'no-command' }
  const isOnly = commands.length === 1 && !listings.some(isRoot)
  return isRoot(first.listing) || isOnly ? first : { kind: 'choice' }
}

/** @param listings at least one, all for which the badge stands */
export function toBadgeData(listings: readonly IndexListing[], { cli }: { readonly cli: string }): BadgeData {
  const offer = offerFor(listings, { cli })
  const [first] = listings as readonly [IndexListing, ...IndexListing[]]
  const { category } = first
  return {
    category: isCategory(category) ? category : null,
    count: listings.length,
    action: offer.kind === 'command' ? 'copy' : offer.kind === 'choice' ? 'choose' : offer.reason,
    isRoot: listings.length === 1 && isRoot(first),
  }
}

/**
 * Returns the listings of a target. For a repository these are all of its listings. For a path it is the listing of
 * this very subdirectory, else that of the root: a subdirectory without a listing of its own is part of the root.
 *
 * @param listings all listings of the target's repository
 */
export function selectListings(
  { tree, isExact }: LinkTarget,
  listings: readonly IndexListing[],
): readonly IndexListing[] {
  if (tree === null) return listings
  // A git reference with slashes is not recognised: guessing its end could offer the command of another plugin.
  const path = tree.split('/').slice(1).join('/')
  const subpathOf = ({ fullName }: IndexListing) => nameParts(fullName).subpath
  const exact = listings.find((listing) => subpathOf(listing) === path)
  if (exact) return [exact]
  // When two listings differ only in case, a third spelling means neither.
  const folded = listings.filter((listing) => subpathOf(listing)?.toLowerCase() === path.toLowerCase())
  if (folded.length === 1) return folded
  if (isExact) return []
  return path === '' ? listings : listings.filter(isRoot)
}

export const isRoot = (listing: IndexListing) => nameParts(listing.fullName).subpath === null

/** Moves the root before the subdirectories, whatever the order of the directory. */
export function rootFirst(listings: readonly IndexListing[]): IndexListing[] {
  return [...listings.filter(isRoot), ...listings.filter((listing) => !isRoot(listing))]
}
