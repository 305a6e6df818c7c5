import { CommanderError } from '@commander-js/extra-typings'
import type { Locale } from '@plugmark/shared/i18n/locale'
import { commandLine } from './command-line.ts'
import type { CommandName, DataOf } from './documents.ts'
import { EXITS } from './exit-codes.ts'
import { Failure, toFailure } from './failure.ts'
import { terminalLocale } from './locale.ts'
import manifest from './package.json' with { type: 'json' }
import { createProgram } from './program.ts'
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
  const json = hasFlag(argv, '--json')
  // Programs read English.
  let locale: Locale = json ? 'en' : terminalLocale(surroundings.env)
  const writer = createWriter(surroundings.stdout)
  let session: Session | null = null
  let command: CommandName | 'mcp' | null = null

  async function start(): Promise<number> {
    const chosen = await parse()
    if ('help' in chosen) await answer('help', { text: chosen.help }, () => chosen.help)
    else if ('version' in chosen) await answer('version', chosen, () => `${chosen.version}\n`)
    else await chosen.run()
    return EXITS.done
  }

  function answerJson<K extends CommandName>(command: K, data: DataOf<K>) {
    writer.document(session?.directory ?? NO_DIRECTORY, { ok: true, command, data })
  }

  async function answer<K extends CommandName>(name: K, data: DataOf<K>, toText: () => string | Promise<string>) {
    if (json) return answerJson(name, data)
    const text = await toText()
    session?.progress.end()
    writer.text(text)
  }

  async function fail(error: unknown): Promise<number> {
    const failure = toFailure(error, signal, session)
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

  type Chosen = { readonly help: string } | { readonly version: string } | { readonly run: () => Promise<void> }

  async function parse(): Promise<Chosen> {
    let written = ''
    let run: (() => Promise<void>) | null = null
    const open = (): Session => {
      session = createSession(surroundings, program.opts() satisfies RunOptions, { locale, signal })
      return session
    }
    const program = createProgram(wordsOf(locale), {
      onCommand(name, perform) {
        run = async () => {
          const session = open()
          const { data, lines, isDocument } = await perform(session)
          if (isDocument) answerJson(name, data)
          else if (lines) for (const line of lines) writer.text(`${JSON.stringify(line)}\n`)
          else
            await answer(name, data, async () => {
              const { render } = await import('./text/render.ts')
              return render(name, data, { ...surroundings, locale, directory: session.directory })
            })
        }
      },
      onMcp(perform) {
        locale = 'en'
        run = () => perform(open())
      },
    })
    const output = {
      writeOut(text: string) {
        written += text
      },
      writeErr() {},
      getOutHelpWidth: () => surroundings.stdout.columns ?? 80,
    }
    for (const one of [program, ...program.commands]) one.configureOutput(output).exitOverride()
    // Known before the rest of the command line is read, which may be wrong.
    program.hook('preSubcommand', (_, chosen) => {
      command = chosen.name() as CommandName | 'mcp'
    })
    try {
      await program.parseAsync(argv, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      // The program without a command ends with its help, too, but as an error.
      if (error.exitCode === 0)
        return error.code === 'commander.version' ? { version: manifest.version } : { help: written }
      throw usageFailure(error, command)
    }
    return { run: run! }
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

function usageFailure({ code, message }: CommanderError, command: string | null): Failure {
  const next = commandLine('plugmark', ...(command === null ? [] : [command]), '--help')
  return new Failure('usage', ({ usage }) => usage(code, message.replace(/^error: /, '')), { next })
}
