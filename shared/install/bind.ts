import * as v from 'valibot'
import { nameParts } from '../contract/names.ts'
import { FullNameSchema } from '../contract/schemas.ts'
import { parseInstallCommand } from './command.ts'
import { isOwnerName, isRepoName } from './names.ts'
import type { InstallResult, InstallSpec, NotInstallableReason } from './types.ts'

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
 * @param options.cli the person's harness program
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
