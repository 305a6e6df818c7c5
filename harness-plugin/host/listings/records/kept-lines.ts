import { createColumn } from './column.ts'
import { eachLine, type LineFile, openLines, type Place, replaceLines } from './file.ts'

/** Lines of text by number: in a file, and in memory those that it does not have yet. */
export interface KeptLines {
  /** Whether something is in memory alone. */
  readonly isChanged: boolean
  has(line: number): boolean
  get(line: number): Buffer | null
  set(line: number, text: string): void
  delete(line: number): void
  /** Tells all that the file has; each line is here from then on under the number that is answered, null for none. */
  read(each: (text: Buffer) => number | null): Promise<void>
  /**
   * Writes the file anew: this first line, then these, in this order, as far as they are there.
   *
   * @throws when it cannot be written; then all is as before
   */
  write(first: string, lines: Iterable<number>): Promise<void>
  close(): void
}

/** @param path of the file; null for memory alone */
export function createKeptLines(path: string | null): KeptLines {
  const starts = createColumn()
  /** Bytes, the line break included; 0 where the file does not have the line. */
  const lengths = createColumn()
  let fresh = new Map<number, Buffer>()
  /** What is being written now. */
  let leaving = new Map<number, Buffer>()
  /** Lines that were taken away while the file is written, which has them still. */
  let gone: Set<number> | null = null
  let file: LineFile | null = path === null ? null : openLines(path)
  let isChanged = false

  function get(line: number): Buffer | null {
    const here = fresh.get(line) ?? leaving.get(line)
    if (here) return here
    const length = lengths.at(line)
    return length === 0 ? null : (file?.read({ at: starts.at(line), length }) ?? null)
  }

  function place(line: number, { at, length }: Place) {
    starts.set(line, at)
    lengths.set(line, length)
  }

  return {
    get isChanged() {
      return isChanged
    },
    has: (line) => fresh.has(line) || leaving.has(line) || lengths.at(line) > 0,
    get,
    set(line, text) {
      fresh.set(line, Buffer.from(text))
      gone?.delete(line)
      isChanged = true
    },
    delete(line) {
      fresh.delete(line)
      leaving.delete(line)
      lengths.set(line, 0)
      gone?.add(line)
      isChanged = true
    },
    async read(each) {
      if (path === null || file === null) return
      await eachLine(path, (text, { at, length }) => {
        const line = each(text)
        if (line !== null) place(line, { at, length })
      })
    },
    async write(first, lines) {
      if (path === null) return
      const written: number[] = []
      const texts = function* () {
        yield Buffer.from(first)
        for (const line of lines) {
          const text = get(line)
          if (text === null) continue
          written.push(line)
          yield text
        }
      }
      leaving = fresh
      fresh = new Map()
      gone = new Set()
      isChanged = false
      try {
        const ends = await replaceLines(path, texts())
        file?.close()
        file = openLines(path)
        for (const [n, line] of written.entries()) {
          if (gone.has(line)) continue
          place(line, { at: ends[n]!, length: ends[n + 1]! - ends[n]! })
        }
      } catch (cause) {
        fresh = new Map([...leaving, ...fresh])
        isChanged = true
        throw cause
      } finally {
        leaving = new Map()
        gone = null
      }
    },
    close() {
      file?.close()
      file = null
    },
  }
}
