import type { Messages } from '../../messages/index.ts'
import type { JobStage, JobState } from '../../protocol/index.ts'

/** What a stage is called: that in which the profile changes, by what changes it. */
export const stageName = (stage: JobStage, action: JobState['action'], t: Messages['job']): string =>
  stage === 'installing' ? t.working[action] : t.stage[stage]

/** What a job waits for that has not begun. */
export function waitingText({ position, profileBusy }: JobState, t: Messages['job']): string {
  if (position > 0) return t.behind(position)
  return profileBusy ? t.profileBusy : t.starting
}

/** How far a job is, such as 2 of 5; null before its first stage. */
export const stepText = ({ stage, stages }: Pick<JobState, 'stage' | 'stages'>, t: Messages['job']) =>
  stage === null ? null : t.step(stages.indexOf(stage) + 1, stages.length)

/** What a job does and how far it is, on one line. */
export const progressText = (job: Pick<JobState, 'action' | 'stage' | 'stages'>, t: Messages['job']): string =>
  [t.working[job.action], stepText(job, t)].filter((text) => text !== null).join(' ')
