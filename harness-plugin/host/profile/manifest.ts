import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

const ManifestSchema = v.looseObject({
  dependencies: v.optional(v.record(v.string(), v.string())),
  dsh: v.optional(v.looseObject({ profile: v.optional(v.looseObject({ bundles: v.optional(v.array(v.string())) })) })),
})

export interface Manifest {
  readonly bundles: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * Parses a profile's package.json, with all its keys.
 *
 * @throws when it is not one
 */
export function parseManifest(text: string): v.InferInput<typeof ManifestSchema> {
  // Not v.parse, which would reorder the keys.
  const json: unknown = JSON.parse(text)
  v.assert(ManifestSchema, json)
  return json
}

/** Reads the layers and dependencies of a profile; null when it has no package.json that can be parsed. */
export async function readManifest(directory: string): Promise<Manifest | null> {
  try {
    const { dependencies = {}, dsh } = parseManifest(await readFile(join(directory, 'package.json'), 'utf8'))
    return { bundles: dsh?.profile?.bundles ?? [], dependencies }
  } catch {
    return null
  }
}

/** Adds a layer at the end of those that the harness starts from a profile, unless it is there. */
export const addBundle = (directory: string, name: string): Promise<void> =>
  changeBundles(directory, (bundles) => (bundles.includes(name) ? bundles : [...bundles, name]))

/** Restores the order of a profile's layers, on which depends which one patches which, if they are the same layers. */
export const orderBundles = (directory: string, order: readonly string[]): Promise<void> =>
  changeBundles(directory, (bundles) => (bundles.toSorted().join() === order.toSorted().join() ? order : bundles))

/** @throws when there is no package.json of a profile */
async function changeBundles(
  directory: string,
  change: (bundles: readonly string[]) => readonly string[],
): Promise<void> {
  const file = join(directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const { profile } = manifest.dsh
  const bundles = change(profile.bundles)
  if (bundles.join() === profile.bundles.join()) return
  profile.bundles = bundles
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
