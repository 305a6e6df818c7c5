import { Command, type CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings'
import { DOUBTFUL_VERDICTS } from '@plugmark/shared/contract'
import type { ChangeAction } from '../client/store-client.ts'
import { SETTINGS } from './cli-settings.ts'
import type { ChangeOptions } from './commands/change.ts'
import type { DiffOptions } from './commands/diff.ts'
import type { TryOptions } from './commands/doctor.ts'
import type { SearchOptions } from './commands/search.ts'
import type { ShowOptions } from './commands/show.ts'
import type { CommandName, DataOf } from './documents.ts'
import { Failure } from './failure.ts'
import manifest from './package.json' with { type: 'json' }
import type { Profiled, Session } from './session.ts'
import { items, widthOf, wrapped } from './text/columns.ts'
import { styleFor } from './text/terminal.ts'
import { en } from './words/en.ts'
import type { Words } from './words/index.ts'

/** Commands that end with a document. */
export type Answering = Exclude<CommandName, 'help' | 'version'>

/**
 * Receives the chosen command. The result of `mcp` is undefined: it speaks a protocol of its own on standard output.
 */
export type Choose = <K extends Answering>(
  command: K | 'mcp',
  run: (session: Session) => Promise<DataOf<K> | undefined>,
) => void

/** Width of the help outside of a terminal. */
export const HELP_COLUMNS = 80

/** Names that people know from other package managers. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  show: ['info', 'view'],
  list: ['ls'],
  install: ['add', 'i'],
  update: ['upgrade'],
  remove: ['uninstall', 'rm'],
}
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

interface OptionDefinition {
  readonly flags: string
  readonly choices?: readonly string[]
  /** True if it may be repeated. */
  readonly repeats?: boolean
  readonly parse?: (text: string) => unknown
  readonly fallback?: unknown
}

/** Options by the key of their description. */
const OPTIONS = {
  profile: { flags: '-p, --profile <name>' },
  all: { flags: '-a, --all' },
  updateAll: { flags: '-a, --all' },
  includeSetAside: { flags: '--include-set-aside' },
  notes: { flags: '--notes' },
  limit: { flags: '-n, --limit <count>', parse: count, fallback: 20 },
  what: { flags: '--what <page>', choices: ['page', 'source', 'releases'] },
  unset: { flags: '--unset' },
  unlisted: { flags: '--unlisted' },
  run: { flags: '--run' },
  allowVerdict: { flags: '--allow-verdict <result>', choices: DOUBTFUL_VERDICTS },
  allowBuild: { flags: '--allow-build <name@version>', repeats: true },
  accept: { flags: '--accept <code>' },
  dryRun: { flags: '--dry-run' },
  check: { flags: '--check' },
  exact: { flags: '--exact' },
  frozen: { flags: '--frozen' },
  reason: { flags: '--reason <text>' },
  fix: { flags: '--fix' },
  refresh: { flags: '--refresh' },
  replace: { flags: '--replace' },
} as const satisfies Readonly<Partial<Record<keyof Words['options'], OptionDefinition>>>

interface CommandDefinition {
  readonly group: keyof Words['groups']
  readonly args?: readonly (readonly [
    written: string,
    description: keyof Words['arguments'],
    choices?: readonly string[],
  ])[]
  readonly options?: readonly (keyof typeof OPTIONS)[]
  /** True if it can change a profile. */
  readonly changes?: boolean
  readonly examples: readonly string[]
  /**
   * Runs the command with its arguments and options.
   *
   * @returns its data
   */
  // biome-ignore lint/suspicious/noExplicitAny: each names what commander parsed for it
  readonly run: (session: Session, ...given: any[]) => Promise<unknown>
}

/** Chapters of commands. A command is loaded when it runs, so that the program starts at once. */
const show = () => import('./commands/show.ts')
const profile = () => import('./commands/profile.ts')
const doctor = () => import('./commands/doctor.ts')
const locks = () => import('./commands/lock.ts')

const change =
  (action: ChangeAction) =>
  async (session: Session, ids: string[], options: ChangeOptions): Promise<unknown> =>
    (await import('./commands/change.ts')).change(session, action, ids, options)
const turn =
  (enabled: boolean) =>
  async (session: Session, id: string, options: Profiled): Promise<unknown> =>
    (await profile()).switchPlugin(session, id, { ...options, enabled })

/** Every command, in the order of the help. */
const COMMANDS: Readonly<Record<Answering | 'mcp', CommandDefinition>> = {
  search: {
    group: 'common',
    args: [['[words...]', 'words']],
    options: ['all', 'limit', 'profile'],
    examples: [
      'plugmark search memory',
      'plugmark search category:theme stars:100 --limit 5',
      'plugmark search "notes risk:none sort:checked" --json',
    ],
    run: async (session, words: string[], options: SearchOptions) =>
      (await import('./commands/search.ts')).search(session, words, options),
  },
  show: {
    group: 'common',
    args: [['<id>', 'id']],
    options: ['profile', 'notes', 'unlisted'],
    examples: ['plugmark show owner/repo', 'plugmark show some-package --notes'],
    run: async (session, id: string, options: ShowOptions) => (await show()).show(session, id, options),
  },
  install: {
    group: 'common',
    args: [['<id...>', 'install']],
    options: ['profile', 'accept', 'allowBuild', 'allowVerdict', 'dryRun', 'unlisted'],
    changes: true,
    examples: [
      'plugmark install owner/repo --profile web',
      'plugmark install some-package --json --accept CODE',
      'plugmark install owner/one owner/two',
      'plugmark install owner/repo@1.2.3 --profile web',
      'plugmark install https://github.com/owner/repo --dry-run',
    ],
    run: change('install'),
  },
  list: {
    group: 'common',
    options: ['profile'],
    examples: ['plugmark list', 'plugmark list --json'],
    run: async (session, options: Profiled) => (await profile()).list(session, options),
  },
  update: {
    group: 'common',
    args: [['[id...]', 'id']],
    options: ['profile', 'accept', 'allowBuild', 'dryRun', 'updateAll', 'includeSetAside'],
    changes: true,
    examples: ['plugmark update --all', 'plugmark update some-package --profile web'],
    run: change('update'),
  },
  remove: {
    group: 'common',
    args: [['<id...>', 'id']],
    options: ['profile', 'accept', 'dryRun'],
    changes: true,
    examples: ['plugmark remove some-package'],
    run: change('remove'),
  },
  undo: {
    group: 'common',
    options: ['profile', 'dryRun'],
    changes: true,
    examples: ['plugmark undo --profile web', 'plugmark undo --dry-run'],
    run: async (session, options: Profiled) => (await profile()).undo(session, 'undo', options),
  },
  redo: {
    group: 'profile',
    options: ['profile', 'dryRun'],
    changes: true,
    examples: ['plugmark redo', 'plugmark redo --dry-run'],
    run: async (session, options: Profiled) => (await profile()).undo(session, 'redo', options),
  },
  doctor: {
    group: 'common',
    options: ['profile', 'fix', 'dryRun'],
    changes: true,
    examples: ['plugmark doctor', 'plugmark doctor --fix --profile web'],
    run: async (session, options: Profiled) => (await doctor()).doctor(session, options),
  },
  open: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['what'],
    examples: ['plugmark open owner/repo', 'plugmark open some-package --what releases'],
    run: async (session, id: string, options: object) => (await show()).open(session, id, options),
  },
  check: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['profile', 'unlisted', 'allowVerdict'],
    examples: ['plugmark check owner/repo --profile web', 'plugmark check some-package --json'],
    run: async (session, id: string, options: ChangeOptions) =>
      (await import('./commands/change.ts')).check(session, id, options),
  },
  outdated: {
    group: 'plugins',
    options: ['profile'],
    examples: ['plugmark outdated'],
    run: async (session, options: Profiled) => (await profile()).list(session, { ...options, outdated: true }),
  },
  diff: {
    group: 'plugins',
    args: [
      ['<id>', 'id'],
      ['[before]', 'before'],
      ['[after]', 'after'],
    ],
    options: ['profile', 'unlisted'],
    examples: ['plugmark diff some-package', 'plugmark diff some-package 1.0.0 1.1.0 --json'],
    run: async (
      session,
      id: string,
      before: string | undefined,
      after: string | undefined,
      options: Omit<DiffOptions, 'before' | 'after'>,
    ) => (await import('./commands/diff.ts')).diff(session, id, { ...options, before, after }),
  },
  enable: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['profile', 'dryRun'],
    changes: true,
    examples: ['plugmark enable some-package'],
    run: turn(true),
  },
  disable: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['profile', 'dryRun'],
    changes: true,
    examples: ['plugmark disable owner/repo --profile web'],
    run: turn(false),
  },
  hold: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['profile', 'reason', 'dryRun'],
    changes: true,
    examples: ['plugmark hold some-package --reason "1.3 breaks the sidebar"'],
    run: async (session, id: string, options: Profiled) =>
      (await profile()).hold(session, id, { ...options, held: true }),
  },
  unhold: {
    group: 'plugins',
    args: [['<id>', 'id']],
    options: ['profile', 'dryRun'],
    changes: true,
    examples: ['plugmark unhold some-package'],
    run: async (session, id: string, options: Profiled) =>
      (await profile()).hold(session, id, { ...options, held: false }),
  },
  try: {
    group: 'plugins',
    args: [['<spec>', 'spec']],
    options: ['unlisted', 'run'],
    examples: ['plugmark try owner/repo', 'plugmark try ./my-plugin --harness ~/next/dsh --run --json'],
    run: async (session, spec: string, options: TryOptions) => (await doctor()).tryCommand(session, spec, options),
  },
  history: {
    group: 'profile',
    args: [['[job]', 'job']],
    options: ['profile', 'limit'],
    examples: ['plugmark history', 'plugmark history 3f2a91c0', 'plugmark history --json'],
    run: async (session, job: string | undefined, options: Profiled & { readonly limit: number }) =>
      (await profile()).history(session, job, options),
  },
  audit: {
    group: 'profile',
    options: ['profile'],
    examples: ['plugmark audit --profile web', 'plugmark audit --json'],
    run: async (session, options: Profiled) => (await profile()).audit(session, options),
  },
  lock: {
    group: 'profile',
    args: [['[file]', 'lock']],
    options: ['profile', 'check'],
    examples: ['plugmark lock', 'plugmark lock team.lock.json', 'plugmark lock --check'],
    run: async (session, file: string | undefined, options: Profiled) => (await locks()).lock(session, file, options),
  },
  sync: {
    group: 'profile',
    args: [['[file]', 'sync']],
    options: ['profile', 'accept', 'allowBuild', 'allowVerdict', 'dryRun', 'exact', 'frozen'],
    changes: true,
    examples: ['plugmark sync', 'plugmark sync plugins.txt --dry-run', 'plugmark sync --exact --frozen'],
    run: async (session, file: string | undefined, options: ChangeOptions) =>
      (await locks()).sync(session, file, options),
  },
  'upgrade-check': {
    group: 'profile',
    args: [['[version]', 'version']],
    options: ['profile'],
    examples: ['plugmark upgrade-check 0.2.1', 'plugmark upgrade-check --harness ~/next/dsh --json'],
    run: async (session, version: string | undefined, options: Profiled) =>
      (await doctor()).upgradeCheck(session, version, options),
  },
  mcp: {
    group: 'programs',
    examples: ['plugmark mcp'],
    run: async (session) => {
      if (session.json) throw new Failure('usage', ({ failures }) => failures.mcpWithJson)
      if (session.canAsk) session.progress.warn(session.words.mcpAtTerminal)
      await (await import('./mcp.ts')).serveMcp(session)
    },
  },
  capabilities: {
    group: 'programs',
    examples: ['plugmark capabilities --json'],
    run: async () => (await import('./commands/describe.ts')).capabilities(described()),
  },
  index: {
    group: 'programs',
    options: ['refresh', 'replace'],
    examples: ['plugmark index --refresh', 'plugmark index --json'],
    run: async (session, options: { readonly refresh?: boolean; readonly replace?: boolean }) =>
      (await show()).index(session, options),
  },
  config: {
    group: 'program',
    args: [
      ['[key]', 'key', SETTINGS],
      ['[value]', 'value'],
    ],
    options: ['unset'],
    examples: ['plugmark config', 'plugmark config profile web', 'plugmark config registry --unset'],
    run: async (session, key: string | undefined, value: string | undefined, options: object) =>
      (await import('./commands/config.ts')).config(session, key, value, options),
  },
  completions: {
    group: 'program',
    args: [['[shell]', 'shell', SHELLS]],
    examples: ['source <(plugmark completions bash)', 'plugmark completions fish | source'],
    run: async (_, shell: (typeof SHELLS)[number] | undefined) => {
      if (shell === undefined)
        throw new Failure('usage', ({ failures }) => failures.nameShell(SHELLS.join(', ')), {
          next: 'plugmark completions bash',
        })
      return { script: (await import('./completion-scripts.ts')).COMPLETION_SCRIPTS[shell] }
    },
  },
}

/**
 * Creates the command line.
 *
 * @param choose undefined to describe the command line only
 */
export function createProgram(words: Words, choose?: Choose) {
  const program = withGlobalOptions(new Command(manifest.name), words)
  for (const [name, definition] of Object.entries(COMMANDS) as [keyof typeof COMMANDS, CommandDefinition][]) {
    const { group, args = [], options = [] } = definition
    const command = program
      .command(name)
      .summary(words.commands[name])
      .description((words.descriptions as Readonly<Record<string, string>>)[name] ?? words.commands[name])
      .aliases([...(ALIASES[name] ?? [])])
      .helpGroup(words.groups[group])
      .helpOption('-h, --help', words.options.help)
      .addHelpText('after', ({ command }) =>
        ['', ...examples(definition.examples, words), '', ...wrapped(words.moreOptions, columnsOf(command))].join('\n'),
      )
    for (const [written, description, choices] of args) {
      const argument = program.createArgument(written, words.arguments[description])
      command.addArgument(choices ? argument.choices(choices) : argument)
    }
    for (const key of options) command.addOption(optionOf(OPTIONS[key], words.options[key]))
    // The last of what is given is the command itself.
    command.action((...given: unknown[]) => {
      choose?.(name, async (session) => (await definition.run(session, ...given.slice(0, -1))) as never)
    })
  }
  return program
}

/** Returns which plugins the first argument of a command names: those of the directory or of a profile; null for none. */
export function namedBy(typed: string): 'listing' | 'installed' | null {
  const name = Object.keys(ALIASES).find((name) => ALIASES[name]!.includes(typed)) ?? typed
  const { args = [], changes } = (COMMANDS as Readonly<Record<string, CommandDefinition>>)[name] ?? {}
  const described = args[0]?.[1]
  if (described === 'install') return 'listing'
  return described === 'id' ? (changes ? 'installed' : 'listing') : null
}

export type Program = ReturnType<typeof createProgram>

function withGlobalOptions(program: Command, words: Words) {
  const { options, commands } = words
  return program
    .description(words.about)
    .usage('<command> [options]')
    .commandsGroup(words.groups.program)
    .optionsGroup(EVERYWHERE)
    .version(manifest.version, '-V, --version', options.version)
    .helpOption('-h, --help', options.help)
    .helpCommand('help [command]', commands.help)
    .option('--json', options.json)
    .option('--events', options.events)
    .option('--directory <url>', options.directory)
    .option('--harness <path>', options.harness)
    .option('--home <path>', options.home)
    .option('-q, --quiet', options.quiet)
    .option('--verbose', options.verbose)
    .addOption(new Option('--color <when>', options.color).choices(['auto', 'always', 'never'] as const))
    .configureHelp({
      // Chinese has no spaces, and its characters take two columns.
      displayWidth: widthOf,
      boxWrap: (text, width) => wrapped(text, width).join('\n'),
      styleTitle: (title) => heading((words.titles as Readonly<Record<string, string>>)[title] ?? title),
      formatItemList: (title, list, help) => (title === EVERYWHERE ? [] : HELP.formatItemList(title, list, help)),
      optionDescription: (option) => words.described(option),
      argumentDescription: (argument) => words.described(argument),
      subcommandTerm: (command) => command.name(),
      padWidth: (command, help) =>
        command.parent === null ? help.longestSubcommandTermLength(command, help) : HELP.padWidth(command, help),
      formatItem: (term, width, description, { helpWidth }) =>
        items([[term, description]], helpWidth ?? HELP_COLUMNS, width).join('\n'),
    })
    .showSuggestionAfterError(true)
    .addHelpText('after', ({ command }) => {
      const topics = [heading(words.titles.topics), ...items(Object.entries(words.helpTopics), columnsOf(command))]
      return ['', ...topics, '', ...examples(FIRST_STEPS, words)].join('\n')
    })
}

/** Group of the options that every command takes, which are a topic of the help. */
const EVERYWHERE = 'everywhere'
const FIRST_STEPS = ['plugmark search notes', 'plugmark install owner/repo', 'plugmark help install']
const examples = (lines: readonly string[], { titles }: Words): string[] => [
  heading(titles.examples),
  ...lines.map((line) => `  $ ${line}`),
]

const columnsOf = (command: CommandUnknownOpts): number => command.configureOutput().getOutHelpWidth?.() ?? HELP_COLUMNS
const HELP = new Help()
/** Styles a heading of the help; commander removes the style where there is no colour. */
const heading = styleFor({}, {}, 'always').bold

function optionOf({ flags, choices, repeats, parse, fallback }: OptionDefinition, description: string): Option {
  const option = new Option(flags, description)
  if (choices) option.choices(choices)
  if (fallback !== undefined) option.default(fallback)
  if (parse) option.argParser(parse)
  if (repeats) option.argParser((value: string, before: string[] = []) => [...before, value])
  return option
}

function count(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new Failure('usage', ({ failures }) => failures.limit(text))
}

/** Returns the program's description of itself, in English. */
function described(): Pick<DataOf<'capabilities'>, 'commands' | 'globalOptions'> {
  const program = createProgram(en)
  const optionsOf = (of: Pick<Program, 'options'>) =>
    of.options.map(({ flags, description, argChoices }) => ({ flags, description, choices: argChoices ?? null }))
  return {
    globalOptions: optionsOf(program),
    commands: program.commands.map((command) => {
      const name = command.name()
      const { changes = false, examples = [] } = COMMANDS[name as keyof typeof COMMANDS] ?? {}
      return {
        name,
        aliases: [...command.aliases()],
        summary: command.summary(),
        arguments: command.registeredArguments.map((argument) => ({
          name: argument.name(),
          required: argument.required,
          variadic: argument.variadic,
          description: argument.description,
        })),
        options: optionsOf(command as never),
        examples: [...examples],
        changes,
      }
    }),
  }
}
