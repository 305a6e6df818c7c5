import { join } from 'node:path'

/**
 * Home of a job's trial. It lies in the harness's own, so that the package manager links from the same store; not in
 * the profile, where modules would be found from it.
 */
export const trialHome = (home: string, job: string): string => join(home, '.plugmark', job)
