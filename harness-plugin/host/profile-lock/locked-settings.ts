/** Reads and writes the settings of the package manager that decide what is installed, with the patch files that they name. */
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { ProfileLock } from '../../protocol/index.ts'
import { isPatchPath, LOCKED_SETTINGS } from '../../protocol/profile-lock.ts'
import { type Redactions, redact } from '../harness/output.ts'
import { ignoreMissing, readYaml, writeProfileFile } from '../profile/files.ts'
import { isPin, openYaml, renderYaml, WORKSPACE_FILE } from '../profile/manifest.ts'

type Settings = Pick<ProfileLock, 'settings' | 'patches'>
type Entries = Readonly<Record<string, unknown>>

export const isMap = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A path that other machines need not have: outside of the profile, or wherever the profile is. */
const OF_MACHINE = /"(?:(?:file|link|portal|workspace):|(?:\.{0,2}|~|[A-Za-z]:)[\\/])/
/** Returns true for a value that other machines can have too, and that has no secret. */
export function isShared(value: unknown, redactions: Redactions): boolean {
  const text = JSON.stringify(value)
  return !OF_MACHINE.test(text) && redact(text, redactions) === text
}

/** Reads what a lock has of the settings: nothing of the harness's own pins, of this machine, or secret. */
export async function readSettings(directory: string, redactions: Redactions): Promise<Settings> {
  const written = await readYaml(join(directory, WORKSPACE_FILE), v.record(v.string(), v.unknown()))
  const patches: Record<string, string[]> = {}
  const named = isMap(written?.patchedDependencies) ? Object.values(written.patchedDependencies) : []
  for (const path of named.filter((path): path is string => typeof path === 'string' && isPatchPath(path))) {
    const text = await readFile(join(directory, path), 'utf8').catch(() => null)
    if (text !== null && redact(text, redactions) === text) patches[path] = text.split('\n')
  }
  const kept = LOCKED_SETTINGS.flatMap((key) => {
    const value = ownOf(key, written?.[key])
    if (!isMap(value)) return value === undefined || !isShared(value, redactions) ? [] : [[key, value] as const]
    const isThere = (one: unknown) => key !== 'patchedDependencies' || Object.hasOwn(patches, String(one))
    const entries = Object.entries(value).filter(([name, one]) => isShared([name, one], redactions) && isThere(one))
    return entries.length === 0 ? [] : [[key, sorted(entries)] as const]
  })
  return { settings: Object.fromEntries(kept), patches: sorted(Object.entries(patches)) }
}

/** Returns a setting without the pins of the harness's own packages, which are of its version. */
const ownOf = (key: string, value: unknown): unknown =>
  key === 'overrides' && isMap(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !isPin(name)))
    : value

/** Returns a record of entries, by name. */
export const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Returns the names of the files that `writeSettings` changes. */
export function filesOfSettings(lock: Settings, here: Settings): string[] {
  const patches = Object.keys(lock.patches).filter((path) => !isDeepStrictEqual(lock.patches[path], here.patches[path]))
  return isDeepStrictEqual(lock.settings, here.settings) ? patches : [...patches, WORKSPACE_FILE]
}

/**
 * Writes the settings of a lock, and its patch files.
 *
 * @param ended settings to end where the lock has not got them
 */
export async function writeSettings(directory: string, { settings, patches }: Settings, ended: Entries): Promise<void> {
  for (const [path, lines] of Object.entries(patches)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeProfileFile(directory, path, lines.join('\n'))
  }
  const text = (await readFile(join(directory, WORKSPACE_FILE), 'utf8').catch(ignoreMissing)) ?? ''
  const document = openYaml(text, WORKSPACE_FILE, {})
  const before: Entries = document.toJS() ?? {}
  for (const key of LOCKED_SETTINGS) {
    const [is, wanted] = [before[key], settings[key]]
    if (wanted === undefined && ended[key] === undefined) continue
    const kept = isMap(is) ? Object.entries(is).filter(([name]) => !Object.hasOwn(Object(ended[key]), name)) : []
    const isEntries = isMap(wanted) || (wanted === undefined && kept.length > 0)
    const next = isEntries ? { ...Object.fromEntries(kept), ...Object(wanted) } : wanted
    if (next === undefined || (isMap(next) && Object.keys(next).length === 0)) document.delete(key)
    else if (!isDeepStrictEqual(next, is)) document.set(key, document.createNode(next))
  }
  if (!isDeepStrictEqual(document.toJS() ?? {}, before))
    await writeProfileFile(directory, WORKSPACE_FILE, renderYaml(document, text))
}
