import { type NewsFile, openNews, type Place } from '../records/file.ts'
import type { Records } from '../records/records.ts'
import type { ReaderLine, ReaderNews } from './messages.ts'

/** Hands lines to another process: in a file, as what goes over the connection is parsed there and takes memory. */
export interface Sharing {
  share(keys: readonly string[], records: Pick<Records, 'line'>): Pick<ReaderNews, 'path' | 'lines'>
  /** @returns the file, which can be removed */
  close(): string | null
}

/** @param beside the file that these lines will be in when it is saved */
export function createSharing(beside: string): Sharing {
  let file: NewsFile | null = null

  return {
    share(keys, records) {
      const known = keys.map((key) => [key, records.line(key)] as const)
      const texts = known.flatMap(([, line]) => (line ? [line.text] : []))
      let places: readonly Place[] | null = null
      try {
        file ??= openNews(beside)
        places = file.append(texts)
      } catch {
        // A full disk, most likely.
      }
      let next = 0
      const lines = known.map(([key, line]): ReaderLine => {
        if (line === null) return [key]
        const place = places?.[next++]
        const start = [key, line.rank, line.name] as const
        return place ? [...start, place.at, place.length] : [...start, line.text.toString()]
      })
      return { path: file?.path ?? null, lines }
    },
    close() {
      file?.close()
      return file?.path ?? null
    },
  }
}
