import type { StoreWords } from '../../messages/index.ts'
import type { JobStage, JobState } from '../../protocol/index.ts'

/** What a stage is called: that in which the profile changes, by what changes it. */
export const stageName = (stage: JobStage, action: JobState['action'], words: StoreWords['job']): string =>
  stage === 'installing' ? words.working[action] : words.stage[stage]

/** What a job waits for that has not begun. */
export function waitingText({ position, profileBusy }: JobState, words: StoreWords['job']): string {
  if (position > 0) return words.behind(position)
  return profileBusy ? words.profileBusy : words.starting
}

/** How far a job is, such as 2 of 5; null before its first stage. */
export const stepText = ({ stage, stages }: Pick<JobState, 'stage' | 'stages'>, words: StoreWords['job']) =>
  stage === null ? null : words.step(stages.indexOf(stage) + 1, stages.length)

/** What a job does and how far it is, on one line. */
export const progressText = (job: Pick<JobState, 'action' | 'stage' | 'stages'>, words: StoreWords['job']): string =>
  [words.working[job.action], stepText(job, words)].filter((text) => text !== null).join(' ')
