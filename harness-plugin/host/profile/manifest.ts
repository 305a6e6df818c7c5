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
 * All that the text of a profile's package.json says.
 *
 * @throws when it is none
 */
export function parseManifest(text: string): v.InferInput<typeof ManifestSchema> {
  // Parsing by the schema would put the keys into another order.
  const json: unknown = JSON.parse(text)
  v.assert(ManifestSchema, json)
  return json
}

/** What a profile's package.json says of its layers. Null when there is none, or none that can be read. */
export async function readManifest(directory: string): Promise<Manifest | null> {
  try {
    const { dependencies = {}, dsh } = parseManifest(await readFile(join(directory, 'package.json'), 'utf8'))
    return { bundles: dsh?.profile?.bundles ?? [], dependencies }
  } catch {
    return null
  }
}

/** Adds a layer to those that the harness boots from a profile. */
export const addBundle = (directory: string, name: string): Promise<void> =>
  changeBundles(directory, (bundles) => [...bundles, name])

/** Puts the layers of a profile into this order, where they are the same: which one patches which depends on it. */
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
