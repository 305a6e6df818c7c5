import type { InstallSpec } from '@plugmark/shared/install'
import isPrerelease from 'semver/functions/prerelease.js'
import compareVersions from 'semver/functions/rcompare.js'
import * as v from 'valibot'
import { fits } from '../../protocol/fit.ts'
import type { PackageVersion, PackageVersions } from '../../protocol/package-facts.ts'
import { isVersion } from '../harness/requirements.ts'
import { declarationOf } from '../plugins/declarations.ts'
import type { Evidence } from '../plugins/evidence.ts'
import { toFit } from '../plugins/verdict.ts'
import { openRegistry, type PackageDocument } from '../registry/registry.ts'

/** Versions that are listed. */
const MAX_VERSIONS = 50
/** Longest message of a deprecation that is shown, in characters. */
const MAX_MESSAGE = 300

const DistSchema = v.object({ unpackedSize: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/**
 * Reads the versions of a listing's package from its registry. Never rejects.
 *
 * @param given.directory directory of the profile whose registries and proxies apply
 * @param given.harnessVersion null when it is unknown
 */
export async function readVersions(
  spec: InstallSpec,
  given: {
    readonly directory: string
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly harnessVersion: string | null
    readonly evidence: Pick<Evidence, 'find'>
  },
): Promise<PackageVersions> {
  if (spec.kind !== 'npm') return { state: 'repository' }
  const { directory, env, signal, harnessVersion, evidence } = given
  const registry = openRegistry(directory, env)
  const host = await registry.hostOf(spec.name)
  const [answer, weeklyDownloads] = await Promise.all([
    registry.package(spec.name, { signal, withTimes: true }),
    registry.weeklyDownloads(spec.name, { signal }),
  ])
  if (answer.state === 'unchanged') return { state: 'unreadable', host }
  if (answer.state !== 'read') return { state: answer.state, host }
  const { latest, versions } = answer.document
  const all = Object.keys(versions).filter(isVersion).toSorted(compareVersions)
  if (!all.includes(latest)) return { state: 'unreadable', host }
  // Prereleases are shown only where the newest version is one.
  const shown = all.filter((version) => isPrerelease(latest) !== null || isPrerelease(version) === null)
  const toVersion = (version: string) => describe(version, answer.document, { harnessVersion, evidence })
  return {
    state: 'read',
    host,
    newest: latest,
    weeklyDownloads,
    versions: shown.slice(0, MAX_VERSIONS).map(toVersion),
    more: Math.max(0, shown.length - MAX_VERSIONS),
  }
}

function describe(
  version: string,
  { name, versions, times }: PackageDocument,
  { harnessVersion, evidence }: { readonly harnessVersion: string | null; readonly evidence: Pick<Evidence, 'find'> },
): PackageVersion {
  const manifest = versions[version]
  const declaration = declarationOf({ ...manifest, name, version })
  const fit = toFit(declaration && { state: 'read', declaration, at: 0 }, harnessVersion, evidence)
  const dist = v.safeParse(DistSchema, manifest?.dist)
  const publishedAt = Date.parse(times[version] ?? '')
  const deprecated = manifest?.deprecated
  return {
    version,
    publishedAt: Number.isNaN(publishedAt) ? null : new Date(publishedAt).toISOString(),
    sizeBytes: dist.success ? dist.output.unpackedSize : null,
    fits: fits(fit),
    deprecated: typeof deprecated === 'string' && deprecated !== '' ? deprecated.slice(0, MAX_MESSAGE) : null,
  }
}
