/**
 * The observable facts of a repository: on its code host, on the package registry, and from running its install command.
 * `toListings` derives listings from these.
 */
import type { Verdict } from '@plugmark/shared/contract'

/** The parts of a package.json that the directory reads. Dependency lists contain names only. */
export interface Manifest {
  readonly name: string
  /** The harness manifest, under the harness's own key. `bundle` makes the package a layer of a profile. */
  readonly dsh?: { readonly bundle?: { readonly patch: string }; readonly client?: { readonly platform: string } }
  readonly dependencies?: readonly string[]
  readonly peerDependencies?: readonly string[]
  /** Names of lifecycle scripts that run during an install: `postinstall`, `prepare`, … */
  readonly scripts?: readonly string[]
}

/** The result of running the install command in a fresh container. */
interface InstallCheck {
  readonly verdict: Verdict
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string
  /** Packages whose build scripts waited for approval; names as the package manager printed them. */
  readonly blocked?: readonly string[]
}

/** One directory of a repository that may contain a plugin. */
export interface PackageFixture {
  /** Path inside the repository; absent for its root. */
  readonly directory?: string
  /** package.json; absent when the directory has none. */
  readonly manifest?: Manifest
  /** Other relevant files in the directory. */
  readonly files?: readonly string[]
  /** Name on the package registry; absent when the package is not published. */
  readonly published?: string
  /** Category that the directory's operator assigned; absent when there is none. */
  readonly category?: string
  /** The operator's summaries; absent until written. */
  readonly summary?: string
  readonly summaryZh?: string
  /** True if it opens a terminal or runs programs. */
  readonly terminal?: boolean
  /** True if it contacts other hosts by itself. Only the live service flags this. */
  readonly network?: boolean
  /** Environment variables with secrets that it requires. */
  readonly secrets?: readonly string[]
  /** Absent when the install command was never run. */
  readonly check?: InstallCheck
  /** True if the directory has a page for it. @default true */
  readonly page?: boolean
  /** True if it comes from the curated community registry; otherwise the directory found it itself. @default true */
  readonly curated?: boolean
}

export interface RepositoryFixture {
  /** `owner/repo`, in the owner's own spelling. */
  readonly repository: string
  readonly description: string | null
  readonly language: string | null
  /** SPDX id, NOASSERTION, or null when there is no licence file. */
  readonly license: string | null
  readonly stars: number
  readonly commits: number
  /** ISO 8601 in UTC with milliseconds. */
  readonly pushedAt: string
  readonly topics?: readonly string[]
  /** Directories that were examined: the root, unless the repository holds several packages. */
  readonly packages: readonly PackageFixture[]
}

/** Harness manifest of a package that installs as a layer. */
export const LAYER = { bundle: { patch: 'cordis.patch.yml' } }
/** The same for a layer with a web page. */
export const WEB_LAYER = { ...LAYER, client: { platform: 'web' } }

/** A repository whose root is its only package. */
type RootFixture = Omit<PackageFixture, 'directory'> &
  Pick<RepositoryFixture, 'repository' | 'description' | 'stars' | 'pushedAt'> &
  Partial<Pick<RepositoryFixture, 'language' | 'license'>>

/** Creates such a repository. Unless the fixture says otherwise, a published package is a layer. */
export function createRepository(fixture: RootFixture): RepositoryFixture {
  const { repository, description, language = 'TypeScript', license = 'MIT', stars, pushedAt, ...rest } = fixture
  const manifest = rest.manifest ?? (rest.published === undefined ? undefined : { name: rest.published, dsh: LAYER })
  const root = { ...rest, ...(manifest && { manifest }) }
  return { repository, description, language, license, stars, commits: 100, pushedAt, packages: [root] }
}
