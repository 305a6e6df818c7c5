import { rm } from 'node:fs/promises'
import type { CatalogueStatus } from '../../../bridge/index.ts'
import { type Opened, type ReadingState, stateOf, UNREAD } from '../reading.ts'
import type { Refreshing } from '../refreshing.ts'
import type { ReaderNews, ReaderOrders, ReaderTask } from './messages.ts'
import { type Reader, type StartReader, startReader } from './start.ts'

/** For a person, as other failures of a reading are. */
const DIED = {
  kind: 'process',
  message: 'The program that reads the directory ended before it was done. What came is kept; try again.',
}

export interface ReaderOptions extends Omit<ReaderOrders, 'before'> {
  readonly opened: Promise<Opened>
  /** Ends it for good. */
  readonly signal: AbortSignal
  readonly onChange: () => void
  /** Told what went wrong in the background, for a log. */
  readonly onProblem: (message: string, cause: unknown) => void
  /** @default the process that comes with the store */
  readonly start?: StartReader
}

interface Running {
  readonly reader: Reader
  /** Files that hold lines which the records' own does not have yet. */
  readonly paths: Set<string>
  readonly over: PromiseWithResolvers<void>
  isEnding: boolean
}

/**
 * In a process of its own, which ends when it has nothing to do. It writes the file that records are kept in; here they
 * are as it tells of them, and read from there when it has ended.
 */
export function createReaderRefreshing(options: ReaderOptions): Refreshing {
  const { baseUrl, cli, folder, opened, signal, onChange, onProblem, start = startReader } = options
  let now: ReadingState & { download: CatalogueStatus['download'] } = { ...UNREAD, download: null }
  let running: Running | null = null
  let going = 0

  const joined = opened.then(({ records }) => {
    now = { ...now, state: stateOf(records.facts) }
    onChange()
  })

  function run({ records, table }: Opened): Running {
    const paths = new Set<string>()
    const reader = start({ baseUrl, cli, folder, before: now }, { problem: onProblem, news })
    function news({ facts, path, lines, ...state }: ReaderNews) {
      if (path !== null) paths.add(path)
      for (const [key, rank, name, at, length] of lines) {
        if (rank === undefined || name === undefined || at === undefined) continue
        const isText = typeof at === 'string'
        table.adopt(key, { rank, name }, isText ? at : { path: path ?? '', at, length: length ?? 0 })
      }
      table.drop(lines.filter((line) => line.length === 1).map(([key]) => key))
      records.adoptFacts(facts)
      now = state
      onChange()
    }
    return { reader, paths, over: Promise.withResolvers(), isEnding: false }
  }

  async function ask(task: ReaderTask): Promise<void> {
    const is = await opened
    // The other process goes on from what came here.
    if (running === null) await is.records.save()
    while (running?.isEnding) await running.over.promise
    if (signal.aborted) return
    running ??= run(is)
    if (task.type === 'read') now = { ...now, state: 'loading' }
    onChange()
    going++
    try {
      await running.reader.do(task)
    } catch (cause) {
      onProblem('The process that reads the directory ended.', cause)
      now = { ...now, state: task.type === 'read' ? 'failed' : now.state, failure: DIED, download: null }
    }
    if (--going === 0) await end(running)
    onChange()
  }

  async function end(last: Running): Promise<void> {
    if (last.isEnding) return last.over.promise
    last.isEnding = true
    const { records } = await opened
    try {
      const isSaved = await last.reader.close()
      if (isSaved) await records.reload()
      // What came here meanwhile, and what that process could not save.
      await records.save()
      if (!isSaved) for (const path of last.paths) await rm(path, { force: true })
    } catch (cause) {
      onProblem('What the directory sent cannot be kept.', cause)
    }
    running = null
    last.over.resolve()
  }

  return {
    get state() {
      return now.state
    },
    get failure() {
      return now.failure
    },
    get rejected() {
      return now.rejected
    },
    get download() {
      return now.download
    },
    joined,
    read: ({ force }) => ask({ type: 'read', force }),
    startDownload: () => ask({ type: 'startDownload' }),
    async stopDownload() {
      if (running && !running.isEnding) await ask({ type: 'stopDownload' })
    },
    async save() {
      const { records } = await opened
      while (running) await running.over.promise
      await records.save()
    },
    async close() {
      await joined
      if (running) await end(running)
    },
  }
}
