import { fork } from 'node:child_process'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReaderCommand, ReaderMessage, ReaderNews, ReaderOrders, ReaderTask } from './messages.ts'

/** It lies beside this file: as it stands in the workspace, and beside the bundle that this is part of in a package. */
const here = fileURLToPath(import.meta.url)
const READER = join(dirname(here), `reader${extname(here)}`)
/** Most that its heap may take, MB: three times what 20,000 listings need. */
const HEAP_MB = 256
/** How long it may take to save when it is closed, ms. */
const CLOSE_MS = 10_000
/** Of what it wrote before it ended, for a log; characters. */
const LAST_WORDS = 2000

/** A process that reads a directory, as its host sees it. */
export interface Reader {
  /** Undefined for one that could not be started. */
  readonly pid: number | undefined
  /** Resolves when the task is done, well or not. @throws when the process ended before */
  do(task: ReaderTask): Promise<void>
  /** Stops what goes on. @returns whether all that came was saved */
  close(): Promise<boolean>
}

export interface ReaderListener {
  news(news: ReaderNews): void
  problem(message: string, cause: unknown): void
}
export type StartReader = (orders: ReaderOrders, on: ReaderListener) => Reader

export function startReader(
  orders: ReaderOrders,
  on: ReaderListener,
  { file = READER, heapMb = HEAP_MB } = {},
): Reader {
  const child = fork(file, [], {
    // Not those of this process: of two debuggers one would not get its port.
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const tasks = new Map<number, PromiseWithResolvers<void>>()
  const ended = Promise.withResolvers<boolean>()
  let words = ''
  let next = 0
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })

  function end(how: string) {
    ended.resolve(false)
    for (const task of tasks.values()) task.reject(new Error([how, words.trim()].filter(Boolean).join(': ')))
    tasks.clear()
  }
  child.on('error', ({ message }) => end(message))
  child.on('close', (code, signal) => end(`It ended with ${signal ?? code}`))
  child.on('message', (told) => {
    const message = told as ReaderMessage
    if (message.type === 'news') on.news(message.news)
    else if (message.type === 'problem') on.problem(message.message, message.cause)
    else if (message.type === 'closed') ended.resolve(true)
    else {
      tasks.get(message.number)?.resolve()
      tasks.delete(message.number)
    }
  })
  // One that has ended takes no more; that it ended is told by its exit.
  const send = (command: ReaderCommand) => child.connected && child.send(command, () => {})

  send({ type: 'open', orders })
  return {
    pid: child.pid,
    do(task) {
      const number = next++
      const done = Promise.withResolvers<void>()
      tasks.set(number, done)
      if (!send({ type: 'do', number, task })) end('It ended')
      return done.promise
    },
    async close() {
      send({ type: 'close' })
      const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
      const isSaved = await ended.promise
      clearTimeout(limit)
      return isSaved
    },
  }
}
