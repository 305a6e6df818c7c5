import type { PluginRecord } from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall } from '@plugmark/shared/install'
import type { ListingDetails, StoreListing } from '../../bridge/index.ts'

interface Asked {
  readonly cli: string
  readonly profile: string
}

/** All that is known of a listing; without its record, what the index knows. */
export function detailsOf(
  listing: StoreListing,
  record: PluginRecord | null,
  { siblings, ...asked }: Asked & { readonly siblings: readonly string[] },
): ListingDetails {
  const { command, reason } = record ? commandOf(record, asked) : { command: null, reason: null }
  return {
    ...listing,
    command,
    reason,
    siblings,
    // A listing without a page of its own names its repository there.
    page: record && record.url !== record.repoUrl ? record.url : null,
    pushedAt: record?.pushedAt ?? null,
    options: (record?.installOptions ?? []).map(({ label, note, cmd }) => ({
      label,
      note,
      command: commandOf({ ...record, install: cmd }, asked).command,
    })),
  }
}

function commandOf(
  listing: unknown,
  { cli, profile }: Asked,
): { readonly command: string | null; readonly reason: NotInstallableReason | null } {
  const bound = bindInstall(listing, { cli })
  if (!bound.ok) return { command: null, reason: bound.reason }
  const command = renderInstall(bound.plan, { profile })
  return { command, reason: command === null ? 'bad-profile' : null }
}
