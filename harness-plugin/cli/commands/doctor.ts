import { readFile } from 'node:fs/promises'
import { DEFAULTS } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { isOnlySpec, parseSpec, renderSpec } from '@plugmark/shared/install'
import { ClientError } from '../../client/client-error.ts'
import { existing, findListing, splitVersion } from '../../client/name-lookup.ts'
import { commandsOf, isDone } from '../../client/published.ts'
import type { Diagnosis, StoreHost } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import { isBroken, type YesNoUnknown } from '../../protocol/fit.ts'
import type { LeftUpdate, PluginState, RepairPlan } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure, jobFailure, withoutProgram } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { wrapped } from '../text/columns.ts'
import { findingText, missingProgram, repairLines } from '../text/profile-lines.ts'
import type { LocalizedText } from '../words/index.ts'
import { ask } from './agreement.ts'

/** Examines the harness and a profile, and repairs the profile with `fix`. */
export async function doctor(
  session: Session,
  options: Profiled & { readonly fix?: boolean | undefined },
): Promise<DataOf<'doctor'>> {
  const profile = await profileOf(session, options.profile)
  const host = await session.openHost()
  const diagnose = () => {
    session.progress.work(session.words.starting, messagesFor(session.locale).job.startingLong)
    return host.doctor({ profile, signal: session.signal })
  }
  let diagnosis = await diagnose()
  session.signal.throwIfAborted()
  // A profile that cannot be read has no plan.
  const planned = await host.calls.reviewRepair({ profile })
  const plan = planned.ok ? planned.value : null
  const before = toData(session, diagnosis, plan, null)
  const needsRepair = before.findings.some(({ repairable }) => repairable) || before.steps.length > 0
  let repair: DataOf<'doctor'>['repair'] = null
  const fixes = options.fix && !options.dryRun
  if (fixes && needsRepair) {
    if (session.canAsk && !(await ask(session, session.words.question.repair, (page) => repairLines(before, page))))
      throw new Failure('cancelled', ({ declined }) => declined)
    // An update is named before it is made.
    for (const step of plan?.steps ?? [])
      if (step.action === 'update' && !session.canAsk)
        session.progress.warn(messagesFor(session.locale).repair.step(step))
    // An unreadable journal is quarantined by the job itself.
    repair = await session.finishJob(() =>
      plan ? host.calls.repair({ profile, digest: plan.digest }) : host.repair({ profile }),
    )
    if (!isDone(repair.outcome)) throw jobFailure(repair, session, profile, { data: { ...before, repair } })
    diagnosis = await diagnose()
  }
  const data = toData(session, diagnosis, plan, repair)
  const [worst] = diagnosis.findings
  if (worst?.severity !== 'error') return data
  const program = missingProgram(worst.kind)
  const text: LocalizedText = (words, locale) => findingText(worst, words, locale)
  if (program !== null) throw withoutProgram(program, text, data)
  const code = worst.kind === 'profile-missing' ? worst.kind : 'unhealthy'
  const correct: LocalizedText | null = code === 'unhealthy' ? ({ failures }) => failures.correct : null
  const next =
    needsRepair && !fixes ? session.command('doctor', '--fix', '--profile', profile) : (stepOf(worst) ?? correct)
  throw new Failure(code, text, { data, next })

  /** Returns the command of the first step that helps with a plugin; null if the user must act elsewhere. */
  function stepOf({ kind, subjects: [name], state }: Diagnosis['findings'][number]): string | null {
    if (kind === 'malware' && name !== undefined)
      return session.command('remove', splitPackageId(name).name, '--profile', profile)
    if (kind === 'profile-missing')
      return name === undefined
        ? session.harnessCommand('plugin', '--profile', profile, 'list')
        : session.command('doctor', '--profile', name)
    if (state === null || name === undefined) return null
    const fitting = plan?.steps.find((step) => step.name === name && step.action === 'update')
    if (fitting) return session.command('update', name, '--profile', profile)
    const left = plan?.left.find((entry) => entry.name === name)?.update
    const byHand = left && commandFor(session, left, name, profile)
    if (byHand) return byHand
    const verb = state.steps.includes('switch-off') ? 'disable' : state.steps.includes('remove') ? 'remove' : null
    return verb && session.command(verb, name, '--profile', profile)
  }
}

const notHarness: LocalizedText = (words, locale) =>
  findingText({ kind: 'not-harness', subjects: [], state: null }, words, locale)

/** Returns the profile to examine. The doctor also works without a profile. */
async function profileOf(session: Session, named: string | undefined): Promise<string> {
  try {
    return await session.chooseProfile(named)
  } catch (error) {
    if (error instanceof Failure && (error.code === 'no-profile' || error.code === 'unknown-profile'))
      return named ?? DEFAULTS.profile
    throw error
  }
}

/** Returns the command that comes next for an update that a repair leaves to the user. */
function commandFor(session: Session, { why }: LeftUpdate, name: string, profile: string): string | null {
  if (why === 'malware') return null
  return session.command(why === 'held' ? 'unhold' : 'update', name, '--profile', profile)
}

function toData(
  session: Session,
  { home, profile, node, harness, packageManager, start, findings, plugins, audit }: Diagnosis,
  plan: RepairPlan | null,
  repair: DataOf<'doctor'>['repair'],
): DataOf<'doctor'> {
  const { locale, words } = session
  const t = messagesFor(locale)
  return publish(DATA.doctor, {
    home,
    profile,
    node,
    harness,
    packageManager,
    start,
    findings: findings.map((finding) => ({
      ...finding,
      repairable: finding.repairable || (plan?.steps ?? []).some(({ name }) => finding.subjects[0] === name),
      sentence: findingText(finding, words, locale),
      steps: finding.state?.steps ?? [],
    })),
    plugins: plugins.map(({ name, state }) => ({
      package: name,
      state: state.kind,
      sentence: t.pluginState.sentence(state),
      next: commandsOf(state, name, null, session.commandIn(profile)),
    })),
    steps: (plan?.steps ?? []).map((step) => ({ ...step, package: step.name, sentence: t.repair.step(step) })),
    left: (plan?.left ?? []).map(({ name }) => name),
    leftUpdates: (plan?.left ?? []).flatMap(({ name, update }) => {
      if (update === null) return []
      const next = commandFor(session, update, name, profile)
      return { ...update, package: name, sentence: t.repair.leaves(update), next }
    }),
    audit,
    repair,
  })
}

/**
 * Checks a profile against another version of the harness, before it is upgraded. With `--harness`, starts a copy of the
 * profile under that program.
 * @throws Failure when something in the profile does not fit
 */
export async function upgradeCheck(
  session: Session,
  version: string | undefined,
  options: Profiled,
): Promise<DataOf<'upgrade-check'>> {
  const isStarted = session.options.harness !== undefined
  if (version !== undefined && isStarted) throw new Failure('usage', ({ fit }) => fit.versionOrHarness)
  if (version !== undefined && !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))
    throw new Failure('usage', ({ fit }) => fit.badVersion(plainText(version)))
  const profile = await session.chooseProfile(options.profile)
  const host = await session.openHost()
  if (isStarted) session.progress.work(session.words.starting, messagesFor(session.locale).job.startingLong)
  else session.progress.work(session.words.asking)
  const checked = await host.checkUpgrade({ profile, version: version ?? null, isStarted, signal: session.signal })
  if (!checked.ok) {
    if (checked.reason === 'no-version') throw new Failure('usage', ({ fit }) => fit.noVersion)
    const { reason } = checked
    if (reason === 'not-harness') throw withoutProgram('harness', notHarness)
    throw new Failure(reason, (_, locale) => messagesFor(locale).refused[reason])
  }
  const { harnessVersion, start, plugins } = checked.check
  /** A harness without a gate loads what does not fit. */
  const sentenceOf = (state: PluginState, runs: YesNoUnknown) => {
    if (state.kind === 'loaded' && runs === 'no') return session.words.fit.declaresNot(harnessVersion)
    // A start that was asked for told nothing of it.
    return state.kind === 'loaded' && runs === 'unknown' && !isStarted
      ? session.words.fit.notSaid
      : t.pluginState.sentence(state)
  }
  const t = messagesFor(session.locale)
  const data = publish(DATA['upgrade-check'], {
    profile,
    harnessVersion,
    start,
    plugins: plugins.map((plugin) => ({
      ...plugin,
      package: plugin.name,
      state: plugin.state.kind,
      sentence: sentenceOf(plugin.state, plugin.runs),
    })),
  })
  // A start that was asked for and proved nothing is no pass.
  if (isStarted && start.state === 'not-tried')
    throw new Failure('not-passed', ({ fit }) => fit.unknownStart(harnessVersion), {
      data,
      next: session.command('doctor', '--profile', profile),
    })
  const bad = plugins.filter(({ runs, state }) => runs === 'no' || isBroken(state))
  if (start.state !== 'does-not-start' && start.page !== 'no' && bad.length === 0) return data
  const newer = bad.find(({ fitting }) => fitting !== null)
  const names = bad.map(({ name }) => plainText(name)).join(', ')
  throw new Failure('does-not-fit', ({ fit }) => fit.doesNotFit(harnessVersion, names), {
    data,
    // Under the present harness, its review refuses that version.
    next: ({ fit }) =>
      newer ? fit.afterUpgrade(session.command('update', newer.name, '--profile', profile)) : fit.keepHarness,
  })
}

export interface TryOptions {
  readonly unlisted?: boolean | undefined
  /** True if the user agreed that the code runs. */
  readonly run?: boolean | undefined
}

/**
 * Runs an install command in a throw-away home, and starts the harness with what it installed.
 *
 * @throws Failure unless the user agrees, the command passes, and the harness runs the plugin
 */
export async function tryCommand(session: Session, text: string, options: TryOptions): Promise<DataOf<'try'>> {
  if (await isInBackground()) throw new Failure('usage', ({ fit }) => fit.noBackground)
  const spec = await specToTry(session, text, options)
  if (!options.run) await agreeToRun(session, plainText(spec))
  const host = await session.openHost()
  session.isWorking = true
  session.progress.work(session.words.trying)
  const answer = await host.tryPlugin({ spec, signal: session.signal }).finally(() => {
    session.isWorking = false
  })
  if (!answer.ok) throw notTried(answer.reason, plainText(spec), host.program)
  const { tried } = answer
  const result = { ...tried, startedAt: new Date(tried.startedAt).toISOString() }
  const data = publish(DATA.try, { spec: plainText(spec), result })
  const { kind, subjects, missingFrom } = tried
  // That says nothing of the plugin.
  if (kind === 'unreachable')
    throw new Failure('unreachable', (_, locale) => messagesFor(locale).refused['source-unreachable'], { data })
  if (missingFrom !== null) {
    const registry = plainText(missingFrom)
    throw new Failure('unknown-source', ({ fit }) => fit.notInRegistry(data.spec, registry), {
      data,
      next: ({ fit }) => fit.checkName,
    })
  }
  if (kind === 'not-found' && subjects.length === 0)
    throw new Failure('unknown-source', ({ fit }) => fit.noRepository(data.spec), { data })
  if (tried.verdict === 'passed' && tried.runs === true) return data
  throw new Failure('not-passed', ({ fit }) => fit.notPassed(tried), { data, next: ({ fit }) => fit.readWhy })
}

/** Returns the failure of a plugin that could not be tried. */
function notTried(reason: NotTried, spec: string, program: string): Failure {
  if (reason === 'cancelled') return new Failure(reason, ({ fit }) => fit.cancelled)
  if (reason === 'malware') return new Failure(reason, (_, locale) => messagesFor(locale).refused.malware)
  if (reason === 'bad-spec') return new Failure('usage', ({ fit }) => fit.badSpec(spec))
  return withoutProgram(
    'harness',
    reason === 'harness-missing' ? ({ harnessMissing }) => harnessMissing(program) : notHarness,
  )
}
type NotTried = Extract<Awaited<ReturnType<StoreHost['tryPlugin']>>, { readonly ok: false }>['reason']

/** Asks the user. @throws Failure unless the user agreed */
async function agreeToRun(session: Session, spec: string): Promise<void> {
  if (!session.canAsk)
    throw new Failure('consent-needed', ({ fit }) => fit.agreeToRun, { next: ({ fit }) => fit.addRun })
  const { fit, question } = session.words
  if (await ask(session, question.run, (page) => wrapped(fit.runsHere(spec), page.columns))) return
  throw new Failure('cancelled', ({ declined }) => declined)
}

/**
 * Returns what the install command of a listing adds. A folder or a spec needs no directory, nor does a package that the
 * user may install without one.
 *
 * @throws ClientError when the directory does not list it or cannot be reached
 * @throws Failure when the directory has no command for it
 */
async function specToTry(session: Session, text: string, { unlisted }: TryOptions): Promise<string> {
  const { name, version } = splitVersion(text)
  if (isOnlySpec(text) || unlisted) {
    const source = parseSpec(text)
    if (source === null) throw notTried('bad-spec', text, '')
    return renderSpec(existing(source, text))
  }
  const client = await session.openClient()
  const listing = await findListing(client, name, await session.readListings(), { byName: true }).catch((error) => {
    const spec = error instanceof ClientError && error.code === 'unknown-listing' ? parseSpec(name) : null
    if (spec?.kind !== 'github') throw error
    const { suggestions } = error
    throw new Failure('unknown-listing', (_, locale) => error.in(locale), {
      next: session.command('try', renderSpec(spec)),
      ...(suggestions.length > 0 && { data: { suggestions } }),
    })
  })
  const { command, reason } = await client.ask('details', { id: listing.id, profile: DEFAULTS.profile })
  const spec = command?.split(' ').at(-1)
  if (spec === undefined)
    throw new Failure('not-installable', (_, locale) => contractMessages(locale).reason(reason!), {
      next: session.command('show', listing.id),
    })
  if (version === null) return spec
  return listing.npmPackage === null ? `${spec}#${version}` : `${spec}@${version}`
}

/** Returns true if the process has a terminal and is not in its foreground. Works only on Linux. */
async function isInBackground(): Promise<boolean> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '')
  // The name of the program may contain spaces.
  const [, , group, , , foreground] = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  return foreground !== undefined && Number(foreground) > 0 && foreground !== group
}
