import { CommanderError } from '@commander-js/extra-typings'
import type { Locale } from '@plugmark/shared/i18n/locale'
import { commandLine } from './command-line.ts'
import type { CommandName, DataOf } from './documents.ts'
import { EXITS } from './exit-codes.ts'
import { Failure, toFailure } from './failure.ts'
import { terminalLocale } from './locale.ts'
import manifest from './package.json' with { type: 'json' }
import { createProgram, type Program } from './program.ts'
import { createSession, NO_DIRECTORY, type RunOptions, type Session, type Surroundings } from './session.ts'
import { wordsOf } from './words/index.ts'
import { createWriter, documentWriter, oneLine } from './writer.ts'

/** Time for a reader to take what is left after a person has cancelled, in ms. */
const FLUSH_TIMEOUT_MS = 500

/**
 * Runs the program once. With `--json`, it writes exactly one document, whatever happens.
 *
 * @param argv typed arguments, without program and script
 * @param signal aborted when a person cancels; a job that runs is then rolled back first
 */
export function createRun(argv: readonly string[], surroundings: Surroundings, signal: AbortSignal) {
  // An argument that an error quotes stays on its line.
  const args = separateFields(argv.map(oneLine))
  const json = hasFlag(args, '--json')
  // Write English for programs.
  let locale: Locale = json ? 'en' : terminalLocale(surroundings.env)
  const output = createWriter(surroundings.stdout)
  const errors = createWriter(surroundings.stderr)
  const writeDocument = documentWriter(output)
  let session: Session | null = null
  let command: CommandName | 'mcp' | null = null

  const directory = () => session?.directory ?? NO_DIRECTORY
  const page = () => ({ ...surroundings, locale, color: session?.color ?? ('auto' as const) })

  async function start(): Promise<number> {
    const { node = process.versions.node } = surroundings
    if (isTooOld(node)) throw new Failure('node-too-old', ({ failures }) => failures.nodeTooOld(node))
    const chosen = await parse()
    if ('help' in chosen) await answer('help', { text: chosen.help }, () => chosen.help)
    else if ('version' in chosen) await answer('version', chosen, () => `${chosen.version}\n`)
    else await chosen.run()
    return EXITS.done
  }

  async function answerJson<K extends CommandName>(command: K, data: DataOf<K>) {
    const fields = session?.fields ?? null
    const shown = fields === null ? data : (await import('./cut-fields.ts')).cutFields(command, data, fields)
    writeDocument(directory(), { ok: true, command, data: shown })
  }

  async function answer<K extends CommandName>(name: K, data: DataOf<K>, toText: () => string | Promise<string>) {
    if (json) return answerJson(name, data)
    const text = await toText()
    session?.progress.end()
    output.text(text)
  }

  async function fail(error: unknown): Promise<number> {
    const failure = toFailure(error, signal, session)
    const { data } = failure
    session?.progress.end()
    if (json) {
      const extra = data === undefined ? {} : { data }
      writeDocument(directory(), { ok: false, command, error: failure.toError(), ...extra })
    } else {
      const render = import('./text/render.ts').then(({ renderFailure }) => renderFailure(failure, page()))
      // A program that cannot even load its own parts still says why it ends.
      errors.text(await render.catch(() => `${wordsOf(locale).failed}${oneLine(failure.message)}\n`))
    }
    return EXITS[failure.exit]
  }

  type Chosen = { readonly help: string } | { readonly version: string } | { readonly run: () => Promise<void> }

  async function parse(): Promise<Chosen> {
    let written = ''
    let helpAsError = ''
    let run: (() => Promise<void>) | null = null
    const open = (): Session => {
      session = createSession(surroundings, program.opts() satisfies RunOptions, { locale, signal, output, errors })
      return session
    }
    const program = createProgram(wordsOf(locale), {
      onCommand(name, perform) {
        command = name
        run = async () => {
          const session = open()
          const { data, lines, isDocument } = await perform(session)
          if (isDocument) await answerJson(name, data)
          else if (lines) for (const line of lines) output.json(line)
          else
            await answer(name, data, async () => {
              const { render } = await import('./text/render.ts')
              const { text, notes } = render(name, data, { ...page(), directory: session.directory })
              for (const note of notes) session.progress.note(note)
              return text
            })
        }
      },
      onMcp(perform) {
        locale = 'en'
        run = () => perform(open())
      },
    })
    const toText = {
      writeOut(text: string) {
        written += text
      },
      writeErr(text: string) {
        helpAsError += text
      },
      getOutHelpWidth: () => surroundings.stdout.columns ?? 80,
    }
    for (const one of [program, ...program.commands]) one.configureOutput(toText).exitOverride()
    // The rest of the command line may be wrong.
    program.hook('preSubcommand', (_, chosen) => {
      command = chosen.name() as CommandName | 'mcp'
    })
    const isCommand = (name: string) =>
      name === 'help' || program.commands.some((one) => one.name() === name || one.aliases().includes(name))
    try {
      await program.parseAsync(args, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      if (error.code === 'commander.version') return { version: manifest.version }
      const [first, second] = command === null ? operandsOf(program, args) : []
      const named = first === 'help' ? second : first
      const unknown = command === null && named !== undefined && !isCommand(named)
      if (unknown && first === 'help') {
        const { helpTopic } = await import('./help-topics.ts')
        const help = helpTopic(named, wordsOf(locale))
        if (help !== null) return { help }
      }
      if (unknown) throw await unknownCommand(named, program.commands)
      // The program shows its help when no command was typed.
      if (error.code === 'commander.help') return { help: written || helpAsError }
      if (error.exitCode === 0) return { help: written }
      throw usageFailure(error, command)
    }
    return { run: run! }
  }

  /** Rejects when a person cancels work that needs no rollback. */
  function cancelled(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>()
    const onAbort = () => {
      if (!session?.isWorking) reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    return promise
  }

  /** Flushes the output. @returns the exit code, or that of a write error */
  async function flush(code: number): Promise<number> {
    if (!(await flushed())) return EXITS.cancelled
    const { failure } = output
    if (failure !== null) {
      errors.text(`${wordsOf(locale).failed}${wordsOf(locale).failures.notWritten(failure.message)}\n`)
    }
    await errors.flushed()
    return failure !== null && code === EXITS.done ? EXITS.failed : code
  }

  /** Resolves when everything was written; to false when a person cancels and the reader does not read on. */
  async function flushed(): Promise<boolean> {
    const { promise: abandoned, resolve } = Promise.withResolvers<boolean>()
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(resolve, FLUSH_TIMEOUT_MS, false)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    const all = Promise.all([output.flushed(), errors.flushed()]).then(() => true)
    return Promise.race([all, abandoned]).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    })
  }

  return {
    /** Finishes the run. @returns the exit code; never rejects */
    async finish(): Promise<number> {
      const code = await Promise.race([start(), cancelled()]).catch(fail)
      // Jobs of the host are rolled back before the process ends.
      await session?.close().catch(() => {})
      return flush(code)
    },
    /** Ends the run at once with an error, such as one that nobody caught. */
    async crash(error: unknown): Promise<number> {
      return flush(await fail(error))
    },
  }
}

/** Splits the arguments at `--`, after which there are no options. */
function splitAtEnd(argv: readonly string[]): [readonly string[], readonly string[]] {
  const end = argv.indexOf('--')
  return end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end)]
}

const hasFlag = (argv: readonly string[], flag: string): boolean => splitAtEnd(argv)[0].includes(flag)

/** Splits `--json=FIELDS` into two options: a single option with an optional value would consume the next word. */
function separateFields(argv: readonly string[]): readonly string[] {
  const [options, rest] = splitAtEnd(argv)
  const separate = (word: string) =>
    word.startsWith('--json=') ? ['--json', `--fields=${word.slice('--json='.length)}`] : word
  return [...options.flatMap(separate), ...rest]
}

/** Returns true for a version of Node below the one that package.json requires. */
function isTooOld(version: string): boolean {
  const [, major, minor] = /^>=(\d+)\.(\d+)/.exec(manifest.engines.node)!.map(Number)
  const [nodeMajor = 0, nodeMinor = 0] = version.split('.').map(Number)
  return nodeMajor < major! || (nodeMajor === major && nodeMinor < minor!)
}

/** Returns the arguments that are no options; none when an option is wrong. */
function operandsOf(program: Program, args: readonly string[]): readonly string[] {
  try {
    return program.parseOptions([...args]).operands
  } catch (error) {
    if (error instanceof CommanderError) return []
    throw error
  }
}

async function unknownCommand(
  name: string,
  commands: readonly { name(): string; aliases(): readonly string[] }[],
): Promise<Failure> {
  const { isOneEditApart } = await import('../search/spelling.ts')
  const names = commands.flatMap((one) => [one.name(), ...one.aliases()])
  const suggestion = names.find((known) => isOneEditApart(name.toLowerCase(), known)) ?? null
  return new Failure('usage', ({ failures }) => failures.unknownCommand(name, suggestion), {
    next: commandLine('plugmark', '--help'),
  })
}

function usageFailure({ code, message }: CommanderError, command: string | null): Failure {
  const next = commandLine('plugmark', ...(command === null ? [] : [command]), '--help')
  return new Failure('usage', ({ usage }) => usage(code, message.replace(/^error: /, '')), { next })
}
