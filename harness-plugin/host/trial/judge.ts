import { join } from 'node:path'
import type { OutcomeKind, TrialReport } from '../../protocol/index.ts'
import type { JobContext } from '../job/context.ts'
import { homeEnvironment, runHarness } from '../job/harness-cli.ts'
import { readStdout } from '../process/run-process.ts'
import { readManifest } from '../profile/manifest.ts'
import { readProfileState } from '../profile/state.ts'
import { type Boot, bootHarness, type Started, WEB_ARGS } from './boot.ts'
import { copyProfile } from './copy.ts'
import { findOtherPlugins, neededBundles, withPluginsOff } from './other-plugins.ts'
import { findPagePartProblem } from './page-part.ts'
import { describeRow, inactiveRows, isActive, type Row } from './probe.ts'
import { readTreeChange, type TreeChange } from './tree-change.ts'

/** A tree of 200 rows has 45,000 characters. */
const MAX_TREE_LENGTH = 10_000_000
/** Longest line of the harness's output in an outcome. */
const MAX_LINE_LENGTH = 300

export interface Candidate {
  readonly context: JobContext
  /** The copy's home, and the directory of its profile. */
  readonly home: string
  readonly directory: string
  /** Packages of the plugins that are tried; none for a removal. */
  readonly plugins: readonly string[]
  /** Layers that the job added. */
  readonly added: readonly string[]
  /** Whether the profile serves a web page. */
  readonly isWeb: boolean
}

export type Verdict =
  | { readonly passed: true; readonly trial: TrialReport }
  | {
      readonly passed: false
      readonly kind: OutcomeKind
      readonly subjects: readonly string[]
      /** False when the job ended, or the harness does not start without the plugin either. */
      readonly blamesPlugin: boolean
    }

/**
 * Judges a changed copy of a profile: first by the tree that the harness composes, then by starting it. The other plugins
 * are off, as they would start a second time with the person's accounts; only if that fails are they started too.
 */
export async function judgeStart(candidate: Candidate): Promise<Verdict> {
  const { context, home, directory, plugins, added } = candidate
  const { request, output } = context
  const changes: TreeChanges = new Map()
  for (const plugin of plugins) {
    const change = await readPluginChange(candidate, plugin)
    if (change && change.broken.length > 0) return refuse('breaks-others', change.broken)
    if (change && !change.hasEffect) return refuse('no-effect', plugins.length > 1 ? [plugin] : [])
    changes.set(plugin, change)
    const problem = candidate.isWeb ? await findPagePartProblem(directory, plugin) : null
    if (problem !== null) return refuse('breaks-screen', [problem])
  }

  const needed = await neededBundles(directory, [...plugins, ...added])
  const others = await findOtherPlugins(home, request.profile, needed)
  const baseline = createBaseline(candidate, needed)
  const start = (off: typeof others) => withPluginsOff(off, () => startHarness(candidate, home, context.onTrial))
  const judge = (boot: Boot, isAlone: boolean) =>
    judgeBoot(boot, { candidate, changes, startWithout: (onScreen) => baseline.start({ isAlone, onScreen }) })

  // A removal can only harm the others.
  if (plugins.length > 0 && others.length > 0) {
    const boot = await start(others)
    // Where a web page was to come up and did not, that it does without the plugin would tell nothing: it may need the others.
    // One that hangs waits for no other plugin: a harness that waits for a service ends, or goes on without the row.
    const hangs = !boot.up && boot.hung
    if (boot.up || !candidate.isWeb || hangs || isOver(context)) {
      const alone = await judge(boot, true)
      if (alone.passed || hangs || isOver(context)) return alone
    }
    output.write('out', 'It does not start by itself, so the other plugins are started in the copy too.\n')
  }
  return judge(await start([]), false)
}

/** What each plugin changes of the tree; null where the harness cannot print it. */
type TreeChanges = Map<string, TreeChange | null>

interface Judging {
  readonly candidate: Candidate
  readonly changes: TreeChanges
  /** Starts the same profile without the plugin; it may not have started before, and then the plugin is not to blame. */
  startWithout(onScreen: JobContext['onTrial'] | null): Promise<Boot>
}

async function judgeBoot(boot: Boot, { candidate, changes, startWithout }: Judging): Promise<Verdict> {
  const { context, plugins, isWeb } = candidate
  const stopped = boot.up ? plugins.flatMap((plugin) => stoppedRows(boot, plugin, changes.get(plugin) ?? null)) : []
  if (stopped.length > 0) return refuse('does-not-start', stopped)
  const inactive = boot.up ? inactiveRows(boot.rows) : []
  const isScreenBroken = boot.up && boot.screen?.up === false
  const pageLoaded = isWeb ? boot.up && boot.screen !== null : null
  const passed: Verdict = { passed: true, trial: { harnessStarted: true, pageLoaded } }
  if (boot.up && inactive.length === 0 && !isScreenBroken) return passed

  // Its page can only tell something where this one came up that far.
  const without = await startWithout(isScreenBroken ? context.onTrial : null)
  // What was ended early proves nothing about the plugin.
  if (context.signal.aborted) return fail('cancelled', [])
  if (isOver(context)) return fail('timed-out', [])
  if (boot.up && without.up) {
    const broken = inactive.filter((row) => without.rows.some((was) => isActive(was) && isSameRow(was, row)))
    if (broken.length > 0) return refuse('breaks-others', describeRows(broken, boot.lines))
    if (!isScreenBroken) return passed
  }
  const isWithoutBroken = !without.up || (boot.up && without.screen?.up === false)
  if (!isWithoutBroken && boot.up) return refuse('breaks-screen', screenText(context, boot))
  if (!isWithoutBroken && !boot.up && boot.hung)
    return refuse('hangs-harness', [`${context.settings.trial.startLimitMs / 1000}`, ...boot.why])
  if (!isWithoutBroken && !boot.up) return refuse('stops-harness', boot.why)
  // A profile without a web page may need a task or a TTY, so a failed start proves nothing. A removal makes nothing worse.
  if (plugins.length === 0 || !isWeb)
    return { passed: true, trial: { harnessStarted: false, pageLoaded: isWeb ? false : null } }
  return fail('profile-broken', without.up ? screenText(context, without) : without.why)
}

const verdict =
  (blamesPlugin: boolean) =>
  (kind: OutcomeKind, subjects: readonly string[]): Verdict => ({
    passed: false,
    kind,
    subjects,
    blamesPlugin,
  })
const refuse = verdict(true)
const fail = verdict(false)

const isOver = ({ signal, deadline }: JobContext): boolean => signal.aborted || performance.now() >= deadline

/** The profile without the plugin, in a second copy that is made when it is first started. */
function createBaseline(candidate: Candidate, needed: readonly string[]) {
  const { context } = candidate
  const { profile } = context.request
  const home = join(candidate.home, 'without')
  let isCopied = false

  async function copy(): Promise<void> {
    const { directory } = await copyProfile(context.settings.home, profile, home)
    const state = await readProfileState(directory)
    if (Object.keys(state?.manifest.dependencies ?? {}).length > 0)
      await runHarness(context, home, ['plugin', '--profile', profile, 'install', '--prefer-offline'])
  }

  return {
    /** @param given.isAlone whether the other plugins are off */
    async start(given: { readonly isAlone: boolean; readonly onScreen: JobContext['onTrial'] | null }): Promise<Boot> {
      if (!isCopied) await copy()
      isCopied = true
      const off = given.isAlone ? await findOtherPlugins(home, profile, needed) : []
      return withPluginsOff(off, () => startHarness(candidate, home, given.onScreen))
    },
  }
}

async function startHarness(
  { context, plugins, isWeb }: Candidate,
  home: string,
  onScreen: JobContext['onTrial'] | null,
): Promise<Boot> {
  const { settings, output, signal, deadline, request } = context
  return bootHarness({
    command: settings.command,
    home,
    profile: request.profile,
    plugins,
    args: isWeb ? WEB_ARGS : [],
    env: homeEnvironment(context, home),
    startLimitMs: settings.trial.startLimitMs,
    settleMs: settings.trial.settleMs,
    deadline,
    output,
    signal,
    hasPage: settings.trial.hasPage,
    browser: isWeb ? await settings.trial.findBrowser() : null,
    onScreen,
  })
}

/** What a plugin changes of the tree; null where the harness cannot print it. */
async function readPluginChange(candidate: Candidate, plugin: string): Promise<TreeChange | null> {
  const { context, home, directory } = candidate
  const { settings, request, signal, deadline } = context
  const manifest = await readManifest(directory)
  const others = (manifest?.bundles ?? []).filter((bundle) => bundle !== plugin)
  return readTreeChange(directory, others, async () => {
    const text = await readStdout({
      command: [...settings.command, '--profile', request.profile, '--dump-config'],
      cwd: home,
      env: homeEnvironment(context, home),
      deadline,
      signal,
      maxLength: MAX_TREE_LENGTH,
    })
    return text ?? ''
  })
}

/** The plugin's rows that do not run in a harness that came up, in the harness's own words where it has some. */
function stoppedRows({ rows, bundles, lines }: Started, plugin: string, change: TreeChange | null): string[] {
  if (bundles && !bundles.includes(plugin)) return [findLine(lines, `skipping profile bundle "${plugin}"`) ?? plugin]
  const isOwn = ({ id, name }: Row) => change?.added.includes(id) || name === plugin || name.startsWith(`${plugin}/`)
  const missing = (change?.added ?? []).filter((id) => !rows.some((row) => row.id === id))
  const own = rows.filter((row) => isOwn(row) && (row.disabled ? change?.added.includes(row.id) : !isActive(row)))
  return [...missing.map((id) => `${id}: not loaded`), ...describeRows(own, lines)]
}

/** Rows in the harness's own words where it has some. */
export const describeRows = (rows: readonly Row[], lines: readonly string[]): string[] =>
  rows.map(
    (row) =>
      findLine(lines, `${row.id} (${row.name}): `) ??
      findLine(lines, `disabling profile plugin row "${row.id}"`) ??
      describeRow(row),
  )

const findLine = (lines: readonly string[], text: string): string | undefined =>
  lines
    .find((line) => line.includes(text))
    ?.trim()
    .slice(0, MAX_LINE_LENGTH)

/** Rows that the harness makes as it starts have another id each time. */
const isSameRow = (one: Row, other: Row): boolean => one.id === other.id || one.name === other.name

/** The text of a broken page, cleaned like all output, and on one line. */
const screenText = ({ output }: JobContext, { screen }: Started): string[] =>
  screen?.text ? [output.clean(screen.text.replace(/\s+/g, ' '))] : []
