import { bindInstall } from '@plugmark/shared/install'
import isPrerelease from 'semver/functions/prerelease.js'
import compareVersions from 'semver/functions/rcompare.js'
import * as v from 'valibot'
import { fits } from '../../protocol/fit.ts'
import type { Answer, PackageVersions, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import type { KnownRecord } from '../catalogue/listings.ts'
import { isVersion } from '../harness/requirements.ts'
import { KeptAnswers } from '../kept-answers.ts'
import type { Parts } from '../parts.ts'
import { declarationOf, deprecationOf } from '../plugins/declarations.ts'
import { readExemptions, toFit } from '../plugins/fit-check.ts'
import { waitFor, withTimeout } from '../process/run.ts'
import { profileDirectory, realProfileDirectory } from '../profile/home.ts'
import { type Access, Registry, registryOf } from '../registry/registry.ts'
import { type PickedRelease, pickRelease } from '../releases/pick-version.ts'
import { unreadSource } from '../review/unlisted-source.ts'

/** Time limit of one answer, in ms. */
const LIMIT_MS = 15_000
/** Time that the versions of a package wait for the count of its downloads, in ms. */
const COUNT_MS = 1_000
/** Time that an answer is kept, in ms, and number of answers. */
const KEPT = { ms: 60 * 60_000, max: 50 }

interface PickOptions {
  readonly package: string
  readonly profile: string
  /** A range or a tag. */
  readonly wanted: string
  readonly signal: AbortSignal
}

/** Answers which versions of a package its registry has, and which of them an install takes. */
export class Versions {
  readonly #parts: Parts
  readonly #kept: KeptAnswers<{ readonly state: string }>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#kept = new KeptAnswers({ ...KEPT, isKept: ({ state }) => state === 'read', now: parts.now })
  }

  get calls() {
    return {
      versions: async ({ id, profile }) => {
        const listing = await this.#parts.catalogue.listed(id)
        return listing.ok ? answer(await this.#read(listing.value.record, profile)) : listing
      },
    } satisfies Partial<StoreCalls>
  }

  /** Returns the version of a package that an install of a range or a tag takes; null when there is none. */
  readonly pickVersion = async (options: PickOptions): Promise<Answer<PickedRelease | null>> => {
    const { package: name, profile, wanted, signal } = options
    const { settings, fitCheck, now } = this.#parts
    const registry = new Registry(await realProfileDirectory(settings.home, profile), settings.env)
    const read = await registry.package(name, { signal })
    if (read.state === 'not-found') return answer(null)
    if (read.state !== 'read') return unreadSource(read.state)
    const readAge = () => fitCheck.releaseAge(profile)
    return answer(await pickRelease(read.document, wanted, { readAge, registry, signal, now: now() }))
  }

  async #read(listed: KnownRecord['record'], profile: string): Promise<PackageVersions> {
    const { cli, settings, runRecords, fitCheck } = this.#parts
    const bound = bindInstall(listed, { cli })
    if (!bound.ok || bound.plan.spec.kind !== 'npm') return { state: 'repository' }
    const { name } = bound.plan.spec
    const directory = profileDirectory(settings.home, profile)
    const access = { env: settings.env, directory, signal: withTimeout(this.#parts.signal, LIMIT_MS) }
    const read = await this.#kept.read(`versions ${name} ${profile}`, () => readVersions(name, access))
    if (read.state !== 'read') return read
    // It comes from the registry's search, which can be slow, and a failure is not kept.
    const counting = this.#kept.read(`downloads ${name} ${profile}`, () =>
      registryOf(access).weeklyDownloads(name, access),
    )
    const downloads = await waitFor(counting, AbortSignal.timeout(COUNT_MS))
    const weeklyDownloads = downloads?.state === 'read' ? downloads.count : null
    const [harnessVersion, exemptions] = await Promise.all([
      fitCheck.version(),
      readExemptions(directory),
      runRecords.refresh(),
    ])
    const versions = read.versions.map(({ declaration, ...about }) => {
      const fit = toFit(declaration && { state: 'read', declaration }, harnessVersion, runRecords, exemptions)
      return { ...about, fits: fits(fit) }
    })
    return { ...read, weeklyDownloads, versions }
  }
}

/** Versions that are listed. */
const MAX_VERSIONS = 50

const DistSchema = v.object({ unpackedSize: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/** Reads the versions of a package from its registry, with what each declares. Never rejects. */
async function readVersions(name: string, { directory, env, signal }: Access) {
  const registry = new Registry(directory, env)
  const address = await registry.addressOf(name)
  const host = URL.canParse(address) ? new URL(address).host : address
  const answer = await registry.package(name, { signal, withTimes: true })
  if (answer.state !== 'read') return { state: answer.state, host }
  const { latest, versions, times } = answer.document
  const all = Object.keys(versions).filter(isVersion).toSorted(compareVersions)
  if (!all.includes(latest)) return { state: 'unreadable' as const, host }
  // Prereleases are shown only where the newest version is one.
  const shown = all.filter((version) => isPrerelease(latest) !== null || isPrerelease(version) === null)
  return {
    state: answer.state,
    host,
    newest: latest,
    versions: shown.slice(0, MAX_VERSIONS).map((version) => {
      const manifest = versions[version]
      const dist = v.safeParse(DistSchema, manifest?.dist)
      const publishedAt = Date.parse(times[version] ?? '')
      return {
        version,
        publishedAt: Number.isNaN(publishedAt) ? null : new Date(publishedAt).toISOString(),
        sizeBytes: dist.success ? dist.output.unpackedSize : null,
        deprecated: deprecationOf(manifest?.deprecated),
        declaration: declarationOf({ ...manifest, name, version }),
      }
    }),
    more: Math.max(0, shown.length - MAX_VERSIONS),
  }
}
