import type { JobStage, StoreEvent } from '../protocol/index.ts'
import type { ProgressEvent } from './documents.ts'
import type { Words } from './words/index.ts'
import type { Writer } from './writer.ts'

/** Writes progress to standard error: sentences for a person, or one JSON object on each line. */
export interface Progress {
  warn(message: string): void
  /** Writes notes for a person beside rows that go into a pipe. */
  note(message: string): void
  onEvent(event: StoreEvent): void
  /** Clears a temporary line. */
  end(): void
}

export function createProgress(given: {
  readonly writer: Writer
  /** True if a line can be written over. */
  readonly hasCursor: boolean
  readonly events: boolean
  /** True to write no sentences. */
  readonly quiet: boolean
  readonly words: Words
}): Progress {
  const { writer, events, quiet, words } = given
  const isLive = given.hasCursor && !events && !quiet
  const warned = new Set<string>()
  const stages = new Map<string, string>()
  let lastStage: JobStage | null = null
  /** True while the cursor is at the end of a temporary line. */
  let isOpen = false
  const emit = (event: ProgressEvent) => writer.json(event)
  const line = (text: string) => {
    end()
    if (!quiet) writer.text(`${text}\n`)
  }
  function end() {
    if (isOpen) writer.clearLine()
    isOpen = false
  }

  function onCatalogue({ state, count }: (StoreEvent & { type: 'catalogue' })['status']) {
    if (state !== 'loading') return end()
    if (events) return emit({ event: 'reading', listings: count })
    if (!isLive) return
    writer.clearLine()
    writer.text(words.reading(count))
    isOpen = true
  }

  function onJob(job: (StoreEvent & { type: 'job' })['job']) {
    const { id, listing, more, action, state, stage, stages: all, profileBusy, outcome } = job
    const ids = listing === null ? [] : [listing, ...more]
    const name = more.length === 0 ? (listing ?? '') : `${listing} +${more.length}`
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
    note: (message) => events || line(message),
    onEvent(event) {
      if (event.type === 'catalogue') onCatalogue(event.status)
      else if (event.type === 'job') onJob(event.job)
      else if (event.type === 'output') {
        if (events) emit({ event: 'output', job: event.job, lines: [...event.lines] })
        // Skip the harness's output during a trial: it names an address that stops working at once.
        else if (lastStage !== 'starting') for (const text of event.lines) if (text.trim() !== '') line(`  ${text}`)
      }
    },
    end,
  }
}
