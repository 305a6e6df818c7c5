import { isDeepStrictEqual } from 'node:util'
import { isMap, parse, parseDocument } from 'yaml'
import { parseManifest } from '../profile/manifest.ts'

/**
 * Files that no job writes (dsh 0.1.0-rc.8 to 0.2.1-rc.2, pnpm 10 to 12). People do, and the running harness does: 0.2
 * writes its settings, such as the language, to `cordis.patch.yml`.
 */
export const SETTINGS_FILES: readonly string[] = ['cordis.patch.yml', '.npmrc', 'compatibility.json']

/** Settings in pnpm-workspace.yaml that a job writes: the store, or pnpm by itself (10.34, 11). */
const SETTINGS_OF_JOBS = [
  'onlyBuiltDependencies',
  'allowBuilds',
  'ignoredBuiltDependencies',
  'minimumReleaseAgeExclude',
]

/**
 * Reverts what a job changed in a profile's package.json: the plugins' dependencies and the layers. All other changes are
 * another program's, and stay.
 *
 * @param was its text before the job
 * @param is its text now
 * @param own the plugins' packages
 * @returns `was` when nobody else changed it
 * @throws when one of them is no package.json of a profile
 */
export function manifestWithoutJob(was: string, is: string, own: readonly string[]): string {
  const [before, now] = [parseManifest(was), parseManifest(is)]
  const [had, has] = [before.dependencies ?? {}, now.dependencies ?? {}]
  const entries = Object.entries(has).filter(([name]) => !own.includes(name))
  for (const name of own) if (had[name] !== undefined) entries.push([name, had[name]])
  const [layersBefore, layersNow] = [before, now].map(({ dsh }) => dsh?.profile?.bundles ?? [])
  // Before 0.1.6 the harness makes a layer of every package that is installed, and removes layers that are not.
  const isOfJobs = (layer: string) => own.includes(layer) || (layer in had && layer in has)
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
 * Reverts what a job changed in a profile's pnpm-workspace.yaml.
 *
 * @param was its text before the job; empty when there was none, likewise `is`
 * @returns `was` when nobody else changed its values, whatever its layout; empty when no setting remains
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
