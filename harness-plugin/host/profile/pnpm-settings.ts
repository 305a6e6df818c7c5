import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Document, isMap, isSeq, parse, parseDocument } from 'yaml'
import type { Review } from '../../protocol/index.ts'
import { movePaths } from './move-paths.ts'
import { withRemovedPins } from './overrides.ts'
import { writeProfileFile } from './write-file.ts'

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
  const text = await readFile(join(profile, FILE), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
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
      if (current !== undefined && current !== null && !isMap(current)) throw new Error(`${FILE}: ${setting} is no map`)
      document.setIn([setting, key], true)
    } else if (isSeq(current)) {
      if (!current.toJSON().includes(key)) current.add(key)
    } else if (current === undefined || current === null) document.set(setting, document.createNode([key]))
    else throw new Error(`${FILE}: ${setting} is no list`)
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
  if (document.contents !== null && !isMap(document.contents)) throw new Error('no map')
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
