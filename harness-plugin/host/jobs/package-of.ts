import type { InstallSpec } from '@plugmark/shared/install'
import { repositoryOf } from '../installed/source.ts'
import type { ProfileState } from '../profiles/state.ts'

/**
 * Name under which a spec stands in the profile's dependencies. A repository's package name is known only once it is
 * installed: it is the dependency whose own spec names that repository.
 *
 * @returns null when the profile does not have it
 */
export function packageOf(spec: InstallSpec, before: ProfileState, after: ProfileState | null): string | null {
  if (spec.kind === 'npm') return spec.name
  const repository = `${spec.owner}/${spec.repo}`.toLowerCase()
  const entries = [after, before].flatMap((state) => Object.entries(state?.manifest.dependencies ?? {}))
  return entries.find(([, source]) => repositoryOf(source) === repository)?.[0] ?? null
}
