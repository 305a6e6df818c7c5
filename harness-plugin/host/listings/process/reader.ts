/**
 * The process that reads a directory. To fetch, parse and fold a whole catalogue takes some hundred MB, which a process
 * keeps for good: this one ends when it is done. It is started by `startReader` and speaks with that alone.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openCatalogue } from '../catalogue.ts'
import { connectTo } from '../connect.ts'
import type { Opened } from '../reading.ts'
import { removeLeftovers } from '../records/file.ts'
import { openRecords } from '../records/records.ts'
import { createRefreshing } from '../refreshing.ts'
import { createTable } from '../table.ts'
import type { ReaderCommand, ReaderMessage, ReaderOrders, ReaderTask } from './messages.ts'
import { createSharing } from './sharing.ts'

/** Lines in one message. */
const AT_ONCE = 500

interface Reader {
  do(task: ReaderTask): Promise<void>
  /** Stops what goes on, and saves what came. */
  close(): Promise<void>
}

/** A host that is gone hears nothing; that is no error of this process. */
function tell(message: ReaderMessage, sent = () => {}) {
  if (process.connected) process.send?.(message, undefined, undefined, sent)
}

function open({ baseUrl, cli, folder, before }: ReaderOrders): Reader {
  const path = join(folder, 'records')
  const closed = new AbortController()
  const changed = new Set<string>()
  const sharing = createSharing(path)
  const onProblem = (message: string, cause: unknown) => tell({ type: 'problem', message, cause: String(cause) })
  const connect = connectTo({ baseUrl })
  let here: Opened | null = null

  const opened = openRecords({ path, directory: baseUrl, cli, onProblem, onChange: (key) => changed.add(key) }).then(
    (records) => {
      here = { records, table: createTable(records) }
      return here
    },
  )
  const refreshing = createRefreshing({
    connect,
    catalogue: openCatalogue({ folder, connect, now: Date.now, onProblem }),
    now: Date.now,
    signal: closed.signal,
    opened,
    before,
    onChange,
    onProblem,
  })

  function onChange() {
    if (here === null) return
    const { records } = here
    const keys = [...changed]
    changed.clear()
    for (let from = 0; from === 0 || from < keys.length; from += AT_ONCE) {
      const shared = sharing.share(keys.slice(from, from + AT_ONCE), records)
      const { state, failure, rejected, download } = refreshing
      tell({ type: 'news', news: { state, failure, rejected, download, facts: records.facts, ...shared } })
    }
  }

  return {
    async do(task) {
      if (task.type === 'read') await refreshing.read(task)
      else await refreshing[task.type]()
    },
    async close() {
      closed.abort()
      await refreshing.close()
      const { records } = await opened
      await records.compact()
      await records.close()
      await removeLeftovers(path).catch((cause) => onProblem('What was left of an earlier reading stays.', cause))
      const shared = sharing.close()
      if (shared) await rm(shared, { force: true })
    },
  }
}

let reader: Reader | null = null

async function carryOut(command: ReaderCommand): Promise<void> {
  if (command.type === 'open') reader = open(command.orders)
  else if (command.type === 'do') {
    await reader?.do(command.task)
    tell({ type: 'done', number: command.number })
  } else {
    await reader?.close()
    tell({ type: 'closed' }, () => process.exit())
  }
}

process.on('message', (command) => void carryOut(command as ReaderCommand))
// Its host is gone.
process.on('disconnect', async () => {
  await reader?.close()
  process.exit()
})
// Ctrl+C in a terminal is for the host, which then sees to the end of this.
process.on('SIGINT', () => {})
