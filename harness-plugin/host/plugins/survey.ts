import { setTimeout as pause } from 'node:timers/promises'
import { type InstallSpec, parseDependency } from '@plugmark/shared/install'
import type { FitSurvey } from '../../protocol/fit.ts'
import { type Declarations, KEPT_MS } from './declarations.ts'

/** Requests at a time, and in a second. */
const CONCURRENCY = 4
const PER_SECOND = 10
/** Time that a busy server is left alone if it names none, in ms. */
const BUSY_MS = 60_000
/** Longest time that a server may ask for, in ms; beyond that the run stops. */
const MAX_BUSY_MS = 15 * 60_000
/** Requests in a row that get no answer until the run stops. */
const MAX_UNANSWERED = 20
/** Time limit of one request, in ms. */
const REQUEST_MS = 30_000
/** Intervals at which progress is reported and written to the disk, in ms. */
const REPORT_MS = 500
const SAVE_MS = 5000

/** Asks what every plugin declares, within the limits that registry and code host are owed. */
export interface Survey {
  /** Returns the progress over the sources of these listings. */
  status(keys: Iterable<string>): FitSurvey
  /** Starts or resumes a run; does nothing while one goes on. Never rejects. */
  start(keys: readonly string[], directory: string): Promise<void>
  /** Ends the run; what was answered by then is kept. */
  stop(): Promise<void>
}

export function createSurvey(given: {
  readonly declarations: Declarations
  readonly now: () => number
  /** Called now and then while a run goes on, and at its end. */
  readonly onProgress: () => void
}): Survey {
  const { declarations, now, onProgress } = given
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null
  let state: 'idle' | 'stopped' = 'idle'
  let waitsUntil: number | null = null
  let problem: FitSurvey['problem'] = null

  async function run(keys: readonly string[], directory: string, signal: AbortSignal): Promise<void> {
    const waiting = keys.filter((key) => declarations.known(key) === null)
    let nextAt = now()
    let unanswered = 0
    let reportedAt = 0
    let saved = now()
    waitsUntil = null
    problem = null

    async function ask(key: string, spec: InstallSpec): Promise<void> {
      for (;;) {
        const at = Math.max(nextAt, waitsUntil ?? 0, now())
        nextAt = at + 1000 / PER_SECOND
        if (at > now()) await pause(at - now(), undefined, { signal })
        // A server may have asked to wait meanwhile.
        if (waitsUntil !== null && waitsUntil > now()) continue
        waitsUntil = null
        const deadline = performance.now() + REQUEST_MS
        const answer = await declarations.read(spec, { directory, signal, deadline, maxAgeMs: KEPT_MS, git: false })
        signal.throwIfAborted()
        if (answer.state !== 'unknown') {
          unanswered = 0
          return
        }
        if (answer.problem === 'busy') {
          const ms = answer.retryAfterMs ?? BUSY_MS
          if (ms > MAX_BUSY_MS) throw new Error('busy for long')
          waitsUntil = now() + ms
          onProgress()
          continue
        }
        if (++unanswered >= MAX_UNANSWERED) {
          problem = 'unreachable'
          throw new Error(`no answer for ${key}`)
        }
        return
      }
    }
    async function askNext(): Promise<void> {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const spec = specOf(key)
        if (spec) await ask(key, spec)
        if (now() - reportedAt >= REPORT_MS) {
          reportedAt = now()
          onProgress()
        }
        if (now() - saved >= SAVE_MS) {
          saved = now()
          await declarations.save()
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, askNext))
  }

  return {
    status(keys) {
      let [done, total, packages] = [0, 0, 0]
      for (const key of keys) {
        total++
        if (declarations.known(key) !== null) done++
        if (!key.startsWith('github:')) packages++
      }
      const isDone = total > 0 && done === total
      return { state: running ? 'running' : isDone ? 'done' : state, done, total, packages, waitsUntil, problem }
    },
    start(keys, directory) {
      if (running) return running.ended
      const stop = new AbortController()
      const ended = declarations.opened
        .then(() => declarations.setUnfinished(true))
        .then(() => run([...new Set(keys)], directory, stop.signal))
        .then(
          () => {
            state = 'idle'
            declarations.setUnfinished(false)
          },
          () => {
            state = 'stopped'
            stop.abort()
          },
        )
        .then(() => declarations.save())
        .finally(() => {
          running = null
          waitsUntil = null
          onProgress()
        })
      running = { stop, ended }
      return ended
    },
    async stop() {
      running?.stop.abort()
      await running?.ended
    },
  }
}

/** Parses the key of a source; null when it is none that can be installed. */
const specOf = (key: string): InstallSpec | null =>
  parseDependency(key.startsWith('github:') ? 'plugin' : key, key.startsWith('github:') ? key : '*')
