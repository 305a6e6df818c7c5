import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { Document, isMap, isSeq, parse, parseDocument } from 'yaml'
import type { Review } from '../../protocol/index.ts'
import { ignoreMissing, movePaths, writeProfileFile } from './files.ts'
import { isPin, withoutEntries, withRemovedPins } from './manifest.ts'

type Approval = NonNullable<Review['approval']>

const FILE = 'pnpm-workspace.yaml'

/** Settings in pnpm-workspace.yaml that a job writes, through the store or pnpm itself (10.34, 11). */
const SETTINGS_OF_JOBS = [
  'onlyBuiltDependencies',
  'allowBuilds',
  'ignoredBuiltDependencies',
  'minimumReleaseAgeExclude',
]

/**
 * Allows the build scripts of these packages in a profile's pnpm-workspace.yaml. Keeps the rest of the file,
 * with its comments and line ends.
 *
 * @param relativeTo directory that paths in the keys are relative to, if the profile is a copy
 * @throws when the file does not parse, or the setting has another type
 */
export async function allowBuilds(profile: string, { setting, builds }: Approval, relativeTo = profile): Promise<void> {
  const text = (await readFile(join(profile, FILE), 'utf8').catch(ignoreMissing)) ?? ''
  const keys = builds.map(({ key }) => movePaths(key, relativeTo, profile))
  await writeProfileFile(profile, FILE, withAllowedBuilds(text, setting, keys))
}

export function withAllowedBuilds(text: string, setting: Approval['setting'], keys: readonly string[]): string {
  const parsed = parseDocument(text)
  if (parsed.errors[0]) throw new Error(`${FILE}: ${parsed.errors[0].message}`)
  const document = parsed.contents === null ? new Document({}) : parsed
  if (parsed.contents === null && parsed.commentBefore) document.commentBefore = parsed.commentBefore
  for (const key of keys) {
    const current = document.get(setting)
    if (setting === 'allowBuilds') {
      if (current !== undefined && current !== null && !isMap(current))
        throw new Error(`${FILE}: ${setting} is not a map`)
      document.setIn([setting, key], true)
    } else if (isSeq(current)) {
      if (!current.toJSON().includes(key)) current.add(key)
    } else if (current === undefined || current === null) document.set(setting, document.createNode([key]))
    else throw new Error(`${FILE}: ${setting} is not a list`)
  }
  const written = document.toString({ lineWidth: 0 })
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
}

/**
 * Reverts the changes of a job in a profile's pnpm-workspace.yaml.
 *
 * @param was its text before the job; empty when there was none, likewise `is`
 * @returns `was` when no other program changed its values, in any layout; empty when no setting remains
 * @throws when one of them does not parse
 */
export function pnpmSettingsWithoutJob(was: string, is: string): string {
  const document = parseDocument(is)
  if (document.errors[0]) throw document.errors[0]
  if (document.contents !== null && !isMap(document.contents)) throw new Error('not a map')
  const [before, now]: Record<string, unknown>[] = [parse(was) ?? {}, document.toJS() ?? {}]
  const differing = SETTINGS_OF_JOBS.filter((name) => !isDeepStrictEqual(before![name], now![name]))
  for (const name of differing) {
    if (before![name] === undefined) document.delete(name)
    else document.set(name, document.createNode(before![name]))
  }
  const overrides = withRemovedPins(before!.overrides, now!.overrides)
  if (overrides) document.set('overrides', document.createNode(overrides))
  const kept = document.toJS() ?? {}
  if (isDeepStrictEqual(kept, before)) return was
  if (Object.keys(kept).length === 0) return ''
  const written = document.toString({ lineWidth: 0 })
  return is.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
}

const Overrides = v.optional(v.record(v.string(), v.unknown()), {})
const ManifestSchema = v.object({
  overrides: Overrides,
  pnpm: v.optional(v.looseObject({ overrides: Overrides }), {}),
})
const WorkspaceSchema = v.object({ overrides: Overrides })
const PLACES = [['overrides'], ['pnpm', 'overrides']] as const

/** Reads the overrides that pin packages of the harness in a profile, with the place and the version of each. */
export async function readPins(directory: string): Promise<{ name: string; place: string; version: string }[]> {
  const [manifest, workspace] = await Promise.all([
    read(join(directory, 'package.json'), ManifestSchema),
    read(join(directory, 'pnpm-workspace.yaml'), WorkspaceSchema),
  ])
  const pins = (overrides: Readonly<Record<string, unknown>> = {}, place: string) =>
    Object.entries(overrides)
      .filter(([name]) => isPin(name))
      .map(([name, version]) => ({ name, place, version: String(version) }))
  return [
    ...pins(manifest?.overrides, 'overrides'),
    ...pins(manifest?.pnpm.overrides, 'pnpm.overrides'),
    ...pins(workspace?.overrides, 'pnpm-workspace.yaml'),
  ]
}

/** Every JSON text is valid YAML. */
async function read<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    return v.parse(schema, parse(await readFile(path, 'utf8'), { logLevel: 'silent' }) ?? {})
  } catch {
    return null
  }
}

/** Removes overrides by their names, wherever a profile has them. Keeps every other byte. */
export async function removePins(directory: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const [manifest, workspace] = ['package.json', 'pnpm-workspace.yaml']
  const text = await readFile(join(directory, manifest!), 'utf8')
  let changed = text
  for (const place of PLACES) changed = withoutEntries(changed, [...place], names)
  if (changed !== text) await writeProfileFile(directory, manifest!, changed)

  const settings = (await readFile(join(directory, workspace!), 'utf8').catch(ignoreMissing)) ?? ''
  const document = parseDocument(settings)
  const overrides = document.errors.length === 0 ? document.get('overrides') : null
  if (!isMap(overrides) || !names.some((name) => overrides.has(name))) return
  for (const name of names) overrides.delete(name)
  if (overrides.items.length === 0) document.delete('overrides')
  const written = document.toString({ lineWidth: 0 })
  await writeProfileFile(directory, workspace!, settings.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written)
}
