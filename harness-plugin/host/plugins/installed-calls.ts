import type { Hold, InstalledPlugin, StoreCalls, UpdateChecks } from '../../protocol/index.ts'
import { answer, refuse } from '../guard/serve.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { declaresLayer, type ProfileState, readProfileState } from '../profile/state.ts'
import { readHolds, writeHold } from './holds.ts'
import { type FindListing, listInstalled } from './list-installed.ts'
import { fetchNewest, newerThan, type UpdateCheck } from './newest.ts'
import type { StateOf } from './states.ts'
import { isDue, readUpdateState, type UpdateState, writeUpdateState } from './update-state.ts'

/** Creates the calls for the installed plugins of a profile and their newer versions. */
export function installedCalls(given: {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly findListing: FindListing
  readonly ownPackage: string | null
  readonly redact: (text: string) => string
  readonly now: () => number
  /** Called when the installed plugins are to be read again. */
  readonly onChange: () => void
  /** Resolves with true if plugins of a profile can be enabled and disabled. */
  readonly canSwitch: (profile: string) => Promise<boolean>
  /** Resolves with true if the running harness does that at once. */
  readonly switchesLive: (profile: string) => Promise<boolean>
  /** Reads what each entry of a profile does in the harness. */
  readonly readStates: (profile: string, state: ProfileState) => Promise<readonly StateOf[]>
}) {
  /** The last state of each profile's checks, where it cannot be stored in the profile. */
  const unsaved = new Map<string, UpdateState>()
  const pending = new Map<string, Promise<UpdateCheck | null>>()
  const directoryOf = (profile: string) => profileDirectory(given.home, profile)
  const readState = async (profile: string) => unsaved.get(profile) ?? (await readUpdateState(directoryOf(profile)))
  async function saveState(profile: string, change: Partial<UpdateState>): Promise<UpdateState> {
    const state = { ...(await readState(profile)), ...change }
    unsaved.delete(profile)
    await writeUpdateState(directoryOf(profile), state).catch(() => unsaved.set(profile, state))
    return state
  }

  /** Checks for updates, at most once at a time for each profile, and stores the result. */
  function check(profile: string): Promise<UpdateCheck | null> {
    const result = pending.get(profile) ?? checkAndSave(profile).finally(() => pending.delete(profile))
    pending.set(profile, result)
    return result
  }
  async function checkAndSave(profile: string): Promise<UpdateCheck | null> {
    const { failures } = await readState(profile)
    const attemptedAt = given.now()
    const found = await fetchNewest(directoryOf(profile), given.env, attemptedAt)
    const result = found ? { check: found, checkedAt: given.now(), failures: 0 } : { failures: failures + 1 }
    // Stored with the result: a shell that looks meanwhile checks too, as it would not hear of the end of this check.
    await saveState(profile, { attemptedAt, ...result })
    return found
  }

  async function list(profile: string) {
    const directory = directoryOf(profile)
    const state = await readProfileState(directory)
    if (state === null) return unknownProfile(profile)
    const newer = await newerThan(directory, state, (await readState(profile)).check ?? undefined, given.now())
    const switchable = (await given.canSwitch(profile)) ? await layersOf(directory, state) : new Set<string>()
    const states = await given.readStates(profile, state)
    const switchesLive = await given.switchesLive(profile)
    const holds = await readHolds(directory)
    const found = { ...given, newer, switchable, switchesLive, states, holds }
    const plugins: readonly InstalledPlugin[] = await listInstalled(state, found)
    return answer(plugins)
  }

  async function setHold(profile: string, name: string, hold: Hold | null) {
    const known = await readProfile(given.home, profile)
    if (known === null) return unknownProfile(profile)
    if (known.dependencies[name] === undefined)
      return refuse('not-installed', 'This plugin is not installed in the profile.')
    await writeHold(directoryOf(profile), name, hold)
    given.onChange()
    return answer(null)
  }

  return {
    installed: ({ profile }) => list(profile),
    async checkUpdates({ profile, ifDue = false }) {
      if ((await readProfile(given.home, profile)) === null) return unknownProfile(profile)
      if (!ifDue || isDue(await readState(profile), given.now())) {
        const found = await check(profile)
        if (ifDue) given.onChange()
        else if (found === null) return refuse('package-manager', 'Could not check for newer versions.')
      }
      // Listed last: another shell may have stored its check meanwhile.
      return list(profile)
    },
    async updateChecks({ profile }) {
      return answer(shown(await readState(profile)))
    },
    async setUpdateChecks({ profile, automatic }) {
      if (!(await readProfile(given.home, profile))) return unknownProfile(profile)
      return answer(shown(await saveState(profile, { automatic })))
    },
    hold: ({ package: name, profile, ...hold }) => setHold(profile, name, { ...hold, since: given.now() }),
    unhold: ({ package: name, profile }) => setHold(profile, name, null),
  } satisfies Partial<StoreCalls>
}

const shown = ({ automatic, checkedAt }: UpdateState): UpdateChecks => ({ automatic, checkedAt })

const unknownProfile = (profile: string) =>
  refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)

/** Returns the dependencies that declare a layer, enabled or not. */
async function layersOf(directory: string, { manifest }: ProfileState): Promise<ReadonlySet<string>> {
  const names = Object.keys(manifest.dependencies)
  const declare = await Promise.all(names.map((name) => declaresLayer(directory, name)))
  return new Set(names.filter((_, index) => declare[index]))
}
