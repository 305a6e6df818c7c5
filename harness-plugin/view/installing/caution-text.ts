import type { Messages } from '../../messages/index.ts'
import type { Review } from '../../protocol/index.ts'

/** Returns the sentence of each caution of a review, to acknowledge. */
export function cautionTexts(
  { cautions, verdict, riskFlags }: Pick<Review, 'cautions' | 'verdict' | 'riskFlags'>,
  { contract, review, list }: Messages,
): string[] {
  return cautions.map((caution) => {
    if (caution === 'verdict') return contract.verdict(verdict).sentence
    if (caution === 'risk-flags') return review.riskCaution(list(riskFlags.map((flag) => contract.riskFlag(flag).name)))
    return review.cautions[caution]
  })
}
