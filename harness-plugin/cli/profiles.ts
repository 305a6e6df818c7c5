import type { Overview } from '../protocol/index.ts'
import { Failure, unwrap } from './failure.ts'
import type { Session } from './session.ts'
import { checkProfileName } from './settings.ts'

/**
 * The profile that was named, else the only one.
 *
 * @throws Failure when it does not exist, and when there are several to choose from
 */
export async function chooseProfile(
  session: Session,
  named: string | undefined,
): Promise<{ readonly profile: string; readonly overview: Overview }> {
  if (named !== undefined) checkProfileName(named)
  const overview = unwrap(await (await session.openHost()).calls.overview({}))
  const names = overview.profiles.map(({ name }) => name)
  if (named !== undefined) {
    if (names.includes(named)) return { profile: named, overview }
    throw new Failure('unknown-profile', ({ failures }) => failures.unknownProfile(named), {
      data: { suggestions: names },
    })
  }
  const [only, ...others] = names
  if (only === undefined) throw new Failure('no-profile', ({ failures }) => failures.noProfile)
  if (others.length > 0)
    throw new Failure('usage', ({ failures }) => failures.severalProfiles(names), {
      data: { suggestions: names },
    })
  return { profile: only, overview }
}
