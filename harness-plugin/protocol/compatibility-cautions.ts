import type { Compatibility } from './review.ts'

/** A caution about a plugin's package that a person must acknowledge before an install. */
export type CompatibilityCaution = 'not-found' | 'unmet' | 'foreign-scope' | 'shadows' | 'deprecated'

/** Returns the cautions of a package; none while its compatibility is unknown. */
export function compatibilityCautions(fit: Compatibility | null | undefined): CompatibilityCaution[] {
  if (!fit) return []
  return [
    ...(fit.state === 'not-found' ? (['not-found'] as const) : []),
    ...(fit.state === 'allowed' || fit.state === 'not-enforced' ? (['unmet'] as const) : []),
    ...(fit.foreignScope ? (['foreign-scope'] as const) : []),
    ...(fit.shadows.length > 0 ? (['shadows'] as const) : []),
    ...(fit.deprecated === null ? [] : (['deprecated'] as const)),
  ]
}

/** Returns the version that a yes to a review is for; null when the package could not be read. */
export function agreedVersion(fit: Compatibility | null): string | null {
  if (fit === null || fit.state === 'not-found' || fit.problem !== null) return null
  return fit.plugin.slice(fit.plugin.lastIndexOf('@') + 1)
}
