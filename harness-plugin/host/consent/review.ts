import { bindInstall, type InstallPlan, type NotInstallableReason, renderInstall } from '@plugmark/shared/install'
import type { Caution, Review } from '../../bridge/index.ts'
import type { KnownRecord } from '../listings/row.ts'

export type Reviewed =
  | { readonly ok: true; readonly plan: InstallPlan; readonly review: Omit<Review, 'token' | 'expiresAt'> }
  | { readonly ok: false; readonly reason: NotInstallableReason }

/** What is shown before an install: everything known of the very command that would run. */
export function reviewListing(
  { record, verdict }: KnownRecord,
  { cli, profile }: { readonly cli: string; readonly profile: string },
): Reviewed {
  const bound = bindInstall(record, { cli })
  if (!bound.ok) return bound
  const plan = { ...bound.plan, profile }
  const command = renderInstall(plan)
  const checkedCommand = renderInstall(bound.plan)
  if (command === null || checkedCommand === null) return { ok: false, reason: 'bad-profile' }

  const cautions: Caution[] = []
  if (verdict !== 'passed') cautions.push('verdict')
  if (record.riskFlags.length > 0) cautions.push('risk-flags')
  return {
    ok: true,
    plan,
    review: {
      id: record.fullName,
      profile,
      command,
      checkedCommand,
      verdict,
      checkedAt: record.installCheckedAt ?? null,
      riskFlags: record.riskFlags,
      blockedBuilds: record.blockedBuilds ?? [],
      license: record.license,
      repoUrl: record.repoUrl,
      cautions,
    },
  }
}
