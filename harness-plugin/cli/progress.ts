import type { Messages } from '../messages/index.ts'
import type { JobStage, StoreEvent } from '../protocol/index.ts'
import { isSuccess, SILENCE_LINE } from '../protocol/next-steps.ts'
import type { ProgressEvent } from './documents.ts'
import { cut, wrapped } from './text/columns.ts'
import type { Words } from './words/index.ts'
import type { Writer } from './writer.ts'

/** Frames of the moving sign, and the time of each in ms. */
const FRAMES = Array.from('⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏')
const FRAME_MS = 100
/** Time before work is shown, and before its time is, in ms: most work is over sooner. */
const SHOWN_AFTER_MS = 300
const TIMED_AFTER_MS = 3_000
/** Time after which a line says what it waits for, in ms. */
const EXPLAINED_AFTER_MS = 10_000
/** Number of lines of output that are kept for a job that fails. */
const MOST_LINES = 20

export interface ProgressOptions {
  readonly writer: Writer
  /** True if a line can be written over. */
  readonly hasCursor: boolean
  readonly columns: () => number
  readonly events: boolean
  /** True to write no sentences. */
  readonly quiet: boolean
  readonly words: Words
}

/**
 * Writes progress to standard error: one line with a moving sign where a terminal can write over it, otherwise sentences for
 * the user, or one JSON object on each line.
 */
export class Progress {
  readonly #given: ProgressOptions
  readonly #isLive: boolean
  readonly #warned = new Set<string>()
  readonly #stages = new Map<string, string>()
  #lastStage: JobStage | null = null
  /** The last lines of the output of this step, which a live line replaces. */
  #output: string[] = []
  /** Text of the step that a job is at. */
  #stepText = ''
  /** Text of the live line while the directory is read. */
  #reading = ''
  /** The live line, with the time at which its work began. */
  #work: { text: string; readonly wait: string | null; readonly since: number; readonly timer: NodeJS.Timeout } | null =
    null
  /** True while the cursor is at the end of a live line. */
  #isOpen = false

  constructor(given: ProgressOptions) {
    this.#given = given
    this.#isLive = given.hasCursor && !given.events && !given.quiet
  }

  /**
   * Shows work that takes a while, until the next work or the end. Only where a line can be written over.
   *
   * @param wait what it waits for, if it takes long
   */
  work(text: string, wait: string | null = null): void {
    if (!this.#isLive) return
    clearInterval(this.#work?.timer)
    const timer = setInterval(() => this.#paint(), FRAME_MS).unref()
    this.#work = { text, wait, since: performance.now(), timer }
    if (this.#isOpen) this.#paint()
  }

  #paint(): void {
    if (this.#work === null) return
    const { text, wait, since } = this.#work
    const elapsed = performance.now() - since
    if (elapsed < SHOWN_AFTER_MS && !this.#isOpen) return
    const time = elapsed < TIMED_AFTER_MS ? '' : `  ${Math.floor(elapsed / 1000)} s`
    const { writer, columns } = this.#given
    const shown = elapsed < EXPLAINED_AFTER_MS ? text : (wait ?? text)
    writer.clearLine()
    writer.text(
      `${FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]} ${cut(shown, columns() - 3 - time.length)}${time}`,
    )
    this.#isOpen = true
  }

  warn(message: string): void {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    if (this.#given.events) this.#emit({ event: 'warning', message })
    else this.#sentence(message)
  }

  /** Writes notes for the user beside rows that go into a pipe. */
  note(message: string): void {
    if (!this.#given.events) this.#sentence(message)
  }

  /** @param words of the store's jobs, which are loaded with the host */
  onEvent(event: StoreEvent, words: Messages['job']): void {
    if (event.type === 'catalogue') this.#onCatalogue(event.status)
    else if (event.type === 'job') this.#onJob(event.job, words)
    else if (event.type === 'output') this.#onOutput(event, words)
  }

  /** Clears the live line. */
  end(): void {
    clearInterval(this.#work?.timer)
    this.#work = null
    if (this.#isOpen) this.#given.writer.clearLine()
    this.#isOpen = false
  }

  /** Clears the live line, and shows what was written in its place. */
  fail(): void {
    this.end()
    for (const text of this.#output) this.#line(`  ${text}`)
    this.#output = []
  }

  #emit(event: ProgressEvent): void {
    this.#given.writer.json(event)
  }

  /** Writes a line above the live one. */
  #line(text: string): void {
    if (this.#isOpen) this.#given.writer.clearLine()
    if (!this.#given.quiet) this.#given.writer.text(`${text}\n`)
  }

  /** Writes a sentence, fitted to a terminal. */
  #sentence(text: string): void {
    for (const line of this.#isLive ? wrapped(text, this.#given.columns()) : [text]) this.#line(line)
  }

  /** Names a step: with a moving sign, or on a line of its own. */
  #step(text: string, wait: string | null = null): void {
    this.#stepText = text
    if (this.#isLive) this.work(text, wait)
    else this.#line(text)
  }

  #onCatalogue({ state, count }: (StoreEvent & { type: 'catalogue' })['status']): void {
    const { events, words } = this.#given
    if (events) {
      if (state === 'loading') this.#emit({ event: 'reading', listings: count })
      return
    }
    // Other work goes on while the directory is read in the background.
    if (this.#work !== null && this.#work.text !== this.#reading) return
    if (state !== 'loading') {
      this.end()
      return
    }
    this.#reading = words.reading(count)
    if (this.#work) this.#work.text = this.#reading
    else this.work(this.#reading)
  }

  #onJob(job: (StoreEvent & { type: 'job' })['job'], t: Messages['job']): void {
    const { id, listing, more, action, state, stage, stages: all, again, profileBusy, outcome } = job
    const { events, words } = this.#given
    const ids = listing === null ? [] : [listing, ...more]
    const names = more.length === 0 ? (listing ?? '') : `${listing} +${more.length}`
    // A live line has room for the news only: the user has just typed the name.
    const name = this.#isLive ? '' : names
    const now = `${state} ${stage} ${events ? null : again?.start} ${profileBusy}`
    if (this.#stages.get(id) === now) return
    this.#stages.set(id, now)
    if (events) {
      const about = { job: id, ids, action, state, stage, stages: [...all], profileBusy }
      this.#emit({ event: 'job', ...about, outcome: outcome?.kind ?? null })
      return
    }
    // What a step wrote that went well says nothing about the next one.
    if ((stage !== null && stage !== this.#lastStage) || (outcome !== null && isSuccess(outcome.kind)))
      this.#output = []
    if (stage !== null) this.#lastStage = stage
    if (profileBusy) this.#step(words.job(name, t.profileBusy))
    else if (state === 'cancelling') this.#step(words.job(name, t.cancelling))
    else if (stage) {
      const what = stage === 'installing' ? t.working[action] : t.stage[stage]
      const step = `${all.indexOf(stage) + 1}/${all.length}`
      if (again) this.#step(words.job(name, `${step} ${t.again(again)}`))
      else this.#step(words.job(name, `${step} ${what}`), stage === 'starting' ? `${step} ${t.startingLong}` : null)
    } else if (outcome?.kind === 'interrupted' && outcome.rollback === 'complete') this.#line(words.recovered(names))
    if (outcome !== null) this.end()
  }

  #onOutput({ job, lines }: StoreEvent & { type: 'output' }, { silent }: Messages['job']): void {
    if (this.#given.events) this.#emit({ event: 'output', job, lines: [...lines] })
    // Skip the harness's output during a trial: it names an address that stops working at once.
    if (this.#given.events || this.#lastStage === 'starting') return
    const texts = lines.filter((text) => text.trim() !== '')
    if (this.#isLive) {
      this.#output = [...this.#output, ...texts].slice(-MOST_LINES)
      const isSilent = texts.at(-1) === SILENCE_LINE
      if (this.#work) this.#work.text = isSilent ? this.#given.words.explained(this.#stepText, silent) : this.#stepText
    } else for (const text of texts) this.#line(`  ${text}`)
  }
}
