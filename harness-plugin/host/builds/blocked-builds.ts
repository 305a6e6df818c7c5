import * as v from 'valibot'
import { readOptional, update } from '../json-file.ts'
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

/**
 * Reads which build scripts stopped the last job of a listing in a profile. They are stored in the profile, so that
 * every shell has them: after a rollback the profile's own files no longer show them.
 *
 * @returns null if no build script did, or the file cannot be read
 */
export async function readBlockedBuilds(profile: string, listing: string): Promise<Blocked | null> {
  const blocked = await readOptional(blockedBuildsFile(profile), FileSchema)
  return blocked !== null && Object.hasOwn(blocked, listing) ? (blocked[listing] ?? null) : null
}

/**
 * Stores which build scripts stopped the jobs of these listings; null for a listing whose job succeeded.
 *
 * @param profile the profile's directory
 */
export async function rememberBlockedBuilds(
  profile: string,
  changes: ReadonlyMap<string, Blocked | null>,
): Promise<void> {
  await update(blockedBuildsFile(profile), FileSchema, (stored) => {
    const isChanged = [...changes].some(([listing, blocked]) => blocked !== null || stored?.[listing] !== undefined)
    if (!isChanged) return stored
    const all = Object.entries({ ...stored, ...Object.fromEntries(changes) })
    const kept = all.filter((entry): entry is [string, Blocked] => entry[1] !== null)
    return kept.length === 0 ? null : Object.fromEntries(kept)
  })
}
