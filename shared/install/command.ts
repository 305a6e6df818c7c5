import * as v from 'valibot'
import { nameParts } from '../contract/full-names.ts'
import { FullNameSchema } from '../contract/schemas.ts'
import { isOwnerName, isPackageName, isProfileName, isProgramName, isRepoName } from './names.ts'

/** The object of an install: a package by its registry name, or a GitHub repository. */
export type InstallSpec = { readonly kind: 'npm'; readonly name: string } | RepositorySpec

/** A GitHub repository. No install command of a listing has a branch or a folder, but dependencies of a profile do. */
export interface RepositorySpec {
  readonly kind: 'github'
  readonly owner: string
  readonly repo: string
  /** A branch or a tag. Missing for the default branch. */
  readonly ref?: string
  /** Folder of the package, such as `packages/part`. Missing for the root. */
  readonly path?: string
}

/** A parsed install command. Commands are rendered from it, never edited as text. */
export interface InstallPlan {
  readonly cli: string
  readonly profile: string
  readonly spec: InstallSpec
}

/**
 * Reason why there is no plan.
 * - `no-command`: the listing has a package, but the directory has no command for it
 * - `subdirectory-unpublished`: it is in a subdirectory and its package is on no registry
 * - `unpublished`: its package is on no registry
 * - `not-text`, `malformed`: the command is not a string, or does not have the one accepted form
 * - `other-cli`: it calls another program
 * - `bad-profile`, `bad-spec`: that part breaks its rules
 * - `bad-listing`: the listing's own name does not parse
 * - `other-package`, `other-repository`: the command would not install this listing
 * - `subdirectory-needs-package`: a subdirectory cannot be installed from its repository
 */
export type NotInstallableReason = (typeof NOT_INSTALLABLE_REASONS)[number]
export const NOT_INSTALLABLE_REASONS = [
  'no-command',
  'subdirectory-unpublished',
  'unpublished',
  'not-text',
  'malformed',
  'other-cli',
  'bad-profile',
  'bad-spec',
  'bad-listing',
  'other-package',
  'other-repository',
  'subdirectory-needs-package',
] as const

export type InstallResult =
  | { readonly ok: true; readonly plan: InstallPlan }
  | { readonly ok: false; readonly reason: NotInstallableReason }

/**
 * The install command. In ABNF, with the names of `names.ts`:
 *
 *     command = program " plugin --profile " profile " add " spec
 *     spec    = package / ( "github:" owner "/" repo )
 *
 * Single spaces, no trimming, nothing else. Cases: `cases/commands.*.txt`.
 */

/** Longer than the longest command, in characters. */
const MAX_COMMAND_LENGTH = 1000
const GITHUB = 'github:'

/**
 * Parses an install command.
 *
 * Accepts any value, never throws, and is linear in the length of the text.
 *
 * @param text the install command of a listing
 * @param options.cli the user's harness program
 */
export function parseInstallCommand(text: unknown, { cli }: { readonly cli: string }): InstallResult {
  if (typeof text !== 'string') return { ok: false, reason: 'not-text' }
  const words = text.length > MAX_COMMAND_LENGTH ? [] : text.split(' ')
  const [program, plugin, option, profile, add, last] = words
  if (words.length !== 6 || plugin !== 'plugin' || option !== '--profile' || add !== 'add')
    return { ok: false, reason: 'malformed' }
  if (program !== cli) return { ok: false, reason: 'other-cli' }
  if (!isProfileName(profile)) return { ok: false, reason: 'bad-profile' }
  const spec = parseSpec(last!)
  return spec === null ? { ok: false, reason: 'bad-spec' } : { ok: true, plan: { cli, profile, spec } }
}

/** Parses the last word of an install command; null when it is neither a package name nor `github:<owner>/<repo>`. */
function parseSpec(text: string): InstallSpec | null {
  if (!text.startsWith(GITHUB)) return isPackageName(text) ? { kind: 'npm', name: text } : null
  const [owner, repo, ...rest] = text.slice(GITHUB.length).split('/')
  return rest.length === 0 && isOwnerName(owner) && isRepoName(repo) ? { kind: 'github', owner, repo } : null
}

/** Returns the spec in the form of the command line; the inverse of `parseSpec`. */
export function specText(spec: InstallSpec): string {
  if (spec.kind === 'npm') return spec.name
  const { owner, repo, ref, path } = spec
  const place = [...(ref === undefined ? [] : [ref]), ...(path === undefined ? [] : [`path:/${path}`])].join('&')
  return `${GITHUB}${owner}/${repo}${place === '' ? '' : `#${place}`}`
}

interface RenderOptions {
  /** The user's own profile. @default the plan's */
  readonly profile?: string
}

/**
 * Returns the arguments that run a plan in a process without a shell. They do not include the program itself.
 *
 * @returns null when a part of the plan, or the profile, breaks its rules; a parsed plan never does
 */
export function installArguments(plan: InstallPlan, options: RenderOptions = {}): string[] | null {
  const profile = options.profile ?? plan.profile
  const spec = specText(plan.spec)
  if (!isProfileName(profile) || parseSpec(spec) === null) return null
  return ['plugin', '--profile', profile, 'add', spec]
}

/**
 * Returns the command that the user types for a plan. No character of it has a special meaning in a shell.
 *
 * @returns null when a part of the plan, or the profile, breaks its rules; a parsed plan never does
 */
export function renderInstall(plan: InstallPlan, options: RenderOptions = {}): string | null {
  const args = installArguments(plan, options)
  return args === null || !isProgramName(plan.cli) ? null : [plan.cli, ...args].join(' ')
}

/** The fields of a listing that binding uses. */
interface Listing {
  readonly owner: string
  readonly repo: string
  readonly subpath: string | null
  /** Not parsed yet, so of any type; null for none. */
  readonly install: unknown
  /** Name of its package on the registry, of any type; null for none. */
  readonly npm: unknown
}

/**
 * Parses a listing's install command and checks that it installs this listing: its own package, or the root of its own
 * repository. A subdirectory can be installed only by its package, because the package manager reads everything after
 * `#` as a git ref.
 *
 * @param value a record or a row of the index; accepts any value and never throws
 * @param options.cli the user's harness program
 */
export function bindInstall(value: unknown, options: { readonly cli: string }): InstallResult {
  const listing = readListing(value)
  if (listing === null) return { ok: false, reason: 'bad-listing' }
  if (listing.install === null) return { ok: false, reason: reasonWithoutCommand(listing) }
  const result = parseInstallCommand(listing.install, options)
  const mismatch = result.ok ? findMismatch(result.plan.spec, listing) : null
  return mismatch === null ? result : { ok: false, reason: mismatch }
}

function readListing(value: unknown): Listing | null {
  try {
    // The package is `npmPackage` in a record and `npm` in a row of the index.
    const { fullName, install, npmPackage, npm } = value as Readonly<Record<string, unknown>>
    if (!v.is(FullNameSchema, fullName)) return null
    const name = nameParts(fullName)
    if (!isOwnerName(name.owner) || !isRepoName(name.repo)) return null
    return { ...name, install: install ?? null, npm: npmPackage ?? npm ?? null }
  } catch {
    return null
  }
}

function reasonWithoutCommand({ subpath, npm }: Listing): NotInstallableReason {
  if (npm !== null) return 'no-command'
  return subpath === null ? 'unpublished' : 'subdirectory-unpublished'
}

function findMismatch(spec: InstallSpec, listing: Listing): NotInstallableReason | null {
  if (spec.kind === 'npm') return spec.name === listing.npm ? null : 'other-package'
  if (spec.owner.toLowerCase() !== listing.owner.toLowerCase()) return 'other-repository'
  if (spec.repo.toLowerCase() !== listing.repo.toLowerCase()) return 'other-repository'
  return listing.subpath === null ? null : 'subdirectory-needs-package'
}
