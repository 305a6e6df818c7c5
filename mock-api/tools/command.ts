/** Common parts of the commands: their options, the catalogue that they read, and what they print. */
import { lstatSync } from 'node:fs'
import { open, realpath, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { parseAddress } from '@plugmark/shared/client/core'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { CatalogueFileError } from '../catalogue/parse.ts'

export interface Command {
  readonly usage: string
  /** @returns the exit code */
  run(args: string[]): Promise<number>
}

/** An invalid command line. The message says what to write instead. */
export class UsageError extends Error {}

/** Input that was read and cannot be used. The message says why. */
export class RefusedError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O; strict: true }>>['values']

/** Creates a command from its options and from what it does with them. */
export const defineCommand = <const O extends Options>(
  usage: string,
  options: O,
  run: (values: Values<O>) => Promise<number>,
): Command => ({ usage, run: (args) => run(parseOptions(args, options, 0).values) })

/**
 * @param most positional arguments at most
 * @throws {UsageError}
 */
export function parseOptions<const O extends Options>(args: string[], options: O, most: number) {
  try {
    const parsed = parseArgs({ args, options, strict: true, allowPositionals: most > 0 })
    if (parsed.positionals.length > most) throw new Error(`Unexpected argument '${parsed.positionals[most]}'`)
    return parsed
  } catch (error) {
    // After its first sentence, Node explains positional arguments that begin with a hyphen, which no command takes.
    const [message = ''] = String((error as Error).message).split(/\.\s/, 1)
    const [, typed = ''] = /^Unknown option '--(.+)'$/.exec(message) ?? []
    const meant = nearest(typed, Object.keys(options))
    throw new UsageError(meant === undefined ? message : `${message}. Did you mean --${meant}?`)
  }
}

/** Returns the name that was probably meant: cut short, or with a letter more or less, or in another order. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const shorter = (word: string) => Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))
  const sorted = (word: string) => Array.from(word).toSorted().join('')
  const isNear = (name: string) =>
    name.startsWith(typed) ||
    shorter(name).includes(typed) ||
    shorter(typed).includes(name) ||
    sorted(name) === sorted(typed)
  return typed.length < 4 ? undefined : names.find(isNear)
}

/** Options of every command that reads a catalogue. */
export const CATALOGUE_OPTIONS = {
  catalogue: { type: 'string', multiple: true },
  site: { type: 'string' },
  'allow-empty': { type: 'boolean', default: false },
} as const

export const CATALOGUE_USAGE = `  --catalogue FILE  an index, or an answer of /api/v1/plugins; may be given several times
  --site URL        address that the listings' pages are below (default: the catalogue's)
  --allow-empty     continue when no listing is left`

/**
 * Reads the catalogue of a command, and prints the rows that are left out, each with its faults.
 *
 * @throws {UsageError} without a file, or when the site is not an address
 * @throws {RefusedError} when no listing is left: an empty directory would replace a good one
 */
export async function readCatalogue(values: Values<typeof CATALOGUE_OPTIONS>): Promise<Catalogue> {
  const { catalogue: files, site } = values
  if (files === undefined) throw new UsageError('Name the catalogue with --catalogue FILE.')
  const address = site === undefined ? undefined : addressOption('--site', site)
  const { rejected, ...catalogue } = await loadCatalogue(...files)
  warnList('Left out rows that break the contract:', rejected)
  if (catalogue.listings.length === 0 && !values['allow-empty'])
    throw new RefusedError('The catalogue has no listing that can be used. To continue without any, add --allow-empty.')
  return address === undefined ? catalogue : { ...catalogue, site: address }
}

/** Returns the site of a catalogue. @throws {UsageError} when neither the catalogue nor --site has one */
export function requireSite({ site }: Catalogue): string {
  if (site === null) throw new UsageError('Name the address of the pages with --site URL.')
  return site
}

/** Returns an http or https address without a trailing slash. @throws {UsageError} when it is something else */
export function addressOption(name: string, text: string): string {
  const address = parseAddress(text)
  if (address !== null) return address
  // It may contain a password or a token.
  const shown = /[@?#]/.test(text) ? '' : `, not "${text}"`
  throw new UsageError(`${name} takes an http or https address without user, query or hash${shown}.`)
}

/** Returns a whole number. @throws {UsageError} when the text is none */
export function parseWholeNumber(
  option: string,
  text: string,
  { min = 0, max }: { min?: number; max: number },
): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new UsageError(`--${option} takes a whole number from ${min} to ${max}, not "${text}".`)
}

/** Characters that control a terminal or reverse text. Options, catalogues and servers can hold any. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns a line that is safe in a terminal or a file: every control character becomes `�`. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd')

/** Returns a value as JSON whose strings are safe in a terminal: JSON itself escapes only the first 32 characters. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

export const say = (...lines: string[]): void => console.log(lines.map(printable).join('\n'))
export const warn = (...lines: string[]): void => console.error(lines.map(printable).join('\n'))

/** Lines of a list that are printed one by one. */
const LISTED_LINES = 20

/** Prints a list to standard error, unless it is empty. */
export function warnList(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  const rest = lines.length - LISTED_LINES
  warn(
    title,
    ...[...lines.slice(0, LISTED_LINES), ...(rest > 0 ? [`and ${rest} more`] : [])].map((line) => `  ${line}`),
  )
}

/** Returns the command for the arguments, of which it may remove some, or text to print. @throws {UsageError} */
export type Pick = (args: string[]) => Command | string

/** Runs a command as the program of this process, with its arguments, and sets its exit code. */
export async function runProgram(pick: Pick): Promise<void> {
  // A reader may end early. A full disk is a failure.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') warn(`The output could not be written: ${message}.`)
    process.exit(code === 'EPIPE' ? 0 : 1)
  })
  process.exitCode = await runCommand(pick, process.argv.slice(2))
}

const NOT_OF_THIS_MACHINE = 'This machine has no such address. Name one of its own with --host NAME.'

/** Advice on errors of the system. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full, and the output incomplete. Free some space, and run it again.',
  EADDRINUSE: 'Another program uses this port. Choose another one with --port N; 0 takes any free one.',
  EADDRNOTAVAIL: NOT_OF_THIS_MACHINE,
  ENOTFOUND: NOT_OF_THIS_MACHINE,
}

/** @returns the exit code: the one of the command, 1 if its input is refused or the machine fails, 2 for invalid arguments */
export async function runCommand(pick: Pick, line: readonly string[]): Promise<number> {
  const args = [...line]
  try {
    const command = pick(args)
    const isHelp = args.includes('--help') || args.includes('-h')
    if (typeof command !== 'string' && !isHelp) return await command.run(args)
    console.log(typeof command === 'string' ? command : command.usage)
    return line.length === 0 ? 2 : 0
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const isUsage = error instanceof UsageError || error instanceof CatalogueFileError
    if (code !== undefined && Object.hasOwn(ADVICE, code)) warn(ADVICE[code]!)
    else if (isUsage || error instanceof RefusedError || code !== undefined) warn(message)
    else console.error(error)
    if (error instanceof UsageError) warn('Add --help to see what it takes.')
    return isUsage ? 2 : 1
  }
}

// The files that a command writes, tried before the work that ends in them

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
