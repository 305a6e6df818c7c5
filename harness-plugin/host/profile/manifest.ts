import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type JSONPath, parseTree } from 'jsonc-parser'
import * as v from 'valibot'
import { Document, isMap, isSeq, parse, parseDocument } from 'yaml'
import type { Review } from '../../protocol/index.ts'
import { ignoreMissing, movePaths, readYaml, writeProfileFile } from './files.ts'

const ManifestSchema = v.looseObject({
  dependencies: v.optional(v.record(v.string(), v.string())),
  dsh: v.optional(v.looseObject({ profile: v.optional(v.looseObject({ bundles: v.optional(v.array(v.string())) })) })),
})

export interface Manifest {
  readonly layers: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * Parses a profile's package.json, with all its keys.
 *
 * @throws when it is not a profile's package.json
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
    return manifestOf(await readFile(join(directory, 'package.json'), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Returns the layers and dependencies in the text of a package.json.
 *
 * @throws when it is not a profile's package.json
 */
export function manifestOf(text: string): Manifest {
  const { dependencies = {}, dsh } = parseManifest(text)
  // Without a prototype: a package may be called `constructor`.
  return { layers: dsh?.profile?.bundles ?? [], dependencies: Object.assign(Object.create(null), dependencies) }
}

/**
 * Replaces the layers in a package.json and leaves every other byte as it is.
 *
 * @param change receives the layers and returns the new ones
 * @throws when it is not the package.json of a profile
 */
export function withLayers(text: string, change: (layers: readonly string[]) => readonly string[]): string {
  const manifest = parseManifest(text)
  const profile = manifest.dsh?.profile
  if (profile?.bundles === undefined) throw new Error('package.json has no dsh.profile.bundles')
  const wanted = change(profile.bundles)
  const left = new Map(profile.bundles.map((name, index) => [index, name]))
  const entries = wanted.map((name) => {
    const [index] = [...left].find(([, known]) => known === name) ?? []
    if (index === undefined) return JSON.stringify(name)
    left.delete(index)
    return index
  })
  const result = replaceEntries(text, ['dsh', 'profile', 'bundles'], entries)
  const expected = { ...manifest, dsh: { ...manifest.dsh, profile: { ...profile, bundles: wanted } } }
  if (!isDeepStrictEqual(JSON.parse(result), expected)) throw new Error('the layers could not be replaced')
  return result
}

/**
 * Reverts the changes of a job in a profile's package.json: the plugins' dependencies and the layers. Keeps all other
 * changes, which another program made.
 *
 * @param was its text before the job
 * @param is its text now
 * @param own the plugins' packages
 * @returns `was` when no other program changed it
 * @throws when one of them is not a profile's package.json
 */
export function manifestWithoutJob(was: string, is: string, own: readonly string[]): string {
  const [before, now] = [parseManifest(was), parseManifest(is)]
  const [had, has] = [before.dependencies ?? {}, now.dependencies ?? {}]
  const entries = Object.entries({ ...has, ...pick(had, own) }).filter(
    ([name]) => !own.includes(name) || Object.hasOwn(had, name),
  )
  const dependencies = before.dependencies || entries.length > 0 ? Object.fromEntries(entries) : undefined

  const [layersBefore = [], layersNow = []] = [before, now].map(({ dsh }) => dsh?.profile?.bundles)
  // Before 0.1.6 the harness adds a layer for every installed package, and removes layers that are not installed.
  const isChangedByJobs = (layer: string) =>
    own.includes(layer) || (Object.hasOwn(had, layer) && Object.hasOwn(has, layer))
  const layers = [
    ...layersBefore.filter((layer) => isChangedByJobs(layer) || layersNow.includes(layer)),
    ...layersNow.filter((layer) => !isChangedByJobs(layer) && !layersBefore.includes(layer)),
  ]
  const kept = restorePins(before, now)
  if (dependencies) kept.dependencies = dependencies
  else delete kept.dependencies
  if (before.dsh || layers.length > 0) kept.dsh = { ...now.dsh, profile: { ...now.dsh?.profile, bundles: layers } }
  if (isDeepStrictEqual(kept, before)) return was

  const indent = /^[ \t]+(?=")/m.exec(is)?.[0]
  return JSON.stringify(kept, null, indent) + (is.endsWith('\n') ? '\n' : '')
}

const pick = (from: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

/** Removes entries of an object in the text of a package.json, and leaves every other byte as it is. */
function withoutEntries(text: string, path: JSONPath, names: readonly string[]): string {
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, path)
  if (node?.type !== 'object') return text
  const keys = (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value))
  const left = keys.flatMap((key, index) => (names.includes(key) ? [] : index))
  return left.length === keys.length ? text : replaceEntries(text, path, left)
}

/**
 * Replaces the entries of an array or an object in a JSON text. (`modify` of jsonc-parser 3.3.1 reformats lines that it
 * need not touch, and leaves invalid JSON when it removes the last of several entries from an array.)
 *
 * @param wanted for each entry the index of an old one, or the text of a new one
 */
function replaceEntries(text: string, path: JSONPath, wanted: readonly (number | string)[]): string {
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, path)
  if (!node) throw new Error(`package.json has no ${path.join('.')}`)
  const ranges = (node.children ?? []).map(({ offset, length }) => ({ from: offset, to: offset + length }))
  const [first, second] = ranges
  const separator =
    first && second
      ? text.slice(first.to, second.from)
      : `,${text.slice(node.offset + 1, first?.from ?? node.offset + 1)}`
  const pieces = wanted.map((entry, position) => {
    const range = typeof entry === 'number' ? ranges[entry] : undefined
    const previous = typeof entry === 'number' ? ranges[entry - 1] : undefined
    const before = position === 0 ? '' : range && previous ? text.slice(previous.to, range.from) : separator
    return before + (range ? text.slice(range.from, range.to) : entry)
  })
  // Write an empty array or object as other programs do: [] or {}.
  const isFilled = first !== undefined && pieces.length > 0
  const [start, end] = isFilled
    ? [first.from, ranges.at(-1)?.to ?? first.to]
    : [node.offset + 1, node.offset + node.length - 1]
  return text.slice(0, start) + pieces.join('') + text.slice(end)
}

/** Changes the layers in a profile's package.json. Does nothing if they are the same. */
export async function changeLayers(
  directory: string,
  change: (layers: readonly string[]) => readonly string[],
): Promise<void> {
  const was = await readFile(join(directory, 'package.json'), 'utf8')
  const is = withLayers(was, change)
  if (is !== was) await writeProfileFile(directory, 'package.json', is)
}

/**
 * Replaces the dependencies in a package.json, in the order of their names, as package managers write them.
 *
 * @returns the same text where they stay the same
 */
export function withDependencies(text: string, wanted: Readonly<Record<string, string>>): string {
  const manifest = parseManifest(text)
  const dependencies = Object.fromEntries(Object.entries(wanted).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (isDeepStrictEqual(dependencies, manifest.dependencies ?? {})) return text
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0]
  return JSON.stringify({ ...manifest, dependencies }, null, indent) + (text.endsWith('\n') ? '\n' : '')
}

/** Adds a layer at the end of a profile's layers, unless it is present. */
export const addLayer = (directory: string, name: string): Promise<void> =>
  changeLayers(directory, (layers) => (layers.includes(name) ? layers : [...layers, name]))

/** Restores the order of a profile's layers if they are the same ones. The order decides which layer patches which. */
export const orderLayers = (directory: string, order: readonly string[]): Promise<void> =>
  changeLayers(directory, (layers) => (layers.toSorted().join() === order.toSorted().join() ? order : layers))

/** Writes a profile's package.json as it was, to the byte, if only its form or the order of its layers is another one. */
export async function restoreForm(directory: string, was: string): Promise<void> {
  await orderLayers(directory, manifestOf(was).layers)
  const is = await readFile(join(directory, 'package.json'), 'utf8')
  if (is !== was && isDeepStrictEqual(JSON.parse(is), JSON.parse(was)))
    await writeProfileFile(directory, 'package.json', was)
}

/** Removes a layer. Its package stays installed. */
export const removeLayer = (directory: string, name: string): Promise<void> =>
  changeLayers(directory, (layers) => layers.filter((layer) => layer !== name))

/**
 * Runs a command of the harness, then disables the plugins again that were disabled before: before 0.1.6 the command
 * line enables every installed plugin.
 *
 * @param changed plugin that the command may enable; null for none
 * @throws when package.json cannot be read or written: then a disabled plugin may be enabled
 */
export async function keepingDisabled<T>(directory: string, changed: string | null, run: () => Promise<T>): Promise<T> {
  const { dependencies, layers } = manifestOf(await readFile(join(directory, 'package.json'), 'utf8'))
  const disabled = Object.keys(dependencies).filter((name) => !layers.includes(name) && name !== changed)
  const result = await run()
  if (disabled.length > 0) await changeLayers(directory, (now) => now.filter((name) => !disabled.includes(name)))
  return result
}

/** Values of a parsed JSON or YAML file. */
type Values = Readonly<Record<string, unknown>>

/** Returns true for the key of an override that concerns a package of the harness, such as `a-plugin>@deepseek-ai/dsh`. */
export const isPin = (name: string): boolean => /^(?:.*>)?@deepseek-ai\//.test(name)

/**
 * Returns the overrides with those of the harness's packages that a repair removed.
 *
 * @param before overrides before the repair
 * @param now overrides now
 * @returns null when none was removed
 */
function withRemovedPins(before: unknown, now: unknown): Values | null {
  const has = asValues(now)
  const missing = Object.entries(asValues(before)).filter(([name]) => isPin(name) && !Object.hasOwn(has, name))
  return missing.length === 0 ? null : { ...Object.fromEntries(missing), ...has }
}

/** Restores the pins that a repair removed from the values of a package.json. */
function restorePins<T extends Values>(before: Values, now: T): T {
  const own = withRemovedPins(before.overrides, now.overrides)
  const ofPnpm = withRemovedPins(asValues(before.pnpm).overrides, asValues(now.pnpm).overrides)
  return {
    ...now,
    ...(own ? { overrides: own } : {}),
    ...(ofPnpm ? { pnpm: { ...asValues(now.pnpm), overrides: ofPnpm } } : {}),
  }
}

const asValues = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

// pnpm-workspace.yaml

type Approval = NonNullable<Review['approval']>

export const WORKSPACE_FILE = 'pnpm-workspace.yaml'

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
  const text = (await readFile(join(profile, WORKSPACE_FILE), 'utf8').catch(ignoreMissing)) ?? ''
  const keys = builds.map(({ key }) => movePaths(key, relativeTo, profile))
  await writeProfileFile(profile, WORKSPACE_FILE, withAllowedBuilds(text, setting, keys))
}

export function withAllowedBuilds(text: string, setting: Approval['setting'], keys: readonly string[]): string {
  const document = openYaml(text, WORKSPACE_FILE, {})
  for (const key of keys) {
    const current = document.get(setting)
    if (setting === 'allowBuilds') {
      if (current !== undefined && current !== null && !isMap(current))
        throw new Error(`${WORKSPACE_FILE}: ${setting} is not a map`)
      document.setIn([setting, key], true)
    } else if (isSeq(current)) {
      if (!current.toJSON().includes(key)) current.add(key)
    } else if (current === undefined || current === null) document.set(setting, document.createNode([key]))
    else throw new Error(`${WORKSPACE_FILE}: ${setting} is not a list`)
  }
  return renderYaml(document, text)
}

/**
 * Opens the text of a YAML file for a change that keeps the rest of it.
 *
 * @param empty the value of a file that has none
 * @throws when it does not parse
 */
export function openYaml(text: string, file: string, empty: object): Document {
  const parsed = parseDocument(text)
  if (parsed.errors[0]) throw new Error(`${file}: ${parsed.errors[0].message}`)
  if (parsed.contents !== null) return parsed
  const document = new Document(empty)
  if (parsed.commentBefore) document.commentBefore = parsed.commentBefore
  return document
}

/** Returns the text of a changed document, with the line ends that its file had. */
export function renderYaml(document: Document, text: string): string {
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
  const before: Values = parse(was) ?? {}
  const now: Values = document.toJS() ?? {}
  const differing = SETTINGS_OF_JOBS.filter((name) => !isDeepStrictEqual(before[name], now[name]))
  for (const name of differing) {
    if (before[name] === undefined) document.delete(name)
    else document.set(name, document.createNode(before[name]))
  }
  const overrides = withRemovedPins(before.overrides, now.overrides)
  if (overrides) document.set('overrides', document.createNode(overrides))
  const kept = document.toJS() ?? {}
  if (isDeepStrictEqual(kept, before)) return was
  if (Object.keys(kept).length === 0) return ''
  return renderYaml(document, is)
}

const Overrides = v.optional(v.record(v.string(), v.unknown()), {})
const PinnedSchema = v.object({
  overrides: Overrides,
  pnpm: v.optional(v.looseObject({ overrides: Overrides }), {}),
})
const WorkspaceSchema = v.object({ overrides: Overrides })
const PLACES = [['overrides'], ['pnpm', 'overrides']] as const

/** Reads the overrides that pin packages of the harness in a profile, with the place and the version of each. */
export async function readPins(directory: string): Promise<{ name: string; place: string; version: string }[]> {
  const [manifest, workspace] = await Promise.all([
    readYaml(join(directory, 'package.json'), PinnedSchema),
    readYaml(join(directory, WORKSPACE_FILE), WorkspaceSchema),
  ])
  const pins = (overrides: Readonly<Record<string, unknown>> = {}, place: string) =>
    Object.entries(overrides)
      .filter(([name]) => isPin(name))
      .map(([name, version]) => ({ name, place, version: String(version) }))
  return [
    ...pins(manifest?.overrides, 'overrides'),
    ...pins(manifest?.pnpm.overrides, 'pnpm.overrides'),
    ...pins(workspace?.overrides, WORKSPACE_FILE),
  ]
}

/** Removes overrides by their names, wherever a profile has them. Keeps every other byte. */
export async function removePins(directory: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const text = await readFile(join(directory, 'package.json'), 'utf8')
  let changed = text
  for (const place of PLACES) changed = withoutEntries(changed, [...place], names)
  if (changed !== text) await writeProfileFile(directory, 'package.json', changed)

  const settings = (await readFile(join(directory, WORKSPACE_FILE), 'utf8').catch(ignoreMissing)) ?? ''
  const document = parseDocument(settings)
  const overrides = document.errors.length === 0 ? document.get('overrides') : null
  if (!isMap(overrides) || !names.some((name) => overrides.has(name))) return
  for (const name of names) overrides.delete(name)
  if (overrides.items.length === 0) document.delete('overrides')
  await writeProfileFile(directory, WORKSPACE_FILE, renderYaml(document, settings))
}
