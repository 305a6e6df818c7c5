import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Variable that every process of a job carries, with the job's id. */
export const JOB_VARIABLE = 'PLUGMARK_JOB'
const LIMIT_MS = 30_000
const POLL_MS = 20

/**
 * Kills what a job of an ended host left running, which would go on writing into the profile. Processes are found by their
 * environment, as a pid may be another program's by now. Without /proc none are found.
 *
 * @returns false when some are still running after half a minute
 */
export async function endOrphanedProcesses(job: string): Promise<boolean> {
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    const pids = await processesOf(job)
    if (pids.length === 0) return true
    for (const pid of pids) kill(pid)
  }
  return false
}

async function processesOf(job: string): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(pids.map((pid) => hasVariable(pid, `${JOB_VARIABLE}=${job}`)))
  return pids.filter((_, index) => found[index])
}

/** False for a zombie, whose environment is empty, and for another person's process, which cannot be read. */
const hasVariable = (pid: number, setting: string): Promise<boolean> =>
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
