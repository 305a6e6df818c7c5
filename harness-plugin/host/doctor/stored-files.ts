/** The files that the store keeps about a profile and its plugins: which of them cannot be read, and how that is put right. */
import { join, relative } from 'node:path'
import type { FindingKind } from '../../protocol/index.ts'
import { BLOCKED_BUILDS } from '../builds/blocked.ts'
import type { JobSettings } from '../harness/job.ts'
import { type FileFormat, NewerFile, readStrict, setAside, UnreadableState } from '../json-file.ts'
import { DECLARATIONS, declarationsFile } from '../plugins/declarations.ts'
import { LAST_SEEN, RUN_RECORDS } from '../plugins/run-records.ts'
import { UPDATES } from '../plugins/updates.ts'
import { readNames } from '../profile/files.ts'
import { HOLDS } from '../profile/holds.ts'
import {
  blockedBuildsFile,
  historyFolder,
  holdsFile,
  lastSeenFile,
  sharedFile,
  undoFolder,
  updatesFile,
} from '../profile/state-folder.ts'
import { HISTORY } from '../transaction/history.ts'
import { changeFile, readLastChange } from '../transaction/journal.ts'
import { quarantine } from '../transaction/rollback.ts'

/** Place of the state that all profiles share. */
type Places = Pick<JobSettings, 'home' | 'stateDir'>

interface StoredFile {
  readonly path: string
  readonly isCache: boolean
  /** @throws UnreadableState, NewerFile, or the file system's error */
  read(): Promise<unknown>
  /** Moves it aside if it can never be read. @returns where it is now; null if it was left */
  setAside(): Promise<string | null>
}

/** Returns all files but the journal, which recovery reads before each job. */
async function storedFiles({ home, stateDir }: Places, directory: string): Promise<readonly StoredFile[]> {
  const file = <T extends object>(path: string, format: FileFormat<T>): StoredFile => ({
    path,
    isCache: format.isCache === true,
    read: () => readStrict(path, format),
    setAside: () => setAside(path, format),
  })
  // A folder that is not a profile has no history.
  const history = (await readNames(historyFolder(directory)).catch((): string[] => [])).filter((name) =>
    name.endsWith('.json'),
  )
  return [
    file(holdsFile(directory), HOLDS),
    file(updatesFile(directory), UPDATES),
    {
      path: changeFile(undoFolder(directory)),
      isCache: false,
      read: () => readLastChange(directory),
      setAside: async () => join(directory, await quarantine(directory, undoFolder(directory))),
    },
    file(blockedBuildsFile(directory), BLOCKED_BUILDS),
    file(lastSeenFile(home), LAST_SEEN),
    file(sharedFile(home, 'fit-trials.json'), RUN_RECORDS),
    ...(stateDir === null ? [] : [file(declarationsFile(stateDir), DECLARATIONS)]),
    ...history.map((name) => file(join(historyFolder(directory), name), HISTORY)),
  ]
}

/** Finds the stored files that cannot be read, by the kind of their finding. Paths are relative to the profile. */
export async function findUnreadableFiles(places: Places, directory: string): Promise<Map<FindingKind, string[]>> {
  const found = new Map<FindingKind, string[]>()
  for (const { path, isCache, read } of await storedFiles(places, directory)) {
    try {
      await read()
    } catch (error) {
      const kind = error instanceof NewerFile ? 'state-newer' : isCache ? 'cache-unreadable' : 'state-unreadable'
      found.set(kind, [...(found.get(kind) ?? []), relative(directory, path)])
    }
  }
  return found
}

/**
 * Moves the stored files aside that can never be read, and keeps the holds that can be read in theirs. Leaves the files
 * of a newer version.
 *
 * @returns where they are now, relative to the profile
 */
export async function setUnreadableFilesAside(places: Places, directory: string): Promise<string[]> {
  const moved: string[] = []
  for (const file of await storedFiles(places, directory)) {
    const isBroken = await file.read().then(
      () => false,
      (error) => error instanceof UnreadableState,
    )
    const aside = isBroken ? await file.setAside() : null
    if (aside !== null) moved.push(relative(directory, aside))
  }
  return moved
}
