import * as v from 'valibot'
import { nameParts } from '../contract/names.ts'
import { FullNameSchema } from '../contract/schemas.ts'
import { isOwnerName, isRepoName } from './names.ts'
import { parseInstallCommand, refuse } from './parse.ts'
import type { BindableListing, InstallResult, InstallSpec, NotInstallableReason } from './types.ts'

interface Bound {
  readonly owner: string
  readonly repo: string
  readonly subpath: string | null
  readonly install: string | null
  readonly npm: string | null
}

/**
 * Parses a listing's install command and makes sure that it installs this listing: its own package, or the root of its
 * own repository. A subdirectory is installable by its package only, for the package manager reads all after `#` as a
 * git ref.
 *
 * Total: takes any value (a record, an index row, or neither), never throws.
 */
export function bindInstall(listing: BindableListing | unknown, options: { readonly cli: string }): InstallResult {
  const bound = readListing(listing)
  if (bound === null) return refuse('bad-listing')
  if (bound.install === null) return refuse(whyNoCommand(bound))
  const parsed = parseInstallCommand(bound.install, options)
  if (!parsed.ok) return parsed
  const mismatch = disagreement(parsed.plan.spec, bound)
  return mismatch === null ? parsed : refuse(mismatch)
}

function readListing(listing: unknown): Bound | null {
  try {
    const { fullName, install, npmPackage, npm } = listing as Record<keyof BindableListing, unknown>
    if (!v.is(FullNameSchema, fullName)) return null
    const name = nameParts(fullName)
    if (!isOwnerName(name.owner) || !isRepoName(name.repo)) return null
    const published = npmPackage ?? npm ?? null
    // An install that is no string is the parser's to refuse: it says so by name.
    return { ...name, install: (install ?? null) as string | null, npm: published as string | null }
  } catch {
    return null
  }
}

function whyNoCommand({ subpath, npm }: Bound): NotInstallableReason {
  if (npm !== null) return 'no-command'
  return subpath === null ? 'unpublished' : 'subdirectory-unpublished'
}

function disagreement(spec: InstallSpec, bound: Bound): NotInstallableReason | null {
  if (spec.kind === 'npm') return spec.name === bound.npm ? null : 'other-package'
  if (spec.owner.toLowerCase() !== bound.owner.toLowerCase()) return 'other-repository'
  if (spec.repo.toLowerCase() !== bound.repo.toLowerCase()) return 'other-repository'
  return bound.subpath === null ? null : 'subdirectory-needs-package'
}
