import { createColumn } from './column.ts'
import { eachLine, type LineFile, type LinePlace, openLines, type Place, replaceLines } from './file.ts'

/** Lines of text by number: in a file, and in memory those that it does not have yet. */
export interface KeptLines {
  /** Whether something is in memory alone. */
  readonly isChanged: boolean
  has(line: number): boolean
  /** Whether it is in memory, for no file has it as it is. */
  isFresh(line: number): boolean
  get(line: number): Buffer | null
  set(line: number, text: string): void
  delete(line: number): void
  /** Another process has this line in a file of its own. @throws when that cannot be opened */
  adopt(line: number, place: LinePlace): void
  /**
   * Tells all that the file has, as it is now; each line is here from then on under the number that is answered, null
   * for none, and no other is but those in memory.
   */
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
  let starts = createColumn()
  /** Bytes, the line break included; 0 where no file has the line. */
  let lengths = createColumn()
  /** Which file has it: 0 for ours, else one more than the place of another's. */
  let sources = createColumn()
  let others: { readonly path: string; readonly file: LineFile }[] = []
  let fresh = new Map<number, Buffer>()
  /** What is being written now. */
  let leaving = new Map<number, Buffer>()
  /** Lines that were taken away, or that another process has had since, while the file is written. */
  let moved: Set<number> | null = null
  let file: LineFile | null = null
  let isChanged = false

  function get(line: number): Buffer | null {
    const here = fresh.get(line) ?? leaving.get(line)
    if (here) return here
    const length = lengths.at(line)
    const source = sources.at(line)
    const from = source === 0 ? file : others[source - 1]?.file
    return length === 0 ? null : (from?.read({ at: starts.at(line), length }) ?? null)
  }

  function place(line: number, { at, length }: Place, source = 0) {
    starts.set(line, at)
    lengths.set(line, length)
    sources.set(line, source)
  }

  function sourceOf(other: string): number {
    const known = others.findIndex((one) => one.path === other)
    if (known >= 0) return known + 1
    const opened = openLines(other)
    if (opened === null) throw new Error(`${other} cannot be opened.`)
    return others.push({ path: other, file: opened })
  }

  function closeFiles() {
    file?.close()
    for (const other of others) other.file.close()
    others = []
    file = null
  }

  return {
    get isChanged() {
      return isChanged
    },
    has: (line) => fresh.has(line) || leaving.has(line) || lengths.at(line) > 0,
    isFresh: (line) => fresh.has(line),
    get,
    set(line, text) {
      fresh.set(line, Buffer.from(text))
      moved?.delete(line)
      isChanged = true
    },
    delete(line) {
      fresh.delete(line)
      leaving.delete(line)
      lengths.set(line, 0)
      moved?.add(line)
      isChanged = true
    },
    adopt(line, other) {
      const source = sourceOf(other.path)
      fresh.delete(line)
      leaving.delete(line)
      place(line, other, source)
      moved?.add(line)
      isChanged = true
    },
    async read(each) {
      const next = path === null ? null : openLines(path)
      if (next === null) return
      // What is asked for meanwhile is where it was.
      const now = { starts: createColumn(), lengths: createColumn() }
      try {
        await eachLine(next, (text, { at, length }) => {
          const line = each(text)
          if (line === null) return
          now.starts.set(line, at)
          now.lengths.set(line, length)
        })
      } catch (cause) {
        next.close()
        throw cause
      }
      closeFiles()
      file = next
      ;({ starts, lengths } = now)
      sources = createColumn()
      isChanged = fresh.size > 0
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
      moved = new Set()
      isChanged = false
      try {
        const ends = await replaceLines(path, texts())
        file?.close()
        file = openLines(path)
        for (const [n, line] of written.entries()) {
          if (moved.has(line)) continue
          place(line, { at: ends[n]!, length: ends[n + 1]! - ends[n]! })
        }
      } catch (cause) {
        fresh = new Map([...leaving, ...fresh])
        isChanged = true
        throw cause
      } finally {
        leaving = new Map()
        moved = null
      }
    },
    close: closeFiles,
  }
}
