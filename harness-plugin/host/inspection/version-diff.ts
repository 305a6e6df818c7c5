/** Compares two versions of a package, or two commits of a repository. Nothing of them is checked out or run. */
import { type InstallSpec, specText } from '@plugmark/shared/install'
import type { VersionDiff } from '../../protocol/inspection.ts'
import { isCommit } from '../../protocol/package-id.ts'
import { type CommitArchive, gitUrl, readArchives, readCommit } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { type Access, type PackageDocument, publishedVersion } from '../registry/registry.ts'
import { LIMIT_MS, openPackage, repositoryAddress, requestTarball, versionBefore } from './registry-package.ts'
import { diffPackages } from './workers.ts'

export interface DiffRequest extends Access {
  readonly spec: InstallSpec
  /** Version or commit. Null, or the same as `after`, for the one before it. */
  readonly before: string | null
  /** Version, or commit, branch or tag. Null for the newest. */
  readonly after: string | null
  /** Addresses of the repositories that the directory lists it with. */
  readonly repoUrls: readonly string[]
}

type Unread = VersionDiff['files'] & { readonly state: 'unknown' }

/** Compares what two versions of a plugin consist of. Never rejects. */
export function readVersionDiff(given: DiffRequest): Promise<VersionDiff> {
  const signal = withTimeout(given.signal, LIMIT_MS)
  const { spec } = given
  return spec.kind === 'npm' ? diffPackage(spec.name, { ...given, signal }) : diffCommits(spec, { ...given, signal })
}

async function diffPackage(
  name: string,
  { before: old, after: wanted, repoUrls, ...access }: DiffRequest,
): Promise<VersionDiff> {
  const { signal } = access
  const asked = { package: name, before: old, after: wanted, compareUrl: null }
  const opened = await openPackage({ ...access, name, version: wanted })
  if (opened.state !== 'read') return { ...asked, files: { state: 'unknown', reason: opened.state } }
  const { document, version: after } = opened
  const before = old === null || old === after ? versionBefore(document, after) : old
  const compareUrl = before === null ? null : compareUrlOf(document, [before, after], repoUrls)
  const about = { package: name, before, after, compareUrl }
  const unknown = (reason: Unread['reason']): VersionDiff => ({ ...about, files: { state: 'unknown', reason } })
  if (before === null) return unknown('no-such-version')
  const tarballs = await Promise.all([before, after].map((version) => requestTarball(opened, version, signal)))
  const [one, other] = tarballs
  if (one?.state !== 'read') return unknown(one?.state ?? 'failed')
  if (other?.state !== 'read') return unknown(other?.state ?? 'failed')
  return { ...about, files: await diffPackages(one.body, other.body, { signal }) }
}

async function diffCommits(
  spec: InstallSpec & { readonly kind: 'github' },
  { before: old, after: wanted, directory, env, signal }: DiffRequest,
): Promise<VersionDiff> {
  const about = { package: specText(spec), before: old, after: wanted, compareUrl: null }
  const unknown = (reason: Unread['reason']): VersionDiff => ({ ...about, files: { state: 'unknown', reason } })
  const repository = `${spec.owner}/${spec.repo}`
  const url = gitUrl(repository)
  const commitOf = (ref: string) => readCommit({ url, ref }, directory, { env, signal })
  const after = await commitOf(wanted ?? spec.ref ?? 'HEAD')
  if (after === null) return unknown(wanted === null ? 'unknown-commit' : 'no-such-commit')
  const before = old === null ? null : await commitOf(old)
  if (old !== null && before === null) return unknown('no-such-commit')
  const refs = [after, before === null || before === after ? `${after}^` : before]
  const [now, was] = await readArchives(url, refs, { env, signal, path: spec.path })
  const found = { ...about, after, before: was?.state === 'read' ? was.commit : before }
  const compareUrl = found.before && `https://github.com/${repository}/compare/${found.before}...${after}`
  return { ...found, compareUrl, files: await diffArchives(was, now, signal) }
}

async function diffArchives(
  before: CommitArchive | undefined,
  after: CommitArchive | undefined,
  signal: AbortSignal,
): Promise<VersionDiff['files']> {
  const unknown = (reason: Unread['reason']) => ({ state: 'unknown', reason }) as const
  if (after?.state !== 'read') return unknown(after?.state ?? 'failed')
  if (before?.state !== 'read') return unknown(before?.state ?? 'failed')
  // Commits with the same files can be served with different ones.
  if (before.rewritten.length > 0 || after.rewritten.length > 0) return unknown('rewritten')
  return diffPackages(before.tar, after.tar, { signal })
}

/**
 * Returns the address that compares two commits, where the registry names them and a listed repository of GitHub. Nothing
 * proves that the files of the versions are those of the commits.
 */
function compareUrlOf(
  document: PackageDocument,
  versions: readonly [string, string],
  repoUrls: readonly string[],
): string | null {
  const [old, now] = versions.map((version) => publishedVersion(document, version))
  const repository = repositoryAddress(now?.repository.url ?? '')
  if (!repository?.startsWith('github.com/') || !isCommit(old?.gitHead ?? '') || !isCommit(now?.gitHead ?? ''))
    return null
  if (!repoUrls.some((url) => repositoryAddress(url) === repository)) return null
  return `https://${repository}/compare/${old?.gitHead}...${now?.gitHead}`
}
