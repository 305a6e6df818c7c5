/** Finds what the lock of a file has a package need that the package itself does not ask for. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryOf } from '@plugmark/shared/install'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import type { ProfileLock } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { ignoreMissing } from '../profile/files.ts'
import { type Lockfile, parsePackageId } from '../profile/lockfile.ts'

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
type Manifest = v.InferOutput<typeof ManifestSchema>

/**
 * Returns the packages that a lock installs although what needs them does not, by its own package.json, ask for them: each
 * with that one. The
 * bytes of a package are its registry's, but the package manager believes its lock what that needs.
 *
 * @param directory profile in which the lock is installed
 */
export async function unaskedIn(
  directory: string,
  { importers, snapshots }: Lockfile,
  { overrides, packageExtensions }: ProfileLock['settings'],
): Promise<(readonly [name: string, by: string])[]> {
  const installed = new Map<string, Manifest[]>()
  for await (const manifest of manifestsIn(join(directory, 'node_modules')))
    installed.set(manifest.name, [...(installed.get(manifest.name) ?? []), manifest])
  const overridden = new Set(Object.keys(Object(overrides)).map((key) => splitPackageId(key.split('>').at(-1)!).name))
  const extended = new Set(Object.keys(Object(packageExtensions)).map((key) => splitPackageId(key).name))
  const reached = new Set<string>()
  const unasked: { readonly key: string; readonly pair: readonly [name: string, by: string] }[] = []
  const { dependencies = {}, optionalDependencies = {} } = importers?.['.'] ?? {}
  const open = Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, entry]) =>
    keyOf(name, entry.version),
  )
  for (const key of open) {
    if (reached.has(key)) continue
    reached.add(key)
    const { name, version } = parsePackageId(bare(key))
    const all = extended.has(name) ? [] : (installed.get(name) ?? [])
    const same = all.filter((manifest) => manifest.version === version)
    const needs = Object.hasOwn(snapshots, key) ? snapshots[key] : undefined
    for (const [alias, ref] of Object.entries({ ...needs?.dependencies, ...needs?.optionalDependencies }))
      if ((same.length > 0 ? same : all).every((one) => asksFor(one, alias, ref, overridden)))
        open.push(keyOf(alias, ref))
      else unasked.push({ key: keyOf(alias, ref), pair: [alias, name] })
  }
  // The package manager knows of some packages what these forgot to ask for; it is harmless where it is there anyway.
  const there = new Set([...reached].map(bare))
  return unasked.filter(({ key }) => !there.has(bare(key))).map(({ pair }) => pair)
}

const bare = (key: string): string => key.split('(')[0]!
/** Returns the key of a dependency in the lock, which names the package only where it is another than the alias. */
const keyOf = (alias: string, ref: string): string => (/^(?:\d|[a-z+]+:)/.test(ref) ? `${alias}@${ref}` : ref)

function asksFor(manifest: Manifest, alias: string, ref: string, overridden: ReadonlySet<string>): boolean {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const asked = new Map(Object.entries({ ...dependencies, ...optionalDependencies })).get(alias)
  if (asked !== undefined && overridden.has(alias)) return true
  const isPeer = Object.hasOwn(peerDependencies, alias) || Object.hasOwn(peerDependenciesMeta, alias)
  const target = parsePackageId(bare(keyOf(alias, ref)))
  // A peer may be of any version, or of a repository: it is what another one brings.
  if (asked === undefined) return isPeer && (target.name === alias || overridden.has(alias))
  if (target.repository) return repositoryOf(asked) === repositoryOf(target.repository.url)
  const [, other, of] = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(asked) ?? []
  if (target.name !== (other ?? alias)) return isPeer && target.name === alias
  const range = validRange(other === undefined ? asked : (of ?? '*'), true)
  // Nobody knows what a tag named.
  return range === null || isPeer || satisfies(target.version ?? '', range, { loose: true, includePrerelease: true })
}

/** Reads the package.json of every package in a node_modules, also of nested ones. Links lead to what is there too. */
async function* manifestsIn(modules: string): AsyncGenerator<Manifest> {
  const entries = (await readdir(modules, { withFileTypes: true }).catch(ignoreMissing)) ?? []
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const folder = join(modules, name)
    if (name.startsWith('@')) yield* manifestsIn(folder)
    else if (name === '.pnpm')
      for (const one of (await readdir(folder)).filter((one) => one !== 'lock.yaml'))
        yield* manifestsIn(join(folder, one, 'node_modules'))
    else if (!name.startsWith('.')) {
      const manifest = v.safeParse(FileSchema, await readFile(join(folder, 'package.json'), 'utf8').catch(() => ''))
      if (manifest.success) yield manifest.output
      yield* manifestsIn(join(folder, 'node_modules'))
    }
  }
}
