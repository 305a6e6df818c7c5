import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Variable that every process of a job carries, with the job's id. */
export const JOB_VARIABLE = 'PLUGMARK_JOB'
const LIMIT_MS = 30_000
const POLL_MS = 20

/**
 * Ends what a job of an ended host left running; it would go on writing into the profile. Processes are known by their
 * environment, not by a pid, which may be another program's by now. Where there is no /proc none are found.
 *
 * @returns false when some would not end
 */
export async function endLeftovers(job: string): Promise<boolean> {
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    const left = await processesOf(job)
    if (left.length === 0) return true
    for (const pid of left) kill(pid)
  }
  return false
}

async function processesOf(job: string): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(pids.map((pid) => carries(pid, `${JOB_VARIABLE}=${job}`)))
  return pids.filter((_, index) => found[index])
}

/** An ended process that nobody collected has an empty environment; another person's cannot be read. */
const carries = (pid: number, setting: string): Promise<boolean> =>
  readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => text.split('\0').includes(setting),
    () => false,
  )

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
