import { bindInstall, type InstallSpec, specKey } from '@plugmark/shared/install'
import isPrerelease from 'semver/functions/prerelease.js'
import compareVersions from 'semver/functions/rcompare.js'
import * as v from 'valibot'
import { fits } from '../../protocol/fit.ts'
import type { PackageVersion, PackageVersions, StoreCalls } from '../../protocol/index.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { directoryError } from '../catalogue/directory.ts'
import { isVersion } from '../harness/requirements.ts'
import { declarationOf, deprecationOf } from '../plugins/declarations.ts'
import type { Evidence } from '../plugins/evidence.ts'
import { type Exemptions, readExemptions, toFit } from '../plugins/verdict.ts'
import { profileDirectory } from '../profile/home.ts'
import { type PackageDocument, Registry } from '../registry/registry.ts'
import { RepositorySource } from './repository.ts'

/** Time limit of one answer, in ms. */
const LIMIT_MS = 15_000
/** Time that an answer is kept, in ms, and number of answers. */
const KEPT_MS = 60 * 60_000
const MAX_KEPT = 50

type DetailCalls = Pick<StoreCalls, 'versions' | 'repositoryFacts' | 'repositoryText' | 'repositoryPicture'>

/** Implements the calls about one plugin that the directory cannot answer: they ask its registry or the code host. */
export function detailCalls(given: {
  readonly cli: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly evidence: Evidence
  readonly version: () => Promise<string | null>
  readonly now: () => number
  readonly signal: AbortSignal
  readonly rawUrl?: string | undefined
  readonly apiUrl?: string | undefined
}): DetailCalls {
  const { cli, home, env, catalogue, evidence, version, now, signal, rawUrl, apiUrl } = given
  const kept = new Map<string, { readonly at: number; readonly value: unknown }>()

  /** Returns a kept answer, or requests it. Keeps only what was read. */
  async function keep<T extends { readonly state: string }>(key: readonly string[], request: () => Promise<T>) {
    const name = JSON.stringify(key)
    const known = kept.get(name)
    if (known && now() - known.at < KEPT_MS) return answer(known.value as T)
    const value = await request()
    kept.delete(name)
    if (value.state === 'read') kept.set(name, { at: now(), value })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return answer(value)
  }

  const limited = () => AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const source = (profile: string): RepositorySource =>
    new RepositorySource({ directory: profileDirectory(home, profile), env, signal: limited(), rawUrl, apiUrl })

  /** Returns a listing, so that only repositories that the directory lists are asked for. */
  async function find(id: string) {
    const listing = await catalogue.find(id).catch(directoryError)
    return listing ?? refuse('unknown-listing', 'The directory does not list this plugin.')
  }

  return {
    async versions({ id, profile }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const bound = bindInstall(listing.record, { cli })
      if (!bound.ok) return answer({ state: 'repository' })
      const { spec } = bound.plan
      const harnessVersion = await version()
      await evidence.refresh()
      return keep(['versions', specKey(spec), profile, harnessVersion ?? ''], () =>
        readVersions(spec, {
          env,
          harnessVersion,
          evidence,
          directory: profileDirectory(home, profile),
          signal: limited(),
        }),
      )
    },
    async repositoryFacts({ id, profile }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const { fullName } = listing.record
      return keep(['facts', fullName], () => source(profile).facts(fullName))
    },
    async repositoryText({ id, profile, kind, language }) {
      const listing = await find(id)
      if ('ok' in listing) return listing
      const { fullName } = listing.record
      return keep([kind, fullName, language], () => source(profile).text(fullName, kind, language))
    },
    async repositoryPicture({ url, profile }) {
      return answer(await source(profile).picture(url))
    },
  }
}

// The versions of a package

/** Versions that are listed. */
const MAX_VERSIONS = 50

const DistSchema = v.object({ unpackedSize: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/**
 * Reads the versions of a listing's package from its registry. Never rejects.
 *
 * @param given.directory directory of the profile whose registries and proxies apply
 * @param given.harnessVersion null when it is unknown
 */
async function readVersions(
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
  const registry = new Registry(directory, env)
  const address = await registry.addressOf(spec.name)
  const host = URL.canParse(address) ? new URL(address).host : address
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
  const known = { harnessVersion, evidence, exemptions: await readExemptions(directory) }
  const toVersion = (version: string) => describe(version, answer.document, known)
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
  {
    harnessVersion,
    evidence,
    exemptions,
  }: {
    readonly harnessVersion: string | null
    readonly evidence: Pick<Evidence, 'find'>
    readonly exemptions: Exemptions
  },
): PackageVersion {
  const manifest = versions[version]
  const declaration = declarationOf({ ...manifest, name, version })
  const fit = toFit(declaration && { state: 'read', declaration, at: 0 }, harnessVersion, evidence, exemptions)
  const dist = v.safeParse(DistSchema, manifest?.dist)
  const publishedAt = Date.parse(times[version] ?? '')
  return {
    version,
    publishedAt: Number.isNaN(publishedAt) ? null : new Date(publishedAt).toISOString(),
    sizeBytes: dist.success ? dist.output.unpackedSize : null,
    fits: fits(fit),
    deprecated: deprecationOf(manifest?.deprecated),
  }
}
