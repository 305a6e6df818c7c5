import { DEFAULTS } from '@plugmark/shared/contract'
import { toFitData } from '../../client/published.ts'
import { profileNames } from '../choose-profile.ts'
import { checkProfileName } from '../cli-settings.ts'
import type { DataOf } from '../documents.ts'
import { readListings } from '../read-listings.ts'
import type { Session } from '../session.ts'

export async function show(
  session: Session,
  id: string,
  options: { readonly profile?: string | undefined },
): Promise<DataOf<'show'>> {
  const profile = await profileToShow(session, options.profile)
  const client = await session.openClient()
  const listing = await client.resolve(id, await readListings(session), { byName: true })
  const host = await session.openHost()
  const [details, fit] = await Promise.all([
    client.details(listing, profile),
    host.calls.fit({ id: listing.id, profile }),
  ])
  return { ...details, fit: fit.ok ? toFitData(fit.value, session.locale) : null }
}

/** Returns the only profile, or the default: a plugin can be shown without a harness. */
async function profileToShow(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return checkProfileName(named)
  if (session.defaultProfile !== undefined) return checkProfileName(session.defaultProfile)
  const [only, ...others] = await profileNames(session)
  return only !== undefined && others.length === 0 ? only : DEFAULTS.profile
}
