import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Bytes read or written at once. */
const CHUNK = 512 * 1024

/** Where a line lies in the file, its line break included. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** A file of lines that is replaced as a whole, and read a line at a time. */
export interface LineFile {
  read(place: Place): Buffer
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
  return {
    read({ at, length }) {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    },
    close: () => closeSync(file),
  }
}

/**
 * Tells each line of a file and where it lies, without holding more than a part of it.
 *
 * @param each gets the line without its end; its bytes are others once `each` has returned
 */
export async function eachLine(path: string, each: (line: Buffer, place: Place) => void) {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let start = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, start)
      const chunk = buffer.subarray(0, bytesRead)
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        each(chunk.subarray(from, end), { at: start + from, length: end + 1 - from })
        from = end + 1
      }
      // Nothing more, or a line that no record of ours is as long as.
      if (from === 0) return
      start += from
    }
  } finally {
    await file.close()
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
  const temporary = `${path}.${randomUUID()}.tmp`
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
