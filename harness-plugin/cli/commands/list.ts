import { ClientError } from '../../client/client-error.ts'
import type { AllListings } from '../../host/index.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
import { readListings } from '../read-listings.ts'
import type { Session } from '../session.ts'

export async function list(
  session: Session,
  options: { readonly profile?: string | undefined; readonly outdated?: boolean | undefined },
): Promise<DataOf<'list'>> {
  const profile = await chooseProfile(session, options.profile)
  const { outdated = false } = options
  const { rows } = await listingsIfAny(session)
  const client = await session.openClient()
  const plugins = await client.installed(profile, { checkUpdates: outdated, rows })
  return {
    profile,
    outdatedOnly: outdated,
    plugins: plugins.filter(({ latest, waiting }) => !outdated || latest !== null || waiting !== null),
  }
}

/** Returns the listings, or none without a directory, because the plugins of a profile can be listed without them. */
const listingsIfAny = (session: Session): Promise<Pick<AllListings, 'rows'>> =>
  readListings(session).catch((error: unknown) => {
    if (error instanceof ClientError && error.code === 'directory') return { rows: [] }
    throw error
  })
