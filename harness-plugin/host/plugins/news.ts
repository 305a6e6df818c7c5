/** What became of an installed plugin where it came from: deprecated, withdrawn, moved back, archived, renamed. */
import type { RepositorySpec } from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import prerelease from 'semver/functions/prerelease.js'
import * as v from 'valibot'
import type { PluginNews } from '../../protocol/index.ts'
import { isVersion } from '../harness/requirements.ts'
import { CODE_HOST_API, type PackageDocument, type Registry } from '../registry/registry.ts'
import { deprecationOf } from './declarations.ts'

/** Returns the news that a registry has of an installed version; none of a version that is not known. */
export function newsOfPackage({ versions, latest }: PackageDocument, installed: string | null): PluginNews[] {
  if (installed === null || !isVersion(installed)) return []
  const isThere = Object.hasOwn(versions, installed)
  const deprecated = isThere ? deprecationOf(versions[installed]?.deprecated) : null
  // Who installed a prerelease wanted something newer than the newest.
  const isAhead = isVersion(latest) && prerelease(installed) === null && gt(installed, latest)
  return [
    ...(isThere ? [] : [{ kind: 'withdrawn' as const }]),
    ...(deprecated === null ? [] : [{ kind: 'deprecated' as const, message: deprecated }]),
    ...(isAhead ? [{ kind: 'moved-back' as const, latest }] : []),
  ]
}

const RepositorySchema = v.object({ archived: v.boolean(), full_name: v.string() })

/** Requests the news of a repository. @returns none when the code host does not tell */
export async function readNewsOfRepository(
  { owner, repo }: RepositorySpec,
  registry: Pick<Registry, 'file'>,
  { signal, apiUrl = CODE_HOST_API }: { readonly signal: AbortSignal; readonly apiUrl?: string | undefined },
): Promise<PluginNews[]> {
  const answer = await registry.file(`${apiUrl}/repos/${owner}/${repo}`, { signal })
  const read = v.safeParse(RepositorySchema, answer.state === 'read' ? answer.document : null)
  if (!read.success) return []
  const { archived, full_name: to } = read.output
  const isMoved = to.toLowerCase() !== `${owner}/${repo}`.toLowerCase()
  return [...(archived ? [{ kind: 'archived' as const }] : []), ...(isMoved ? [{ kind: 'renamed' as const, to }] : [])]
}
