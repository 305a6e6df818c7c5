import { Command, Option } from '@commander-js/extra-typings'
import { DOUBTFUL_VERDICTS } from '@plugmark/shared/contract'
import type { Change } from '../client/review-change.ts'
import { FACETS } from '../search/facets.ts'
import { SETTINGS } from './cli-settings.ts'
import type { CommandName, DataOf } from './documents.ts'
import { EXAMPLES } from './examples.ts'
import { Failure } from './failure.ts'
import manifest from './package.json' with { type: 'json' }
import type { ChangeOptions } from './review-changes.ts'
import type { Session } from './session.ts'
import { widthOf, wrapped } from './text/columns.ts'
import type { Words } from './words/index.ts'

type Described = Pick<DataOf<'capabilities'>, 'commands' | 'globalOptions'>

/** Commands that end with a document. */
export type Answering = Exclude<CommandName, 'help' | 'version'>

/** Result of a command. */
export interface Result<K extends Answering> {
  readonly data: DataOf<K>
  /** True to write the document without --json too. */
  readonly isDocument?: boolean
  /** Values to write instead, one a line. */
  readonly lines?: readonly unknown[]
}

/** Receives the chosen command. */
export interface Runner {
  onCommand<K extends Answering>(command: K, run: (session: Session) => Promise<Result<K>>): void
  /** Receives `mcp`, which speaks a protocol of its own on standard output. */
  onMcp(run: (session: Session) => Promise<void>): void
}

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
const CHANGING: readonly string[] = [
  'install',
  'import',
  'update',
  'remove',
  'enable',
  'disable',
  'hold',
  'unhold',
  'doctor',
  'undo',
]
/** Names that people know from other package managers. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  show: ['info', 'view'],
  list: ['ls'],
  install: ['add', 'i'],
  update: ['upgrade'],
  remove: ['uninstall', 'rm'],
}

/**
 * Creates the command line. A command is loaded when it runs, so that the program starts at once.
 *
 * @param runner undefined to describe the command line only
 */
export function createProgram(words: Words, runner?: Runner) {
  const { commands, arguments: args, options } = words
  /** Every harness that was named; only `try` takes several. */
  const harnesses: string[] = []
  const program = new Command(manifest.name)
    .description(words.about)
    .version(manifest.version, '-V, --version', options.version)
    .helpOption('-h, --help', options.help)
    .helpCommand('help [command]', commands.help)
    .option('--json', options.json)
    .addOption(new Option('--fields <names>', options.fields).argParser((text) => text.split(',')))
    .option('--events', options.events)
    .option('--directory <url>', options.directory)
    .addOption(
      new Option('--harness <path>', options.harness).argParser((value: string) => {
        harnesses.push(value)
        return value
      }),
    )
    .option('--home <path>', options.home)
    .option('-q, --quiet', options.quiet)
    .addOption(new Option('--color <when>', options.color).choices(['auto', 'always', 'never'] as const))
    .configureHelp({
      showGlobalOptions: true,
      // Chinese has no spaces, and its characters take two columns.
      displayWidth: widthOf,
      boxWrap: (text, width) => wrapped(text, width).join('\n'),
      styleTitle: (title) => (words.titles as Readonly<Record<string, string>>)[title] ?? title,
      optionDescription: (option) => words.described(option),
      argumentDescription: (argument) => words.described(argument),
    })
    .showSuggestionAfterError(true)
    .addHelpText('after', `\n${words.helpFooter}`)

  const run: Runner['onCommand'] = (command, run) => runner?.onCommand(command, run)
  const change = (action: Change, ids: readonly string[], options: ChangeOptions) =>
    run(action, async (session) => ({
      data: await (await import('./commands/change.ts')).change(session, action, ids, options),
    }))
  const add = (name: Answering | 'mcp') =>
    program
      .command(name)
      .description(commands[name])
      .aliases([...(ALIASES[name] ?? [])])
      .helpOption('-h, --help', options.help)
      .addHelpText(
        'after',
        `\n${words.titles.examples}\n${(EXAMPLES[name] ?? []).map((text) => `  $ ${text}`).join('\n')}`,
      )
  const profile = () => new Option('-p, --profile <name>', options.profile)
  const accept = () => new Option('--accept <digest>', options.accept)
  const allowBuild = () => new Option('--allow-build <key>', options.allowBuild).argParser(collect())
  const dryRun = () => new Option('--dry-run', options.dryRun)
  const allowVerdict = () => new Option('--allow-verdict <verdict>', options.allowVerdict).choices(DOUBTFUL_VERDICTS)

  add('search')
    .argument('[words...]', args.words)
    .addOption(oneOf(new Option('-c, --category <id>', options.category), FACETS.category.values))
    .addOption(oneOf(new Option('-r, --risk <flag>', options.risk), FACETS.risk.values))
    .option('-l, --license <id>', options.license, collect())
    .option('--language <name>', options.language, collect())
    .addOption(oneOf(new Option('--fits <answer>', options.fits), FACETS.fits.values))
    .option('--ask-fits', options.askFits)
    .option('-a, --all', options.all)
    .option('-n, --limit <count>', options.limit, count, 20)
    .action((words, options) =>
      run('search', async (session) => ({
        data: await (await import('./commands/search.ts')).search(session, words, options),
      })),
    )
  add('show')
    .argument('<id>', args.id)
    .addOption(profile())
    .action((id, options) =>
      run('show', async (session) => ({ data: await (await import('./commands/show.ts')).show(session, id, options) })),
    )
  add('list')
    .addOption(profile())
    .option('-o, --outdated', options.outdated)
    .action((options) =>
      run('list', async (session) => ({ data: await (await import('./commands/list.ts')).list(session, options) })),
    )
  program
    .command('outdated')
    .description(commands.outdated)
    .addOption(profile())
    .action((options) =>
      run('list', async (session) => ({
        data: await (await import('./commands/list.ts')).list(session, { ...options, outdated: true }),
      })),
    )
  add('open')
    .argument('<id>', args.id)
    .addOption(new Option('--what <page>', options.what).choices(['page', 'source', 'releases'] as const))
    .action((id, options) =>
      run('open', async (session) => ({ data: await (await import('./commands/open.ts')).open(session, id, options) })),
    )
  add('config')
    .addArgument(program.createArgument('[key]', args.key).choices(SETTINGS))
    .argument('[value]', args.value)
    .option('--unset', options.unset)
    .action((key, value, options) =>
      run('config', async (session) => ({
        data: await (await import('./commands/config.ts')).config(session, key as string | undefined, value, options),
      })),
    )
  add('check')
    .argument('<id>', args.id)
    .addOption(profile())
    .option('--unlisted', options.unlisted)
    .addOption(allowVerdict())
    .action((id, options) =>
      run('check', async (session) => ({
        data: await (await import('./commands/change.ts')).check(session, id, options),
      })),
    )
  add('install')
    .argument('<id...>', args.install)
    .addOption(profile())
    .addOption(accept())
    .addOption(allowBuild())
    .addOption(allowVerdict())
    .addOption(dryRun())
    .option('--unlisted', options.unlisted)
    .option('--each', options.each)
    .action((ids, options) => change('install', ids, options))
  add('update')
    .argument('[id...]', args.id)
    .addOption(profile())
    .addOption(accept())
    .addOption(allowBuild())
    .addOption(dryRun())
    .option('-a, --all', options.updateAll)
    .option('--each', options.each)
    .action((ids, options) => change('update', ids, options))
  add('remove')
    .argument('<id...>', args.id)
    .addOption(profile())
    .addOption(accept())
    .addOption(dryRun())
    .option('--each', options.each)
    .action((ids, options) => change('remove', ids, options))
  for (const name of ['enable', 'disable'] as const)
    add(name)
      .argument('<id>', args.id)
      .addOption(profile())
      .addOption(dryRun())
      .action((id, options) =>
        run(name, async (session) => ({
          data: await (await import('./commands/switch.ts')).switchPlugin(session, id, {
            ...options,
            enabled: name === 'enable',
          }),
        })),
      )
  add('hold')
    .argument('<id>', args.id)
    .addOption(profile())
    .option('--reason <text>', options.reason)
    .addOption(dryRun())
    .action((id, options) =>
      run('hold', async (session) => ({ data: await (await import('./commands/hold.ts')).hold(session, id, options) })),
    )
  add('unhold')
    .argument('<id>', args.id)
    .addOption(profile())
    .addOption(dryRun())
    .action((id, options) =>
      run('unhold', async (session) => ({
        data: await (await import('./commands/hold.ts')).unhold(session, id, options),
      })),
    )
  add('export')
    .addOption(profile())
    .action((options) =>
      run('export', async (session) => ({
        data: await (await import('./commands/plugin-set.ts')).exportSet(session, options),
      })),
    )
  add('import')
    .argument('<file>', args.file)
    .addOption(profile())
    .addOption(accept())
    .addOption(allowBuild())
    .addOption(allowVerdict())
    .addOption(dryRun())
    .option('--each', options.each)
    .action((file, options) =>
      run('import', async (session) => ({
        data: await (await import('./commands/plugin-set.ts')).importSet(session, file, options),
      })),
    )
  add('doctor')
    .addOption(profile())
    .option('--fix', options.fix)
    .addOption(dryRun())
    .action((options) =>
      run('doctor', async (session) => ({
        data: await (await import('./commands/doctor.ts')).doctor(session, options),
      })),
    )
  add('undo')
    .addOption(profile())
    .addOption(dryRun())
    .action((options) =>
      run('undo', async (session) => ({ data: await (await import('./commands/undo.ts')).undo(session, options) })),
    )
  add('history')
    .argument('[job]', args.job)
    .addOption(profile())
    .option('-n, --limit <count>', options.limit, count, 20)
    .action((job, options) =>
      run('history', async (session) => ({
        data: await (await import('./commands/history.ts')).history(session, job, options),
      })),
    )
  add('try')
    .argument('<spec>', args.spec)
    .action((spec) =>
      run('try', async (session) => ({
        data: await (await import('./commands/try.ts')).tryCommand(session, spec, harnesses),
      })),
    )
  add('upgrade-check')
    .argument('[version]', args.version)
    .addOption(profile())
    .action((version, options) =>
      run('upgrade-check', async (session) => ({
        data: await (await import('./commands/upgrade-check.ts')).upgradeCheck(session, version, {
          ...options,
          harness: harnesses.at(-1),
        }),
      })),
    )
  add('index')
    .option('--refresh', options.refresh)
    .option('--replace', options.replace)
    .addOption(new Option('--format <format>', options.format).choices(['json', 'ndjson'] as const))
    .action(({ refresh, replace, format }) =>
      run('index', async (session) => {
        if (format === 'ndjson' && session.json) throw new Failure('usage', ({ failures }) => failures.formatOrJson)
        const data = await (await import('./commands/stored-index.ts')).index(session, {
          refresh: refresh === true,
          replace: replace === true,
        })
        return format === 'ndjson' ? { data, lines: data.listings } : { data, isDocument: format === 'json' }
      }),
    )
  add('capabilities').action(() =>
    run('capabilities', async () => {
      const { capabilities } = await import('./commands/capabilities.ts')
      return { data: capabilities(await described()) }
    }),
  )
  add('completions')
    .addArgument(program.createArgument('<shell>', args.shell).choices(SHELLS))
    .action((shell) =>
      run('completions', async () => ({
        data: {
          script: (await import('./completion-scripts.ts')).COMPLETION_SCRIPTS[shell as (typeof SHELLS)[number]],
        },
      })),
    )
  add('mcp').action(() =>
    runner?.onMcp(async (session) => {
      if (session.json) throw new Failure('usage', ({ failures }) => failures.mcpWithJson)
      await (await import('./mcp.ts')).serveMcp(session)
    }),
  )
  return program
}

export type Program = ReturnType<typeof createProgram>

/** Collects the values of an option that may be repeated. */
const collect =
  (parse = (value: string) => value) =>
  (value: string, before: string[] | undefined): string[] => [...(before ?? []), parse(value)]

/** Makes an option repeatable with these values only. */
function oneOf<Flags extends string>(option: Option<Flags>, values: readonly string[]) {
  const { parseArg } = option.choices(values)
  return option.argParser(collect((value) => parseArg?.(value, undefined as never) ?? value))
}

function count(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new Failure('usage', ({ failures }) => failures.limit(text))
}

/** Returns the program's description of itself, in English. */
async function described(): Promise<Described> {
  const { en } = await import('./words/en.ts')
  const program = createProgram(en)
  const optionsOf = (of: Pick<Program, 'options'>): Described['globalOptions'] =>
    of.options.map(({ flags, description, argChoices }) => ({ flags, description, choices: argChoices ?? null }))
  return {
    globalOptions: optionsOf(program),
    commands: program.commands.map((command) => ({
      name: command.name(),
      aliases: [...command.aliases()],
      summary: command.description(),
      arguments: command.registeredArguments.map((argument) => ({
        name: argument.name(),
        required: argument.required,
        variadic: argument.variadic,
        description: argument.description,
      })),
      options: optionsOf(command as never),
      examples: [...(EXAMPLES[command.name()] ?? [])],
      changes: CHANGING.includes(command.name()),
    })),
  }
}
