import { DEFAULTS } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { plainText } from '../../messages/plain.ts'
import type { DataOf } from '../documents.ts'
import { unwrap } from '../failure.ts'
import { readListings, resolveListing, toListing } from '../listings.ts'
import { profileNames } from '../profiles.ts'
import type { Session } from '../session.ts'
import { checkProfileName } from '../settings.ts'

export async function show(session: Session, id: string, options: { readonly profile?: string | undefined }) {
  const profile = await profileOf(session, options.profile)
  const listing = await resolveListing(session, id, await readListings(session))
  const host = await session.openHost()
  const details = unwrap(await host.calls.details({ id: listing.id, profile }))
  const messages = contractMessages(session.locale)
  return {
    ...toListing(details),
    command: details.command,
    profile,
    reason: details.reason && messages.reason(details.reason),
    riskMeanings: details.riskFlags.map((flag) => ({
      flag: plainText(flag),
      meaning: messages.riskFlag(flag).sentence,
    })),
    options: details.options.map(({ label, note, command }) => ({
      ...{ label: plainText(label), note: plainText(note), command },
    })),
    siblings: details.siblings.map((sibling) => plainText(sibling)),
    page: details.page,
    pushedAt: details.pushedAt,
  } satisfies DataOf<'show'>
}

/** The one that exists when there is only one; a plugin is shown without a harness too. */
async function profileOf(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return checkProfileName(named)
  const [only, ...others] = await profileNames(session)
  return only !== undefined && others.length === 0 ? only : DEFAULTS.profile
}
