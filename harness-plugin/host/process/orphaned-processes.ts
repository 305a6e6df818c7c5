import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Variable of every process that a job starts, with the job's id. Only they inherit it. */
export const JOB_VARIABLE = 'PLUGMARK_JOB'
/**
 * Variable of the harness while its plugin manager works for a job, with the job's id. Everything that the harness starts
 * meanwhile inherits it too, such as an agent's shell.
 */
export const MANAGER_VARIABLE = 'PLUGMARK_MANAGER_JOB'
const LIMIT_MS = 30_000
const POLL_MS = 20

/**
 * Kills what a job of an ended host left running, which would go on writing into the profile. Processes are found by their
 * environment, as a pid may be another program's by now. Without /proc none are found.
 *
 * @param directory the profile's directory, where the processes of the harness's plugin manager run
 * @returns false when some are still running after half a minute
 */
export const endOrphanedProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(async () => [...(await processesWith(JOB_VARIABLE, job)), ...(await managersProcesses(job, directory))])

/** Kills what the harness's plugin manager started for a job, and nothing else that the harness did. */
export const endManagersProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(() => managersProcesses(job, directory))

async function killUntilGone(find: () => Promise<number[]>): Promise<boolean> {
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    const pids = await find()
    if (pids.length === 0) return true
    for (const pid of pids) kill(pid)
  }
  return false
}

async function managersProcesses(job: string, directory: string): Promise<number[]> {
  const [pids, real] = await Promise.all([
    processesWith(MANAGER_VARIABLE, job),
    realpath(directory).catch(() => directory),
  ])
  const inProfile = await Promise.all(pids.map((pid) => runsIn(pid, real)))
  return pids.filter((_, index) => inProfile[index])
}

async function processesWith(variable: string, job: string): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(pids.map((pid) => hasVariable(pid, `${variable}=${job}`)))
  return pids.filter((_, index) => found[index])
}

/** Returns false for a zombie, whose environment is empty, and for another person's process, which cannot be read. */
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
