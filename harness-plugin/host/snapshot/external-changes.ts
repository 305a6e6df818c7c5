import { isDeepStrictEqual } from 'node:util'
import { isMap, parse, parseDocument } from 'yaml'
import { parseManifest } from '../profile/manifest.ts'

/**
 * Files that no job writes (dsh 0.1.0-rc.8 to 0.2.1-rc.2, pnpm 10 to 12). People do, and so does the running harness: on
 * 0.2 it keeps its settings in `cordis.patch.yml`, such as the language.
 */
export const SETTINGS_FILES: readonly string[] = ['cordis.patch.yml', '.npmrc', 'compatibility.json']

/** What a job writes of the profile's settings for pnpm: the store, and pnpm by itself (10.34, 11). */
const SETTINGS_OF_JOBS = [
  'onlyBuiltDependencies',
  'allowBuilds',
  'ignoredBuiltDependencies',
  'minimumReleaseAgeExclude',
]

/**
 * A profile's package.json without what a job did to it: the plugin's dependency and the layers. What else differs
 * somebody else changed, and it stays.
 *
 * @param was its text before the job
 * @param is its text now
 * @param own the plugin's package; null when neither has it
 * @returns `was` when nobody else changed it
 * @throws when one of them is no package.json of a profile
 */
export function manifestWithoutJob(was: string, is: string, own: string | null): string {
  const [before, now] = [parseManifest(was), parseManifest(is)]
  const [had, has] = [before.dependencies ?? {}, now.dependencies ?? {}]
  const entries = Object.entries(has).filter(([name]) => name !== own)
  if (own !== null && had[own] !== undefined) entries.push([own, had[own]])
  const [layersBefore, layersNow] = [before, now].map(({ dsh }) => dsh?.profile?.bundles ?? [])
  // The harness before 0.1.6 makes a layer of all that it finds installed, and takes out what it does not find.
  const isOfJobs = (layer: string) => layer === own || (layer in had && layer in has)
  const layers = [
    ...layersBefore!.filter((layer) => isOfJobs(layer) || layersNow!.includes(layer)),
    ...layersNow!.filter((layer) => !isOfJobs(layer) && !layersBefore!.includes(layer)),
  ]
  const kept = { ...now }
  if (before.dependencies || entries.length > 0) kept.dependencies = Object.fromEntries(entries)
  else delete kept.dependencies
  if (before.dsh || layers.length > 0) kept.dsh = { ...now.dsh, profile: { ...now.dsh?.profile, bundles: layers } }
  if (isDeepStrictEqual(kept, before)) return was
  const indent = /^[ \t]+(?=")/m.exec(is)?.[0]
  return JSON.stringify(kept, null, indent) + (is.endsWith('\n') ? '\n' : '')
}

/**
 * A profile's pnpm-workspace.yaml without what a job did to it.
 *
 * @param was its text before the job; empty when there was none, likewise `is`
 * @returns `was` when nobody else changed it, where how it is written does not count; empty when nothing is left of it
 * @throws when one of them does not parse
 */
export function pnpmSettingsWithoutJob(was: string, is: string): string {
  const document = parseDocument(is)
  if (document.errors[0]) throw document.errors[0]
  if (document.contents !== null && !isMap(document.contents)) throw new Error('no map')
  const [before, now]: Record<string, unknown>[] = [parse(was) ?? {}, document.toJS() ?? {}]
  const differing = SETTINGS_OF_JOBS.filter((name) => !isDeepStrictEqual(before![name], now![name]))
  for (const name of differing) {
    if (before![name] === undefined) document.delete(name)
    else document.set(name, document.createNode(before![name]))
  }
  const kept = document.toJS() ?? {}
  if (isDeepStrictEqual(kept, before)) return was
  if (Object.keys(kept).length === 0) return ''
  const written = document.toString({ lineWidth: 0 })
  return is.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
}
