import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPackageName } from '@plugmark/shared/install'
import * as v from 'valibot'
import { splitPackageId } from '../../protocol/package-id.ts'
import { ANY_BUILD } from '../../protocol/review-facts.ts'
import { type ReadOptions, readStdout, withTimeout } from '../process/run.ts'
import { ignoreMissing, readYaml } from '../profile/files.ts'
import { PrintedSettings } from '../registry/printed-settings.ts'

const SETTINGS_TIMEOUT_MS = 10_000

const Keys = v.optional(v.array(v.string()), [])
/** Settings by which pnpm lets build scripts run: of pnpm 10, of pnpm 11 and 12, and of all. */
const RulesSchema = v.object({
  onlyBuiltDependencies: v.optional(v.array(v.string())),
  onlyBuiltDependenciesFile: v.optional(v.unknown()),
  neverBuiltDependencies: Keys,
  allowBuilds: v.optional(v.record(v.string(), v.unknown()), {}),
  dangerouslyAllowAllBuilds: v.optional(v.unknown()),
})
const ManifestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ pnpm: v.optional(v.record(v.string(), v.unknown()), {}) }),
)

/**
 * Reads the keys of the build scripts that a profile's pnpm runs without asking: such as `sharp`, `sharp@1.0.0 || 1.1.0`,
 * or `ANY_BUILD` for those of all packages. Rules that cannot be read may allow any. Never rejects.
 *
 * @param options.cwd the profile's directory
 */
export async function readAllowedBuilds(options: Omit<ReadOptions, 'command'>): Promise<readonly string[]> {
  try {
    const signal = withTimeout(options.signal, SETTINGS_TIMEOUT_MS)
    const text = await readStdout({ ...options, signal, command: ['pnpm', 'config', 'list', '--json'] })
    const printed = v.safeParse(PrintedSettings, text)
    // Without an answer of pnpm, nothing is known of its settings beside the profile.
    const settings = printed.success
      ? printed.output
      : await readYaml(join(options.cwd, 'pnpm-workspace.yaml'), v.record(v.string(), v.unknown()))
    const isOld = !/^pnpm\/(?:1[1-9]|[2-9]\d)\./.test(String(settings?.userAgent))
    // Only pnpm 10 reads package.json, and does not print what it says.
    const manifest = isOld ? await readFile(join(options.cwd, 'package.json'), 'utf8').catch(ignoreMissing) : undefined
    const { pnpm } = manifest === undefined ? { pnpm: {} } : v.parse(ManifestSchema, manifest)
    return allowedBy(v.parse(RulesSchema, { ...pnpm, ...settings }), isOld)
  } catch {
    return [ANY_BUILD]
  }
}

function allowedBy(rules: v.InferOutput<typeof RulesSchema>, isOld: boolean): readonly string[] {
  const { onlyBuiltDependencies: only, onlyBuiltDependenciesFile: file, neverBuiltDependencies: never } = rules
  const isAny = rules.dangerouslyAllowAllBuilds === true || rules.dangerouslyAllowAllBuilds === 'true'
  const isAnyElse = isOld && (file !== undefined || (only === undefined && never.length > 0))
  if (isAny || isAnyElse) return [ANY_BUILD]
  const allowed = Object.entries(rules.allowBuilds).flatMap(([key, value]) => (value === true ? [key] : []))
  return [...new Set([...(isOld ? (only ?? []) : []), ...allowed])]
}

/** Returns the keys that may allow build scripts of packages with these names: also those of no plain name. */
export const keysOfPackages = (keys: readonly string[], names: ReadonlySet<string>): readonly string[] =>
  keys.filter((key) => {
    const { name } = splitPackageId(key)
    return !isPackageName(name) || names.has(name)
  })

/**
 * Returns the keys that may allow build scripts that run with a change.
 *
 * @param names of the packages that come with it; null where they are unknown, as each key may
 * @param unbuilt ids of the packages whose scripts were blocked before: with any change, pnpm 11 runs those that are
 * allowed now
 */
export const keysOfChange = (
  keys: readonly string[],
  names: ReadonlySet<string> | null,
  unbuilt: readonly string[],
): readonly string[] =>
  names === null ? keys : keysOfPackages(keys, new Set([...names, ...unbuilt.map((id) => splitPackageId(id).name)]))
