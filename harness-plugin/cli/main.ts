import { CommanderError } from '@commander-js/extra-typings'
import type { Locale } from '@plugmark/shared/i18n/locale'
import { commandLine, readStoredSettings, type StoredSettings, terminalLocale } from './cli-settings.ts'
import type { CommandName, DataOf, DirectoryInfo } from './documents.ts'
import { EXITS, Failure, toFailure } from './failure.ts'
import manifest from './package.json' with { type: 'json' }
import { type Answering, createProgram, HELP_COLUMNS, type Program } from './program.ts'
import { NO_DIRECTORY, type RunOptions, Session, type Surroundings } from './session.ts'
import { isColoured } from './text/terminal.ts'
import { wordsOf } from './words/index.ts'
import { createWriter, oneLine, type Writer } from './writer.ts'

/** Time for a reader to take what is left after the user has cancelled, in ms. */
const FLUSH_TIMEOUT_MS = 500
/** Longest line of the help, in columns: longer ones are hard to read. */
const MOST_HELP_COLUMNS = 100

type CommandLine = { readonly help: string } | { readonly version: string } | { readonly run: () => Promise<void> }

/** One run of the program. With `--json`, it writes exactly one document, whatever happens. */
export class Run {
  readonly #args: readonly string[]
  readonly #surroundings: Surroundings
  readonly #signal: AbortSignal
  readonly #json: boolean
  readonly #output: Writer
  readonly #errors: Writer
  #locale: Locale
  #session: Session | null = null
  #hasDocument = false
  #command: CommandName | 'mcp' | null = null
  /** Returns the options of the command, as far as they were parsed. */
  #typed: () => { readonly profile?: string; readonly dryRun?: boolean } = () => ({})

  /**
   * @param argv typed arguments, without program and script
   * @param signal aborted when the user cancels; a job that runs is then rolled back first
   */
  constructor(argv: readonly string[], surroundings: Surroundings, signal: AbortSignal) {
    // An argument that an error quotes stays on its line.
    this.#args = isForVersion(argv) ? ['--version'] : argv.map(oneLine)
    this.#surroundings = surroundings
    this.#signal = signal
    this.#json = hasFlag(this.#args, '--json')
    // Programs read English.
    this.#locale = this.#json ? 'en' : terminalLocale(surroundings.env)
    this.#output = createWriter(surroundings.stdout)
    this.#errors = createWriter(surroundings.stderr)
  }

  /** Finishes the run. @returns the exit code; never rejects */
  async finish(): Promise<number> {
    const code = await Promise.race([this.#start(), this.#cancelled()]).catch((error) => this.#fail(error))
    // After the result, which nobody waits for then.
    const { unprepared = null } = this.#session ?? {}
    if (unprepared && !this.#signal.aborted)
      await import('./commands/search.ts')
        .then((search) => search.prepareSearch(this.#session!, unprepared))
        .catch(() => {})
    // Jobs of the host are rolled back before the process ends.
    await this.#session?.close().catch(() => {})
    return this.#flush(code)
  }

  /** Ends the run at once with an error, such as one that nobody caught. */
  async crash(error: unknown): Promise<number> {
    return this.#flush(await this.#fail(error))
  }

  async #start(): Promise<number> {
    const { node = process.versions.node } = this.#surroundings
    if (isTooOld(node)) throw new Failure('node-too-old', ({ failures }) => failures.nodeTooOld(node))
    const chosen = await this.#parse()
    if ('help' in chosen) await this.#answer('help', { text: chosen.help }, () => chosen.help)
    else if ('version' in chosen) await this.#answer('version', chosen, () => `${chosen.version}\n`)
    else await chosen.run()
    return EXITS.done
  }

  async #parse(): Promise<CommandLine> {
    let written = ''
    let helpAsError = ''
    let run: (() => Promise<void>) | null = null
    const program = createProgram(wordsOf(this.#locale), (name, perform) => {
      this.#command = name
      if (name === 'mcp') this.#locale = 'en'
      run = async () => {
        const session = this.#open(program)
        const result = await perform(session)
        if (result !== undefined && name !== 'mcp') await this.#show(name, result)
      }
    })
    const { stdout, env } = this.#surroundings
    const hasColors = () => !this.#json && isColoured(stdout, env, program.opts().color)
    const toText = {
      writeOut(text: string) {
        written += withoutWideSpace(text)
      },
      writeErr(text: string) {
        helpAsError += withoutWideSpace(text)
      },
      getOutHelpWidth: () => this.#helpColumns,
      getErrHelpWidth: () => this.#helpColumns,
      getOutHasColors: hasColors,
      getErrHasColors: hasColors,
    }
    for (const one of [program, ...program.commands]) one.configureOutput(toText).exitOverride()
    // The rest of the command line may be wrong.
    program.hook('preSubcommand', (_, chosen) => {
      this.#command = chosen.name() as CommandName | 'mcp'
      this.#typed = () => chosen.opts()
    })
    try {
      await program.parseAsync(this.#args, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      const topic = this.#command === null && error.code !== 'commander.version' ? await this.#readTopic(program) : null
      return topic === null ? this.#readUsage(error, { written, helpAsError }) : { help: topic }
    }
    return { run: run! }
  }

  /** Returns the requested help or version. @throws Failure for a wrong command line */
  async #readUsage(
    error: CommanderError,
    { written, helpAsError }: { readonly written: string; readonly helpAsError: string },
  ): Promise<CommandLine> {
    if (error.code === 'commander.version') return { version: manifest.version }
    // The program shows its help when no command was typed.
    if (error.code === 'commander.help') return { help: written || helpAsError }
    if (error.exitCode === 0) return { help: written }
    const { code, message } = error
    const [, typed = '', meant] = /unknown option '(--[\w-]+)'.*\(Did you mean (--[\w-]+)\?\)/s.exec(message) ?? []
    const words = this.#args.map((arg) => (arg.split('=')[0] === typed ? arg.replace(typed, () => meant!) : arg))
    // It stands behind the command, as any other option of one; a step agrees to nothing.
    const [first = '', ...rest] = this.#args
    const size = first.includes('=') ? 0 : 1
    const behind = /^--profile(?:=|$)/.test(first) ? [...rest.slice(size), first, ...rest.slice(0, size)] : null
    const step = meant === undefined ? behind : words
    throw new Failure('usage', ({ usage }) => usage(code, message.replace(/^error: /, '')), {
      next: step && (await taken(step)),
    })
  }

  /** Returns the text of a topic of the help. @throws Failure for an unknown command, whatever else was typed */
  async #readTopic(program: Program): Promise<string | null> {
    const [first, second] = operandsOf(program, this.#args)
    const named = first === 'help' ? second : first
    const names = program.commands.flatMap((one) => [one.name(), ...one.aliases()])
    if (named === undefined || named === 'help' || names.includes(named)) return null
    const words = wordsOf(this.#locale)
    const options = program.options.map((option) => [option.flags, words.described(option)] as const)
    const { helpTopic } = await import('./commands/describe.ts')
    const help = first === 'help' ? helpTopic(named, words, { options, columns: this.#helpColumns }) : null
    if (help !== null) return help
    const { isOneEditApart } = await import('../search/spelling.ts')
    const meant = names.find((known) => known.length > 2 && isOneEditApart(named.toLowerCase(), known)) ?? null
    const next =
      meant &&
      ((await taken(this.#replaced(first === 'help' ? 1 : 0, meant))) ?? commandLine('plugmark', meant, '--help'))
    throw new Failure('usage', ({ failures }) => failures.unknownCommand(named, meant), { next })
  }

  #open(program: Program): Session {
    const given = { locale: this.#locale, signal: this.#signal, errors: this.#errors, argv: this.#args }
    const open = (stored: StoredSettings) =>
      new Session(this.#surroundings, program.opts() satisfies RunOptions, { ...given, stored })
    const stored = readStoredSettings(this.#surroundings.env)
    try {
      this.#session = open(stored)
    } catch (error) {
      if (this.#command !== 'config') throw error
      // A stored setting that nothing else can use can be changed all the same.
      this.#session = open({})
    }
    return this.#session
  }

  get #helpColumns(): number {
    return Math.min(this.#surroundings.stdout.columns || HELP_COLUMNS, MOST_HELP_COLUMNS)
  }

  get #page() {
    return {
      ...this.#surroundings,
      locale: this.#locale,
      color: this.#session?.color ?? ('auto' as const),
      verbose: this.#session?.verbose ?? false,
    }
  }

  get #directory(): DirectoryInfo {
    return this.#session?.directory ?? NO_DIRECTORY
  }

  async #show<K extends Answering>(name: K, data: DataOf<K>): Promise<void> {
    await this.#answer(name, data, async () => {
      const { render } = await import('./text/render.ts')
      const { text, notes } = render(name, data, { ...this.#page, directory: this.#directory })
      for (const note of notes) this.#session?.progress.note(note)
      return text
    })
  }

  async #answer<K extends CommandName>(
    name: K,
    data: DataOf<K>,
    toText: () => string | Promise<string>,
  ): Promise<void> {
    const text = this.#json ? '' : await toText()
    // The document may be at the same terminal.
    this.#session?.progress.end()
    if (this.#json) this.#writeDocument({ ok: true, command: name }, { data })
    else this.#output.text(text)
  }

  /** Writes the document of this run; only the first one. */
  #writeDocument(head: { readonly ok: boolean; readonly command: string | null }, body: object): void {
    if (this.#hasDocument) return
    this.#hasDocument = true
    this.#output.json({ schema: 1, ...head, directory: this.#directory, ...body })
  }

  async #fail(error: unknown): Promise<number> {
    const failure = this.#withNext(toFailure(error, this.#signal, this.#session))
    const { data } = failure
    if (failure.code === 'cancelled') this.#session?.progress.end()
    else this.#session?.progress.fail()
    if (this.#json) {
      const extra = data === undefined ? {} : { data }
      this.#writeDocument({ ok: false, command: this.#command }, { error: failure.toError(), ...extra })
    } else {
      const isDryRun = failure.code === 'skipped' && this.#typed().dryRun === true
      // What was found is a result all the same: a dry run shows it, and a program reads it.
      if (isDryRun || (failure.code === 'drifted' && this.#surroundings.stdout.isTTY !== true))
        await this.#show(this.#command as Answering, data as DataOf<Answering>)
      const said = isDryRun ? failure.with({ data: undefined }) : failure
      const text = import('./text/render.ts').then(({ renderFailure }) => renderFailure(said, this.#page))
      // A program that cannot even load its own parts still says why it ends.
      this.#errors.text(await text.catch(() => `${wordsOf(this.#locale).failed}${oneLine(failure.message)}\n`))
    }
    return EXITS[failure.exit]
  }

  /** Returns a failure with the next step that only the typed command line knows. */
  #withNext(failure: Failure): Failure {
    const next = this.#suggested(failure) ?? this.#help(failure) ?? this.#placed(failure)
    return next === null ? failure : new Failure(failure.code, failure.text, { next, data: failure.data })
  }

  /** Returns the typed command with what was probably meant in place of the one name that was typed. */
  #suggested({ code, data }: Failure): string | null {
    // A sync is given a file.
    if (this.#command === 'sync') return null
    if (this.#command === 'search') return this.#corrected(data)
    if (!['unknown-listing', 'ambiguous', 'not-installed', 'no-such-version'].includes(code)) return null
    const [suggestion] = (data as { readonly suggestions?: readonly string[] } | undefined)?.suggestions ?? []
    if (suggestion === undefined || this.#operands().length !== 2) return null
    return commandLine('plugmark', ...this.#replaced(1, suggestion))
  }

  readonly #operands = (args = this.#args) => operandsOf(createProgram(wordsOf(this.#locale)), args)

  /** Returns the typed arguments with another word as the operand at a place. */
  #replaced(place: number, word: string): readonly string[] {
    const typed = this.#operands()[place]
    // An option can have the same value.
    return this.#args
      .map((_, at) => this.#args.with(at, word))
      .find((words, at) => this.#args[at] === typed && this.#operands(words)[place] === word)!
  }

  /** Returns the typed search with the filter that was probably meant. */
  #corrected(data: unknown): string | null {
    const { typed, suggestions: [meant] = [] } = (data ?? {}) as { typed?: string; suggestions?: readonly string[] }
    if (typed === undefined || meant === undefined) return null
    const words = this.#args.map((arg) => arg.replaceAll(typed, () => meant))
    return words.join() === this.#args.join() ? null : commandLine('plugmark', ...words)
  }

  /** Returns the help of the command, for a wrong command line without another step. */
  #help({ code, next }: Failure): string | null {
    if (code !== 'usage' || next !== null) return null
    return commandLine('plugmark', ...(this.#command === null ? [] : [this.#command]), '--help')
  }

  /** Returns a next step that names no place with the typed profile and global options: another would be the wrong one. */
  #placed({ next }: Failure): string | null {
    const isBare = typeof next === 'string' && /^plugmark (?:audit|doctor|history|list)(?: --fix)?$/.test(next)
    if (!isBare || this.#session === null) return null
    const { profile } = this.#typed()
    return this.#session.command(...next.split(' ').slice(1), ...(profile === undefined ? [] : ['--profile', profile]))
  }

  /** Rejects when the user cancels work that needs no rollback. */
  #cancelled(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#signal.addEventListener('abort', () => {
      if (!this.#session?.isWorking) reject(this.#signal.reason)
    })
    return promise
  }

  /** Flushes the output. @returns the exit code, or that of a write error */
  async #flush(code: number): Promise<number> {
    if (!(await this.#flushed())) return EXITS.cancelled
    const { failure } = this.#output
    if (failure !== null) {
      const { failed, failures } = wordsOf(this.#locale)
      this.#errors.text(`${failed}${failures.notWritten(failure.message)}\n`)
    }
    await this.#errors.flushed()
    return failure !== null && code === EXITS.done ? EXITS.failed : code
  }

  /** Resolves when everything was written; to false when the run is cancelled and the rest is not read. */
  async #flushed(): Promise<boolean> {
    const { promise: abandoned, resolve } = Promise.withResolvers<boolean>()
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(resolve, FLUSH_TIMEOUT_MS, false)
    }
    if (this.#signal.aborted) onAbort()
    else this.#signal.addEventListener('abort', onAbort)
    const all = Promise.all([this.#output.flushed(), this.#errors.flushed()]).then(() => true)
    return Promise.race([all, abandoned]).finally(() => {
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', onAbort)
    })
  }
}

/** Returns true for what other programs take for `--version`. */
const isForVersion = (argv: readonly string[]): boolean => argv.length === 1 && /^(?:-v|version)$/.test(argv[0]!)

/** Leaves out the space that commander writes behind a colon, which in Chinese is as wide as two characters. */
const withoutWideSpace = (text: string): string => text.replace(/：((?:\u001b\[\d+m)*) /g, '：$1')

/** Returns true if an option was typed before `--`, after which there are none. */
const hasFlag = (argv: readonly string[], flag: string): boolean => {
  const at = argv.indexOf(flag)
  return at >= 0 && !argv.slice(0, at).includes('--')
}

/** Returns true for a version of Node below the one that package.json requires. */
function isTooOld(version: string): boolean {
  const [, major, minor] = /^>=(\d+)\.(\d+)/.exec(manifest.engines.node)!.map(Number)
  const [nodeMajor = 0, nodeMinor = 0] = version.split('.').map(Number)
  return nodeMajor < major! || (nodeMajor === major && nodeMinor < minor!)
}

/** Returns the command with these arguments; null if the program does not take them. Runs nothing. */
async function taken(args: readonly string[]): Promise<string | null> {
  const program = createProgram(wordsOf('en'))
  const silent = { writeOut() {}, writeErr() {} }
  for (const one of [program, ...program.commands]) one.configureOutput(silent).exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // Help is shown by an error without an exit code.
    if (!(error instanceof CommanderError && error.exitCode === 0)) return null
  }
  return commandLine('plugmark', ...args)
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
