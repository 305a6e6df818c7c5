import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { access, constants, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** Time between SIGTERM and SIGKILL, in ms, unless `graceMs` is given. */
const GRACE_MS = 3000
/** Time that a program outside the group may keep the output open after the process itself has ended, in ms. */
const DRAIN_MS = 1000
/** Time between SIGTERM and SIGKILL for a program that only answers a question and has nothing to clean up, in ms. */
const QUESTION_GRACE_MS = 200

export interface ProcessOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly graceMs?: number
  /** Ends the process and everything it started. See `withTimeout` for a time limit. */
  readonly signal: AbortSignal
  readonly onText: (stream: 'out' | 'err', text: string) => void
}

export interface ProcessEnd {
  /** Reason of its end. `no-folder`: the folder to run it in does not exist. */
  readonly kind: 'exited' | 'timed-out' | 'cancelled' | 'not-found' | 'not-started' | 'no-folder'
  /** Exit code; null after a signal. */
  readonly code: number | null
}

/**
 * Returns a signal that aborts with another one, or when the time is over. (Some versions of Node 20 and 22 collect an
 * `AbortSignal.timeout` that only `AbortSignal.any` refers to, so it never aborts.)
 */
export function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const controller = new AbortController()
  const end = (reason: unknown) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    controller.abort(reason)
  }
  const cancel = () => end(signal.reason)
  const timer = setTimeout(() => end(new DOMException('The time is over.', 'TimeoutError')), timeoutMs).unref()
  // Many requests share a signal. Node 20 warns of the eleventh listener, later versions of none.
  setMaxListeners(0, signal)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel)
  return controller.signal
}

/** Resolves with the result of work that others wait for too; with null once the signal aborts. */
export async function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const leave = () => resolve(null)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}

/** Returns why a signal has aborted: its time was over, or somebody cancelled. */
export const abortKind = ({ reason }: AbortSignal): 'timed-out' | 'cancelled' =>
  reason instanceof DOMException && reason.name === 'TimeoutError' ? 'timed-out' : 'cancelled'

/**
 * Runs a program to its end, in a process group of its own, so that its children end with it. Never rejects.
 *
 * Alternatives that were tried: execa 10.2 with `killDescendants` does not end processes that stay in the group after a
 * normal exit, and waits forever for a process that keeps the output open. nano-spawn 2.1 and tinyexec 1.3 end only the
 * process itself.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>()
  let child: ChildProcessByStdio<null, Readable, Readable>
  try {
    const [program = '', ...args] = await toSpawnable(options.command, options.env)
    if (options.signal.aborted) return { kind: abortKind(options.signal), code: null }
    child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch {
    // spawn throws for some errors, such as a file in place of a folder or arguments that are too long.
    return { kind: 'not-started', code: null }
  }
  let hasExited = false
  let endedBy: 'timed-out' | 'cancelled' | null = null
  let kill: NodeJS.Timeout | undefined
  let drain: NodeJS.Timeout | undefined

  const end = () => {
    endedBy = abortKind(options.signal)
    signalGroup(child, 'SIGTERM')
    kill = setTimeout(() => signalGroup(child, 'SIGKILL', hasExited), options.graceMs ?? GRACE_MS)
  }
  options.signal.addEventListener('abort', end)

  for (const [stream, name] of [
    [child.stdout, 'out'],
    [child.stderr, 'err'],
  ] as const) {
    // Without free file descriptors there are no streams.
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => options.onText(name, text))
  }
  const finish = (result: ProcessEnd) => {
    for (const timer of [kill, drain]) clearTimeout(timer)
    options.signal.removeEventListener('abort', end)
    resolve(result)
  }
  child.on('error', (error: NodeJS.ErrnoException) => {
    // Also emitted when a signal could not be sent; in that case the process did start.
    if (child.pid !== undefined) return
    const kind = error.code !== 'ENOENT' ? 'not-started' : existsSync(options.cwd) ? 'not-found' : 'no-folder'
    finish({ kind, code: null })
  })
  child.on('exit', () => {
    hasExited = true
    // Processes left in its group would continue to write into the profile.
    signalGroup(child, 'SIGKILL', hasExited)
    drain = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, DRAIN_MS)
  })
  child.on('close', (code) => finish({ kind: endedBy ?? 'exited', code }))
  return promise
}

/** @param hasExited true once the process itself has ended: Windows may reuse its id, and has no groups */
function signalGroup(
  child: ChildProcessByStdio<null, Readable, Readable>,
  signal: NodeJS.Signals,
  hasExited = false,
): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    if (hasExited) return
    const taskkill = spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    taskkill.on('error', () => child.kill())
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is gone.
  }
}

export interface ReadOptions extends Omit<ProcessOptions, 'graceMs' | 'onText'> {
  /** Most characters of the output that are kept. @default 1_000_000 */
  readonly maxLength?: number
  /** Exit codes that count as success. @default [0] */
  readonly exitCodes?: readonly number[]
}

/** Returns a program's standard output; null when it fails or does not end in time. */
export async function readStdout({
  maxLength = 1_000_000,
  exitCodes = [0],
  ...options
}: ReadOptions): Promise<string | null> {
  let text = ''
  const { kind, code } = await runProcess({
    ...options,
    graceMs: QUESTION_GRACE_MS,
    onText: (stream, more) => {
      if (stream === 'out' && text.length < maxLength) text += more
    },
  })
  return kind === 'exited' && code !== null && exitCodes.includes(code) ? text : null
}

type Environment = Readonly<Record<string, string>>

/** Returns true if a program is an absolute path or on PATH, and an executable file. */
export const programExists = async (program: string, env: Environment): Promise<boolean> =>
  (await findProgram(program, env)) !== null

/** Finds the file that a shell would start by this name; links are not followed. */
export async function findProgram(
  program: string,
  env: Environment,
  platform = process.platform,
): Promise<string | null> {
  const folders = isAbsolute(program) ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter)
  // Try the name itself first, because it may already have an extension.
  const endings = platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE').toLowerCase().split(';')] : ['']
  const candidates = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
  const found = await Promise.all(
    candidates.map((file) => isRunnable(file, platform === 'win32' && endings.length > 1 ? endings.slice(1) : null)),
  )
  return candidates[found.indexOf(true)] ?? null
}

/**
 * Script that a `.cmd` of npm or pnpm passes its arguments to, relative to its folder. Source: cmd-shim 3 to 8,
 * observed.
 */
const SCRIPT_OF_SHIM = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"\s+%\*/

/**
 * Returns the command to spawn. On Windows npm and pnpm install a program as a `.cmd`, which only a shell can start,
 * and a shell would interpret the arguments, so the script behind the `.cmd` is started instead.
 *
 * @returns the same command if it can be spawned or no script is found
 */
export async function toSpawnable(
  command: readonly string[],
  env: Environment,
  platform = process.platform,
): Promise<readonly string[]> {
  const [program = '', ...args] = command
  if (platform !== 'win32') return command
  const file = await findProgram(program, env, platform)
  if (file === null || !/\.cmd$/i.test(file)) return command
  const script = SCRIPT_OF_SHIM.exec(await readFile(file, 'utf8'))?.[1]
  if (script === undefined) return command
  // Prefer the node.exe beside the shim, as the shim does.
  const node = join(dirname(file), 'node.exe')
  return [(await isRunnable(node, null)) ? node : 'node', join(dirname(file), ...script.split('\\')), ...args]
}

/** @param endings extensions of files that Windows can run; null on systems without them */
async function isRunnable(file: string, endings: readonly string[] | null): Promise<boolean> {
  if (endings !== null && !endings.some((ending) => file.toLowerCase().endsWith(ending))) return false
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

// Processes that a job of an ended host left running

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
 * `ps`, as on macOS. Finds none on Windows, which shows no program another one's environment, and ends the children of a
 * Node program with it (libuv's job object).
 *
 * @param directory the profile's directory, where the processes of the harness's plugin manager run
 * @returns false if some still run after half a minute; null if processes cannot be listed. Never rejects.
 */
export const endOrphanedProcesses = (job: string, directory: string): Promise<boolean | null> =>
  killUntilGone(async () => [...(await processesWith(JOB_VARIABLE, job)), ...(await managersProcesses(job, directory))])

/** Kills processes that the harness's plugin manager started for a job, and no other child of the harness. */
export const endManagersProcesses = (job: string, directory: string): Promise<boolean | null> =>
  killUntilGone(() => managersProcesses(job, directory))

async function killUntilGone(find: () => Promise<number[]>): Promise<boolean | null> {
  for (const until = performance.now() + END_TIMEOUT_MS; performance.now() < until; await pause(POLL_MS)) {
    const pids = await find().catch(() => null)
    if (pids === null) return null
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
  // FreeBSD has the folder, and nothing in it.
  if (!names?.includes(`${process.pid}`)) return listedWith(`${variable}=${job}`)
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(pids.map((pid) => hasVariable(pid, `${variable}=${job}`)))
  return pids.filter((_, index) => found[index])
}

/** Returns the processes of this user that `ps` lists with a variable; none on Windows. @throws when it cannot list any */
async function listedWith(setting: string): Promise<number[]> {
  if (process.platform === 'win32') return []
  const text = await outputOf('ps', [psOptions(process.platform), '-o', 'pid=,command='])
  const lines = text.split('\n').filter((line) => line.split(' ').includes(setting))
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid)
}

/**
 * Returns the options with which `ps` lists all processes with their environment. On macOS `e` means all processes, and
 * `E` the environment. Source: its ps(1).
 */
export const psOptions = (platform: NodeJS.Platform): string => (platform === 'darwin' ? '-axEww' : 'axeww')

/** Returns what a program prints. @throws when there is no such program, it fails, or it prints too much */
const outputOf = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64_000_000 }, (error, text) => (error ? reject(error) : resolve(text)))
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

/** Returns the folder in which `lsof`, which macOS has, lists a process; an empty text for one that has ended. */
async function listedFolder(pid: number): Promise<string> {
  const text = await outputOf('lsof', ['-a', '-p', `${pid}`, '-d', 'cwd', '-Fn']).catch((error) => {
    if (isRunning(pid)) throw error
    return ''
  })
  return /^n(.*)$/m.exec(text)?.[1] ?? ''
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended by itself.
  }
}
