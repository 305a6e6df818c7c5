/** The files that a command writes, tried before the work that ends in them. */
import { lstatSync } from 'node:fs'
import { open, realpath, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from './command.ts'

/** Tries whether each file can be written, and leaves everything as it is. @throws {UsageError} when one cannot */
export async function checkWritable(...files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue
    try {
      const wasThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined
      await (await open(file, 'a')).close()
      if (!wasThere) await rm(file)
    } catch (error) {
      throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
    }
  }
}

/** @param files each with the option that names it @throws {UsageError} when two paths lead to one file */
export async function checkDistinct(...files: readonly (readonly [option: string, file: string])[]): Promise<void> {
  const options = new Map<string, string>()
  for (const [option, file] of files) {
    const path = await realpath(file).catch(() => resolve(file))
    const before = options.get(path)
    if (before !== undefined) throw new UsageError(`${before} and ${option} name one file. Name another one.`)
    options.set(path, option)
  }
}
