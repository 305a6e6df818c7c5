import { execFile } from 'node:child_process'
import { type ParseArgsConfig, parseArgs, promisify } from 'node:util'
import type { LoadedCatalogue } from '../load.ts'

/** An invalid command line. The message says what to write instead. */
export class UsageError extends Error {}

/** Rejected rows that are printed one by one. */
const NAMED_ROWS = 20

/**
 * Parses the options of a command.
 *
 * @throws {UsageError}
 */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true }).values
  } catch (error) {
    // After its first sentence, Node explains positional arguments, which these commands do not have.
    throw new UsageError(String((error as Error).message).split('. ', 1)[0]!)
  }
}

/** Prints the rows of a catalogue that break the contract, with reasons. */
export function reportRejected({ rejected }: LoadedCatalogue): void {
  if (rejected.length === 0) return
  console.error('Left out rows that break the contract:')
  for (const line of rejected.slice(0, NAMED_ROWS)) console.error(`  ${line}`)
  if (rejected.length > NAMED_ROWS) console.error(`  and ${rejected.length - NAMED_ROWS} more`)
}

/**
 * Returns the address of the package registry: the one that was given, else the one that npm uses.
 *
 * @throws {UsageError} when it is no address
 */
export async function registryAddress(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (URL.canParse(given)) return given
    throw new UsageError(`--registry takes the address of a package registry, not "${given}".`)
  }
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  return stdout.trim()
}
