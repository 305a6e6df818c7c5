import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

const PackageSchema = v.object({ version: v.string() })

/** The version of a package that lies in a profile's node_modules; null when there is none, or it does not say. */
export async function installedVersion(directory: string, name: string): Promise<string | null> {
  try {
    const text = await readFile(join(directory, 'node_modules', name, 'package.json'), 'utf8')
    return v.parse(PackageSchema, JSON.parse(text)).version
  } catch {
    return null
  }
}
