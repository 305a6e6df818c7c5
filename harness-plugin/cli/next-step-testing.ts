import { CommanderError } from '@commander-js/extra-typings'
import { createProgram } from './program.ts'
import { wordsOf } from './words/index.ts'

/** The part of a document that names what to type next. */
interface Failed {
  readonly error?: { readonly next: string | null }
  readonly data?: unknown
}

/** Commands that only read, and ask no registry and start no harness: every test runs them. */
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

/**
 * Returns a next step as a test can run it, without a change; null for one that it cannot. `PATH` and `URL` stand for what a
 * person knows.
 *
 * @param hasHarness true if the test has a harness of its own, in a home of its own
 */
export function runnable(step: readonly string[], { hasHarness }: { readonly hasHarness: boolean }): string[] | null {
  if (READING.includes(step[0]!) || step.includes('--help')) return [...step]
  const command = createProgram(wordsOf('en')).commands.find((one) => one.name() === step[0])
  const isDry = command?.options.some(({ long }) => long === '--dry-run') && !step.includes('--dry-run')
  return hasHarness && isDry ? [step[0]!, '--dry-run', ...step.slice(1)] : null
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
