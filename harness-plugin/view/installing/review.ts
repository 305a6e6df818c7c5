import { computed, ref, shallowRef } from 'vue'
import type { Answer, JobAction, Refusal, Review } from '../../bridge/index.ts'
import type { Store } from '../store.ts'

/** What somebody wants done. */
export interface Intent {
  /** The listing's `fullName`. */
  readonly id: string
  readonly action: JobAction
  /** @default the profile that is chosen */
  readonly profile?: string
}

/** One look at what a job would do, up to the yes or no. */
export function createReviewing(store: Pick<Store, 'profile' | 'review' | 'start'>) {
  const intent = shallowRef<Intent | null>(null)
  const answer = shallowRef<Answer<Review> | null>(null)
  /** The start was refused, though the review was not. */
  const refused = shallowRef<Refusal | null>(null)
  const acknowledged = ref(false)
  const isStarting = ref(false)
  const review = computed(() => (answer.value?.ok && refused.value === null ? answer.value.value : null))

  /** Each look shows its own command and gets its own token: another profile is another command. */
  async function look() {
    const asked = intent.value
    if (asked === null) return
    const profile = store.profile.value
    answer.value = null
    refused.value = null
    acknowledged.value = false
    const reply = await store.review(asked.id, asked.action)
    if (asked === intent.value && profile === store.profile.value) answer.value = reply
  }

  const mayStart = computed(
    () => review.value !== null && !isStarting.value && (review.value.cautions.length === 0 || acknowledged.value),
  )
  return {
    intent,
    review,
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
    /** @returns whether the job was started */
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
