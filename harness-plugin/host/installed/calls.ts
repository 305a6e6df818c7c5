import type { InstalledPlugin } from '../../bridge/index.ts'
import { answer, refuse } from '../answer.ts'
import type { StoreCalls } from '../calls.ts'
import { profileDirectory } from '../profiles/home.ts'
import { declaresLayer } from '../profiles/package.ts'
import { type ProfileState, readProfileState } from '../profiles/state.ts'
import { listInstalled } from './installed.ts'
import type { ListingOf } from './listing-of.ts'
import { askNewest, type Newest, newerThan } from './newest.ts'

/** What a profile has, and what is newer. */
export function installedCalls(given: {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly listingOf: ListingOf
  readonly ownPackage: string | null
  readonly show: (text: string) => string
  /** Whether plugins of a profile can be enabled and disabled. */
  readonly canSwitch: (profile: string) => Promise<boolean>
}): Pick<StoreCalls, 'installed' | 'checkUpdates'> {
  /** By profile: what was said when it was last asked. */
  const newest = new Map<string, Newest>()
  const asking = new Map<string, Promise<Newest | null>>()
  /** One question at a time for each profile, however often it is asked. */
  function ask(profile: string): Promise<Newest | null> {
    const going = asking.get(profile) ?? askNewest(profileDirectory(given.home, profile), given.env)
    asking.set(profile, going)
    return going.finally(() => asking.delete(profile))
  }

  async function list(profile: string) {
    const directory = profileDirectory(given.home, profile)
    const state = await readProfileState(directory)
    if (state === null)
      return refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)
    const newer = await newerThan(directory, newest.get(profile))
    const switchable = (await given.canSwitch(profile)) ? await layersOf(directory, state) : new Set<string>()
    const plugins: readonly InstalledPlugin[] = await listInstalled(state, { ...given, newer, switchable })
    return answer(plugins)
  }

  return {
    installed: ({ profile }) => list(profile),
    async checkUpdates({ profile }) {
      const before = await list(profile)
      if (!before.ok) return before
      const found = await ask(profile)
      if (found === null) return refuse('package-manager', 'Could not check for newer versions.')
      newest.set(profile, found)
      return list(profile)
    },
  }
}

/** Dependencies that declare a layer, whether the harness boots it or not. */
async function layersOf(directory: string, { manifest }: ProfileState): Promise<ReadonlySet<string>> {
  const names = Object.keys(manifest.dependencies)
  const declare = await Promise.all(names.map((name) => declaresLayer(directory, name)))
  return new Set(names.filter((_, index) => declare[index]))
}
