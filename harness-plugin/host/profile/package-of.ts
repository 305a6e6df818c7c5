import { findDependency, type InstallSpec, repositoryOf } from '@plugmark/shared/install'
import type { ProfileState } from './state.ts'

/**
 * Name under which a spec stands in the profile's dependencies. A repository's package name is known only once it is
 * installed: it is the dependency whose own spec names that repository, before one that takes
 * another commit or directory of it.
 *
 * @returns null when the profile does not have it
 */
export function packageOf(spec: InstallSpec, before: ProfileState, after: ProfileState | null): string | null {
  if (spec.kind === 'npm') return spec.name
  const states = [after, before].map((state) => state?.manifest.dependencies ?? {})
  for (const dependencies of states) {
    const found = findDependency(spec, dependencies)
    if (found !== null && found !== 'other-source') return found.name
  }
  const repository = `${spec.owner}/${spec.repo}`.toLowerCase()
  const near = states.flatMap(Object.entries<string>).find(([, source]) => repositoryOf(source) === repository)
  return near?.[0] ?? null
}
