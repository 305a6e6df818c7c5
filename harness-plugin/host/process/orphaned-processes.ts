import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Variable that every process of a job carries, with the job's id. */
export const JOB_VARIABLE = 'PLUGMARK_JOB'
const LIMIT_MS = 30_000
const POLL_MS = 20

/**
 * Kills what a job of an ended host left running, which would go on writing into the profile. Processes are found by their
 * environment, as a pid may be another program's by now. Without /proc none are found.
 *
 * @param directory only those that run in it @default any
 * @returns false when some are still running after half a minute
 */
export async function endOrphanedProcesses(job: string, directory?: string): Promise<boolean> {
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    const pids = await processesOf(job, directory)
    if (pids.length === 0) return true
    for (const pid of pids) kill(pid)
  }
  return false
}

async function processesOf(job: string, directory?: string): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const isOfJob = async (pid: number) =>
    (await hasVariable(pid, `${JOB_VARIABLE}=${job}`)) && (directory === undefined || (await runsIn(pid, directory)))
  const found = await Promise.all(pids.map(isOfJob))
  return pids.filter((_, index) => found[index])
}

/** False for a zombie, whose environment is empty, and for another person's process, which cannot be read. */
const hasVariable = (pid: number, setting: string): Promise<boolean> =>
  readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => text.split('\0').includes(setting),
    () => false,
  )

const runsIn = (pid: number, directory: string): Promise<boolean> =>
  readlink(`/proc/${pid}/cwd`).then(
    (cwd) => cwd === directory || cwd.startsWith(`${directory}/`),
    () => false,
  )

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
