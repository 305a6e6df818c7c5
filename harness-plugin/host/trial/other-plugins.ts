import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { isMap, isSeq, parseDocument } from 'yaml'
import { profileDirectory } from '../profile/home.ts'
import { readManifest, withBundles } from '../profile/manifest.ts'

const PATCH_FILE = 'cordis.patch.yml'

const NeedsSchema = v.object({
  dependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  peerDependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  optionalDependencies: v.optional(v.record(v.string(), v.unknown()), {}),
})

/** A file that makes the harness start other plugins, and its text without them. */
interface PluginsFile {
  readonly path: string
  readonly text: string
  readonly without: string
}

/**
 * Returns the layers of a profile that stay enabled when all other plugins are disabled: those of the harness itself,
 * which are not dependencies of the profile; `own`; and, recursively, those that these name in their package.json.
 */
export async function neededBundles(profile: string, own: readonly string[]): Promise<string[]> {
  const { bundles = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const needed = new Set(bundles.filter((name) => own.includes(name) || !Object.hasOwn(dependencies, name)))
  for (const name of needed)
    for (const need of await readNeeds(profile, name)) if (bundles.includes(need)) needed.add(need)
  return [...needed]
}

/**
 * Finds the changes in a home that make the harness start a profile without other plugins: to layers in its
 * package.json, and to everything that patches of the profile and of the home insert, because rows without an id cannot
 * be disabled.
 *
 * @param needed layers that stay
 * @returns an empty list where there are no other plugins
 */
export async function findOtherPlugins(
  home: string,
  profile: string,
  needed: readonly string[],
): Promise<PluginsFile[]> {
  const directory = profileDirectory(home, profile)
  const files: readonly [string, (text: string) => string][] = [
    [join(directory, 'package.json'), (text) => withoutBundles(text, needed)],
    [join(directory, PATCH_FILE), withoutInserts],
    [join(home, PATCH_FILE), withoutInserts],
  ]
  const found: PluginsFile[] = []
  for (const [path, change] of files) {
    const text = await readFile(path, 'utf8').catch(() => null)
    const without = text === null ? null : change(text)
    if (text !== null && without !== null && without !== text) found.push({ path, text, without })
  }
  return found
}

/** Calls `run` while these plugins are disabled. */
export async function withPluginsOff<T>(others: readonly PluginsFile[], run: () => Promise<T>): Promise<T> {
  try {
    for (const { path, without } of others) await writeFile(path, without)
    return await run()
  } finally {
    for (const { path, text } of others) await writeFile(path, text)
  }
}

/** Removes layers. Returns the same text if none is removed, or the text is not a profile's package.json. */
function withoutBundles(text: string, needed: readonly string[]): string {
  try {
    return withBundles(text, (bundles) => bundles.filter((name) => needed.includes(name)))
  } catch {
    return text
  }
}

/**
 * Removes inserted rows. @returns an empty patch if the rest cannot be written, for example with an alias to a removed
 * node
 */
function withoutInserts(text: string): string {
  const document = parseDocument(text, { logLevel: 'silent' })
  const patches = document.contents
  if (document.errors.length > 0 || !isSeq(patches)) return text
  const left = patches.items.filter((patch) => !isMap(patch) || !patch.has('insert'))
  if (left.length === patches.items.length) return text
  try {
    patches.items = left
    return document.toString({ lineWidth: 0 })
  } catch {
    return '[]'
  }
}

async function readNeeds(profile: string, name: string): Promise<string[]> {
  try {
    const text = await readFile(join(profile, 'node_modules', name, 'package.json'), 'utf8')
    return Object.values(v.parse(NeedsSchema, JSON.parse(text))).flatMap((names) => Object.keys(names))
  } catch {
    return []
  }
}
