import { messagesFor } from '../../messages/index.ts'
import { type CompatibilityCaution, compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Answer, Compatibility, Refusal, Review, StoreBridge } from '../../protocol/index.ts'
import { checkOf, factsOf } from './facts.ts'
import { toAllow } from './report.ts'
import { unlessAborted } from './tool.ts'

/** Actions that an agent can ask for. To let build scripts run and to disable are left to the screen. */
export const CHANGES = ['install', 'update', 'remove'] as const
export type Change = (typeof CHANGES)[number]

/** A review with what the harness says of the plugin's requirements; null when that is not known beforehand. */
export interface Reviewed {
  readonly review: Review
  readonly fit: Compatibility | null
}

/** Reviews a change of the profile this harness runs from. Changes nothing. */
export async function reviewChange(
  store: StoreBridge,
  { id, profile, action }: { readonly id: string; readonly profile: string; readonly action: Change },
  signal: AbortSignal,
): Promise<Answer<Reviewed>> {
  const review = await unlessAborted(signal, store.call('review', { id, profile, action }))
  if (!review.ok) return review
  const { token } = review.value
  const fit = await unlessAborted(signal, store.call('compatibility', { id: review.value.id, token }))
  if (!fit.ok) return fit
  const state = fit.value?.state
  if (fit.value && (state === 'refused' || state === 'not-found')) return impossible(fit.value)
  return { ok: true, value: { review: review.value, fit: fit.value } }
}

function impossible(fit: Compatibility): Refusal {
  const { review, sentences } = messagesFor('en')
  const message = sentences(review.compatibility.sentence(fit), ...toAllow(fit.allowCommand))
  return { ok: false, code: fit.state === 'refused' ? 'incompatible' : 'not-installable', message }
}

const CAUTIONS: Readonly<Record<CompatibilityCaution, string>> = {
  unmet: 'made for another version of the harness',
  shadows: 'brings its own packages of the harness',
  deprecated: 'deprecated by its author',
}

/** Arguments of a change that every client shows to the person who is asked. */
export interface Shown {
  readonly command: string
  readonly check: string
  readonly risks: readonly string[]
}

/** Returns what a person must see of a review before they agree, as the arguments of the change. */
export function shownOf({ review, fit }: Reviewed): Shown {
  const { action, command, verdict, checkedAt } = review
  const risks = action === 'remove' ? [] : factsOf(review).facts.risks
  return {
    command: command ?? `${action} by the harness’s plugin manager`,
    check: action === 'remove' ? 'not needed' : checkOf(verdict, checkedAt),
    risks: [...risks, ...compatibilityCautions(fit).map((caution) => CAUTIONS[caution])],
  }
}

export const isSame = (a: Shown, b: Shown): boolean =>
  a.command === b.command && a.check === b.check && a.risks.toSorted().join() === b.risks.toSorted().join()
