// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'

/** A person or a system asked us to stop while a child was running. */
export class EndedBySignal extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** @type {NodeJS.Signals | undefined} */
let received

const posix = process.platform !== 'win32'

// Children have a process group of their own: a signal reaches each of them once and through us, whether a terminal
// sends it to everything in front, a supervisor to our whole group, or somebody to us alone. To most programs a second
// one means that they must stop at once and leave their things lying about.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    received = signal
    if (running.size === 0) process.exit(128 + constants.signals[signal])
    for (const child of running) pass(child, signal)
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function pass(child, signal) {
  if (!posix || child.pid === undefined) return child.kill(signal)
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It ended a moment ago.
  }
}

/** Whether somebody has asked us to stop. */
export const interrupted = () => received !== undefined

/**
 * @param {import('node:child_process').ChildProcess} started
 * @returns {Promise<number>} its exit code, 128 and the signal's number if it died of one
 */
function ended(started) {
  running.add(started)
  return new Promise((resolve, reject) => {
    started.on('error', (error) => {
      running.delete(started)
      reject(error)
    })
    started.on('close', (code, signal) => {
      running.delete(started)
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1))
    })
  })
}

/**
 * Runs a program in front: what it writes is shown as it comes. It is asked nothing.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd: string, env: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions}} options
 * @returns {Promise<number>} its exit code
 */
export const run = (program, args, options) =>
  ended(spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options, detached: posix }))

/**
 * Runs a program behind: every line it writes, on either stream, goes to `onLine`.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd: string, env: NodeJS.ProcessEnv}} options
 * @param {(line: string) => void} onLine
 * @returns {Promise<number>} its exit code
 * @throws {EndedBySignal}
 */
export async function follow(program, args, options, onLine) {
  const started = spawn(program, args, { ...options, detached: posix, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [started.stdout, started.stderr]) createInterface({ input: stream }).on('line', onLine)
  const code = await ended(started)
  if (received) throw new EndedBySignal(received)
  return code
}
