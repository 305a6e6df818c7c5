/** The files that a command writes, tried before the work that ends in them. */
import { open, realpath, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from './command.ts'

/** Tries whether each file can be written, and leaves everything as it is. @throws {UsageError} when one cannot */
export async function checkWritable(...files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue
    try {
      const isNew = await open(file, 'wx').then(
        (handle) => handle.close().then(() => true),
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false
          throw error
        },
      )
      if (isNew) await rm(file)
      else await (await open(file, 'r+')).close()
    } catch (error) {
      throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
    }
  }
}

/** Returns true if two paths lead to one file. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const real = (file: string) => realpath(file).catch(() => resolve(file))
  return (await real(a)) === (await real(b))
}
