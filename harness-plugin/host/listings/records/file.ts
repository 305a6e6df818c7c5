import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, constants, fstatSync, mkdirSync, openSync, read, readSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'

const readPart = promisify(read)

/** Bytes read or written at once, unless a line is longer. */
const CHUNK = 512 * 1024

/** Where a line lies in the file, its line break included. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** A line in the file of another process. */
export interface LinePlace extends Place {
  readonly path: string
}

/** A file of lines that is replaced as a whole or added to, and read a line or a part at a time. */
export interface LineFile {
  /**
   * Adds lines, in one piece: those of two processes do not mix.
   *
   * @param end where it ends, as far as is known here
   * @returns false when it ends elsewhere, as another process put its own in the place or added to it, or ended in the
   *   middle of a line, or when not all found room; then it is to be replaced
   */
  add(end: number, lines: readonly Buffer[]): Promise<boolean>
  read(place: Place): Buffer
  /** @returns bytes read, 0 at the end */
  readPart(into: Buffer, at: number): Promise<number>
  close(): void
}

/** @returns null when there is none */
export function openLines(path: string): LineFile | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  const { ino } = fstatSync(file)
  return {
    async add(end, lines) {
      const adding = await open(path, constants.O_WRONLY | constants.O_APPEND).catch(() => null)
      if (adding === null) return false
      try {
        const now = await adding.stat()
        if (now.ino !== ino || now.size !== end) return false
        const bytes = Buffer.concat(lines)
        await adding.write(bytes)
        await adding.datasync()
        return (await adding.stat()).size === end + bytes.length
      } finally {
        await adding.close()
      }
    },
    read({ at, length }) {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    },
    readPart: (into, at) => readPart(file, into, 0, into.length, at).then(({ bytesRead }) => bytesRead),
    close: () => closeSync(file),
  }
}

/**
 * Tells each line of a file and where it lies, without holding more than a part of it, or its longest line.
 *
 * @param each gets the line without its end; its bytes are others once `each` has returned
 * @returns where the last of them ends; what follows is none, as where a process ended in the middle of writing it
 */
export async function eachLine(file: LineFile, each: (line: Buffer, place: Place) => void): Promise<number> {
  let buffer = Buffer.allocUnsafe(CHUNK)
  for (let start = 0; ; ) {
    const chunk = buffer.subarray(0, await file.readPart(buffer, start))
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      each(chunk.subarray(from, end), { at: start + from, length: end + 1 - from })
      from = end + 1
    }
    if (from === 0 && chunk.length < buffer.length) return start
    // One record of the directory's can be as long as its whole answer.
    if (from === 0) buffer = Buffer.allocUnsafe(2 * buffer.length)
    start += from
  }
}

/** A new file beside another, for lines that one process writes and a second reads at once. */
export interface NewsFile {
  readonly path: string
  /** @returns where each is */
  append(lines: readonly Buffer[]): Place[]
  close(): void
}

const NEWS = '.news'
const TEMPORARY = '.tmp'
/** No process writes at one file for so long, ms. */
const LEFT_MS = 86_400_000

/** Removes what processes left beside a file that ended in the middle of writing it. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names) {
    const isOurs = name.startsWith(`${basename(path)}.`) && [NEWS, TEMPORARY].includes(extname(name))
    const found = isOurs ? await stat(join(folder, name)).catch(() => null) : null
    if (found && Date.now() - found.mtimeMs > LEFT_MS) await rm(join(folder, name), { force: true })
  }
}

/** @throws when it cannot be made */
export function openNews(beside: string): NewsFile {
  mkdirSync(dirname(beside), { recursive: true })
  const path = `${beside}.${randomUUID()}${NEWS}`
  const file = openSync(path, 'wx')
  let end = 0
  return {
    path,
    append(lines) {
      appendFileSync(file, Buffer.concat(lines))
      return lines.map(({ length }) => {
        const at = end
        end += length
        return { at, length }
      })
    },
    close: () => closeSync(file),
  }
}

/**
 * Writes a file beside `path` and puts it in its place: a crash at any moment leaves the old one or the new one.
 *
 * @param lines with their line breaks
 * @returns where each line ends
 */
export async function replaceLines(path: string, lines: Iterable<Buffer>): Promise<number[]> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`
  const file = await open(temporary, 'wx')
  const ends: number[] = []
  try {
    let end = 0
    let waiting: Buffer[] = []
    let size = 0
    const write = async () => {
      await file.appendFile(Buffer.concat(waiting))
      waiting = []
      size = 0
    }
    for (const line of lines) {
      end += line.length
      ends.push(end)
      size += line.length
      waiting.push(line)
      if (size >= CHUNK) await write()
    }
    await write()
    await file.sync()
    await file.close()
    await rename(temporary, path)
    return ends
  } catch (cause) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw cause
  }
}
