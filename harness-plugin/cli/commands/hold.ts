import { plainText } from '../../protocol/text.ts'
import { chooseProfile } from '../choose-profile.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/** Longest reason of a hold, in characters. */
const LONGEST = 200

interface HoldOptions {
  readonly profile?: string | undefined
  readonly reason?: string | undefined
  readonly dryRun?: boolean | undefined
}

/** Holds an installed plugin at its version: `update --all` leaves it out. */
export async function hold(session: Session, text: string, options: HoldOptions): Promise<DataOf<'hold'>> {
  const reason = options.reason?.trim() || null
  if (reason !== null && reason.length > LONGEST)
    throw new Failure('usage', ({ failures }) => failures.reasonTooLong(LONGEST))
  return change(session, text, options, { reason })
}

/** Ends the hold of a plugin. */
export const unhold = (session: Session, text: string, options: HoldOptions): Promise<DataOf<'hold'>> =>
  change(session, text, options, null)

async function change(
  session: Session,
  text: string,
  options: HoldOptions,
  hold: { readonly reason: string | null } | null,
): Promise<DataOf<'hold'>> {
  const profile = await chooseProfile(session, options.profile)
  const client = await session.openClient()
  const { dryRun = false } = options
  const { name, version } = await (dryRun ? client.findInstalled(text, profile) : client.hold(text, { profile, hold }))
  return { profile, package: plainText(name), version, held: hold !== null, reason: hold?.reason ?? null, dryRun }
}
