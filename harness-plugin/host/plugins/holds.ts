import { mkdir, readFile, rm } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import type { Hold } from '../../protocol/index.ts'
import { holdsFile, removeEmptyStateFolder, stateFolder } from '../profile/state-folder.ts'

const HoldsSchema = v.record(
  v.string(),
  v.object({ reason: v.nullable(v.string()), since: v.number(), skips: v.optional(v.string()) }),
)

/** Holds of a profile, by package. */
export type Holds = Readonly<Record<string, Hold>>

/** Reads the holds of a profile; none if the file is missing or cannot be read. */
export async function readHolds(profile: string): Promise<Holds> {
  try {
    return v.parse(HoldsSchema, JSON.parse(await readFile(holdsFile(profile), 'utf8')))
  } catch {
    return {}
  }
}

/**
 * Stores the hold of a package; null ends it.
 *
 * @throws when the file cannot be written
 */
export async function writeHold(profile: string, name: string, hold: Hold | null): Promise<void> {
  const { [name]: _, ...others } = await readHolds(profile)
  const holds = hold === null ? others : { ...others, [name]: hold }
  if (Object.keys(holds).length === 0) {
    await rm(holdsFile(profile), { force: true })
    await removeEmptyStateFolder(profile)
    return
  }
  await mkdir(stateFolder(profile), { recursive: true })
  await writeFileAtomic(holdsFile(profile), JSON.stringify(holds))
}
