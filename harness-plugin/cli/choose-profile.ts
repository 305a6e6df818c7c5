import { checkProfileName } from './cli-settings.ts'
import { Failure } from './failure.ts'
import type { Session } from './session.ts'

/**
 * Returns the profile that was named, else the one of the stored settings, else the only one.
 *
 * @throws Failure when it does not exist, and when there are several to choose from
 */
export async function chooseProfile(
  session: Session,
  named: string | undefined = session.defaultProfile,
): Promise<string> {
  if (named !== undefined) checkProfileName(named)
  const names = await profileNames(session)
  if (named !== undefined) {
    if (names.includes(named)) return named
    throw new Failure('unknown-profile', ({ failures }) => failures.unknownProfile(named), {
      data: { suggestions: names },
      next: session.command('doctor', '--profile', named),
    })
  }
  const [only, ...others] = names
  if (only === undefined)
    throw new Failure('no-profile', ({ failures }) => failures.noProfile, { next: session.command('doctor') })
  if (others.length > 0)
    throw new Failure('usage', ({ failures }) => failures.severalProfiles(names), {
      data: { suggestions: names },
    })
  return only
}

/** Returns the profiles whose package.json can be read. */
export async function profileNames(session: Session): Promise<string[]> {
  const profiles = await (await session.openHost()).profiles()
  return profiles.map(({ name }) => name)
}
