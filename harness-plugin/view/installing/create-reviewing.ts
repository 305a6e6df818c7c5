import { computed, ref, shallowRef } from 'vue'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Answer, Compatibility, JobAction, Refusal, Review } from '../../protocol/index.ts'
import type { Store } from '../create-store.ts'

/** A job that a person asks for. */
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

/** Keeps one review of a job, until the person agrees or closes it. */
export function createReviewing(store: Pick<Store, 'profile' | 'review' | 'compatibility' | 'start'>) {
  const intent = shallowRef<Intent | null>(null)
  const answer = shallowRef<Answer<Review> | null>(null)
  /** Compatibility with the harness: undefined until the host has answered, null when it is unknown. */
  const compatibility = shallowRef<Compatibility | null>()
  /** Refusal of the start, after a review that was not refused. */
  const refused = shallowRef<Refusal | null>(null)
  const acknowledged = ref(false)
  const isStarting = ref(false)
  const review = computed(() => (answer.value?.ok && refused.value === null ? answer.value.value : null))

  /** Asks for a review. Each has its own command and token: another profile means another command. */
  async function look() {
    const asked = intent.value
    if (asked === null) return
    const profile = store.profile.value
    answer.value = null
    refused.value = null
    acknowledged.value = false
    compatibility.value = undefined
    const reply = await store.review(asked)
    if (asked !== intent.value || profile !== store.profile.value) return
    answer.value = reply
    if (reply.ok) await lookAtHarness(reply.value)
  }

  async function lookAtHarness({ id, token, action }: Review) {
    const reply = action === 'remove' ? null : await store.compatibility({ id, token })
    if (review.value?.token === token) compatibility.value = reply?.ok ? reply.value : null
  }

  /** Cautions of the package to acknowledge, once they are known. */
  const packageCautions = computed(() => compatibilityCautions(compatibility.value))
  const mayStart = computed(() => {
    if (review.value === null || isStarting.value) return false
    if (compatibility.value === undefined || compatibility.value?.state === 'refused') return false
    return acknowledged.value || (review.value.cautions.length === 0 && packageCautions.value.length === 0)
  })
  return {
    intent,
    review,
    compatibility,
    packageCautions,
    acknowledged,
    mayStart,
    problem: computed(() => refused.value ?? (answer.value?.ok === false ? answer.value : null)),
    look,
    open(wanted: Intent) {
      if (wanted.profile !== undefined) store.profile.value = wanted.profile
      intent.value = wanted
      return look()
    },
    close() {
      intent.value = null
      answer.value = null
    },
    /** @returns true if the job was started */
    async start(): Promise<boolean> {
      if (review.value === null || !mayStart.value) return false
      isStarting.value = true
      const { id, token } = review.value
      const reply = await store.start({ id, token, acknowledged: acknowledged.value })
      isStarting.value = false
      if (!reply.ok) refused.value = reply
      return reply.ok
    },
  }
}
