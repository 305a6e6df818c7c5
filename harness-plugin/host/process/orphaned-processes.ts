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
 * `ps`, as on macOS. Finds none on Windows, which shows no program another one's environment.
 *
 * @param directory the profile's directory, where the processes of the harness's plugin manager run
 * @returns false if some may still run: after half a minute, or where processes cannot be listed. Never rejects.
 */
export const endOrphanedProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(async () => [...(await processesWith(JOB_VARIABLE, job)), ...(await managersProcesses(job, directory))])

/** Kills processes that the harness's plugin manager started for a job, and no other child of the harness. */
export const endManagersProcesses = (job: string, directory: string): Promise<boolean> =>
  killUntilGone(() => managersProcesses(job, directory))

async function killUntilGone(find: () => Promise<number[]>): Promise<boolean> {
  for (const until = performance.now() + END_TIMEOUT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    const pids = await find().catch(() => null)
    if (pids === null) return false
    if (pids.length === 0) return true
    for (const pid of pids) kill(pid)
  }
  return false
}

async function managersProcesses(job: string, directory: string): Promise<number[]> {
  const [pids, real] = await Promise.all([
    processesWith(MANAGER_VARIABLE, job),
    // The profile may be deleted; its processes then run in no folder of that name.
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
async function listedWith(setting: string): Promise<number[]> {
  const text = await outputOf('ps', [psOptions(process.platform), '-o', 'pid=,command='])
  const lines = text.split('\n').filter((line) => line.split(' ').includes(setting))
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid)
}

/**
 * Returns the options with which `ps` lists all processes with their environment. On macOS `e` means all processes, and
 * `E` the environment. Source: its ps(1).
 */
export const psOptions = (platform: NodeJS.Platform): string => (platform === 'darwin' ? '-axEww' : 'axeww')

/** Returns what a program prints, also when it fails; nothing where there is no such program. */
const outputOf = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64_000_000 }, (_, text) => resolve(text))
  })

/** Returns false for a zombie, whose environment is empty, and for another user's process, which cannot be read. */
const hasVariable = (pid: number, setting: string): Promise<boolean> =>
  readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => text.split('\0').includes(setting),
    () => false,
  )

async function runsIn(pid: number, directory: string): Promise<boolean> {
  // Without /proc, as on macOS, or after the process has ended.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => listedFolder(pid))
  return cwd === directory || cwd.startsWith(`${directory}/`)
}

/** Returns the folder in which `lsof`, which macOS has, lists a process; an empty text where there is none. */
const listedFolder = async (pid: number): Promise<string> =>
  /^n(.*)$/m.exec(await outputOf('lsof', ['-a', '-p', `${pid}`, '-d', 'cwd', '-Fn']))?.[1] ?? ''

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended by itself.
  }
}
