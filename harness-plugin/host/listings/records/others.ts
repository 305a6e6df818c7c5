import { type LineFile, openLines, type Place } from './file.ts'

/** Files of other processes, each with a number from 1 on. */
export interface OtherFiles {
  readonly isEmpty: boolean
  /** @throws when it cannot be opened */
  numberOf(path: string): number
  read(number: number, place: Place): Buffer | null
  close(): void
}

export function createOtherFiles(): OtherFiles {
  let files: { readonly path: string; readonly file: LineFile }[] = []
  return {
    get isEmpty() {
      return files.length === 0
    },
    numberOf(path) {
      const known = files.findIndex((one) => one.path === path)
      if (known >= 0) return known + 1
      const file = openLines(path)
      if (file === null) throw new Error(`${path} cannot be opened.`)
      return files.push({ path, file })
    },
    read: (number, place) => files[number - 1]?.file.read(place) ?? null,
    close() {
      for (const { file } of files) file.close()
      files = []
    },
  }
}
