import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import { harnessAt, type RunningHarness } from '../harness/running-harness.ts'
import { profileDirectory } from '../profile/home.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { holdsFile, journalFile, updatesFile } from '../profile/state-folder.ts'

/** Interval of looking, in ms. */
const EVERY_MS = 1000

interface WatchOptions {
  readonly home: string
  readonly running: RunningHarness | null
  /** Nothing is looked at while no page is open. */
  readonly hasPage: () => boolean
  /** Called when the profiles, or what the running harness loads, are no longer as they were. */
  readonly onChange: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Watches profiles for changes that this host does not make: by the harness's own command line, another store, or an
 * editor. Looks at the times of a few files, which works on every system and disk, unlike the events of a system.
 */
export function watchProfiles({ home, running, hasPage, onChange, signal }: WatchOptions): void {
  const seen = new Map<string, string>()

  async function look(): Promise<void> {
    const names = (await readdir(join(home, 'profiles')).catch((): string[] => [])).filter(isProfileName)
    const looks = await Promise.all(names.map(async (name) => [name, await lookAt(home, name, running)] as const))
    const gone = [...seen.keys()].filter((name) => !names.includes(name))
    for (const name of gone) seen.delete(name)
    let isChanged = gone.length > 0
    for (const [name, now] of looks) {
      // The end of a job is an event of its own, or a change of the files.
      if (now === null || seen.get(name) === now) continue
      seen.set(name, now)
      isChanged = true
    }
    if (isChanged) await onChange()
  }
  async function lookOften(): Promise<void> {
    // The first look reports a change too: it may have happened after the page that has just opened read the profile.
    if (hasPage()) await look().catch(() => {})
    if (!signal.aborted) timer = setTimeout(() => void lookOften(), EVERY_MS).unref()
  }
  let timer = setTimeout(() => void lookOften(), EVERY_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Returns a text that changes with a profile; null while a job changes it. */
async function lookAt(home: string, name: string, running: RunningHarness | null): Promise<string | null> {
  const directory = profileDirectory(home, name)
  const files = [...PROFILE_FILES.map((file) => join(directory, file)), updatesFile(directory), holdsFile(directory)]
  const [journal, ...times] = await Promise.all([journalFile(directory), ...files].map(timeOf))
  if (journal !== null) return null
  const rows = (await harnessAt(directory, running))?.tree().rows ?? []
  return JSON.stringify([times, rows.map(({ id, disabled, active }) => [id, disabled, active])])
}

/** Returns what changes with each write of a file; null if there is none. */
async function timeOf(path: string): Promise<string | null> {
  // A file that cannot be looked at is as one that is missing: who reads it reports that.
  const file = await stat(path).catch(() => null)
  return file && `${file.ino} ${file.mtimeMs} ${file.ctimeMs} ${file.size}`
}
