/** The files of a package that its author uploaded, against those of its repository. Nothing is checked out or run. */
import type { PackageSource } from '../../protocol/inspection.ts'
import { findTag, gitUrl, isInHistory, readArchives } from '../process/git.ts'
import { type PublishedVersion, repositoryOf } from './origin.ts'
import { traceFiles } from './reading.ts'

export interface SourceRequest {
  readonly name: string
  readonly version: string
  readonly published: PublishedVersion
  readonly tarball: Uint8Array
  /** Address of the listing's repository. */
  readonly repoUrl: string
  /** Directory of the profile whose git settings apply. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

type Unknown = PackageSource & { readonly state: 'unknown' }
const unknown = (reason: Unknown['reason']): Unknown => ({ state: 'unknown', reason })

/**
 * Compares a package with the commit that it was published from: that of the version's tag, else the one that the package
 * names, if the default branch has it. Never rejects.
 *
 * @param trace compares the files
 */
export async function readSource({
  name,
  version,
  published,
  tarball,
  repoUrl,
  directory,
  env,
  signal,
}: SourceRequest): Promise<PackageSource> {
  const repository = repositoryOf(repoUrl)
  if (!repository?.startsWith('github.com/')) return unknown('no-repository')
  const url = gitUrl(repository.slice('github.com/'.length))
  const tags = [`v${version}`, version, `${name}@${version}`, `${name.replace(/^@[^/]*\//, '')}@${version}`]
  const found = await findTag(url, tags, directory, { env, signal })
  if (found === 'unread') return unknown(signal.aborted ? 'too-slow' : 'repository-unreachable')
  const { gitHead } = published
  const commit = found?.commit ?? (/^[0-9a-f]{40}$/.test(gitHead ?? '') ? gitHead : null)
  if (commit === null) return unknown('no-tag')
  if (found === null) {
    const isKnown = await isInHistory(url, commit, { env, signal })
    if (isKnown === null) return unknown(signal.aborted ? 'too-slow' : 'repository-unreachable')
    if (!isKnown) return unknown('other-commit')
  }
  const [archive] = await readArchives(url, [commit], { env, signal })
  if (archive?.state !== 'read') return unknown(archive?.state ?? 'failed')
  const traced = await traceFiles({ tree: archive.tar, tarball, folder: published.repository.directory }, { signal })
  return traced.state === 'read' ? { ...traced, tag: found?.tag ?? null, commit } : traced
}
