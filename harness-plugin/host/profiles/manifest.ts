import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

const ManifestSchema = v.object({
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  dsh: v.optional(v.object({ profile: v.optional(v.object({ bundles: v.optional(v.array(v.string()), []) })) })),
})

export interface Manifest {
  readonly bundles: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

/** What a profile's package.json says of its layers. Null when there is none, or none that can be read. */
export async function readManifest(directory: string): Promise<Manifest | null> {
  try {
    const json = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    const { dependencies, dsh } = v.parse(ManifestSchema, json)
    return { bundles: dsh?.profile?.bundles ?? [], dependencies }
  } catch {
    return null
  }
}
