import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type JSONPath, parseTree } from 'jsonc-parser'
import * as v from 'valibot'
import { writeProfileFile } from './files.ts'

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
  return { bundles: dsh?.profile?.bundles ?? [], dependencies }
}

/**
 * Replaces the layers in a package.json and leaves every other byte as it is.
 *
 * @param change receives the layers and returns the new ones
 * @throws when it is not the package.json of a profile
 */
export function withBundles(text: string, change: (bundles: readonly string[]) => readonly string[]): string {
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
  const entries = Object.entries({ ...has, ...pick(had, own) }).filter(([name]) => !own.includes(name) || name in had)
  const dependencies = before.dependencies || entries.length > 0 ? Object.fromEntries(entries) : undefined

  const [layersBefore = [], layersNow = []] = [before, now].map(({ dsh }) => dsh?.profile?.bundles)
  // Before 0.1.6 the harness adds a layer for every installed package, and removes layers that are not installed.
  const isChangedByJobs = (layer: string) => own.includes(layer) || (layer in had && layer in has)
  const layers = [
    ...layersBefore.filter((layer) => isChangedByJobs(layer) || layersNow.includes(layer)),
    ...layersNow.filter((layer) => !isChangedByJobs(layer) && !layersBefore.includes(layer)),
  ]
  const kept = restorePins(before, now)
  if (dependencies) kept.dependencies = dependencies
  else delete kept.dependencies
  if (before.dsh || layers.length > 0) kept.dsh = { ...now.dsh, profile: { ...now.dsh?.profile, bundles: layers } }
  if (isDeepStrictEqual(kept, before)) return was

  const hasSamePins = kept.overrides === now.overrides && kept.pnpm === now.pnpm
  if (hasSamePins && dependencies && now.dependencies && now.dsh?.profile?.bundles) {
    const names = Object.keys(has)
    const properties = entries.map(([name, spec]) =>
      has[name] === spec ? names.indexOf(name) : `${JSON.stringify(name)}: ${JSON.stringify(spec)}`,
    )
    return withBundles(replaceEntries(is, ['dependencies'], properties), () => layers)
  }
  const indent = /^[ \t]+(?=")/m.exec(is)?.[0]
  return JSON.stringify(kept, null, indent) + (is.endsWith('\n') ? '\n' : '')
}

const pick = (from: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

/** Removes entries of an object in the text of a package.json, and leaves every other byte as it is. */
export function withoutEntries(text: string, path: JSONPath, names: readonly string[]): string {
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
export async function changeBundles(
  directory: string,
  change: (bundles: readonly string[]) => readonly string[],
): Promise<void> {
  const was = await readFile(join(directory, 'package.json'), 'utf8')
  const is = withBundles(was, change)
  if (is !== was) await writeProfileFile(directory, 'package.json', is)
}

/** Adds a layer at the end of a profile's layers, unless it is present. */
export const addBundle = (directory: string, name: string): Promise<void> =>
  changeBundles(directory, (bundles) => (bundles.includes(name) ? bundles : [...bundles, name]))

/** Restores the order of a profile's layers if they are the same ones. The order decides which layer patches which. */
export const orderBundles = (directory: string, order: readonly string[]): Promise<void> =>
  changeBundles(directory, (bundles) => (bundles.toSorted().join() === order.toSorted().join() ? order : bundles))

/** Removes a layer. Its package stays installed. */
export const removeBundle = (directory: string, name: string): Promise<void> =>
  changeBundles(directory, (bundles) => bundles.filter((bundle) => bundle !== name))

/**
 * Runs a command of the harness, then disables the plugins again that were disabled before: before 0.1.6 the command
 * line enables every installed plugin.
 *
 * @param changed plugin that the command may enable; null for none
 */
export async function keepingDisabled<T>(directory: string, changed: string | null, run: () => Promise<T>): Promise<T> {
  const { dependencies = {}, bundles = [] } = (await readManifest(directory)) ?? {}
  const disabled = Object.keys(dependencies).filter((name) => !bundles.includes(name) && name !== changed)
  const result = await run()
  if (disabled.length === 0) return result
  // If the file cannot be read or written, reading the outcome reports that.
  await changeBundles(directory, (now) => now.filter((name) => !disabled.includes(name))).catch(() => {})
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
export function withRemovedPins(before: unknown, now: unknown): Values | null {
  const has = asValues(now)
  const missing = Object.entries(asValues(before)).filter(([name]) => isPin(name) && !Object.hasOwn(has, name))
  return missing.length === 0 ? null : { ...Object.fromEntries(missing), ...has }
}

/** Restores the pins that a repair removed from the values of a package.json. */
export function restorePins<T extends Values>(before: Values, now: T): T {
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
