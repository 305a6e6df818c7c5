import { CommanderError } from '@commander-js/extra-typings'
import { createProgram } from './program.ts'
import { wordsOf } from './words/index.ts'

/** The part of a document that names what to type next. */
interface Failed {
  readonly error?: { readonly next: string | null }
  readonly data?: unknown
}

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

/**
 * Returns a next step as a test can run it: as it is if it only reads, else as a dry run. `PATH` and `URL` stand for what a
 * user knows.
 */
export function runnable(step: readonly string[]): string[] {
  const known = step.map((word) => ({ PATH: '/bin/true', URL: 'https://directory.example' })[word] ?? word)
  const command = createProgram(wordsOf('en')).commands.find((one) => one.name() === step[0])
  const changes = command?.options.some(({ long }) => long === '--dry-run') && !step.includes('--dry-run')
  return changes && !step.includes('--help') ? [known[0]!, '--dry-run', ...known.slice(1)] : known
}

/** Returns the next steps of what a run without --json wrote. */
export const nextStepsIn = (written: string): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    Array.from(written.matchAll(/^(?:Next: |下一步：)(.*)$/gm), ([, next]) => nextSteps({ error: { next: next! } })),
  ).then((steps) => steps.flat())

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
