import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

const PackageSchema = v.object({
  version: v.optional(v.string()),
  dsh: v.optional(v.object({ bundle: v.optional(v.object({})) })),
})

/** The version of a package that lies in a profile's node_modules; null when there is none, or it does not say. */
export async function installedVersion(directory: string, name: string): Promise<string | null> {
  return (await readPackage(directory, name))?.version ?? null
}

/** Whether a package that lies in a profile's node_modules declares a layer. */
export async function declaresLayer(directory: string, name: string): Promise<boolean> {
  return (await readPackage(directory, name))?.dsh?.bundle !== undefined
}

async function readPackage(directory: string, name: string): Promise<v.InferOutput<typeof PackageSchema> | null> {
  try {
    const text = await readFile(join(directory, 'node_modules', name, 'package.json'), 'utf8')
    return v.parse(PackageSchema, JSON.parse(text))
  } catch {
    return null
  }
}
