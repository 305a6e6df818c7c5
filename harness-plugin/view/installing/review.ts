import { computed, ref, shallowRef } from 'vue'
import type { Messages } from '../../messages/index.ts'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Answer, Compatibility, JobAction, Refusal, Review } from '../../protocol/index.ts'
import type { Store } from '../store.ts'

/** A job that the user asks for. */
export interface Intent {
  /** The listing's `fullName`. */
  readonly id: string
  readonly action: JobAction
  /** Package to remove, or of the store to update, without a listing; then `id` is its name. */
  readonly package?: string
  /** Version to install instead of the newest. */
  readonly version?: string
  /** @default the profile that is chosen */
  readonly profile?: string
}

/** What a tick asks for: what nobody checked, what failed its check, scripts, and what may harm the harness. */
const isGrave = (caution: string): boolean => !['risk-flags', 'deprecated'].includes(caution)

/** One change that is reviewed, until the user agrees to it or gives it up. */
export class PendingReview {
  readonly intent: Intent
  readonly #store: Pick<Store, 'profile' | 'review' | 'compatibility'>
  readonly #answer = shallowRef<Answer<Review> | null>(null)
  /** Refusal of the start, after a review that was not refused. */
  readonly refused = shallowRef<Refusal | null>(null)
  readonly acknowledged = ref(false)
  /** Compatibility with the harness: undefined until the host has answered, null when it is unknown. */
  readonly compatibility = shallowRef<Compatibility | null>()

  constructor(store: Pick<Store, 'profile' | 'review' | 'compatibility'>, intent: Intent) {
    this.#store = store
    this.intent = intent
  }

  readonly review = computed(() =>
    this.#answer.value?.ok && this.refused.value === null ? this.#answer.value.value : null,
  )
  readonly problem = computed(
    (): Refusal | null => this.refused.value ?? (this.#answer.value?.ok === false ? this.#answer.value : null),
  )
  /** True when the harness would refuse it, or there is nothing to install. */
  readonly isImpossible = computed(() => ['refused', 'not-found'].includes(this.compatibility.value?.state ?? ''))
  readonly needsTick = computed(
    () =>
      !this.isImpossible.value &&
      [...(this.review.value?.cautions ?? []), ...compatibilityCautions(this.compatibility.value)].some(isGrave),
  )
  readonly mayStart = computed(
    () =>
      this.review.value !== null &&
      this.compatibility.value !== undefined &&
      !this.isImpossible.value &&
      (this.acknowledged.value || !this.needsTick.value),
  )
  /** What the call to start it needs. The warnings were on the screen, and only the grave ones ask for a tick. */
  readonly order = computed(() => {
    const { id, token } = this.review.value ?? { id: '', token: '' }
    return { id, token, acknowledged: this.warningCount.value > 0 && this.mayStart.value }
  })
  readonly warningCount = computed(
    () => (this.review.value?.cautions.length ?? 0) + compatibilityCautions(this.compatibility.value).length,
  )

  /** Returns the sentence of each warning. */
  warnings({ contract, review: words, list }: Messages): string[] {
    const { value: review } = this.review
    const { value: fit } = this.compatibility
    const ofReview = (review?.cautions ?? []).map((caution) => {
      if (caution === 'verdict') return contract.verdict(review!.verdict).sentence
      if (caution !== 'risk-flags') return words.cautions[caution]
      return words.riskCaution(list(review!.riskFlags.map((flag) => contract.riskFlag(flag).name)))
    })
    const ofHarness = fit ? compatibilityCautions(fit).map((caution) => words.compatibility.cautions[caution](fit)) : []
    return [...ofReview, ...ofHarness]
  }

  /** Asks for a review. Each has its own command and token: another profile means another command. */
  readonly look = async (): Promise<void> => {
    const { value: profile } = this.#store.profile
    this.#answer.value = null
    this.refused.value = null
    this.acknowledged.value = false
    this.compatibility.value = undefined
    const reply = await this.#store.review(this.intent)
    if (profile !== this.#store.profile.value) return
    this.#answer.value = reply
    if (!reply.ok) return
    const { id, token, action } = reply.value
    const fit = action === 'remove' ? null : await this.#store.compatibility({ id, token })
    if (this.review.value?.token === token) this.compatibility.value = fit?.ok ? fit.value : null
  }
}

const UNSEEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns a command with invisible and direction-changing characters as escapes, so that it can be judged. Line
 * breaks and tabs stay.
 */
export const visible = (command: string): string =>
  command.replace(UNSEEN, (unseen) => (/[\n\t]/.test(unseen) ? unseen : `\\u{${unseen.codePointAt(0)?.toString(16)}}`))
