import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

/** What a job writes of the profile's settings for pnpm: the store, and pnpm by itself (10.34, 11). */
const SETTINGS_OF_JOBS = new Set([
  'onlyBuiltDependencies',
  'allowBuilds',
  'ignoredBuiltDependencies',
  'minimumReleaseAgeExclude',
])

/**
 * What two files of a profile say besides what a job writes of them, each as one text to compare. A file that cannot be
 * read as what it is, as when somebody is amid writing it, says itself.
 */
export async function readRest(directory: string): Promise<ReadonlyMap<string, string>> {
  const rest = async (file: string, read: (text: string) => unknown) => {
    const text = await readFile(join(directory, file), 'utf8').catch(() => '')
    try {
      return [file, JSON.stringify(read(text)) ?? ''] as const
    } catch {
      return [file, text] as const
    }
  }
  return new Map(await Promise.all([rest('package.json', restOfManifest), rest('pnpm-workspace.yaml', restOfSettings)]))
}

function restOfManifest(text: string): unknown {
  const { dependencies: _, dsh: { profile: { bundles: __, ...profile } = {}, ...dsh } = {}, ...rest } = JSON.parse(text)
  return [rest, dsh, profile]
}

const restOfSettings = (text: string): unknown =>
  Object.entries(parse(text) ?? {}).filter(([name]) => !SETTINGS_OF_JOBS.has(name))
