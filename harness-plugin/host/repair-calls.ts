import type { Answer, Job, ProfileCheck, RepairPlan, StoreCalls } from '../protocol/index.ts'
import type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
import { planRepair } from './doctor/repair.ts'
import { answer, refuse } from './guard/make-answer.ts'
import type { JobRequest } from './harness/job.ts'
import { redact } from './harness/output.ts'
import type { HostParts } from './host-parts.ts'
import { fetchFitting } from './plugins/verdict.ts'
import { profileDirectory } from './profile/home.ts'
import { readProfileState } from './profile/state.ts'

type RepairCalls = Pick<StoreCalls, 'reviewRepair' | 'repair' | 'checkProfile'>

/** Creates the calls that examine and repair a profile as a whole. */
export function repairCalls(
  { settings, states, declarations, compatibility, queue, events, background, closing }: HostParts,
  jobs: {
    doctor(options: DoctorOptions): Promise<Diagnosis>
    start(profile: string, request: Omit<JobRequest, 'profile' | 'changes'>): Promise<Answer<Job>>
  },
): RepairCalls {
  const checks = new Map<string, ProfileCheck>()

  async function plan(profile: string): Promise<Answer<RepairPlan>> {
    const directory = profileDirectory(settings.home, profile)
    const state = await readProfileState(directory)
    if (state === null) return refuse('unknown-profile', `The profile "${profile}" does not exist.`)
    const [entries, harnessVersion] = await Promise.all([states.read(profile, state), compatibility.version()])
    const { signal } = closing
    const findFitting = async (name: string) =>
      harnessVersion === null ? null : fetchFitting(name, { declarations, directory, state, harnessVersion, signal })
    return answer(await planRepair({ profile, state, states: entries, findFitting }))
  }

  function emitCheck(check: ProfileCheck): ProfileCheck {
    checks.set(check.profile, check)
    events.emit({ type: 'profile-check', check })
    return check
  }

  async function check(profile: string): Promise<void> {
    const { start, findings } = await jobs.doctor({ profile })
    const clean = (text: string) => redact(text, settings.redactions)
    emitCheck({
      profile,
      start: start.state,
      findings: findings.map((finding) => ({ ...finding, subjects: finding.subjects.map(clean) })),
      checkedAt: settings.now(),
    })
  }

  return {
    reviewRepair: ({ profile }) => plan(profile),
    async repair({ profile, digest }) {
      const planned = await plan(profile)
      if (!planned.ok) return planned
      const { steps, digest: current } = planned.value
      if (current !== digest)
        return refuse('bad-token', 'The profile has changed since this review. Review the repair again.')
      const isRunning = queue
        .jobs()
        .some((job) => job.action === 'repair' && job.profile === profile && job.state !== 'done')
      if (isRunning) return refuse('already-running', 'A repair of this profile is already in progress.')
      return jobs.start(profile, {
        action: 'repair',
        listing: null,
        more: [],
        repairs: steps,
      })
    },
    async checkProfile({ profile }) {
      const last = checks.get(profile)
      if (last?.checkedAt === null) return answer(last)
      const begun = emitCheck({ profile, start: null, findings: [], checkedAt: null })
      const checked = check(profile).catch((cause) => {
        emitCheck({ profile, start: 'not-tried', findings: [], checkedAt: settings.now() })
        throw cause
      })
      background.add(checked)
      return answer(begun)
    },
  }
}
