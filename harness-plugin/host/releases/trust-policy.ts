/** pnpm's `trustPolicy: no-downgrade`, which refuses a release with less proof of its origin than an earlier one. */
import prerelease from 'semver/functions/prerelease.js'
import * as v from 'valibot'
import type { PackageDocument } from '../registry/registry.ts'

const Given = v.fallback(
  v.pipe(
    v.unknown(),
    v.transform((value) => Boolean(value)),
  ),
  false,
)
const ManifestSchema = v.object({
  _npmUser: v.fallback(v.object({ approver: v.optional(Given, false), trustedPublisher: v.optional(Given, false) }), {
    approver: false,
    trustedPublisher: false,
  }),
  dist: v.fallback(
    v.object({
      attestations: v.fallback(v.object({ provenance: v.optional(Given, false) }), { provenance: false }),
    }),
    { attestations: { provenance: false } },
  ),
})

/**
 * Returns true if pnpm counts a release as a downgrade: one that was published earlier has more proof of its origin.
 * Source: `failIfTrustDowngraded` of pnpm 10.34 and 11.28.
 *
 * @param pnpm major version of pnpm
 */
export function isDowngraded({ versions, times }: PackageDocument, version: string, pnpm: number): boolean {
  const publishedAt = Date.parse(times[version] ?? '')
  const before = Object.keys(versions).filter(
    (one) => Date.parse(times[one] ?? '') < publishedAt && (prerelease(version) !== null || prerelease(one) === null),
  )
  const proof = (one: string) => proofOf(versions[one], pnpm)
  return Math.max(0, ...before.map(proof)) > proof(version)
}

/** Ranks what a registry's manifest says of the origin of a release; 0 for nothing. */
function proofOf(manifest: unknown, pnpm: number): number {
  const read = v.safeParse(ManifestSchema, manifest)
  if (!read.success) return 0
  const { approver, trustedPublisher } = read.output._npmUser
  const { provenance } = read.output.dist.attestations
  const isNew = pnpm >= 11
  if (isNew && approver) return 3
  if (trustedPublisher && (provenance || !isNew)) return 2
  return provenance ? 1 : 0
}
