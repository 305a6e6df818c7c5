import { plainText } from '../../messages/plain.ts'
import type { DataOf } from '../documents.ts'
import { Failure, unwrap } from '../failure.ts'
import { type Listings, readListings } from '../listings.ts'
import { chooseProfile } from '../profiles.ts'
import type { Session } from '../session.ts'

export async function list(
  session: Session,
  options: { readonly profile?: string | undefined; readonly outdated?: boolean | undefined },
) {
  const profile = await chooseProfile(session, options.profile)
  const { outdated = false } = options
  const { rows } = await listingsIfAny(session)
  const host = await session.openHost()
  const installed = unwrap(await host.calls[outdated ? 'checkUpdates' : 'installed']({ profile }))
  const verdicts = new Map(rows.map((row) => [row.id, row]))
  return {
    profile,
    outdatedOnly: outdated,
    plugins: installed
      .filter(({ latest }) => !outdated || latest !== null)
      .map((plugin) => ({
        package: plainText(plugin.name),
        id: plugin.listing,
        spec: plainText(plugin.spec),
        version: plugin.version && plainText(plugin.version),
        latest: plugin.latest && plainText(plugin.latest),
        loaded: plugin.layer,
        verdict: verdicts.get(plugin.listing ?? '')?.verdict ?? null,
        checkedAt: verdicts.get(plugin.listing ?? '')?.checkedAt ?? null,
        managed: plugin.removable,
        why: plugin.unmanagedReason && session.words.unmanaged[plugin.unmanagedReason],
      })),
  } satisfies DataOf<'list'>
}

/** What a profile has is known without a directory. */
const listingsIfAny = (session: Session): Promise<Pick<Listings, 'rows'>> =>
  readListings(session).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'directory') return { rows: [] }
    throw error
  })
