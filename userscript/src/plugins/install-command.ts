import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall } from '@plugmark/shared/install'

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
 * Binds a command to its listing and renders it for the person's profile. No other code does this.
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

/** A command ready to be copied, and the listing that it installs. */
export interface OfferedCommand {
  readonly fullName: string
  readonly command: string
}

/** The command that a repository's badge copies, or a choice of several. */
export type Offer =
  | { readonly kind: 'none'; readonly reason: NotInstallableReason }
  | { readonly kind: 'command'; readonly offered: OfferedCommand }
  /** Ambiguous: the root cannot be installed, or there is none and several others can be. */
  | { readonly kind: 'choice'; readonly among: readonly OfferedCommand[] }

/**
 * Returns the offer for the listings of one repository: the command of the root; without a root, the only command; else
 * a choice, even of one, so that nobody who wants the root gets another plugin.
 *
 * @param listings at least one
 */
export function offerFor(listings: readonly IndexListing[], options: CommandOptions): Offer {
  const offered: OfferedCommand[] = []
  let reason: NotInstallableReason | null = null
  for (const listing of rootFirst(listings)) {
    const result = commandOf(listing, options)
    if (!result.ok) {
      reason ??= result.reason
      continue
    }
    const command = { fullName: listing.fullName, command: result.command }
    if (isRoot(listing)) return { kind: 'command', offered: command }
    offered.push(command)
  }
  const [first, second] = offered
  if (first === undefined) return { kind: 'none', reason: reason ?? 'no-command' }
  return second === undefined && !listings.some(isRoot)
    ? { kind: 'command', offered: first }
    : { kind: 'choice', among: offered }
}

export const isRoot = (listing: IndexListing) => nameParts(listing.fullName).subpath === null

/** Moves the root before the subdirectories, whatever the order of the directory. */
export function rootFirst(listings: readonly IndexListing[]): IndexListing[] {
  return [...listings.filter(isRoot), ...listings.filter((listing) => !isRoot(listing))]
}
