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

/** @type {readonly NodeJS.Signals[]} */
const forwarded = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
for (const signal of forwarded) {
  process.on(signal, () => {
    received = signal
    if (running.size === 0) process.exit(128 + constants.signals[signal])
    // A terminal sends Ctrl-C to the children as well; a second one from us would make most programs quit untidily.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    for (const child of running) child.kill(signal)
  })
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
    started.on('error', reject)
    started.on('close', (code, signal) => {
      running.delete(started)
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1))
    })
  })
}

/**
 * Runs a program in front: it has the terminal.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd: string, env: NodeJS.ProcessEnv}} options
 * @returns {Promise<number>} its exit code
 */
export const run = (program, args, options) => ended(spawn(program, args, { ...options, stdio: 'inherit' }))

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
  const started = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [started.stdout, started.stderr]) createInterface({ input: stream }).on('line', onLine)
  const code = await ended(started)
  if (received) throw new EndedBySignal(received)
  return code
}
