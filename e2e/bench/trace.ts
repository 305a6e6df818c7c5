import type { CDPSession } from 'playwright'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** µs */
  readonly ts: number
  /** µs */
  readonly dur?: number
}

/**
 * Traces the main thread of a page during `work`.
 *
 * @returns the duration of each task, ms
 * @param mark the name that the page gives to `performance.mark` where measuring begins; tasks that ended before are left out
 * @throws when the page never sets the mark
 */
export async function traceTasks(session: CDPSession, mark: string, work: () => Promise<unknown>): Promise<number[]> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  const includedCategories = ['toplevel', 'blink.user_timing']
  await session.send('Tracing.start', { traceConfig: { includedCategories, excludedCategories: ['*'] } })
  await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)

  const start = events.find(({ name }) => name === mark)
  if (start === undefined) throw new Error(`The page never set the mark ${mark}.`)
  return events
    .filter(({ name, pid, tid }) => name.endsWith('::RunTask') && pid === start.pid && tid === start.tid)
    .filter(({ ts, dur = 0 }) => ts + dur >= start.ts)
    .map(({ dur = 0 }) => dur / 1000)
}

export const totalMs = (tasks: readonly number[]): number => tasks.reduce((sum, ms) => sum + ms, 0)

export const longestTaskMs = (tasks: readonly number[]): number => Math.max(0, ...tasks)
