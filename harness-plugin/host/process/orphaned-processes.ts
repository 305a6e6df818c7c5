import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Environment variable of every process that a job starts, with the job's id. Only their own children inherit it. */
export const JOB_VARIABLE = 'PLUGMARK_JOB'
/**
 * Environment variable of the harness while its plugin manager works for a job, with the job's id. All processes that
 * the harness starts meanwhile inherit it, including an agent's shell.
 */
export const MANAGER_VARIABLE = 'PLUGMARK_MANAGER_JOB'
const END_TIMEOUT_MS = 30_000
const POLL_MS = 20

/**
 * Kills processes that a job of an ended host left running, because they would continue to write into the profile.
 * Finds them by their environment, because their pids may belong to other programs by now: with /proc, otherwise with
 * `ps`, as on macOS. Finds none on Windows, and without /proc none of the plugin manager.
 *
 * @param directory the profile's directory, where the processes of the harness's plugin manager run
 * @returns false if some are still running after half a minute
 */
export const endOrphanedProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(async () => [...(await processesWith(JOB_VARIABLE, job)), ...(await managersProcesses(job, directory))])

/** Kills processes that the harness's plugin manager started for a job, and no other child of the harness. */
export const endManagersProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(() => managersProcesses(job, directory))

async function killUntilGone(find: () => Promise<number[]>): Promise<boolean> {
  for (const until = performance.now() + END_TIMEOUT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
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
  const names = await readdir('/proc').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (names === undefined) return listedWith(`${variable}=${job}`)
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(pids.map((pid) => hasVariable(pid, `${variable}=${job}`)))
  return pids.filter((_, index) => found[index])
}

/** Returns the processes of this user that `ps` lists with a variable; none where there is no such program. */
const listedWith = (setting: string): Promise<number[]> =>
  new Promise((resolve) => {
    execFile('ps', ['axeww', '-o', 'pid=,command='], { maxBuffer: 64_000_000 }, (_, text) => {
      const lines = text.split('\n').filter((line) => line.split(' ').includes(setting))
      resolve(lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid))
    })
  })

/** Returns false for a zombie, whose environment is empty, and for another user's process, which cannot be read. */
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
    // The process has ended by itself.
  }
}
