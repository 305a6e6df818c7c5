import type { InstalledPlugin } from '../../bridge/index.ts'
import { answer, refuse } from '../answer.ts'
import type { StoreCalls } from '../calls.ts'
import { profileDirectory } from '../profiles/home.ts'
import { readProfileState } from '../profiles/state.ts'
import { listInstalled } from './installed.ts'
import type { ListingOf } from './listing-of.ts'
import { askOutdated } from './outdated.ts'

/** What a profile has, and what is newer. */
export function installedCalls(given: {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly listingOf: ListingOf
}): Pick<StoreCalls, 'installed' | 'checkUpdates'> {
  /** By profile: what the registry said when it was last asked. */
  const newer = new Map<string, ReadonlyMap<string, string>>()
  const asking = new Map<string, ReturnType<typeof askOutdated>>()
  /** One question at a time for each profile, however often it is asked. */
  function ask(profile: string): ReturnType<typeof askOutdated> {
    const going = asking.get(profile) ?? askOutdated(profileDirectory(given.home, profile), given.env)
    asking.set(profile, going)
    return going.finally(() => asking.delete(profile))
  }

  async function list(profile: string) {
    const state = await readProfileState(profileDirectory(given.home, profile))
    if (state === null)
      return refuse('unknown-profile', `There is no profile "${profile}". Start the harness with it once.`)
    const known = newer.get(profile) ?? new Map<string, string>()
    const plugins: readonly InstalledPlugin[] = await listInstalled(state, { ...given, newer: known })
    return answer(plugins)
  }

  return {
    installed: ({ profile }) => list(profile),
    async checkUpdates({ profile }) {
      const before = await list(profile)
      if (!before.ok) return before
      const outdated = await ask(profile)
      if (outdated === null) return refuse('package-manager', 'pnpm could not say which versions are newer.')
      newer.set(profile, outdated)
      return list(profile)
    },
  }
}
