import { DEFAULTS } from '@plugmark/shared/contract'
import type { PackageFacts, RepositoryFacts } from './facts.ts'

/** How a package shows which harness it is for. */
export interface HarnessMarks {
  /** Key of the harness manifest in package.json. */
  readonly manifestKey: string
  /** npm scope of the harness's vendor, with its slash. */
  readonly vendorScope: string
  /** Name and scopes of the framework the harness is built on. */
  readonly framework: readonly string[]
  /** File that patches the harness's configuration. */
  readonly patchFile: string
}

export const HARNESS_MARKS: HarnessMarks = {
  manifestKey: DEFAULTS.cli,
  vendorScope: '@deepseek-ai/',
  framework: ['cordis', '@cordisjs/'],
  patchFile: 'cordis.patch.yml',
}

/** Fewest commits a listed repository has. */
export const MIN_COMMITS = 10

/** Why a repository, or a package in it, is not listed. */
export type Refusal = 'not-a-plugin' | 'too-few-commits' | 'no-description'

/**
 * Whether a package declares itself a plugin: by a harness manifest, by a dependency on the vendor's packages or on
 * the framework, or by a configuration patch. A topic on the repository declares nothing.
 */
export function declaresPlugin({ manifest, files }: PackageFacts, marks: HarnessMarks = HARNESS_MARKS): boolean {
  if (files?.includes(marks.patchFile)) return true
  if (manifest === undefined) return false
  if (Object.hasOwn(manifest, marks.manifestKey)) return true
  const dependencies = [...(manifest.dependencies ?? []), ...(manifest.peerDependencies ?? [])]
  return dependencies.some(
    (name) =>
      name.startsWith(marks.vendorScope) ||
      marks.framework.some((mark) => (mark.endsWith('/') ? name.startsWith(mark) : name === mark)),
  )
}

/** Why this package of this repository is not listed, or null when it is. All rules must hold. */
export function refusalOf(repository: RepositoryFacts, facts: PackageFacts): Refusal | null {
  if (!declaresPlugin(facts)) return 'not-a-plugin'
  if (repository.commits < MIN_COMMITS) return 'too-few-commits'
  if (!repository.description?.trim()) return 'no-description'
  return null
}
