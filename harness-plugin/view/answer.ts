import { ref, shallowRef, watch } from 'vue'
import { useStore } from './view-context.ts'

/**
 * Keeps the answer to a question about a plugin and the chosen profile. Drops an answer that arrives after the subject, the
 * profile or the question has changed.
 *
 * @param subject what the question is about; a change makes it open again
 * @param ask sends the question
 * @param options.isAsked false to wait until `read` is called @default true
 */
export function useAnswer<T>(
  subject: () => unknown,
  ask: () => Promise<T>,
  { isAsked = true }: { readonly isAsked?: boolean } = {},
) {
  const store = useStore()
  const answer = shallowRef<T | null>(null)
  const isReading = ref(false)
  let reads = 0

  function forget(): void {
    reads++
    answer.value = null
    isReading.value = false
  }
  async function read(): Promise<void> {
    forget()
    const own = reads
    isReading.value = true
    const reply = await ask()
    if (own !== reads) return
    answer.value = reply
    isReading.value = false
  }
  // The profile is known only with the overview, a little later than the first rows.
  watch(
    [subject, store.profile, () => store.overview.value !== null],
    ([, , isKnown]) => (isAsked && isKnown ? void read() : forget()),
    { immediate: true },
  )
  return { answer, isReading, read }
}
