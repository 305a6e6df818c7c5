import { CommanderError } from '@commander-js/extra-typings'
import { createProgram } from './program.ts'
import { wordsOf } from './words/index.ts'

/** The part of a document that names what to type next. */
interface Failed {
  readonly error?: { readonly next: string | null }
  readonly data?: unknown
}

/** Commands that only read, and ask no registry and start no harness: a test runs them. */
const READING = ['help', 'search', 'show', 'list', 'history', 'index', 'completions', 'capabilities']

/**
 * Returns the arguments of the commands that a document names as the next step.
 *
 * @throws unless the program's own parser takes each: a command that there is not, a wrong option, a missing argument. The
 *   help takes any topic, so it is left to a run.
 */
export async function nextSteps({ error, data }: Failed): Promise<readonly (readonly string[])[]> {
  const { accept } = (data ?? {}) as { readonly accept?: string }
  const named = [error?.next, accept].flatMap((text) => /\bplugmark .*$/.exec(text ?? '') ?? [])
  const steps = named.map((command) => wordsIn(command).slice(1))
  for (const args of steps) if (args[0] !== 'help') await parse(args)
  return steps
}

/** Returns true if a test can run a next step as it is. `PATH` and `URL` stand for what a person knows. */
export const canRun = (step: readonly string[]): boolean => READING.includes(step[0]!) || step.includes('--help')

/** Parses arguments as a run does, and runs nothing. */
async function parse(args: readonly string[]): Promise<void> {
  let isChosen = false
  const program = createProgram(wordsOf('en'), () => {
    isChosen = true
  })
  for (const one of [program, ...program.commands])
    one.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    // The help of a command.
    isChosen = error instanceof CommanderError && error.exitCode === 0
    if (!isChosen) throw error
  })
  if (!isChosen) throw new Error(`plugmark ${args.join(' ')} runs no command`)
}

/** Splits a command as a POSIX shell does. */
const wordsIn = (command: string): string[] =>
  Array.from(command.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g), ([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped),
  )
