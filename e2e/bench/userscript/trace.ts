import type { CDPSession } from 'playwright'

/**
 * What the main thread of a page did while it was traced. Times in ms, from the start of the trace's clock; `ownMs` is
 * what a task had of a processor: others do not take from it, though they can make the processor slower.
 */
export interface Trace {
  readonly tasks: readonly { readonly at: number; readonly ms: number; readonly ownMs: number }[]
  /** When the page called `performance.mark`, by the name it gave, in order. */
  readonly marks: ReadonlyMap<string, readonly number[]>
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** µs */
  readonly ts: number
  /** µs */
  readonly dur?: number
  /** µs */
  readonly tdur?: number
}

const CATEGORIES = ['toplevel', 'blink.user_timing']

/** Traces the page during `work`, in which the page must set at least one mark: it tells which thread is its own. */
export async function traced(session: CDPSession, work: () => Promise<unknown>): Promise<Trace> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] } })
  await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)

  const marks = events.filter(({ name }) => name.startsWith('bench:'))
  const [first] = marks
  if (first === undefined) throw new Error('The page set no mark while it was traced.')
  const ofThePage = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
  return {
    tasks: ofThePage
      .filter(({ name }) => name.endsWith('::RunTask'))
      .map(({ ts, dur = 0, tdur = 0 }) => ({ at: ts / 1000, ms: dur / 1000, ownMs: tdur / 1000 })),
    marks: new Map(
      Array.from(
        Map.groupBy(marks, ({ name }) => name),
        ([name, set]) => [name, set.map(({ ts }) => ts / 1000).sort((a, b) => a - b)],
      ),
    ),
  }
}

/** Main thread used from one mark on. */
export function busyMs({ tasks, marks }: Trace, from: string): number {
  return sumMs(sinceMark(tasks, marks, from))
}

export function longestTaskMs({ tasks, marks }: Trace, from: string): number {
  return Math.max(0, ...sinceMark(tasks, marks, from).map(({ ms }) => ms))
}

/** The same, of what tasks had of a processor. */
export function longestOwnMs({ tasks, marks }: Trace, from: string): number {
  return Math.max(0, ...sinceMark(tasks, marks, from).map(({ ownMs }) => ownMs))
}

/** The tasks of each part of a work, which begins with a mark of this name and ends with the next. */
export function partsOf({ tasks, marks }: Trace, name: string): Trace['tasks'][] {
  const starts = timesOf(marks, name)
  return starts.map((start, part) => {
    const next = starts[part + 1] ?? Number.POSITIVE_INFINITY
    return tasks.filter(({ at, ms }) => at + ms >= start && at + ms < next)
  })
}

export const sumMs = (tasks: Trace['tasks']): number => tasks.reduce((sum, { ms }) => sum + ms, 0)

/** The same, of what tasks had of a processor. */
export const sumOwnMs = (tasks: Trace['tasks']): number => tasks.reduce((sum, { ownMs }) => sum + ownMs, 0)

function sinceMark(tasks: Trace['tasks'], marks: Trace['marks'], from: string): Trace['tasks'] {
  const start = timesOf(marks, from)[0]!
  // The task in which the mark was set began a little earlier and belongs to it.
  return tasks.filter(({ at, ms }) => at + ms >= start)
}

/** At least one. */
function timesOf(marks: Trace['marks'], name: string): readonly number[] {
  const times = marks.get(name)
  if (times === undefined) throw new Error(`The page never came to ${name}.`)
  return times
}
