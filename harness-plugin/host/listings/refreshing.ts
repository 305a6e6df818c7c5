import type { CatalogueStatus } from '../../bridge/index.ts'
import { createDownload } from './download.ts'
import { createReading, type ReadingOptions, type ReadingState } from './reading.ts'

/** How what is here is brought up to date. */
export interface Refreshing extends ReadingState {
  readonly download: CatalogueStatus['download']
  /** What was kept is here, with all that goes with it. Never rejects. */
  readonly joined: Promise<unknown>
  /** Reads the directory; one reading at a time is asked for. Never rejects. */
  read(options: { force: boolean }): Promise<void>
  /** Downloads every record, or goes on with it. Never rejects. */
  startDownload(): Promise<void>
  stopDownload(): Promise<void>
  /** Saves what came here otherwise. Never rejects. */
  save(): Promise<void>
  /** Resolves when nothing of it goes on, after the signal has come. */
  close(): Promise<void>
}

/** In this process. */
export function createRefreshing(options: ReadingOptions): Refreshing {
  const { connect, now, signal, opened, onChange, onProblem } = options
  const reading = createReading(options)
  const download = createDownload({ connect, now, signal, opened, onProgress: onChange, onEnd: reading.ended })
  let going: Promise<void> | null = null

  return {
    get state() {
      return reading.state
    },
    get failure() {
      return reading.failure
    },
    get rejected() {
      return reading.rejected
    },
    get download() {
      return download.progress()
    },
    joined: reading.joined,
    async read(how) {
      going = reading.read(how).catch((cause) => onProblem('The directory could not be read.', cause))
      await going
    },
    startDownload: download.start,
    stopDownload: download.stop,
    save: async () => (await opened).records.save(),
    async close() {
      await Promise.all([download.stop(), going, reading.joined])
    },
  }
}
