import { isProfileName } from '@plugmark/shared/install'
import type { Answer, Job, LastChange, PackageState } from '../protocol/index.ts'
import type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
import { diagnose } from './doctor/diagnose.ts'
import { answer, refuse } from './guard/make-answer.ts'
import type { JobRequest } from './harness/job.ts'
import { isDesktop } from './harness/running-harness.ts'
import type { HostParts } from './host-parts.ts'
import { seenIn } from './plugins/states.ts'
import { profileDirectory, readProfile } from './profile/home.ts'
import { type ProfileState, readProfileState } from './profile/state.ts'
import { undoFolder } from './profile/state-folder.ts'
import { changedSince, readLastChange } from './transaction/journal.ts'
import type { Started } from './trial/boot.ts'

/** Creates the functions for a whole profile that only a shell in the same process can call; see `StoreHost`. */
export function profileJobs({ settings, background, queue, compatibility, states, closing }: HostParts) {
  const { home } = settings

  async function start(profile: string, request: Omit<JobRequest, 'profile' | 'changes'>): Promise<Answer<Job>> {
    if (!isProfileName(profile) || (await readProfile(home, profile)) === null)
      return refuse('unknown-profile', `The profile "${profile}" does not exist, or its package.json cannot be read.`)
    if (isDesktop(settings, profile)) return refuse('no-plugin-manager', 'Only the Desktop app changes this profile.')
    return answer(await queue.add({ ...request, profile, changes: [] }))
  }

  async function lastChange(profile: string): Promise<LastChange | null> {
    // Recovery may complete a commit.
    await queue.recovered()
    const directory = profileDirectory(home, profile)
    const read = readLastChange(directory).catch(() => null)
    // The snapshot has the files and node_modules of the profile before the change.
    const snapshot = readProfileState(undoFolder(directory))
    const [last, now, before] = await Promise.all([read, readProfileState(directory), snapshot])
    if (!last || !now) return null
    const packages = before ? differences(now, before) : []
    return { job: last.job, endedAt: last.endedAt, changed: changedSince(last, now), packages }
  }

  return {
    lastChange,
    start,
    async doctor(options: DoctorOptions): Promise<Diagnosis> {
      const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
      await queue.recovered()
      const version = await compatibility.version()
      const readStates = (profile: string, state: ProfileState, started: Started | null) =>
        states.read(profile, state, started && seenIn(started))
      const given = { settings, version, jobs: queue.jobs(), readStates }
      const diagnosed = diagnose(given, { ...options, signal })
      background.add(diagnosed)
      return diagnosed
    },
    repair: ({ profile }: { readonly profile: string }) =>
      start(profile, { action: 'repair', listing: null, more: [] }),
    async undo(profile: string, change: string): Promise<Answer<Job>> {
      const { listing = null, more = [] } = (await lastChange(profile))?.job ?? {}
      return start(profile, { action: 'undo', listing, more, undoes: change })
    },
  }
}

/** Returns the dependencies that differ between two states of a profile. */
function differences(now: ProfileState, after: ProfileState): LastChange['packages'] {
  const stateOf = ({ manifest, versions }: ProfileState, name: string): PackageState | null =>
    Object.hasOwn(manifest.dependencies, name)
      ? { version: versions.get(name) ?? null, layer: manifest.bundles.includes(name) }
      : null
  const names = new Set([now, after].flatMap(({ manifest }) => Object.keys(manifest.dependencies)))
  return [...names]
    .toSorted()
    .map((name) => ({ name, now: stateOf(now, name), after: stateOf(after, name) }))
    .filter(({ now, after }) => now?.version !== after?.version || now?.layer !== after?.layer)
}
