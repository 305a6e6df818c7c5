import type { CDPSession } from 'playwright'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** µs */
  readonly ts: number
  /** µs */
  readonly dur?: number
  /** CPU time of the thread, µs */
  readonly tdur?: number
}

/** Slices of a trace in which script runs. */
const SCRIPT = ['EvaluateScript', 'FunctionCall', 'RunMicrotasks', 'FireAnimationFrame', 'TimerFire', 'EventDispatch']

/**
 * Returns the CPU time of the main thread of a page during `work`, which is the same on a busy machine. ms
 *
 * @param mark the name that the page gives to `performance.mark` where measuring begins; tasks that ended before are left out
 * @throws when the page never sets the mark
 */
export async function mainThreadMs(session: CDPSession, mark: string, work: () => Promise<unknown>): Promise<number> {
  const events = await traceMainThread(session, mark, ['toplevel', 'blink.user_timing'], work)
  const tasks = events.filter(({ name }) => name.endsWith('::RunTask'))
  return tasks.reduce((sum, { dur = 0, tdur = dur }) => sum + tdur / 1000, 0)
}

/**
 * Returns the CPU time of the task in which script runs longest, of what begins after the mark: without layout and paint
 * that no script forces. ms
 *
 * @param options.isReused true to leave out the longest layout that the task forces: the frame reuses it
 */
export async function longestScriptMs(
  session: CDPSession,
  mark: string,
  work: () => Promise<unknown>,
  { isReused = false } = {},
): Promise<number> {
  const categories = ['toplevel', 'devtools.timeline', 'v8', 'blink.user_timing']
  const events = await traceMainThread(session, mark, categories, work)
  const endOf = ({ ts, dur = 0 }: TraceEvent) => ts + dur
  const start = events.find(({ name }) => name === mark)!
  const tasks = events.filter(({ name }) => name.endsWith('::RunTask'))
  const scripts = events
    .filter((event) => SCRIPT.includes(event.name) && event.ts > start.ts)
    .sort((a, b) => a.ts - b.ts || endOf(b) - endOf(a))
  const outermost: TraceEvent[] = []
  for (const script of scripts) {
    const last = outermost.at(-1)
    if (last === undefined || endOf(script) > endOf(last)) outermost.push(script)
  }
  const layouts = events.filter(({ name }) => name === 'Layout')
  const inTask = (task: TraceEvent) => {
    const within = (outer: TraceEvent, all: TraceEvent[]) => all.filter(({ ts }) => outer.ts <= ts && ts < endOf(outer))
    const ran = within(task, outermost)
    const forced = ran.flatMap((script) => within(script, layouts))
    const cpuMs = ({ tdur = 0 }: TraceEvent) => tdur / 1000
    const reusedMs = isReused ? Math.max(0, ...forced.map(cpuMs)) : 0
    return ran.reduce((ms, script) => ms + cpuMs(script), -reusedMs)
  }
  return Math.max(0, ...tasks.map(inTask))
}

async function traceMainThread(
  session: CDPSession,
  mark: string,
  includedCategories: string[],
  work: () => Promise<unknown>,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', { traceConfig: { includedCategories, excludedCategories: ['*'] } })
  await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)

  const start = events.find(({ name }) => name === mark)
  if (start === undefined) throw new Error(`The page never set the mark ${mark}.`)
  const isOfPage = ({ pid, tid }: TraceEvent) => pid === start.pid && tid === start.tid
  return events.filter((event) => isOfPage(event) && event.ts + (event.dur ?? 0) >= start.ts)
}
