import type { Compatibility } from './review.ts'

/** What a person must acknowledge of a plugin's package before an install. */
export type CompatibilityCaution = 'unmet' | 'shadows' | 'deprecated'

/** Returns what to acknowledge of a package; nothing while it is not known. */
export function compatibilityCautions(fit: Compatibility | null | undefined): CompatibilityCaution[] {
  if (!fit) return []
  return [
    ...(fit.state === 'allowed' || fit.state === 'not-enforced' ? (['unmet'] as const) : []),
    ...(fit.shadows.length > 0 ? (['shadows'] as const) : []),
    ...(fit.deprecated === null ? [] : (['deprecated'] as const)),
  ]
}
