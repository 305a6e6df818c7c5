import type { Writable } from 'node:stream'
import type { JobStage, StoreEvent } from '../protocol/index.ts'
import type { ProgressEvent } from './documents.ts'
import type { Words } from './words/index.ts'

/** What goes to standard error while something is done: sentences for a person, or one JSON object a line. */
export interface Progress {
  warn(message: string): void
  /** Listens to the host. */
  onEvent(event: StoreEvent): void
  /** Ends a line that is written over again and again. */
  end(): void
}

export function createProgress(given: {
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly events: boolean
  readonly words: Words
}): Progress {
  const { stderr, events, words } = given
  const isLive = stderr.isTTY === true && !events
  const warned = new Set<string>()
  const stages = new Map<string, string>()
  let lastStage: JobStage | null = null
  /** Whether the cursor stands behind a line that is to be written over. */
  let isOpen = false
  const write = (text: string) => void stderr.write(text)
  const emit = (event: ProgressEvent) => write(`${JSON.stringify(event)}\n`)
  const line = (text: string) => {
    end()
    write(`${text}\n`)
  }
  function end() {
    if (isOpen) write('\r\u001b[K')
    isOpen = false
  }

  function onCatalogue({ state, count }: (StoreEvent & { type: 'catalogue' })['status']) {
    if (state !== 'loading') return end()
    if (events) return emit({ event: 'reading', listings: count })
    if (!isLive) return
    write(`\r\u001b[K${words.reading(count)}`)
    isOpen = true
  }

  function onJob(job: (StoreEvent & { type: 'job' })['job']) {
    const { id, listing, more, action, state, stage, stages: all, profileBusy, outcome } = job
    const ids = listing === null ? [] : [listing, ...more]
    const [first = '', ...others] = ids
    const name = others.length === 0 ? first : `${first} +${others.length}`
    const now = `${state} ${stage} ${profileBusy}`
    if (stages.get(id) === now) return
    stages.set(id, now)
    if (events)
      return emit({
        ...{ event: 'job', job: id, ids, action, state, stage, stages: [...all], profileBusy },
        outcome: outcome?.kind ?? null,
      })
    if (stage !== null) lastStage = stage
    if (profileBusy) line(words.job(name, words.profileBusy))
    else if (state === 'cancelling') line(words.job(name, words.cancelling))
    else if (stage) line(words.job(name, `${all.indexOf(stage) + 1}/${all.length} ${words.stage(stage, action)}`))
    else if (outcome?.kind === 'interrupted' && outcome.rollback === 'complete') line(words.recovered(name))
  }

  return {
    warn(message) {
      if (warned.has(message)) return
      warned.add(message)
      if (events) emit({ event: 'warning', message })
      else line(message)
    },
    onEvent(event) {
      if (event.type === 'catalogue') onCatalogue(event.status)
      else if (event.type === 'job') onJob(event.job)
      else if (event.type === 'output') {
        if (events) emit({ event: 'output', job: event.job, lines: [...event.lines] })
        // What the harness says as it is tried names an address that is gone at once.
        else if (lastStage !== 'starting') for (const text of event.lines) if (text.trim() !== '') line(`  ${text}`)
      }
    },
    end,
  }
}
