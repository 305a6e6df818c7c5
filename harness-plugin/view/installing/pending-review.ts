import { computed, ref, shallowRef } from 'vue'
import type { Intent } from '../../client/client.ts'
import type { Messages } from '../../messages/index.ts'
import { fitCautions } from '../../protocol/fit.ts'
import type { Answer, Refusal, Review, VersionDiff } from '../../protocol/index.ts'
import { AWAITED, inspectionOf, type KnownFacts, REVIEW_FACTS, refusalOf } from '../../protocol/review-facts.ts'
import type { Store } from '../store.ts'

/** A change of a plugin's files that the user wants to read. */
export interface DiffRequest {
  readonly name: string
  /** Reads it; null when there is nothing to compare. */
  read(): Promise<Answer<VersionDiff | null>>
}

/** Returns true for a caution that needs a tick: unchecked or failed, scripts, or possible harm to the harness. */
const isGrave = (caution: string): boolean => !['risk-flags', 'deprecated'].includes(caution)

const PLAN_CHANGED: Refusal = { ok: false, code: 'plan-changed', message: 'Another profile was chosen.' }

/** One change that is reviewed, until the user agrees to it or gives it up. */
export class PendingReview {
  readonly intent: Intent
  readonly #store: Pick<Store, 'profile' | 'review' | 'client' | 'start' | 'advisories'>
  readonly #answer = shallowRef<Answer<Review> | null>(null)
  /** Counts how often a review was asked for: only the last answer is shown. */
  #looks = 0
  /** Refusal of the start, after a review that was not refused. */
  readonly refused = shallowRef<Refusal | null>(null)
  readonly acknowledged = ref(false)
  readonly isStarting = ref(false)
  /** Holds what was read for it so far. */
  readonly #facts = shallowRef<KnownFacts>({})
  /** Says whether it fits the harness: undefined until the host has answered, null when it is unknown. */
  readonly fit = computed(() => this.#facts.value.fit)
  /** Facts of the package: undefined until the first is known, null when there are none. Parts are null until they are known. */
  readonly inspection = computed(() => {
    const { fit: _, ...read } = this.#facts.value
    return Object.keys(read).length === 0 ? undefined : inspectionOf(read)
  })
  /** True while facts are read that the yes waits for. Each has a time limit of its own. */
  readonly isReading = computed(() => AWAITED.some((name) => this.#facts.value[name] === undefined))

  constructor(store: Pick<Store, 'profile' | 'review' | 'client' | 'start' | 'advisories'>, intent: Intent) {
    this.#store = store
    this.intent = intent
  }

  readonly review = computed(() =>
    this.#answer.value?.ok && this.refused.value === null ? this.#answer.value.value : null,
  )
  readonly problem = computed(
    (): Refusal | null => this.refused.value ?? (this.#answer.value?.ok === false ? this.#answer.value : null),
  )
  /** Reason why the host refuses to start it, as far as the facts are known. */
  readonly refusal = computed(() => refusalOf(this.#facts.value))
  /** True when the harness would refuse it, or there is nothing to install. */
  readonly isImpossible = computed(() => this.refusal.value !== null && this.refusal.value !== 'malware')
  readonly #cautions = computed(() => [...(this.review.value?.cautions ?? []), ...fitCautions(this.fit.value)])
  readonly needsTick = computed(
    () =>
      this.refusal.value === null &&
      this.#cautions.value.some((caution) => isGrave(caution) && !(caution === 'verdict' && this.#asksLater.value)),
  )
  /** True where the check did not run scripts, of which none runs before it was approved in a review of its own. */
  readonly #asksLater = computed(() => this.review.value?.verdict === 'needs-approval')
  readonly mayStart = computed(
    () =>
      this.review.value !== null &&
      !this.isReading.value &&
      this.refusal.value === null &&
      (this.acknowledged.value || !this.needsTick.value),
  )
  /** Starts it. The warnings were on the screen, and only the grave ones ask for a tick. */
  readonly order = computed(() => {
    const { id, token } = this.review.value ?? { id: '', token: '' }
    return { id, token, acknowledged: this.#cautions.value.length > 0 }
  })

  /** Returns the sentence of each warning. */
  warnings({ contract, review: words, refused }: Messages): string[] {
    const { value: review } = this.review
    const { value: fit } = this.fit
    const ofReview = (review?.cautions ?? []).flatMap((caution) => {
      if (caution === 'verdict' && this.#asksLater.value) return []
      if (caution === 'verdict') {
        const { text } = contract.verdictLabel(review!.verdict, review!.checkedAt)
        return words.riskCaution(text, contract.verdict(review!.verdict).sentence)
      }
      // The flags stand with what was read of its code.
      return caution === 'risk-flags' ? [] : words.cautions[caution]
    })
    const ofHarness = fit ? fitCautions(fit).map((caution) => words.fit.cautions[caution](fit)) : []
    return [...(this.refusal.value === 'malware' ? [refused.malware] : []), ...ofReview, ...ofHarness]
  }

  /** Asks for a review. Each has its own command and token: another profile means another command. */
  readonly look = async (): Promise<void> => {
    const look = ++this.#looks
    this.#answer.value = null
    this.refused.value = null
    this.acknowledged.value = false
    this.#facts.value = {}
    const reply = await this.#store.review(this.intent)
    if (look !== this.#looks) return
    const isOfOther = reply.ok && reply.value.profile !== this.#store.profile.value
    this.#answer.value = isOfOther ? PLAN_CHANGED : reply
    if (!reply.ok || isOfOther) return
    const { id, token } = reply.value
    const isShown = () => this.review.value?.token === token
    const show = (facts: KnownFacts) => {
      const { advisories: all } = this.#store
      if (facts.advisories) all.value = new Map(all.value).set(id, facts.advisories)
      if (isShown()) this.#facts.value = facts
      return isShown()
    }
    const known = await this.#store.client.followFacts(reply.value, show)
    // What the host no longer tells stays unknown.
    show({ ...Object.fromEntries(REVIEW_FACTS.map((name) => [name, null])), ...known })
  }

  /** Starts the job that the user agreed to. Its events then show it. @returns false if it was refused */
  readonly start = async (): Promise<boolean> => {
    if (!this.mayStart.value || this.isStarting.value) return false
    const look = this.#looks
    this.isStarting.value = true
    const reply = await this.#store.start([this.order.value])
    this.isStarting.value = false
    // What was refused is not what is shown now, if that is of a later look.
    if (look === this.#looks) this.refused.value = reply.ok ? null : reply
    return reply.ok
  }
}
