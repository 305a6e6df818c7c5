/** The directory's two rules: one admits packages, one derives their install commands. Source: docs/contract.md. */
import { DEFAULTS, type InstallKind, type InstallOption } from '@plugmark/shared/contract'
import type { PackageFixture, RepositoryFixture } from './fixtures.ts'

/** A listed repository has at least this many commits. */
const MIN_COMMITS = 10
/** npm scope of the harness's vendor. */
const VENDOR_SCOPE = '@deepseek-ai/'
/** The framework that the harness is built on, and the scope of its packages. */
const FRAMEWORK = 'cordis'
const FRAMEWORK_SCOPE = '@cordisjs/'
/** File that patches the harness's configuration. */
const PATCH_FILE = 'cordis.patch.yml'

type RejectionReason = 'not-a-plugin' | 'too-few-commits' | 'no-description'

/**
 * Returns true if a package declares itself a plugin: by a harness manifest, by a dependency on the vendor's packages or
 * on the framework, or by a configuration patch. A topic on the repository does not count.
 */
export function declaresPlugin({ manifest, files }: PackageFixture): boolean {
  if (files?.includes(PATCH_FILE)) return true
  if (manifest === undefined) return false
  if (Object.hasOwn(manifest, DEFAULTS.cli)) return true
  return [...(manifest.dependencies ?? []), ...(manifest.peerDependencies ?? [])].some(
    (name) => name === FRAMEWORK || name.startsWith(VENDOR_SCOPE) || name.startsWith(FRAMEWORK_SCOPE),
  )
}

/** Returns the reason why this package is not listed; null when it is. */
export function rejectionReason(repository: RepositoryFixture, fixture: PackageFixture): RejectionReason | null {
  if (!declaresPlugin(fixture)) return 'not-a-plugin'
  if (repository.commits < MIN_COMMITS) return 'too-few-commits'
  if (!repository.description?.trim()) return 'no-description'
  return null
}

/** Ways to install a package, best first. `options` is empty when no command can install it. */
interface Installation {
  readonly kind: InstallKind
  readonly options: InstallOption[]
}

/**
 * Derives the install commands of a package. A published package installs by its name, and a package in the root of a
 * repository from the repository. There is no command for an unpublished subdirectory, because the package
 * manager reads everything after `#` as a git ref, nor for an unpublished root without a package.json.
 */
export function toInstallation(
  { repository }: RepositoryFixture,
  { directory, manifest, published }: PackageFixture,
): Installation {
  const command = (spec: string) => `${DEFAULTS.cli} plugin --profile ${DEFAULTS.profile} add ${spec}`
  const options: InstallOption[] = []
  if (published !== undefined) {
    options.push({ label: 'npm', cmd: command(published), note: 'Installs the published package.' })
  }
  if (directory === undefined && manifest !== undefined) {
    const note = manifest.scripts?.includes('prepare')
      ? 'Installs the latest commit. It is built on your machine, which waits for your approval.'
      : 'Installs the latest commit.'
    options.push({ label: 'GitHub', cmd: command(`github:${repository}`), note })
  }
  if (published !== undefined) return { kind: 'npm', options }
  return { kind: directory === undefined && manifest === undefined ? 'unknown' : 'github', options }
}
