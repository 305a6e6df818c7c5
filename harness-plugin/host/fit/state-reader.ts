import type { HarnessUpgrade } from '../../protocol/index.ts'
import { type HarnessSettings, harnessAt } from '../harness/running-harness.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import type { CompatibilityCheck } from './compatibility.ts'
import type { Evidence } from './evidence.ts'
import type { LastSeen } from './last-seen.ts'
import { readPluginStates, type SeenHarness, type StateOf } from './read-plugin-states.ts'
import { recordStates } from './record-trials.ts'

/** Reads what the plugins of profiles do: in the harness that the store runs in, else by the profile's files alone. */
export interface StateReader {
  /** @param seen a copy that was started, where the harness of the profile cannot be looked at */
  read(profile: string, state: ProfileState, seen?: SeenHarness | null): Promise<StateOf[]>
  /** Returns the upgrade of the harness after which plugins of a profile no longer run; null when there is none. */
  upgrade(profile: string): Promise<HarnessUpgrade | null>
  dismiss(profile: string): Promise<void>
}

export function createStateReader(given: {
  readonly settings: Pick<HarnessSettings, 'home' | 'running'> & { readonly cli: string }
  readonly version: CompatibilityCheck['version']
  readonly lastSeen: LastSeen
  readonly evidence: Evidence
}): StateReader {
  const { settings, version, lastSeen, evidence } = given
  const { home, running, cli } = settings
  /** Profiles of other homes have the same names. */
  const keyOf = (profile: string) => profileDirectory(home, profile)

  /** Copies that were started, each with the files of its profile. */
  const started = new Map<string, { readonly files: string; readonly seen: SeenHarness }>()
  const filesOf = ({ files }: ProfileState) => JSON.stringify([...files])

  /** Returns what the last copy of a profile ran; null if none was started since the profile's files changed. */
  function findCopy(profile: string, state: ProfileState): SeenHarness | null {
    const last = started.get(profile)
    return last?.files === filesOf(state) ? last.seen : null
  }

  /** Returns the tree of the running harness, if it is that of the profile. */
  async function look(directory: string): Promise<SeenHarness | null> {
    const harness = await harnessAt(directory, running)
    return harness && { ...harness.tree(), changes: harness.isLive ? 'applied' : 'ignored', lines: [] }
  }

  async function read(profile: string, state: ProfileState, given: SeenHarness | null = null): Promise<StateOf[]> {
    const directory = profileDirectory(home, profile)
    if (given !== null) started.set(profile, { files: filesOf(state), seen: given })
    const live = given === null ? await look(directory) : null
    const seen = given ?? live ?? findCopy(profile, state)
    const harnessVersion = await version()
    const ranBefore = await lastSeen.ranBefore(keyOf(profile), harnessVersion)
    const states = await readPluginStates({ cli, profile, directory, state, harnessVersion, seen, ranBefore })
    if (seen !== null && harnessVersion !== null)
      await recordStates(states, state.versions, { evidence, harnessVersion, isCopy: live === null })
    return states
  }

  return {
    read,
    async upgrade(profile) {
      const directory = profileDirectory(home, profile)
      const [state, harnessVersion] = await Promise.all([readProfileState(directory), version()])
      if (state === null || harnessVersion === null) return null
      const program = running?.program ?? null
      return lastSeen.note(keyOf(profile), { harnessVersion, program }, await read(profile, state))
    },
    dismiss: (profile) => lastSeen.dismiss(keyOf(profile)),
  }
}
