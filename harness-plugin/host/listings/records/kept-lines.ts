import { eachLine, type LineFile, type LinePlace, openLines, replaceLines } from './file.ts'
import { createOtherFiles } from './others.ts'
import { createPlaces } from './places.ts'

/** Lines of text by number: in a file, and in memory those that it does not have yet. */
export interface KeptLines {
  /** Whether something is in memory alone. */
  readonly isChanged: boolean
  /** Whether lines were added to the file since it was written anew. */
  readonly isAddedTo: boolean
  /** Whether it is in memory, for no file has it as it is. */
  isFresh(line: number): boolean
  get(line: number): Buffer | null
  set(line: number, text: string): void
  /** @param last tells whoever reads the file from its start that the line is gone */
  delete(line: number, last: string): void
  /** Another process has this line in a file of its own. @throws when that cannot be opened */
  adopt(line: number, place: LinePlace): void
  /**
   * Tells all that the file has, as it is now; each line is here from then on under the number that is answered, null
   * for none, and no other is but those in memory. Where a number is answered twice, the later line holds.
   */
  read(each: (text: Buffer) => number | null): Promise<void>
  /**
   * Adds to the file what is new. One that would hold more of what has passed than of what holds, or is not as it was
   * left here, is written anew instead: these lines, in this order, as far as they are there.
   *
   * @param first begins what is written
   * @param options.anew in any case
   * @throws when it cannot be written; then all is as before
   */
  write(first: string, lines: () => Iterable<number>, options: { readonly anew: boolean }): Promise<void>
  close(): void
}

/** What the file does not have: lines, and which of its own are gone. */
interface News {
  readonly lines: Map<number, Buffer>
  readonly gone: Map<number, Buffer>
}
const noNews = (): News => ({ lines: new Map(), gone: new Map() })

/** @param path of the file; null for memory alone */
export function createKeptLines(path: string | null): KeptLines {
  let places = createPlaces()
  let file: LineFile | null = null
  /** Where its last line ends. */
  let end = 0
  const others = createOtherFiles()
  let news = noNews()
  /** What is being written now. */
  let leaving = noNews()
  /** Lines that were taken away, or that another process has had since, while the file is written. */
  let moved = new Set<number>()
  let isChanged = false
  let isAddedTo = false

  function get(line: number): Buffer | null {
    const here = news.lines.get(line) ?? leaving.lines.get(line)
    const place = here ? null : places.at(line)
    if (place === null) return here ?? null
    return place.file === 0 ? (file?.read(place) ?? null) : others.read(place.file, place)
  }

  function forget(line: number) {
    news.lines.delete(line)
    leaving.lines.delete(line)
    moved.add(line)
    isChanged = true
  }

  function close() {
    others.close()
    file?.close()
    file = null
  }

  async function add(first: Buffer): Promise<boolean> {
    const lines = [...leaving.lines]
    const before = [first, ...leaving.gone.values()]
    const after = lines.map(([, text]) => text)
    const size = lengthOf(before) + lengthOf(after)
    const isWorth = others.isEmpty && places.size > 0 && end <= 2 * places.size + size
    if (file === null || !isWorth) return false
    if (!(await file.add(end, [...before, ...after]))) return false
    let at = end + lengthOf(before)
    end += size
    for (const [line, { length }] of lines) {
      if (!moved.has(line)) places.set(line, { at, length })
      at += length
    }
    isAddedTo = true
    return true
  }

  async function replace(replaced: string, first: Buffer, lines: Iterable<number>): Promise<void> {
    const written: number[] = []
    const texts = function* () {
      yield first
      for (const line of lines) {
        const text = get(line)
        if (text === null) continue
        written.push(line)
        yield text
      }
    }
    const ends = await replaceLines(replaced, texts())
    file?.close()
    file = openLines(replaced)
    end = ends.at(-1) ?? 0
    for (const [n, line] of written.entries()) {
      if (!moved.has(line)) places.set(line, { at: ends[n]!, length: ends[n + 1]! - ends[n]! })
    }
    if (moved.size === 0) others.close()
    isAddedTo = false
  }

  return {
    get isChanged() {
      return isChanged
    },
    get isAddedTo() {
      return isAddedTo
    },
    isFresh: (line) => news.lines.has(line),
    get,
    set(line, text) {
      news.lines.set(line, Buffer.from(text))
      moved.delete(line)
      isChanged = true
    },
    delete(line, last) {
      if (places.at(line) !== null || leaving.lines.has(line)) news.gone.set(line, Buffer.from(last))
      forget(line)
      places.delete(line)
    },
    adopt(line, other) {
      const number = others.numberOf(other.path)
      forget(line)
      places.set(line, other, number)
    },
    async read(each) {
      const next = path === null ? null : openLines(path)
      if (next === null) return
      // What is asked for meanwhile is where it was.
      const now = createPlaces()
      let last: number
      try {
        last = await eachLine(next, (text, place) => {
          const line = each(text)
          if (line !== null) now.set(line, place)
        })
      } catch (cause) {
        next.close()
        throw cause
      }
      close()
      file = next
      end = last
      places = now
      isAddedTo = false
      news.gone.clear()
      isChanged = news.lines.size > 0
    },
    async write(first, lines, { anew }) {
      if (path === null) return
      leaving = news
      news = noNews()
      moved = new Set()
      isChanged = false
      const begin = Buffer.from(first)
      try {
        if (anew || !(await add(begin))) await replace(path, begin, lines())
      } catch (cause) {
        news = {
          lines: new Map([...leaving.lines, ...news.lines]),
          gone: new Map([...leaving.gone, ...news.gone]),
        }
        isChanged = true
        throw cause
      } finally {
        leaving = noNews()
      }
    },
    close,
  }
}

const lengthOf = (texts: readonly Buffer[]): number => texts.reduce((sum, { length }) => sum + length, 0)
