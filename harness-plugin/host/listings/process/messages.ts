import type { CatalogueStatus } from '../../../bridge/index.ts'
import type { ReadingState } from '../reading.ts'
import type { Facts } from '../records/facts.ts'

/** What the process that reads a directory is started with. */
export interface ReaderOrders {
  readonly baseUrl: string
  /** Program that install commands name. */
  readonly cli: string
  /** Directory that the copy is kept in. */
  readonly folder: string
  readonly before: ReadingState
}

export type ReaderTask =
  | { readonly type: 'read'; readonly force: boolean }
  | { readonly type: 'startDownload' }
  | { readonly type: 'stopDownload' }

/** What it is told; `number` names the task in its answer. */
export type ReaderCommand =
  | { readonly type: 'open'; readonly orders: ReaderOrders }
  | { readonly type: 'do'; readonly number: number; readonly task: ReaderTask }
  | { readonly type: 'close' }

/** What it tells. */
export type ReaderMessage =
  | { readonly type: 'news'; readonly news: ReaderNews }
  | { readonly type: 'problem'; readonly message: string; readonly cause: string }
  | { readonly type: 'done'; readonly number: number }
  /** All is saved; nothing comes after this. */
  | { readonly type: 'closed' }

/** How it stands now, and which listings changed since the last news. */
export interface ReaderNews extends ReadingState {
  readonly download: CatalogueStatus['download']
  readonly facts: Facts
  /** File that holds the lines whose place is told. */
  readonly path: string | null
  readonly lines: readonly ReaderLine[]
}

/** A listing's line by its place, or itself where that file cannot be written; the key alone of one that is gone. */
export type ReaderLine =
  | readonly [key: string, rank: number, name: number, at: number, length: number]
  | readonly [key: string, rank: number, name: number, text: string]
  | readonly [key: string]
