import type { InstalledPlugin, StoreCalls } from '../../protocol/index.ts'
import type { StateOf } from '../fit/plugin-states.ts'
import { answer, refuse } from '../guard/answer.ts'
import { profileDirectory } from '../profile/home.ts'
import { declaresLayer, type ProfileState, readProfileState } from '../profile/state.ts'
import { type FindListing, listInstalled } from './installed.ts'
import { fetchNewest, newerThan, type UpdateCheck } from './newest.ts'

/** Creates the calls for the installed plugins of a profile and their newer versions. */
export function installedCalls(given: {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly findListing: FindListing
  readonly ownPackage: string | null
  readonly redact: (text: string) => string
  /** Resolves with true if plugins of a profile can be enabled and disabled. */
  readonly canSwitch: (profile: string) => Promise<boolean>
  /** Resolves with true if the running harness does that at once. */
  readonly switchesLive: (profile: string) => Promise<boolean>
  /** Reads what each entry of a profile does in the harness. */
  readonly readStates: (profile: string, state: ProfileState) => Promise<readonly StateOf[]>
}) {
  /** The last result for each profile. */
  const newest = new Map<string, UpdateCheck>()
  const pending = new Map<string, Promise<UpdateCheck | null>>()
  /** Runs at most one check at a time for each profile. */
  function fetchOnce(profile: string): Promise<UpdateCheck | null> {
    const result = pending.get(profile) ?? fetchNewest(profileDirectory(given.home, profile), given.env)
    pending.set(profile, result)
    return result.finally(() => pending.delete(profile))
  }

  async function list(profile: string) {
    const directory = profileDirectory(given.home, profile)
    const state = await readProfileState(directory)
    if (state === null)
      return refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)
    const newer = await newerThan(directory, state, newest.get(profile))
    const switchable = (await given.canSwitch(profile)) ? await layersOf(directory, state) : new Set<string>()
    const states = await given.readStates(profile, state)
    const switchesLive = await given.switchesLive(profile)
    const found = { ...given, newer, switchable, switchesLive, states }
    const plugins: readonly InstalledPlugin[] = await listInstalled(state, found)
    return answer(plugins)
  }

  return {
    installed: ({ profile }) => list(profile),
    async checkUpdates({ profile }) {
      const before = await list(profile)
      if (!before.ok) return before
      const found = await fetchOnce(profile)
      if (found === null) return refuse('package-manager', 'Could not check for newer versions.')
      newest.set(profile, found)
      return list(profile)
    },
  } satisfies Partial<StoreCalls>
}

/** Returns the dependencies that declare a layer, enabled or not. */
async function layersOf(directory: string, { manifest }: ProfileState): Promise<ReadonlySet<string>> {
  const names = Object.keys(manifest.dependencies)
  const declare = await Promise.all(names.map((name) => declaresLayer(directory, name)))
  return new Set(names.filter((_, index) => declare[index]))
}
