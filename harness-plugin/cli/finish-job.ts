import { type EndedJob, type JobData, toJobData } from '../client/published.ts'
import type { StoreClient } from '../client/store-client.ts'
import type { Session } from './session.ts'

/** Waits for a job's end. If a person cancels meanwhile, returns the outcome of the rollback. */
export async function finishJob(session: Session, run: (client: StoreClient) => Promise<EndedJob>): Promise<JobData> {
  const client = await session.openClient()
  const wasWorking = session.isWorking
  session.isWorking = true
  try {
    const job = await run(client)
    const log = await client.host.logFile(job.profile, job.id)
    return toJobData(job, session.locale, session.words.outcomes, log)
  } finally {
    session.isWorking = wasWorking
  }
}
