import { readFile, rm } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import { blockedBuildsFile } from '../profile/state-folder.ts'
import type { Blocked } from './allow.ts'

const BlockedSchema: v.GenericSchema<unknown, Blocked> = v.object({
  setting: v.nullable(v.picklist(['onlyBuiltDependencies', 'allowBuilds'])),
  builds: v.array(
    v.object({
      package: v.string(),
      version: v.nullable(v.string()),
      key: v.string(),
      scripts: v.record(v.string(), v.string()),
    }),
  ),
})
const FileSchema = v.record(v.string(), BlockedSchema)
type BlockedByListing = v.InferOutput<typeof FileSchema>

/**
 * Reads which build scripts stopped the last job of a listing in a profile. They are stored in the profile, so that
 * every shell has them: after a rollback the profile's own files no longer show them.
 *
 * @returns null if no build script did, or the file cannot be read
 */
export async function readBlockedBuilds(profile: string, listing: string): Promise<Blocked | null> {
  const blocked = await readAll(profile)
  return Object.hasOwn(blocked, listing) ? (blocked[listing] ?? null) : null
}

/**
 * Stores which build scripts stopped the jobs of these listings; null for a listing whose job succeeded.
 *
 * @param profile the profile's directory, which this process has locked
 */
export async function rememberBlockedBuilds(
  profile: string,
  changes: ReadonlyMap<string, Blocked | null>,
): Promise<void> {
  const all = new Map(Object.entries(await readAll(profile)))
  const size = all.size
  for (const [listing, blocked] of changes) {
    if (blocked) all.set(listing, blocked)
    else all.delete(listing)
  }
  const path = blockedBuildsFile(profile)
  const isChanged = size !== all.size || [...changes.values()].some((blocked) => blocked !== null)
  if (!isChanged) return
  if (all.size === 0) return rm(path, { force: true })
  await writeFileAtomic(path, JSON.stringify(Object.fromEntries(all)))
}

async function readAll(profile: string): Promise<BlockedByListing> {
  try {
    return v.parse(FileSchema, JSON.parse(await readFile(blockedBuildsFile(profile), 'utf8')))
  } catch {
    return {}
  }
}
