import { createColumn } from './column.ts'
import type { Place } from './file.ts'

/** A line in the file that is kept, which is 0, or in one of another process. */
export interface FilePlace extends Place {
  readonly file: number
}

/** Where each line is, by its number. */
export interface Places {
  /** Bytes of all of them. */
  readonly size: number
  /** Null for one that is in no file. */
  at(line: number): FilePlace | null
  set(line: number, place: Place, file?: number): void
  delete(line: number): void
}

export function createPlaces(): Places {
  const starts = createColumn()
  /** Bytes, the line break included; 0 where no file has the line. */
  const lengths = createColumn()
  const files = createColumn()
  let size = 0

  function set(line: number, { at, length }: Place, file = 0) {
    size += length - lengths.at(line)
    starts.set(line, at)
    lengths.set(line, length)
    files.set(line, file)
  }
  return {
    get size() {
      return size
    },
    at(line) {
      const length = lengths.at(line)
      return length === 0 ? null : { file: files.at(line), at: starts.at(line), length }
    },
    set,
    delete: (line) => set(line, { at: 0, length: 0 }),
  }
}
