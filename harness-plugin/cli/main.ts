import { CommanderError } from '@commander-js/extra-typings'
import type { CommandName } from './documents.ts'
import { EXITS } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { terminalLocale } from './locale.ts'
import manifest from './package.json' with { type: 'json' }
import { createProgram, type Program, type Run } from './program.ts'
import { createSession, NO_DIRECTORY, type RunOptions, type Session, type Surroundings } from './session.ts'
import { wordsOf } from './words/index.ts'
import { createWriter } from './writer.ts'

/**
 * Runs the program once. Whatever happens, with `--json` it writes exactly one document.
 *
 * @param argv what was typed, without program and script
 * @param signal aborted when a person cancels; then what was begun is rolled back first
 */
export function createRun(argv: readonly string[], surroundings: Surroundings, signal: AbortSignal) {
  const locale = terminalLocale(surroundings.env)
  const words = wordsOf(locale)
  const json = hasFlag(argv, '--json')
  const writer = createWriter(surroundings.stdout)
  let session: Session | null = null
  let command: CommandName | 'mcp' | null = null

  async function start(): Promise<number> {
    const parsed = await parse()
    if ('help' in parsed) return succeed('help', { text: parsed.help }, parsed.help)
    if ('version' in parsed) return succeed('version', { version: parsed.version }, `${parsed.version}\n`)
    command = parsed.command
    const language = json || command === 'mcp' ? 'en' : locale
    session = createSession(surroundings, parsed.options, { locale, language, signal })
    const { data, lines } = await parsed.run(session)
    if (command === 'mcp') return EXITS.done
    if (lines) {
      for (const line of lines) writer.text(`${JSON.stringify(line)}\n`)
      return EXITS.done
    }
    return succeed(command, data)
  }

  /** @param text what a person reads, where it needs no page of its own */
  async function succeed(name: CommandName, data: unknown, text?: string): Promise<number> {
    if (json) writer.document(session?.directory ?? NO_DIRECTORY, { ok: true, command: name, data })
    else if (text !== undefined) writer.text(text)
    else {
      const { render } = await import('./text/render.ts')
      session?.progress.end()
      writer.text(
        render(name as never, data, { ...surroundings, locale, directory: session?.directory ?? NO_DIRECTORY }),
      )
    }
    return EXITS.done
  }

  async function fail(error: unknown): Promise<number> {
    const failure = toFailure(error, signal)
    const { data } = failure
    session?.progress.end()
    if (json) {
      const extra = data === undefined ? {} : { data }
      writer.document(session?.directory ?? NO_DIRECTORY, { ok: false, command, error: failure.toError(), ...extra })
    } else {
      const { renderFailure } = await import('./text/render.ts')
      surroundings.stderr.write(renderFailure(failure, { ...surroundings, locale }))
    }
    return EXITS[failure.exit]
  }

  async function parse() {
    let written = ''
    let chosen: { readonly command: CommandName | 'mcp'; readonly run: Run } | null = null
    const program = createProgram(words, (name, run) => {
      chosen = { command: name, run }
    })
    const writeOut = (text: string) => {
      written += text
    }
    const silent = { writeOut, writeErr: () => {} }
    for (const one of [program, ...program.commands] as Pick<Program, 'exitOverride' | 'configureOutput'>[])
      one.exitOverride().configureOutput({ ...silent, getOutHelpWidth: () => surroundings.stdout.columns ?? 80 })
    try {
      await program.parseAsync(argv, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      if (error.code === 'commander.helpDisplayed') return { help: written }
      if (error.code === 'commander.version') return { version: manifest.version }
      throw usageFailure(error, argv)
    }
    const { command, run } = chosen!
    return { command, run, options: program.opts() satisfies RunOptions }
  }

  /** Rejects when a person cancels what can be left as it is. */
  function cancelled(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>()
    const onAbort = () => {
      if (!session?.isWorking) reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    return promise
  }

  return {
    /** @returns the exit code; never rejects */
    async finish(): Promise<number> {
      const code = await Promise.race([start(), cancelled()]).catch(fail)
      // What goes on in the host is rolled back before the process ends.
      await session?.close().catch(() => {})
      await writer.flushed()
      return code
    },
    /** Ends it with an error at once, such as one that nobody caught. */
    async crash(error: unknown): Promise<number> {
      const code = await fail(error)
      await writer.flushed()
      return code
    },
  }
}

/** Whether it was typed as an option: what follows `--` is none. */
function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag)
}

function usageFailure({ code, message }: CommanderError, argv: readonly string[]): Failure {
  const [name = ''] = argv.filter((word) => /^[a-z]+$/.test(word))
  const isCommand = code !== 'commander.unknownCommand' && name !== ''
  const next = `plugmark ${isCommand ? `${name} ` : ''}--help`
  return new Failure('usage', ({ usage }) => usage(code, message.replace(/^error: /, '')), { next })
}

function toFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure) return error
  if (signal.aborted) return new Failure('cancelled', ({ failures }) => failures.cancelled)
  const message = error instanceof Error ? error.message : String(error)
  return new Failure('internal', ({ failures }) => failures.internal(message))
}
