/** A package and its versions as their registry describes them, and the tarball of a version. */
import { createHash } from 'node:crypto'
import HostedGitInfo from 'hosted-git-info'
import lt from 'semver/functions/lt.js'
import rcompare from 'semver/functions/rcompare.js'
import valid from 'semver/functions/valid.js'
import {
  type Access,
  type DocumentProblem,
  type PackageDocument,
  type PublishedVersion,
  publishedVersion,
  type Registry,
  registryOf,
} from '../registry/registry.ts'
import { MAX_TARBALL_BYTES } from './workers.ts'

/** Time limit of the requests of one inspection or comparison, in ms. */
export const LIMIT_MS = 20_000

export interface PackageRequest extends Access {
  readonly name: string
  /** Version that an install takes; null for the registry's newest. */
  readonly version: string | null
}

export interface OpenedPackage {
  readonly state: 'read'
  /** `name@version`. */
  readonly plugin: string
  readonly registry: Registry
  readonly document: PackageDocument
  /** Version that an install takes, which the registry may not have. */
  readonly version: string
}

/** Requests the full document of a package. Never rejects. */
export async function openPackage({
  name,
  version,
  signal,
  ...access
}: PackageRequest): Promise<OpenedPackage | { readonly state: DocumentProblem; readonly plugin: string }> {
  const registry = registryOf(access)
  const answer = await registry.package(name, { signal, withTimes: true })
  if (answer.state !== 'read') return { state: answer.state, plugin: version === null ? name : `${name}@${version}` }
  const { document } = answer
  const taken = version ?? document.latest
  return { state: 'read', plugin: `${name}@${taken}`, registry, document, version: taken }
}

/** Returns the newest version that is older than another; null when there is none. */
export function versionBefore({ versions }: PackageDocument, after: string): string | null {
  const older = Object.keys(versions).filter((version) => valid(version) && valid(after) && lt(version, after))
  return older.toSorted(rcompare)[0] ?? null
}

/** Compares a tarball with the strongest digest that the registry gives, as the package manager does. */
function compareDigest(tarball: Buffer, { integrity, shasum }: PublishedVersion['dist']): 'same' | DigestProblem {
  const given = integrity?.split(/\s+/) ?? (shasum ? [`sha1-${Buffer.from(shasum, 'hex').toString('base64')}`] : [])
  const algorithm = ['sha512', 'sha384', 'sha256', 'sha1'].find((name) =>
    given.some((one) => one.startsWith(`${name}-`)),
  )
  if (algorithm === undefined) return 'no-digest'
  const digest = `${algorithm}-${createHash(algorithm).update(tarball).digest('base64')}`
  return given.some((one) => one.replace(/\?.*/, '') === digest) ? 'same' : 'other-digest'
}
type DigestProblem = 'no-digest' | 'other-digest'

/** Requests the tarball of a version. @returns its bytes only if they are those that the registry describes */
export async function requestTarball({ registry, document }: OpenedPackage, version: string, signal: AbortSignal) {
  const published = publishedVersion(document, version)
  if (published === null) return { state: 'no-such-version' } as const
  const { tarball } = published.dist
  if (tarball === null || !/^https?:\/\//.test(tarball)) return { state: 'unreadable' } as const
  const options = { accept: '*/*', isRegistry: true, signal, maxBytes: MAX_TARBALL_BYTES, isAsSent: true }
  const answer = await registry.request(tarball, options)
  if (answer.state !== 'read') return answer
  const digest = compareDigest(answer.body, published.dist)
  return digest === 'same' ? answer : ({ state: digest } as const)
}

/** Returns the address of a repository on any code host in one form, such as `github.com/owner/name`; null for other text. */
export function repositoryAddress(address: string): string | null {
  // GitHub's second name, for networks that let only port 443 through.
  const known = HostedGitInfo.fromUrl(address.replace(/@ssh\.github\.com(?::443)?[/:]/, '@github.com/'))
  if (known) return [known.domain, known.user, known.project].filter(Boolean).join('/').toLowerCase()
  const text = address.replace(/^git\+/, '')
  if (!/^(?:https?|git|ssh):/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  // Of a page of a repository on GitHub, its address is the beginning.
  const parts = url.pathname
    .split('/')
    .filter(Boolean)
    .slice(0, /^(?:www\.)?github\.com$/.test(url.hostname) ? 2 : undefined)
  if (parts.length < 2) return null
  const path = parts.join('/').replace(/\.git$/, '')
  return `${url.hostname.replace(/^www\.(?=github\.com$)/, '')}/${path}`.toLowerCase()
}
