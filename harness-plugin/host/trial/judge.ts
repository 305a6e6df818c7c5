import { specOfId } from '@plugmark/shared/install'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import type { Adds, Outcome, OutcomeKind, TrialReport } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { renderRemoveCommand, reportBlockedBuilds, runChange } from '../harness/command.ts'
import type { ChangeContext, JobContext, PluginChange, PluginRun } from '../harness/job.ts'
import { recordedName } from '../harness/job.ts'
import { changeOutcome, emptyOutcome, joinOutcomes, profileOutcome } from '../harness/outcome.ts'
import { abortKind } from '../process/run.ts'
import { movePaths } from '../profile/files.ts'
import { lockedPackages } from '../profile/lockfile.ts'
import { addLayer, allowBuilds, keepingDisabled } from '../profile/manifest.ts'
import { findPackageName, type ProfileState, readProfileState } from '../profile/state.ts'
import { type Boot, isNamed, type StartedHarness } from './boot.ts'
import { describeRow, inactiveRows, isActive, type Row } from './probe.ts'
import { findPagePartProblem, mayHavePagePart, readTreeChange, type TreeChange } from './tree.ts'
import { findOtherPlugins, neededLayers, TrialHome } from './trial-home.ts'

/** Maximum length of a line of the harness's output in an outcome. */
const MAX_LINE_LENGTH = 300

export interface PassedTrial {
  readonly passed: true
  readonly trial: TrialReport
  /** Names that the harness of the trial had only with the plugins; missing if that was not seen. */
  readonly adds?: Adds
  readonly pluginRuns: readonly PluginRun[]
  /** Packages in the copy's lockfile after each change; null without a lockfile. */
  readonly packages: readonly (ReadonlyMap<string, string> | null)[]
}
/** Result of a trial: the job continues, or ends with an outcome. The profile is unchanged. */
type TrialResult =
  | PassedTrial
  | { readonly passed: false; readonly outcome: Outcome; readonly pluginRuns: readonly PluginRun[] }

/**
 * Makes the changes of a request in a copy of the profile, and starts the harness from it.
 *
 * @param before the profile as it is
 * @param makeAll makes all changes at once, in place of one command for each
 */
export async function runTrial(
  context: JobContext,
  before: ProfileState,
  makeAll?: (copy: TrialHome) => Promise<{ readonly outcome: Outcome; readonly after: ProfileState | null }>,
): Promise<TrialResult> {
  const { request, onStage } = context
  const { changes, profile } = request
  const specs = changes.map(({ plan }) => plan.spec)
  const unchanged = { rollback: 'complete', profile: profileOutcome({ specs, before, after: before }) } as const
  const end = (outcome: Outcome, pluginRuns: readonly PluginRun[] = []): TrialResult => ({
    passed: false,
    outcome: { ...outcome, ...unchanged },
    pluginRuns,
  })
  const copy = await TrialHome.copy(context, { profile })
  try {
    const { directory } = copy
    for (const { approval } of changes) if (approval) await allowBuilds(directory, approval, context.directory)

    onStage('trying')
    let after = before
    const outcomes: Outcome[] = []
    const packages: PassedTrial['packages'][number][] = []
    const all = await makeAll?.(copy)
    if (all) {
      if (!isSuccess(all.outcome.kind) || all.after === null) return end(all.outcome)
      after = all.after
      packages.push(await lockedPackages(directory))
    }
    for (const change of all ? [] : changes) {
      const ran = await applyToCopy({ ...context, change }, copy)
      const now = await readProfileState(directory, context.directory)
      const locked = await lockedPackages(directory)
      const outcome = changeOutcome(change, { before: after, after: now, locked, ...ran })
      outcomes.push(outcome)
      if (!isSuccess(outcome.kind) || now === null) {
        await reportBlockedBuilds({ ...context, change }, outcome, copy.home, directory)
        return end(joinOutcomes(changes, outcomes))
      }
      after = now
      packages.push(locked)
    }
    const joined = all?.outcome ?? joinOutcomes(changes, outcomes)
    if (joined.kind === 'up-to-date' || joined.kind === 'nothing-to-do')
      return { passed: false, outcome: joined, pluginRuns: [] }

    onStage('starting')
    const started = changes.filter(({ action }) => action !== 'remove')
    const names = all
      ? changedLayers(before, after)
      : started.map(({ plan }) => findPackageName(plan.spec, before, after))
    // A disabled plugin is not started, but can be updated.
    const plugins = after.manifest.layers.filter((name) => names.includes(name))
    const added = after.manifest.layers.filter((layer) => !before.manifest.layers.includes(layer))
    const judgement = await judgeStart({ context, copy, plugins, added })
    const place = { from: directory, to: context.directory }
    const pluginRuns = pluginRunsIn(judgement, plugins, { started, before, after, ...place })
    if (judgement.passed) return { ...judgement, pluginRuns, packages }
    const [change, ...others] = changes
    const isBlamed = judgement.blame === 'yes' && change !== undefined && others.length === 0
    const removeCommand = isBlamed ? renderRemoveCommand(change, plugins[0] ?? null) : null
    return end({ ...emptyOutcome(judgement.kind, judgement.subjects), parts: joined.parts, removeCommand }, pluginRuns)
  } finally {
    await copy.dispose()
  }
}

/** Returns the layers that are new, or of which another version or commit is installed now. */
const changedLayers = (before: ProfileState, after: ProfileState): string[] =>
  after.manifest.layers.filter(
    (name) =>
      !before.manifest.layers.includes(name) ||
      before.versions.get(name) !== after.versions.get(name) ||
      before.commits.get(name) !== after.commits.get(name),
  )

/** Makes one change in the copy. */
async function applyToCopy(context: ChangeContext, copy: TrialHome): ReturnType<typeof runChange> {
  const { change } = context
  if (change.action !== 'enable') return runChange(context, copy.home, copy.directory)
  if (change.package !== null) await addLayer(copy.directory, change.package)
  return keepingDisabled(copy.directory, null, () =>
    copy.run(['plugin', '--profile', change.plan.profile, 'install', '--prefer-offline']),
  )
}

/** Returns what the judgement of a start says of each plugin on trial, by the name that stands for it in the profile. */
function pluginRunsIn(
  judgement: Judgement,
  plugins: readonly string[],
  trial: {
    readonly started: readonly PluginChange[]
    readonly before: ProfileState
    readonly after: ProfileState
    /** Directories of the copy and of the profile. */
    readonly from: string
    readonly to: string
  },
): PluginRun[] {
  const { started, before, after, from, to } = trial
  const why = judgement.passed ? [] : judgement.subjects
  const breaksPage = !judgement.passed && judgement.kind === 'breaks-screen'
  // Of several plugins, nobody knows which one added what.
  const adds = judgement.passed && plugins.length === 1 ? judgement.adds : undefined
  return started.flatMap(({ action, plan, source: chosen }) => {
    const name = findPackageName(plan.spec, before, after)
    // A folder, a tarball or a repository can differ from the published version that it calls itself.
    const isPublished = chosen === undefined || specOfId(chosen)?.kind === 'npm'
    const version = name !== null && isPublished ? after.versions.get(name) : null
    if (name === null || !plugins.includes(name) || !version) return []
    // Only what was fetched has another source than before. In the copy, the paths of a source are others.
    const { dependencies } = (action === 'enable' ? before : after).manifest
    const source = dependencies[name] ?? ''
    const commit = after.commits.get(name)
    const plugin = recordedName(name, version, {
      source: action === 'enable' ? source : movePaths(source, from, to),
      commit,
    })
    return plugin === null
      ? []
      : [{ plugin, runs: runsOf(judgement, name, plugins), breaksPage, why, ...(adds && { adds }) }]
  })
}

/** Outcomes that say that a plugin does not run. One that breaks others may run itself. */
const DOES_NOT_RUN: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen']

/** Returns what a judgement says of one of the plugins on trial. */
function runsOf(judgement: Judgement, name: string, plugins: readonly string[]): YesNoUnknown {
  if (judgement.passed) return judgement.trial.harnessStarted ? 'yes' : 'unknown'
  if (judgement.blame !== 'yes' || !DOES_NOT_RUN.includes(judgement.kind)) return 'unknown'
  return plugins.length === 1 || judgement.subjects.some((text) => isNamed(text, name)) ? 'no' : 'unknown'
}

interface Candidate {
  readonly context: JobContext
  /** Copy of the profile, with the changes. */
  readonly copy: TrialHome
  /** Packages of the plugins on trial; empty for a removal. */
  readonly plugins: readonly string[]
  /** Layers that the job added. */
  readonly added: readonly string[]
}

export type Judgement =
  | { readonly passed: true; readonly trial: TrialReport; readonly adds?: Adds }
  | {
      readonly passed: false
      readonly kind: OutcomeKind
      readonly subjects: readonly string[]
      /** `yes` if the plugin is the reason. `no`: the job ended, or the profile is broken without the plugin too. */
      readonly blame: YesNoUnknown
    }

/**
 * Judges a changed copy of a profile: first by the tree that the harness composes, then by starting it. Starts it
 * without the other plugins, because they would run a second time with the person's accounts; if that fails, starts it
 * with them.
 */
async function judgeStart(candidate: Candidate): Promise<Judgement> {
  const { context, copy, plugins, added } = candidate
  const changes: TreeChanges = new Map()
  for (const plugin of plugins) {
    const change = await readTreeChange(copy, plugin)
    const refused = change && judgeChange(change, plugins.length > 1 ? [plugin] : [])
    if (refused) return refused
    changes.set(plugin, change)
    const problem = copy.isWeb ? await findPagePartProblem(copy.directory, plugin) : null
    if (problem !== null) return refuse('breaks-screen', [problem])
  }
  const mayBreakPage = await canBreakPage(candidate, changes)

  const needed = await neededLayers(copy.directory, [...plugins, ...added])
  const others = await findOtherPlugins(copy.home, copy.profile, needed)
  const ownRows = [...changes.values()].flatMap((change) => change?.added ?? [])
  const start = (off: typeof others) =>
    // The parts of other plugins run in it too.
    copy.start({
      plugins,
      ...(plugins.length > 0 && { ownRows }),
      off,
      onPage: context.onTrial,
      usesBrowser: mayBreakPage || others.length > off.length,
    })
  let without: TrialHome | null = null
  const judge = (boot: Boot, isAlone: boolean) =>
    judgeBoot(boot, {
      ...candidate,
      isWeb: copy.isWeb,
      changes,
      mayBreakPage,
      async startWithout(triesPage) {
        // With the packages of the profile: the package manager could fail, which would say nothing of the profile.
        without ??= await TrialHome.copy(context, { profile: copy.profile, modules: true, within: 'without' })
        const off = isAlone ? await findOtherPlugins(without.home, copy.profile, needed) : []
        return without.start({ plugins, off, ...(triesPage ? { onPage: context.onTrial } : { usesBrowser: false }) })
      },
    })

  // A removal can only harm the other plugins.
  if (plugins.length === 0 || others.length === 0) return judge(await start([]), false)
  const boot = await start(others)
  // If the web page did not come up, a start without the plugin proves nothing: the plugin may need the others.
  // A harness that hangs does not wait for another plugin: if it waited for a service, it would end or skip the row.
  const hangs = !boot.up && boot.hung
  const alone = boot.up || !copy.isWeb || hangs || context.signal.aborted ? await judge(boot, true) : null
  if (alone && (alone.passed || hangs || context.signal.aborted)) return alone
  context.output.write('out', 'It does not pass by itself, so the other plugins are started in the copy too.\n')
  const started = await start([])
  return attribute(await judge(started, false), started, { boot, judgement: alone, plugins })
}

/**
 * Decides by both starts. If the harness ends once the other plugins run too, it may be the fault of another one, which
 * ends it late, after the comparison was judged. A page that nobody saw beside the others clears no plugin that broke it
 * without them.
 *
 * @param all judgement of the start with the other plugins
 * @param alone the start without the other plugins, and its judgement if it has one
 */
export function attribute(
  all: Judgement,
  started: Boot,
  alone: { readonly boot: Boot; readonly judgement: Judgement | null; readonly plugins: readonly string[] },
): Judgement {
  const { boot, judgement, plugins } = alone
  if (started.up) {
    const isUnseen = all.passed && started.page.loads === 'unknown'
    const brokeAlone = judgement?.passed === false && judgement.kind === 'breaks-screen'
    return isUnseen && brokeAlone ? { ...judgement, blame: 'unknown' } : all
  }
  if (all.passed || all.kind !== 'stops-harness') return all
  const names = (lines: readonly string[]) => lines.some((line) => plugins.some((name) => isNamed(line, name)))
  const own = boot.up ? [] : boot.why
  if (own.join() === started.why.join() || names(started.why)) return all
  if (judgement && !judgement.passed && judgement.blame === 'yes') return judgement
  if (names(own)) return refuse('stops-harness', own)
  return fail('profile-broken', started.why)
}

/** Changes of each plugin to the tree; null if the harness cannot print it. */
type TreeChanges = Map<string, TreeChange | null>

interface StartedCandidate extends Pick<Candidate, 'context' | 'plugins'> {
  /** True if the profile serves a web page. */
  readonly isWeb: boolean
  readonly changes: TreeChanges
  /** False when nothing of the plugins can be part of the web page. */
  readonly mayBreakPage: boolean
  /** Starts the same profile without the plugin. If that fails too, the plugin is not to blame. */
  startWithout(triesPage: boolean): Promise<Boot>
}

/**
 * Judges the changes of a plugin to the tree.
 *
 * @param names the plugin, if the outcome must name it
 * @returns null if they are no reason to refuse it
 */
export function judgeChange({ broken, hasEffect }: TreeChange, names: readonly string[]): Judgement | null {
  if (broken.length > 0) return refuse('breaks-others', broken)
  return hasEffect ? null : refuse('no-effect', names)
}

/** Judges a start of the changed copy. */
export async function judgeBoot(boot: Boot, candidate: StartedCandidate): Promise<Judgement> {
  const { context, plugins, isWeb, changes, mayBreakPage, startWithout } = candidate
  const stopped = boot.up ? plugins.flatMap((plugin) => stoppedRows(boot, plugin, changes.get(plugin) ?? null)) : []
  if (stopped.length > 0) return refuse('does-not-start', stopped)
  const inactive = boot.up ? inactiveRows(boot.rows) : []
  const isPageBroken = boot.up && boot.page.loads === 'no'
  const isPageTried = boot.up && boot.page.loads !== 'unknown'
  const isPageSilent = boot.up && mayBreakPage && boot.page.isSilent === true
  const pageLoaded = isWeb && (isPageTried || mayBreakPage) ? isPageTried : null
  const adds = boot.up && boot.adds ? { adds: boot.adds } : {}
  const passed: Judgement = { passed: true, trial: { harnessStarted: true, pageLoaded }, ...adds }
  if (boot.up && inactive.length === 0 && !isPageBroken && !isPageSilent) return passed
  // A profile without a web page may need a task or a TTY, so its failed start proves nothing. A removal is harmless.
  const report = { harnessStarted: false, pageLoaded: isWeb ? false : null }
  const accepted: Judgement | null = plugins.length === 0 || !isWeb ? { passed: true, trial: report } : null

  // A cancelled start proves nothing about the plugin.
  if (context.signal.aborted) return fail(abortKind(context.signal), [])
  // Its page is only useful for comparison if this harness came up far enough to show one.
  const without = await startWithout(isPageBroken || isPageSilent)
  if (context.signal.aborted) return fail(abortKind(context.signal), [])
  if (boot.up && without.up) {
    const broken = inactive.filter((row) => without.rows.some((was) => isActive(was) && isSameRow(was, row)))
    if (broken.length > 0) return refuse('breaks-others', describeRows(broken, boot.lines))
    const isPageLost = (isPageBroken || isPageSilent) && without.page.loads === 'yes'
    if (isPageLost) return refuse('breaks-screen', pageText(context, boot))
    if (!isPageBroken) return passed
    // Nobody could try the page without the plugin. A page that names the plugin is proof enough.
    const text = pageText(context, boot)
    const isProven = plugins.some((name) => isNamed(text.join(), name))
    if (without.page.loads === 'unknown') return failWith(isProven ? 'yes' : 'unknown')('breaks-screen', text)
    return accepted ?? fail('profile-broken', pageText(context, without))
  }
  if (boot.up) {
    // Without the plugin the harness does not start at all: the plugin repairs the profile.
    if (!isPageBroken) return passed
    return accepted ?? fail('profile-broken', pageText(context, boot))
  }
  if (without.up && boot.hung)
    return refuse('hangs-harness', [`${context.settings.trial.startLimitMs / 1000}`, ...boot.why])
  if (without.up) return refuse('stops-harness', boot.why)
  return accepted ?? fail('profile-broken', without.why)
}

const failWith =
  (blame: YesNoUnknown) =>
  (kind: OutcomeKind, subjects: readonly string[]): Judgement => ({ passed: false, kind, subjects, blame })
const refuse = failWith('yes')
const fail = failWith('no')

/**
 * Returns true unless all that the plugins do is to insert rows of packages without a part of the web page. What such
 * rows do to the page shows in its rows and when it is served.
 */
async function canBreakPage({ plugins, copy }: Candidate, changes: TreeChanges): Promise<boolean> {
  // A removal can take from the other plugins what their parts of the page need.
  if (plugins.length === 0) return true
  const parts = await Promise.all(
    plugins.map(async (plugin) => {
      const inserted = changes.get(plugin)?.insertsOnly ?? null
      if (inserted === null) return true
      const may = await Promise.all([plugin, ...inserted].map((name) => mayHavePagePart(copy.directory, name)))
      return may.includes(true)
    }),
  )
  return parts.includes(true)
}

/** Returns the plugin's inactive rows in a harness that came up, in the harness's own words if possible. */
function stoppedRows({ rows, layers, lines }: StartedHarness, plugin: string, change: TreeChange | null): string[] {
  if (layers && !layers.includes(plugin)) return [findLine(lines, `skipping profile bundle "${plugin}"`) ?? plugin]
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

/** Returns the text of a broken page, cleaned like all output. */
const pageText = ({ output }: JobContext, { page }: StartedHarness): string[] =>
  page.text ? [output.clean(page.text)] : []
