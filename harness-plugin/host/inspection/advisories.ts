/** What is known against packages: the advisories that their registry, or a file, has about the exact versions. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import { parse } from 'yaml'
import type { Advisory, Audit } from '../../protocol/inspection.ts'
import { parsePackageId } from '../profile/lockfile.ts'
import { AdvisoriesSchema, type Registry, type RegistryAdvisories } from '../registry/registry.ts'

/** Weakness of code that was published to do harm. Source: the list of weaknesses, CWE. */
const EMBEDDED_MALICE = 'CWE-506'

/** Returns the advisories about the given versions, malware first. @param versions by name */
export function toAdvisories(
  answer: RegistryAdvisories,
  versions: Readonly<Record<string, readonly string[]>>,
): Advisory[] {
  const found = Object.entries(versions).flatMap(([name, list]) =>
    list.flatMap((version) =>
      (Object.hasOwn(answer, name) ? answer[name]! : [])
        .filter(({ vulnerable_versions: range }) => isInRange(version, range))
        .map(
          ({ title, severity, url, cwe }): Advisory => ({
            package: `${name}@${version}`,
            title,
            severity,
            url,
            isMalware: cwe.includes(EMBEDDED_MALICE) || /^malware in /i.test(title),
          }),
        ),
    ),
  )
  return found.toSorted((a, b) => Number(b.isMalware) - Number(a.isMalware))
}

/** Returns true also for a range that cannot be read: nobody knows that the version is out of it. */
function isInRange(version: string, text: string): boolean {
  // Some databases put commas between the parts of a range.
  const range = text.replaceAll(',', ' ')
  return validRange(range) === null || satisfies(version, range, { includePrerelease: true })
}

/**
 * Audits every package of a profile's lockfile. Asks each package's own registry, which the profile installs from; or a
 * file in the form of a registry's answer, and then nobody.
 *
 * @param given.directory directory of the profile
 * @param given.database path of the file
 * @throws an error that says why, when the file cannot be read
 */
export async function auditProfile(given: {
  readonly directory: string
  readonly registry: Registry
  readonly signal: AbortSignal
  readonly database?: string | undefined
}): Promise<Audit> {
  const { directory, registry, signal, database } = given
  const file = database === undefined ? null : v.parse(DatabaseSchema, await readFile(database, 'utf8'))
  const tree = await readTree(directory)
  if (tree === null) return { state: 'no-lockfile' }
  const { paths, others } = tree
  const byRegistry = new Map<string, Record<string, string[]>>()
  for (const id of paths.keys()) {
    const { name, version } = parsePackageId(id)
    if (version === null) continue
    const address = file === null ? await registry.addressOf(name) : ''
    const versions = byRegistry.get(address) ?? {}
    byRegistry.set(address, versions)
    versions[name] = [...(versions[name] ?? []), version]
  }
  const audit = {
    asked: 0,
    unknown: [] as (Audit & { readonly state: 'read' })['unknown'][number][],
    found: [] as Advisory[],
  }
  for (const [address, versions] of byRegistry) {
    const packages = Object.values(versions).flat().length
    const answer =
      file === null ? await registry.advisories(versions, { signal }) : ({ state: 'read', document: file } as const)
    if (answer.state === 'read') {
      audit.asked += packages
      audit.found.push(...toAdvisories(answer.document, versions))
    } else {
      const host = URL.canParse(address) ? new URL(address).host : address
      audit.unknown.push({ host, packages, reason: answer.state === 'unchanged' ? 'unreadable' : answer.state })
    }
  }
  if (others > 0) audit.unknown.push({ host: null, packages: others, reason: 'not-a-registry-package' })
  const advisories = audit.found.map((advisory) => ({ ...advisory, path: paths.get(advisory.package) ?? [] }))
  return { state: 'read', asked: audit.asked, unknown: audit.unknown, advisories }
}

const DatabaseSchema = v.pipe(v.string(), v.parseJson(), AdvisoriesSchema)

const Versions = v.optional(v.record(v.string(), v.string()), {})
const LockSchema = v.object({
  importers: v.object({
    '.': v.object({
      dependencies: v.optional(v.record(v.string(), v.object({ version: v.string() })), {}),
      optionalDependencies: v.optional(v.record(v.string(), v.object({ version: v.string() })), {}),
    }),
  }),
  packages: v.optional(v.record(v.string(), v.object({ resolution: v.record(v.string(), v.unknown()) })), {}),
  snapshots: v.optional(v.record(v.string(), v.object({ dependencies: Versions, optionalDependencies: Versions })), {}),
})

/**
 * Reads the packages of a lockfile. Null without a readable lockfile.
 *
 * @returns those of a registry, each with the shortest path to it, `name@version` of the plugin first; and the number of
 *   the others, which come from repositories, folders and tarballs
 */
async function readTree(
  directory: string,
): Promise<{ readonly paths: ReadonlyMap<string, readonly string[]>; readonly others: number } | null> {
  const text = await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(() => '')
  const parsed = v.safeParse(v.pipe(v.string(), v.transform(parseYaml), LockSchema), text)
  if (!parsed.success) return null
  const { importers, packages, snapshots } = parsed.output
  const { dependencies, optionalDependencies } = importers['.']
  const keyOf = (name: string, version: string) =>
    Object.hasOwn(snapshots, `${name}@${version}`) ? `${name}@${version}` : version
  const paths = new Map<string, readonly string[]>()
  const others = new Set<string>()
  const seen = new Set<string>()
  let level = Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, { version }]) => ({
    key: keyOf(name, version),
    path: [] as readonly string[],
  }))
  while (level.length > 0) {
    const next: typeof level = []
    for (const { key, path: before } of level) {
      if (seen.has(key)) continue
      seen.add(key)
      // A version has its peers in parentheses.
      const id = key.replace(/\(.*/, '')
      const path = [...before, id]
      const resolution = packages[id]?.resolution
      // Some registries have their tarballs at addresses of their own, which stand in the lockfile.
      if (!resolution?.integrity || parsePackageId(id).version === null) others.add(id)
      else if (!paths.has(id)) paths.set(id, path)
      const { dependencies = {}, optionalDependencies = {} } = snapshots[key] ?? {}
      for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
        next.push({ key: keyOf(name, version), path })
    }
    level = next
  }
  return { paths, others: others.size }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return null
  }
}
