/**
 * What can be observed of a repository from outside: on its code host, on the package registry, and by running its
 * install command. Listings are derived from these facts, never written down.
 */
import type { Verdict } from '@plugmark/shared/contract'

/** The parts of a package.json that decide anything here. Dependency lists hold names only. */
export interface Manifest {
  readonly name: string
  /** The harness manifest, under the harness's own key. `bundle` makes the package a layer of a profile. */
  readonly dsh?: { readonly bundle?: { readonly patch: string }; readonly client?: { readonly platform: string } }
  readonly dependencies?: readonly string[]
  readonly peerDependencies?: readonly string[]
  /** Names of lifecycle scripts that run while it is installed: `postinstall`, `prepare`, … */
  readonly scripts?: readonly string[]
}

/** What happened when the install command was run in a fresh container. */
export interface InstallCheck {
  readonly verdict: Verdict
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string
  /** Packages whose build scripts waited for approval; names as the package manager printed them. */
  readonly blocked?: readonly string[]
}

/** One directory of a repository that may hold a plugin. */
export interface PackageFacts {
  /** Path inside the repository; absent for its root. */
  readonly directory?: string
  /** package.json; absent when the directory has none. */
  readonly manifest?: Manifest
  /** Other files in the directory that matter. */
  readonly files?: readonly string[]
  /** Name under which the registry really has it; absent when it has not. */
  readonly published?: string
  /** Category the operator of the directory filed it under; absent when nobody has. */
  readonly category?: string
  /** The operator's summaries; absent until written. */
  readonly summary?: string
  readonly summaryZh?: string
  /** It opens a terminal or runs programs. */
  readonly terminal?: boolean
  /** It talks to other hosts by itself, which the live service has begun to flag. */
  readonly network?: boolean
  /** Environment variables with secrets that it does not work without. */
  readonly secrets?: readonly string[]
  /** Absent when the install command was never run. */
  readonly check?: InstallCheck
  /** False when the directory has no page for it. */
  readonly page?: boolean
  /** False when the curated community registry does not have it: the directory found it by itself. */
  readonly curated?: boolean
}

/** One repository. */
export interface RepositoryFacts {
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
  /** Directories that were looked at; the root, unless the repository holds several packages. */
  readonly packages: readonly PackageFacts[]
}
