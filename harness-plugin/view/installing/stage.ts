import { computed, onBeforeUnmount, ref, watch } from 'vue'
import type { Messages } from '../../messages/index.ts'
import type { JobStage, JobState } from '../../protocol/index.ts'

/** Returns the name of a stage. The stage that changes the profile is named by its action. */
export const stageName = (stage: JobStage, action: JobState['action'], t: Messages['job']): string =>
  stage === 'installing' ? t.working[action] : t.stage[stage]

export function waitingText({ position, profileBusy }: JobState, t: Messages['job']): string {
  if (position > 0) return t.behind(position)
  return profileBusy ? t.profileBusy : t.starting
}

/** Returns the progress of a job, such as 2 of 5; null before its first stage. */
export const stepText = ({ stage, stages }: Pick<JobState, 'stage' | 'stages'>, t: Messages['job']) =>
  stage === null ? null : t.step(stages.indexOf(stage) + 1, stages.length)

export const progressText = (job: Pick<JobState, 'action' | 'stage' | 'stages'>, t: Messages['job']): string =>
  [t.working[job.action], stepText(job, t)].filter((text) => text !== null).join(' ')

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

/** Returns whether somebody may see this page: false in a tab behind another. */
export function usePageSeen() {
  const isSeen = ref(!document.hidden)
  const update = () => {
    isSeen.value = !document.hidden
  }
  document.addEventListener('visibilitychange', update)
  onBeforeUnmount(() => document.removeEventListener('visibilitychange', update))
  return isSeen
}

/** Returns true once a value has stayed the same for so many ms. */
export function useStayed(value: () => unknown, ms: number) {
  const hasStayed = ref(false)
  watch(
    value,
    (_, __, onCleanup) => {
      hasStayed.value = false
      const timer = setTimeout(() => {
        hasStayed.value = true
      }, ms)
      onCleanup(() => clearTimeout(timer))
    },
    { immediate: true },
  )
  return hasStayed
}
