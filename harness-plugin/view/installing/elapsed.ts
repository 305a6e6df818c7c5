import { computed, onBeforeUnmount, ref } from 'vue'
import type { JobState } from '../../protocol/index.ts'

/** Returns minutes and seconds, such as 1:05. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Returns the running time of a job, live; null for a job that never ran. */
export function useElapsed(job: () => Pick<JobState, 'startedAt' | 'endedAt'>) {
  const now = ref(Date.now())
  const ticking = setInterval(() => {
    now.value = Date.now()
  }, 1000)
  onBeforeUnmount(() => clearInterval(ticking))
  return computed(() => {
    const { startedAt, endedAt } = job()
    return startedAt === null ? null : clockText((endedAt ?? now.value) - startedAt)
  })
}
