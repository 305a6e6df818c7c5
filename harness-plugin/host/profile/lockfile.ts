import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { parse } from 'yaml'

const LockSchema = v.object({
  packages: v.optional(v.record(v.string(), v.object({ resolution: v.record(v.string(), v.unknown()) })), {}),
})

/**
 * What exactly a profile's lock says is installed: the integrity of each package, or the commit of a repository. What
 * is installed from this machine's own files is left out: it is named by where it lies, seen from the profile.
 *
 * @returns null when there is no lock, or none that can be read
 */
export async function lockedPackages(directory: string): Promise<ReadonlyMap<string, string> | null> {
  try {
    const { packages } = v.parse(LockSchema, parse(await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8')))
    const entries = Object.entries(packages).filter(([key]) => !key.includes('@file:'))
    return new Map(entries.map(([key, { resolution }]) => [key, JSON.stringify(resolution)]))
  } catch {
    return null
  }
}

/** Packages of which two profiles have installed something else; a package that only one of them has is one. */
export function lockDifferences(
  one: ReadonlyMap<string, string> | null,
  other: ReadonlyMap<string, string> | null,
): string[] {
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])
  return [...names].filter((name) => one?.get(name) !== other?.get(name))
}
