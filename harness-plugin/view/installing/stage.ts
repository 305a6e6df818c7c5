import type { Messages } from '../../messages/index.ts'
import type { JobStage, JobState } from '../../protocol/index.ts'

/** Returns the name of a stage. The stage that changes the profile is named by its action. */
export const stageName = (stage: JobStage, action: JobState['action'], t: Messages['job']): string =>
  stage === 'installing' ? t.working[action] : t.stage[stage]

/** Says what a job waits for before it begins. */
export function waitingText({ position, profileBusy }: JobState, t: Messages['job']): string {
  if (position > 0) return t.behind(position)
  return profileBusy ? t.profileBusy : t.starting
}

/** Returns the progress of a job, such as 2 of 5; null before its first stage. */
export const stepText = ({ stage, stages }: Pick<JobState, 'stage' | 'stages'>, t: Messages['job']) =>
  stage === null ? null : t.step(stages.indexOf(stage) + 1, stages.length)

/** Returns action and progress of a job, on one line. */
export const progressText = (job: Pick<JobState, 'action' | 'stage' | 'stages'>, t: Messages['job']): string =>
  [t.working[job.action], stepText(job, t)].filter((text) => text !== null).join(' ')
