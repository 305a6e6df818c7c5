import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JobStage, Outcome, OutcomeKind, Trial } from '../../bridge/index.ts'
import { allowBuilds } from '../builds/allow.ts'
import type { RunningJob, TrialSettings } from '../job/context.ts'
import { homeEnvironment, noteBlocked, runHarness } from '../job/harness-cli.ts'
import { isDone, notStarted, profileOutcome, readOutcome, rescueCommand } from '../job/outcome.ts'
import { orderArguments } from '../job/request.ts'
import { runProcess } from '../process/run-process.ts'
import { lockedPackages } from '../profile/lockfile.ts'
import { addBundle, readManifest } from '../profile/manifest.ts'
import { packageOf } from '../profile/package-of.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { type Boot, type BootOptions, bootHarness, type Started } from './boot.ts'
import { copyProfile } from './copy.ts'
import { trialHome } from './home.ts'
import { findOthers, neededBundles, withoutOthers } from './other-plugins.ts'
import { describeRow, inactiveRows, isActive, type Row } from './probe.ts'
import { readTreeChange, type TreeChange } from './tree-change.ts'

/** Arguments of the web app: on any free port, and in no browser. */
const WEB_ARGS = ['--no-open', '--port', '0'] as const

/** A tree of 200 rows has 45,000 characters. */
const MAX_TREE_LENGTH = 10_000_000
/** Longest line of the harness's that an outcome quotes. */
const MAX_WORDS = 300

/** The job goes on, or ends here with an outcome; then the profile was not touched. */
export type Tried =
  | { readonly goesOn: true; readonly trial: Trial; readonly packages: ReadonlyMap<string, string> | null }
  | { readonly goesOn: false; readonly outcome: Outcome }

/** Carries an order out in a copy of the profile, and starts the harness from that. */
export async function tryOrder(
  running: RunningJob,
  given: { readonly settings: TrialSettings; readonly before: ProfileState; enter(stage: JobStage): Promise<void> },
): Promise<Tried> {
  const { order, settings } = running
  const { before } = given
  const { action, plan } = order
  const home = trialHome(settings.home, running.job.id)
  const untouched = { undo: 'undone', profile: profileOutcome({ spec: plan.spec, before, after: before }) } as const
  const end = (outcome: Outcome): Tried => ({ goesOn: false, outcome: { ...outcome, ...untouched } })
  try {
    const { directory: copy, leftOut } = await copyProfile(settings.home, plan.profile, home)
    for (const name of leftOut) running.output.write('err', `Not copied for the trial, as it is too big: ${name}\n`)
    if (order.approval) await allowBuilds(copy, order.approval, running.directory)
    await given.enter('trying')
    const ran = await runInCopy(running, home, copy)
    const after = await readProfileState(copy, running.directory)
    const outcome = readOutcome({ action, spec: plan.spec, before, after, ...ran })
    if (outcome.kind === 'up-to-date') return { goesOn: false, outcome }
    if (!isDone(outcome.kind)) {
      await noteBlocked(running, outcome, home, copy)
      return end(outcome)
    }

    const packages = await lockedPackages(copy)
    const isWeb = before.manifest.bundles.includes(given.settings.webLayer)
    const starting = { settings: given.settings, args: isWeb ? WEB_ARGS : [] }
    await given.enter('starting')
    const name = packageOf(plan.spec, before, after)
    const refuse = (kind: OutcomeKind, subjects: readonly string[]) =>
      end({ ...notStarted(kind, subjects), rescue: rescueCommand(order, name) })
    const own = action === 'remove' || name === null ? null : name
    const change = own === null ? null : await changeOf(running, home, copy, own)
    if (change && change.broken.length > 0) return refuse('breaks-others', change.broken)
    if (change && !change.hasEffect) return refuse('no-effect', [])

    const needed = await neededBundles(copy, [
      ...(own === null ? [] : [own]),
      ...(after?.manifest.bundles ?? []).filter((bundle) => !before.manifest.bundles.includes(bundle)),
    ])
    const others = await findOthers(home, plan.profile, needed)
    let isWithoutPlaced = false

    /** @param isAlone whether the other plugins are off */
    const judge = async (isAlone: boolean): Promise<Tried> => {
      const startIt = (home: string, { onScreen, off }: Pick<BootOptions, 'onScreen'> & { off: typeof others }) =>
        withoutOthers(off, () => start(running, { ...starting, home, onScreen }))
      const boot = await startIt(home, { onScreen: running.onTrial, off: isAlone ? others : [] })
      const idle = own !== null && boot.up ? idleRows(boot, own, change) : []
      if (idle.length > 0) return refuse('does-not-start', idle)
      const inactive = boot.up ? inactiveRows(boot.rows) : []
      const screenFails = boot.up && boot.screen?.up === false
      const passed: Tried = {
        goesOn: true,
        trial: { harness: true, screen: isWeb ? boot.up && boot.screen !== null : null },
        packages,
      }
      if (boot.up && inactive.length === 0 && !screenFails) return passed
      const homeWithout = join(home, 'without')
      if (!isWithoutPlaced) await placeWithout(running, homeWithout)
      isWithoutPlaced = true
      const without = await startIt(homeWithout, {
        // Of a page there is only something to learn where this one came up that far.
        onScreen: screenFails ? running.onTrial : null,
        off: isAlone ? await findOthers(homeWithout, plan.profile, needed) : [],
      })
      // Then nothing of this tells of the plugin.
      if (running.signal.aborted) return end(notStarted('cancelled'))
      if (performance.now() >= running.until) return end(notStarted('timed-out'))
      if (boot.up && without.up) {
        const broken = inactive.filter((row) => without.rows.some((was) => isActive(was) && isSameRow(was, row)))
        if (broken.length > 0) return refuse('breaks-others', wordsOf(broken, boot.lines))
        if (!screenFails) return passed
      }
      const [kind, subjects] = boot.up
        ? (['breaks-screen', said(running, boot)] as const)
        : (['stops-harness', boot.why] as const)
      if (isAsBad(boot, without)) {
        // One without a web page may need a task or a terminal, and then this says nothing. And nothing gets worse by what
        // leaves a profile that is broken anyway.
        if (action === 'remove' || !isWeb)
          return { goesOn: true, trial: { harness: false, screen: isWeb ? false : null }, packages }
        return end(notStarted('profile-broken', without.up ? said(running, without) : without.why))
      }
      return refuse(kind, subjects)
    }

    // What leaves can only harm the others.
    if (action !== 'remove' && others.length > 0) {
      const alone = await judge(true)
      if (alone.goesOn || running.signal.aborted || performance.now() >= running.until) return alone
      running.output.write('out', 'It does not start by itself, so the other plugins are started in the copy too.\n')
    }
    return await judge(false)
  } finally {
    await removeTrial(settings.home, running.job.id)
  }
}

/** Does in the copy what the order does to the profile. */
async function runInCopy(running: RunningJob, home: string, copy: string): ReturnType<typeof runHarness> {
  const { order } = running
  if (order.action !== 'enable') return runHarness(running, home, orderArguments(order))
  if (order.package !== null) await addBundle(copy, order.package)
  return runHarness(running, home, ['plugin', '--profile', order.plan.profile, 'install', '--prefer-offline'])
}

export async function removeTrial(home: string, job: string): Promise<void> {
  const directory = trialHome(home, job)
  await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  // Another job's may be beside it.
  await rmdir(dirname(directory)).catch(() => {})
}

interface Starting extends Pick<BootOptions, 'home' | 'args' | 'onScreen'> {
  readonly settings: TrialSettings
}

function start(running: RunningJob, { settings: trial, ...given }: Starting): Promise<Boot> {
  const { settings, order, output, signal, until } = running
  return bootHarness({
    ...given,
    command: settings.command,
    profile: order.plan.profile,
    env: homeEnvironment(running, given.home),
    startLimitMs: trial.startLimitMs,
    timeLimitMs: Math.max(1, until - performance.now()),
    output,
    signal,
    hasPage: trial.hasPage,
  })
}

/** Makes a copy of the profile as it is: it may not have come up before, and then the plugin is not to blame. */
async function placeWithout(running: RunningJob, home: string): Promise<void> {
  const { profile } = running.order.plan
  const { directory } = await copyProfile(running.settings.home, profile, home)
  const state = await readProfileState(directory)
  if (Object.keys(state?.manifest.dependencies ?? {}).length > 0)
    await runHarness(running, home, ['plugin', '--profile', profile, 'install', '--prefer-offline'])
}

/** What a plugin changes of the tree; null where the harness cannot tell. */
async function changeOf(running: RunningJob, home: string, copy: string, name: string): Promise<TreeChange | null> {
  const { settings, order, signal } = running
  const manifest = await readManifest(copy)
  const others = (manifest?.bundles ?? []).filter((bundle) => bundle !== name)
  return readTreeChange(copy, others, async () => {
    let text = ''
    await runProcess({
      command: [...settings.command, '--profile', order.plan.profile, '--dump-config'],
      cwd: home,
      env: homeEnvironment(running, home),
      timeLimitMs: Math.max(1, running.until - performance.now()),
      signal,
      onText: (stream, more) => {
        if (stream === 'out' && text.length < MAX_TREE_LENGTH) text += more
      },
    })
    return text
  })
}

/** What keeps a plugin from running in a harness that came up, in the harness's own words where it has some. */
function idleRows({ rows, bundles, lines }: Started, name: string, change: TreeChange | null): string[] {
  if (bundles && !bundles.includes(name)) return [findLine(lines, `skipping profile bundle "${name}"`) ?? name]
  const isOwn = ({ id, name: row }: Row) => change?.added.includes(id) || row === name || row.startsWith(`${name}/`)
  const missing = (change?.added ?? []).filter((id) => !rows.some((row) => row.id === id))
  const own = rows.filter((row) => isOwn(row) && (row.disabled ? change?.added.includes(row.id) : !isActive(row)))
  return [...missing.map((id) => `${id}: not loaded`), ...wordsOf(own, lines)]
}

const wordsOf = (rows: readonly Row[], lines: readonly string[]): string[] =>
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
    .slice(0, MAX_WORDS)

/** Rows that the harness makes as it starts have another id each time. */
const isSameRow = (one: Row, other: Row): boolean => one.id === other.id || one.name === other.name

const isAsBad = (boot: Boot, without: Boot): boolean => !without.up || (boot.up && without.screen?.up === false)

/** What the page said goes the way of all output: masked, and on one line. */
const said = ({ output }: RunningJob, { screen }: Started): string[] =>
  screen?.text ? [output.clean(screen.text.replace(/\s+/g, ' '))] : []
