/** Compares what a change fetches with what it replaces: its history, its publishers, its signature, its repository. */
import type { InstallSpec } from '@plugmark/shared/install'
import compare from 'semver/functions/compare.js'
import gt from 'semver/functions/gt.js'
import valid from 'semver/functions/valid.js'
import type { Break, Past } from '../../protocol/review.ts'
import { gitUrl, isInHistory } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import {
  type Access,
  type PackageDocument,
  type PublishedVersion,
  publishedVersion,
  registryOf,
} from '../registry/registry.ts'
import { repositoryAddress } from './registry-package.ts'

/** Time limit of reading the history of a repository, or the document of a package, in ms. */
const PAST_MS = 8_000

interface ReplacedPackage {
  /** Installed version or commit; null when it is unknown. */
  readonly before: string | null
  /** Version or commit that is fetched; null when it is unknown. */
  readonly after: string | null
}

/**
 * Reads whether a version or a commit continues the installed one. Never rejects.
 *
 * @param given.repoUrl repository of the listing; empty when it is not listed
 * @returns null for an older version, and for what is installed already
 */
export async function readPast(
  spec: InstallSpec,
  { before, after }: ReplacedPackage,
  given: Access & { readonly repoUrl: string },
): Promise<Past | null> {
  if (!hasPast(before, after)) return null
  const past = { before, after, breaks: [], unknown: [] }
  const signal = withTimeout(given.signal, PAST_MS)
  if (spec.kind === 'github') {
    const url = gitUrl(`${spec.owner}/${spec.repo}`)
    const limits = { env: given.env, signal }
    const continues =
      before === null || after === null ? null : await isInHistory(url, { commit: before, of: after }, limits)
    if (continues === null) return { ...past, unknown: ['history'] }
    return continues ? past : { ...past, breaks: [{ kind: 'history' }] }
  }
  if (before === null || after === null) return { ...past, unknown: ['document'] }
  const answer = await registryOf(given).package(spec.name, { signal, withTimes: true })
  if (answer.state !== 'read') return { ...past, unknown: ['document'] }
  const { document } = answer
  const publisher = findPublisher(document, after)
  const breaks = [publisher, ...findLost(document, { before, after }, given.repoUrl)]
  return {
    ...past,
    breaks: breaks.filter((one) => one !== null && one !== 'unknown'),
    unknown: publisher === 'unknown' ? ['publisher'] : [],
  }
}

/** Returns false for what is installed already, and for an older version of it. */
export const hasPast = (before: string | null, after: string | null): boolean =>
  before === null || (before !== after && !(valid(before) && valid(after) && gt(before, after ?? '')))

const peopleOf = (published: PublishedVersion | null) =>
  published ? [published._npmUser, ...published.maintainers].flatMap(({ name }) => name || []) : []

/** Finds a publisher who neither published nor maintained an earlier version. */
function findPublisher({ versions, times }: PackageDocument, version: string): Break | 'unknown' | null {
  const published = publishedVersion({ versions }, version)
  const after = published?._npmUser.name ?? null
  if (published === null || after === null) return 'unknown'
  // The package's own build service publishes: its owner has told the registry so.
  if (published._npmUser.trustedPublisher != null) return null
  const time = (one: string) => Date.parse(times[one] ?? '')
  const isEarlier = (one: string) =>
    Number.isNaN(time(one)) || Number.isNaN(time(version)) ? isLower(one, version) : time(one) < time(version)
  const before = new Set(
    Object.keys(versions)
      .filter((one) => one !== version && isEarlier(one))
      .flatMap((one) => peopleOf(publishedVersion({ versions }, one))),
  )
  if (before.size === 0) return 'unknown'
  return before.has(after) ? null : { kind: 'publisher', before: [...before].toSorted().slice(0, MAX_NAMES), after }
}
/** Most names of earlier publishers that are told. */
const MAX_NAMES = 5

const isLower = (one: string, other: string): boolean =>
  valid(one) !== null && valid(other) !== null && compare(one, other) < 0

/** Finds what the registry had of the installed version, and does not have of this one. */
function findLost(
  document: Pick<PackageDocument, 'versions'>,
  { before, after }: { readonly before: string; readonly after: string },
  repoUrl: string,
): Break[] {
  const [old, now] = [before, after].map((version) => publishedVersion(document, version))
  if (!old || !now) return []
  const hasLost = old.dist.signatures.length > 0 && now.dist.signatures.length === 0
  const [named, names] = [old, now].map(({ repository }) => repositoryAddress(repository.url))
  // A repository that moves does so in the directory too.
  const hasMoved = names != null && names === repositoryAddress(repoUrl)
  const isOther = named != null && names !== named && !hasMoved
  return [
    ...(hasLost ? [{ kind: 'signature' as const }] : []),
    ...(isOther ? [{ kind: 'repository' as const, before: named, after: names ?? null }] : []),
  ]
}
