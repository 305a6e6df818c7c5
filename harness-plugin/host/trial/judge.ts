import { isDeepStrictEqual } from 'node:util'
import { Script } from 'node:vm'
import * as v from 'valibot'
import { parse } from 'yaml'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import type { Adds, OutcomeKind, TrialReport } from '../../protocol/index.ts'
import type { JobContext } from '../harness/job.ts'
import { abortKind } from '../process/run.ts'
import { readPackage, readPagePart } from '../profile/state.ts'
import { type Boot, isNamed, longestStartMs, type Running, type StartedHarness } from './boot.ts'
import { describeRow, inactiveRows, isActive, PAGE_MS, type Row } from './probe.ts'
import { findOtherPlugins, neededLayers, TrialHome, withoutLayers, withPluginsOff } from './trial-home.ts'

/** Maximum length of a line of the harness's output in an outcome. */
const MAX_LINE_LENGTH = 300

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
 * without the other plugins, because they would run a second time with the user's accounts; if that fails, starts it
 * with them.
 */
export async function judgeStart(candidate: Candidate): Promise<Judgement> {
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
      isEnough: (running) => stoppedRows(running, plugins, changes).length > 0,
      off,
      onPage: context.onTrial,
      usesBrowser: mayBreakPage || others.length > off.length,
    })
  const limitMs = longestStartMs(context.settings.trial.startLimitMs, PAGE_MS)
  let without: TrialHome | null = null
  const judge = (boot: Boot, isAlone: boolean) =>
    judgeBoot(boot, {
      ...candidate,
      isWeb: copy.isWeb,
      changes,
      mayBreakPage,
      async startWithout(triesPage) {
        context.onAgain({ start: 'without-change', limitMs })
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
  context.onAgain({ start: 'with-others', limitMs })
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

/** Judges a start of the changed copy; where the harness is not sound, by a start without the plugins. */
export async function judgeBoot(boot: Boot, candidate: StartedCandidate): Promise<Judgement> {
  const { context, plugins, isWeb, changes, mayBreakPage, startWithout } = candidate
  const { signal, settings } = context
  const stopped = boot.up ? stoppedRows(boot, plugins, changes, boot.lines) : []
  if (stopped.length > 0) return refuse('does-not-start', stopped)
  const page = boot.up ? boot.page : null
  const isPageBroken = page?.loads === 'no'
  const isPageInDoubt = isPageBroken || (mayBreakPage && page?.isSilent === true)
  const inactive = boot.up ? inactiveRows(boot.rows) : []
  const isPageTried = page !== null && page.loads !== 'unknown'
  const pageLoaded = isWeb && (isPageTried || mayBreakPage) ? isPageTried : null
  const adds = boot.up && boot.adds ? { adds: boot.adds } : {}
  const passed: Judgement = { passed: true, trial: { harnessStarted: true, pageLoaded }, ...adds }
  if (boot.up && inactive.length === 0 && !isPageInDoubt) return passed

  // A cancelled start proves nothing about the plugin.
  if (signal.aborted) return fail(abortKind(signal), [])
  const text = boot.up ? pageText(context, boot) : []
  if (isPageBroken && inactive.length === 0 && isOnlyFault(text, plugins)) return refuse('breaks-screen', text)
  // Its page is only useful for comparison if this harness came up far enough to show one.
  const without = await startWithout(isPageInDoubt)
  if (signal.aborted) return fail(abortKind(signal), [])
  const isRunningIn = (rows: readonly Row[], row: Row) => rows.some((was) => isActive(was) && isSameRow(was, row))
  const lost = boot.up && without.up ? inactive.filter((row) => isRunningIn(without.rows, row)) : []
  if (lost.length > 0) return refuse('breaks-others', describeRows(lost, boot.lines))

  const pageWithout = without.up ? without.page.loads : null
  if (boot.up) {
    if (isPageInDoubt && pageWithout === 'yes') return refuse('breaks-screen', text)
    // Without the plugin it is the same, or the harness does not start at all: the plugin repairs the profile.
    if (!isPageBroken) return passed
    // Nobody could try the page without the plugin. A page that names the plugin is proof enough.
    const isNamedOnPage = plugins.some((name) => isNamed(text.join(), name))
    if (pageWithout === 'unknown') return failWith(isNamedOnPage ? 'yes' : 'unknown')('breaks-screen', text)
  } else if (without.up) {
    const limit = `${settings.trial.startLimitMs / 1000}`
    return boot.hung ? refuse('hangs-harness', [limit, ...boot.why]) : refuse('stops-harness', boot.why)
  }
  // A profile without a web page may need a task or a TTY, so its failed start proves nothing. A removal is harmless.
  if (!isWeb || plugins.length === 0)
    return { passed: true, trial: { harnessStarted: false, pageLoaded: isWeb ? false : null } }
  return fail('profile-broken', without.up ? pageText(context, without) : boot.up ? text : without.why)
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

/** Returns the plugins' inactive rows in a harness that came up, in the harness's own words if possible. */
const stoppedRows = (
  running: Running,
  plugins: readonly string[],
  changes: TreeChanges,
  lines: readonly string[] = [],
): string[] => plugins.flatMap((plugin) => stoppedRowsOf(running, plugin, changes.get(plugin) ?? null, lines))

function stoppedRowsOf(
  { rows, layers }: Running,
  plugin: string,
  change: TreeChange | null,
  lines: readonly string[],
): string[] {
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

/**
 * Returns true if the page itself says that every part of it runs but one, of a plugin on trial. So the harness ends its
 * start of the page (0.2.1-rc.2; earlier ones only where a part waits for a service).
 */
function isOnlyFault(text: readonly string[], plugins: readonly string[]): boolean {
  const [, part] = /web boot: 1 entry did not activate · (.*)/.exec(text.join()) ?? []
  return plugins.some((name) => part?.startsWith(`${name}: `))
}

/** Returns the text of a broken page, cleaned like all output. */
const pageText = ({ output }: JobContext, { page }: StartedHarness): string[] =>
  page.text ? [output.clean(page.text)] : []

// The tree that the harness composes, before anything starts

/** A row of the tree that the harness composes from its layers and patches, before anything runs. */
const PlannedSchema = v.looseObject({
  /** Missing for some rows that were inserted by hand; the harness then generates one when it starts. */
  id: v.optional(v.string()),
  name: v.string(),
  /** `true`, or an expression that the harness evaluates when it starts. */
  disabled: v.optional(v.unknown()),
})
type PlannedRow = v.InferOutput<typeof PlannedSchema>

/** Changes of a layer to the tree. */
export interface TreeChange {
  /** Ids of added rows that must run. */
  readonly added: readonly string[]
  /** Ids of other rows that it replaces, disables or removes. */
  readonly broken: readonly string[]
  /** True if it changes anything. */
  readonly hasEffect: boolean
  /** Names of the rows that it inserts, if it changes nothing else; else null. */
  readonly insertsOnly: readonly string[] | null
}

/**
 * Parses a tree.
 *
 * @param config output of `--dump-config`
 * @returns null when it is not a tree
 */
export function readTree(config: string): PlannedRow[] | null {
  try {
    // Read `!!js` expressions as text.
    return v.parse(v.array(PlannedSchema), parse(config, { logLevel: 'silent' }))
  } catch {
    return null
  }
}

const withId = (rows: readonly PlannedRow[]) =>
  rows.flatMap(({ id, ...row }) => (id === undefined ? [] : [{ id, ...row }]))

/** Compares two trees. @param without the tree without the layer @param has the tree with it */
export function compareTrees(without: readonly PlannedRow[], has: readonly PlannedRow[]): TreeChange {
  const named = withId(without)
  const broken = named.filter((row) => {
    const rows = has.filter(({ id }) => id === row.id)
    return rows.length !== 1 || rows[0]?.name !== row.name || (rows[0]?.disabled === true && row.disabled !== true)
  })
  const ids = new Set(named.map(({ id }) => id))
  const added = withId(has).filter(({ id, disabled }) => !ids.has(id) && (disabled ?? false) === false)
  const others = has.filter(({ id }) => id === undefined || ids.has(id))
  return {
    added: added.map(({ id }) => id),
    broken: broken.map(({ id }) => id),
    hasEffect: !isDeepStrictEqual(without, has),
    insertsOnly: isDeepStrictEqual(without, others)
      ? has.filter((row) => !others.includes(row)).map(({ name }) => name)
      : null,
  }
}

/**
 * Finds the changes of a plugin to a profile's tree: the harness composes the tree with and without it, and starts
 * nothing.
 *
 * @param copy of a profile: its package.json is changed for a moment
 * @returns null if the harness cannot compose one of them
 */
export async function readTreeChange(
  copy: Pick<TrialHome, 'directory' | 'compose'>,
  plugin: string,
): Promise<TreeChange | null> {
  const has = readTree((await copy.compose()).out)
  const off = await withoutLayers(copy.directory, [plugin])
  const without = await withPluginsOff(off, async () => readTree((await copy.compose()).out))
  return without && has && compareTrees(without, has)
}

/**
 * Returns true unless it is certain that a package has no part of the web page.
 *
 * @param directory of a profile
 * @param name of a package or a module in it
 */
export async function mayHavePagePart(directory: string, name: string): Promise<boolean> {
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/:]+)(?:\/|$)/.exec(name) ?? []
  const manifest = await readPackage(directory, packageName, v.unknown())
  return manifest === null || Object(Object(manifest).dsh).client !== undefined
}

/**
 * Parses a plugin's part of the web page without running it. The harness loads it as a classic script (dsh 0.1.0-rc.8
 * to 0.2.1-rc.2), and a part that does not parse or is missing replaces the whole page with an error. The modules that
 * it requires are only known once it runs in a browser.
 *
 * @param directory of a profile
 * @param plugin package name
 * @returns the problem, for the user; null if there is none, or no page part
 */
export async function findPagePartProblem(directory: string, plugin: string): Promise<string | null> {
  const part = await readPagePart(directory, plugin)
  if (part === null) return null
  const { name, source, problem } = part
  if (source === null) return `${name}: ${problem}`
  try {
    void new Script(source, { filename: name })
    return null
  } catch (error) {
    const line = /:(\d+)\n/.exec(String((error as Error).stack))?.[1]
    return `${name}${line ? `:${line}` : ''}: ${error}`
  }
}
