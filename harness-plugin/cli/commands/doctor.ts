import { unwrap } from '../../client/client-error.ts'
import { isDone } from '../../client/published.ts'
import type { Diagnosis } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import type { RepairPlan } from '../../protocol/index.ts'
import { publish } from '../../protocol/text.ts'
import { chooseProfile } from '../choose-profile.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure, type FailureCode, jobFailure } from '../failure.ts'
import { finishJob } from '../finish-job.ts'
import type { Session } from '../session.ts'
import { findingText } from '../text/finding-text.ts'
import type { LocalizedText } from '../words/index.ts'

/** Failure codes of missing programs, by the kind of the finding. */
export const MISSING: Readonly<Partial<Record<Diagnosis['findings'][number]['kind'], FailureCode>>> = {
  'harness-missing': 'harness-missing',
  'not-harness': 'not-harness',
  'package-manager-missing': 'pnpm-missing',
  'profile-missing': 'profile-missing',
}

/** Returns what helps when a program is missing; null for anything else. */
export const nextIfMissing = (code: FailureCode): LocalizedText | null =>
  code === 'pnpm-missing' || code === 'harness-missing' || code === 'not-harness'
    ? ({ failures }) => failures.getProgram[code]
    : null

/** Examines the harness and a profile, and repairs the profile with `fix`. */
export async function doctor(
  session: Session,
  options: {
    readonly profile?: string | undefined
    readonly fix?: boolean | undefined
    readonly dryRun?: boolean | undefined
  },
): Promise<DataOf<'doctor'>> {
  const profile = await profileOf(session, options.profile)
  const host = await session.openHost()
  const diagnose = () => host.doctor({ profile, signal: session.signal })
  let diagnosis = await diagnose()
  session.signal.throwIfAborted()
  // A profile that cannot be read has no plan.
  const planned = await host.calls.reviewRepair({ profile })
  const plan = planned.ok ? planned.value : null
  const isRepairable = ({ repairable, subjects }: Diagnosis['findings'][number]) =>
    repairable || (plan?.steps ?? []).some(({ name }) => subjects[0] === name)
  const needsRepair = diagnosis.findings.some(isRepairable) || (plan?.steps.length ?? 0) > 0
  let repair: DataOf<'doctor'>['repair'] = null
  const fixes = options.fix && !options.dryRun
  if (fixes && needsRepair) {
    repair = await finishJob(session, async (client) => {
      // An unreadable journal is quarantined by the job itself.
      const { id } = unwrap(
        await (plan ? host.calls.repair({ profile, digest: plan.digest }) : host.repair({ profile })),
      )
      return client.waitFor(id, session.signal)
    })
    if (!isDone(repair.outcome)) throw jobFailure(repair, { data: toData(session, diagnosis, plan, repair) })
    diagnosis = await diagnose()
  }
  const data = toData(session, diagnosis, plan, repair)
  const [worst] = diagnosis.findings
  if (worst?.severity !== 'error') return data
  const code = MISSING[worst.kind] ?? 'unhealthy'
  const next =
    needsRepair && !fixes
      ? session.command('doctor', '--fix', '--profile', profile)
      : (stepOf(worst) ?? nextIfMissing(code))
  throw new Failure(code, (words, locale) => findingText(worst, words, locale), { data, next })

  /** Returns the command of the first step that helps with a plugin; null if the person must act elsewhere. */
  function stepOf({ subjects: [name], state }: Diagnosis['findings'][number]): string | null {
    if (state === null || name === undefined) return null
    const fitting = plan?.steps.find((step) => step.name === name && step.action === 'update')
    if (fitting) return session.command('update', name, '--profile', profile)
    const verb = state.steps.includes('switch-off') ? 'disable' : state.steps.includes('remove') ? 'remove' : null
    return verb && session.command(verb, name, '--profile', profile)
  }
}

/** Returns the profile to examine. The doctor also works without a profile. */
async function profileOf(session: Session, named: string | undefined): Promise<string> {
  try {
    return await chooseProfile(session, named)
  } catch (error) {
    if (error instanceof Failure && (error.code === 'no-profile' || error.code === 'unknown-profile'))
      return named ?? 'web'
    throw error
  }
}

function toData(
  { locale, words }: Session,
  { home, profile, node, harness, packageManager, start, findings, plugins }: Diagnosis,
  plan: RepairPlan | null,
  repair: DataOf<'doctor'>['repair'],
): DataOf<'doctor'> {
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
    })),
    steps: (plan?.steps ?? []).map((step) => ({ ...step, package: step.name, sentence: t.repair.step(step) })),
    left: (plan?.left ?? []).map(({ name }) => name),
    repair,
  })
}
