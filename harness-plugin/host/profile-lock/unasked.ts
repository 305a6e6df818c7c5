/** Finds what the lock of a file has a package need that the package itself does not ask for. */
import { readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { repositoryOf } from '@plugmark/shared/install'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import { splitPackageId } from '../../protocol/package-id.ts'
import { readYaml } from '../profile/files.ts'
import { directIn, type Lockfile, parsePackageId, withoutPeers } from '../profile/lockfile.ts'

const Ranges = v.fallback(v.optional(v.record(v.string(), v.string()), {}), {})
const ManifestSchema = v.object({
  name: v.string(),
  version: v.fallback(v.string(), ''),
  dependencies: Ranges,
  optionalDependencies: Ranges,
  peerDependencies: Ranges,
  peerDependenciesMeta: v.fallback(v.optional(v.record(v.string(), v.unknown()), {}), {}),
})
const FileSchema = v.pipe(v.string(), v.parseJson(), ManifestSchema)
const SettingsSchema = v.object({
  overrides: v.optional(v.record(v.string(), v.string())),
  packageExtensions: v.optional(v.record(v.string(), v.unknown())),
})
type Manifest = v.InferOutput<typeof ManifestSchema>

/**
 * Returns the packages that a lock installs although what needs them does not, by its own package.json, ask for them: each
 * with that one. The bytes of a package are its registry's, but the package manager believes its lock what that needs.
 *
 * @param directory profile in which the lock is installed
 */
export async function unaskedIn(
  directory: string,
  lockfile: Lockfile,
): Promise<(readonly [name: string, by: string])[]> {
  const settings = await readYaml(join(directory, 'pnpm-workspace.yaml'), SettingsSchema)
  const { overrides = {}, packageExtensions = {} } = settings ?? {}
  const overridden = Object.entries(overrides).map(([key, spec]) => {
    const [, target = key] = /[^ |@]>(.+)$/.exec(key) ?? []
    return { name: splitPackageId(target).name, spec }
  })
  const extended = Object.entries(packageExtensions).map(([key, extension]) => {
    const { name } = splitPackageId(key)
    return v.parse(ManifestSchema, { ...Object(extension), name })
  })
  const reached = new Set<string>()
  const unasked: { readonly key: string; readonly alias: string; readonly by: string }[] = []
  const { snapshots } = lockfile
  const open = [...directIn(lockfile)].map(([alias, { version }]) => ({
    ...{ alias, key: keyOf(alias, version), by: directory },
  }))
  for (const { alias: known, key, by } of open) {
    if (reached.has(key)) continue
    reached.add(key)
    const { name } = parsePackageId(withoutPeers(key))
    const found = await findPackage(by, known, key)
    const needs = Object.hasOwn(snapshots, key) ? snapshots[key] : undefined
    // It is not for this machine, so that nothing of it is installed.
    if (found === null && needs?.optional) continue
    const manifests = [...(found ? [found.manifest] : []), ...extended.filter((one) => one.name === name)]
    for (const [alias, ref] of Object.entries({ ...needs?.dependencies, ...needs?.optionalDependencies })) {
      const specs = overridden.filter((one) => one.name === alias).map(({ spec }) => spec)
      const isAsked = manifests.some((one) => asksFor(one, alias, ref, specs))
      if (isAsked) open.push({ alias, key: keyOf(alias, ref), by: found?.folder ?? by })
      else unasked.push({ key: keyOf(alias, ref), alias, by: name })
    }
  }
  // A peer, or what the package manager knows that some packages forgot to ask for: harmless where it is there anyway.
  const there = new Set([...reached].map(withoutPeers))
  const isThere = ({ key, alias }: (typeof unasked)[number]) =>
    there.has(withoutPeers(key)) && parsePackageId(withoutPeers(key)).name === alias
  return unasked.filter((one) => !isThere(one)).map(({ alias, by }) => [alias, by] as const)
}

/**
 * Finds the package of a lock as the runtime does, from the folder that needs it: packages may be nested, linked, or in a
 * store that all profiles share. Another package or version that is in the way is not it.
 */
async function findPackage(
  from: string,
  alias: string,
  key: string,
): Promise<{ readonly folder: string; readonly manifest: Manifest } | null> {
  const { name, version } = parsePackageId(withoutPeers(key))
  for (const modules of createRequire(join(from, '_')).resolve.paths('_') ?? []) {
    const folder = join(modules, alias)
    const read = v.safeParse(FileSchema, await readFile(join(folder, 'package.json'), 'utf8').catch(() => ''))
    if (!read.success || read.output.name !== name) continue
    if (version === null || read.output.version === version)
      return { folder: await realpath(folder), manifest: read.output }
  }
  return null
}

/** Returns the key of a dependency in the lock, which names the package only where it is another than the alias. */
const keyOf = (alias: string, ref: string): string => (/^(?:@|[^@:(]+@)/.test(ref) ? ref : `${alias}@${ref}`)

/** Returns true if a package.json asks for a package. @param overrides specs that are instead of what it asks for */
function asksFor(manifest: Manifest, alias: string, ref: string, overrides: readonly string[]): boolean {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const asked = new Map(Object.entries({ ...dependencies, ...optionalDependencies })).get(alias)
  const isPeer = Object.hasOwn(peerDependencies, alias) || Object.hasOwn(peerDependenciesMeta, alias)
  if (asked === undefined && !isPeer) return false
  const target = parsePackageId(withoutPeers(keyOf(alias, ref)))
  // A peer may be of any version: it is what another one brings. One of a repository, that one must ask for.
  if (isPeer && target.name === alias && target.repository === null) return true
  return [...(asked === undefined ? [] : [asked]), ...overrides].some((spec) => isOf(spec, alias, target))
}

/** Returns true if a spec can be of a package. */
function isOf(spec: string, alias: string, { name, version, repository }: ReturnType<typeof parsePackageId>): boolean {
  if (repository) {
    const [, commit = repository.commit] = /#([0-9a-f]{40})\b/.exec(spec) ?? []
    return repositoryOf(spec) === repositoryOf(repository.url) && commit === repository.commit
  }
  const [, other, of] = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(spec) ?? []
  if (name !== (other ?? alias)) return false
  const wanted = other === undefined ? spec : (of ?? '*')
  const range = validRange(wanted, true)
  // Nobody knows what a tag named, nor which version of the profile an override refers to.
  if (range === null) return !/[:/]/.test(wanted.replace(/^\$.*/, ''))
  return satisfies(version ?? '', range, { loose: true, includePrerelease: true })
}
