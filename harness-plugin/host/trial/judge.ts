import { join } from 'node:path'
import type { OutcomeKind, TrialReport } from '../../protocol/index.ts'
import { homeEnvironment, runHarness } from '../harness/command.ts'
import type { JobContext } from '../harness/job.ts'
import { readStdout } from '../process/run.ts'
import { readManifest } from '../profile/manifest.ts'
import { readProfileState } from '../profile/state.ts'
import { type Boot, bootHarness, type Started, WEB_ARGS } from './boot.ts'
import { copyProfile } from './copy.ts'
import { findOtherPlugins, neededBundles, withPluginsOff } from './other-plugins.ts'
import { findPagePartProblem, mayHavePagePart } from './page-part.ts'
import { describeRow, inactiveRows, isActive, type Row } from './probe.ts'
import { readTreeChange, type TreeChange } from './tree-change.ts'

/** Limit on a printed tree, in characters. A tree of 200 rows has 45,000. */
const MAX_TREE_LENGTH = 10_000_000
/** Maximum length of a line of the harness's output in an outcome. */
const MAX_LINE_LENGTH = 300

export interface Candidate {
  readonly context: JobContext
  /** Home of the copy, and the directory of its profile. */
  readonly home: string
  readonly directory: string
  /** Packages of the plugins on trial; empty for a removal. */
  readonly plugins: readonly string[]
  /** Layers that the job added. */
  readonly added: readonly string[]
  /** True if the profile serves a web page. */
  readonly isWeb: boolean
}

export type Verdict =
  | { readonly passed: true; readonly trial: TrialReport }
  | {
      readonly passed: false
      readonly kind: OutcomeKind
      readonly subjects: readonly string[]
      /** False when the job ended, or the harness does not start even without the plugin. */
      readonly blamesPlugin: boolean
    }

/**
 * Judges a changed copy of a profile: first by the tree that the harness composes, then by starting it. Starts it
 * without the other plugins, because they would run a second time with the person's accounts; if that fails, starts it
 * with them.
 */
export async function judgeStart(candidate: Candidate): Promise<Verdict> {
  const { context, home, directory, plugins, added } = candidate
  const { request, output } = context
  const changes: TreeChanges = new Map()
  for (const plugin of plugins) {
    const change = await readPluginChange(candidate, plugin)
    const refused = change && judgeChange(change, plugins.length > 1 ? [plugin] : [])
    if (refused) return refused
    changes.set(plugin, change)
    const problem = candidate.isWeb ? await findPagePartProblem(directory, plugin) : null
    if (problem !== null) return refuse('breaks-screen', [problem])
  }
  const mayBreakPage = await canBreakPage(candidate, changes)

  const needed = await neededBundles(directory, [...plugins, ...added])
  const others = await findOtherPlugins(home, request.profile, needed)
  const baseline = createBaseline(candidate, needed)
  const start = (off: typeof others) => {
    // The parts of other plugins run in it too.
    const usesBrowser = mayBreakPage || others.length > off.length
    return withPluginsOff(off, () => startHarness(candidate, home, { onScreen: context.onTrial, usesBrowser }))
  }
  const judge = (boot: Boot, isAlone: boolean) =>
    judgeBoot(boot, {
      candidate,
      changes,
      mayBreakPage,
      startWithout: (onScreen) => baseline.start({ isAlone, onScreen }),
    })

  // A removal can only harm the other plugins.
  if (plugins.length > 0 && others.length > 0) {
    const boot = await start(others)
    // If the web page did not come up, a start without the plugin proves nothing: the plugin may need the others.
    // A harness that hangs does not wait for another plugin: if it waited for a service, it would end or skip the row.
    const hangs = !boot.up && boot.hung
    if (boot.up || !candidate.isWeb || hangs || isOver(context)) {
      const alone = await judge(boot, true)
      if (alone.passed || hangs || isOver(context)) return alone
    }
    output.write('out', 'It does not start by itself, so the other plugins are started in the copy too.\n')
  }
  return judge(await start([]), false)
}

/** Changes of each plugin to the tree; null if the harness cannot print it. */
type TreeChanges = Map<string, TreeChange | null>

interface Judging {
  readonly candidate: Candidate
  readonly changes: TreeChanges
  /** False when nothing of the plugins can be part of the web page. */
  readonly mayBreakPage: boolean
  /** Starts the same profile without the plugin. If that fails too, the plugin is not to blame. */
  startWithout(onScreen: JobContext['onTrial'] | null): Promise<Boot>
}

/**
 * Judges the changes of a plugin to the tree.
 *
 * @param names the plugin, if the outcome must name it
 * @returns null if they are no reason to refuse it
 */
export function judgeChange({ broken, hasEffect }: TreeChange, names: readonly string[]): Verdict | null {
  if (broken.length > 0) return refuse('breaks-others', broken)
  return hasEffect ? null : refuse('no-effect', names)
}

/** Judges a start of the changed copy. */
export async function judgeBoot(
  boot: Boot,
  { candidate, changes, mayBreakPage, startWithout }: Judging,
): Promise<Verdict> {
  const { context, plugins, isWeb } = candidate
  const stopped = boot.up ? plugins.flatMap((plugin) => stoppedRows(boot, plugin, changes.get(plugin) ?? null)) : []
  if (stopped.length > 0) return refuse('does-not-start', stopped)
  const inactive = boot.up ? inactiveRows(boot.rows) : []
  const isScreenBroken = boot.up && boot.screen?.up === false
  const isLoaded = boot.up && boot.screen !== null
  const pageLoaded = isWeb && (isLoaded || mayBreakPage) ? isLoaded : null
  const passed: Verdict = { passed: true, trial: { harnessStarted: true, pageLoaded } }
  if (boot.up && inactive.length === 0 && !isScreenBroken) return passed

  // Its page is only useful for comparison if this harness came up far enough to show one.
  const without = await startWithout(isScreenBroken ? context.onTrial : null)
  // A cancelled start proves nothing about the plugin.
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
  // A profile without a web page may need a task or a TTY, so its failed start proves nothing. A removal is harmless.
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

/** Creates a second copy of the profile without the plugin. The copy is made at its first start. */
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
    /** Starts the copy. @param given.isAlone true to disable the other plugins */
    async start(given: { readonly isAlone: boolean; readonly onScreen: JobContext['onTrial'] | null }): Promise<Boot> {
      if (!isCopied) await copy()
      isCopied = true
      const off = given.isAlone ? await findOtherPlugins(home, profile, needed) : []
      return withPluginsOff(off, () => startHarness(candidate, home, { onScreen: given.onScreen, usesBrowser: true }))
    },
  }
}

async function startHarness(
  { context, plugins, isWeb }: Candidate,
  home: string,
  { onScreen, usesBrowser }: { readonly onScreen: JobContext['onTrial'] | null; readonly usesBrowser: boolean },
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
    browser: isWeb && usesBrowser ? await settings.trial.findBrowser() : null,
    onScreen,
  })
}

/**
 * Returns true unless all that the plugins do is to insert rows of packages without a part of the web page. What such
 * rows do to the page shows in its rows and when it is served.
 */
async function canBreakPage({ plugins, directory }: Candidate, changes: TreeChanges): Promise<boolean> {
  // A removal can take from the other plugins what their parts of the page need.
  if (plugins.length === 0) return true
  const parts = await Promise.all(
    plugins.map(async (plugin) => {
      const inserted = changes.get(plugin)?.insertsOnly ?? null
      if (inserted === null) return true
      const may = await Promise.all([plugin, ...inserted].map((name) => mayHavePagePart(directory, name)))
      return may.includes(true)
    }),
  )
  return parts.includes(true)
}

/** Reads the changes of a plugin to the tree; null if the harness cannot print it. */
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

/** Returns the plugin's inactive rows in a harness that came up, in the harness's own words if possible. */
function stoppedRows({ rows, bundles, lines }: Started, plugin: string, change: TreeChange | null): string[] {
  if (bundles && !bundles.includes(plugin)) return [findLine(lines, `skipping profile bundle "${plugin}"`) ?? plugin]
  const isOwn = ({ id, name }: Row) => change?.added.includes(id) || name === plugin || name.startsWith(`${plugin}/`)
  const missing = (change?.added ?? []).filter((id) => !rows.some((row) => row.id === id))
  const own = rows.filter((row) => isOwn(row) && (row.disabled ? change?.added.includes(row.id) : !isActive(row)))
  return [...missing.map((id) => `${id}: not loaded`), ...describeRows(own, lines)]
}

/** Describes rows, in the harness's own words if possible. */
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

/** Compares rows by id or name: rows that the harness creates at its start have another id each time. */
const isSameRow = (one: Row, other: Row): boolean => one.id === other.id || one.name === other.name

/** Returns the text of a broken page on one line, cleaned like all output. */
const screenText = ({ output }: JobContext, { screen }: Started): string[] =>
  screen?.text ? [output.clean(screen.text.replace(/\s+/g, ' '))] : []
