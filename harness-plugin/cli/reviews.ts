import type { DataOf, Skipped } from './documents.ts'
import { Failure, type FailureCode, unwrap } from './failure.ts'
import { type Listings, readListings, resolveListing } from './listings.ts'
import { failureText, refusalText } from './outcome-text.ts'
import { agreesTo, type Change, digestOf, type Reviewed, reviewChange, type Wish } from './review.ts'
import type { Session } from './session.ts'

export interface ChangeOptions {
  readonly profile?: string | undefined
  readonly accept?: string | undefined
  readonly allowBuild?: string[] | undefined
  readonly allowVerdict?: string | undefined
  /** One job for each plugin, and what cannot be done is skipped. */
  readonly each?: boolean | undefined
  /** Every plugin that has an update. */
  readonly all?: boolean | undefined
}

/** What is to be done, as it was typed. */
export interface Plan {
  readonly profile: string
  readonly action: Change
  readonly ids: readonly string[]
  readonly options: ChangeOptions
}

/** What a person is asked to agree to. */
export interface Reviews {
  readonly reviewed: readonly Reviewed[]
  readonly skipped: readonly Skipped[]
  readonly digest: string
  /** Returns true if a digest that a person accepted agrees to these reviews. */
  readonly isAccepted: (digest: string) => boolean
  /** What the directory listed. */
  readonly listings: Listings
}

export const toCheckData = ({ profile }: Plan, { digest, reviewed, skipped }: Reviews): DataOf<'check'> => ({
  profile,
  digest,
  reviews: reviewed.map(({ data }) => data),
  skipped: [...skipped],
})

/**
 * Reviews everything that was asked for.
 *
 * @throws Failure for the first that cannot be done; with --each that is skipped, and it throws when nothing is left
 */
export async function reviewAll(session: Session, plan: Plan): Promise<Reviews> {
  const listings = await readListings(session)
  const { home } = await session.openHost()
  const reviewed = new Map<string, Reviewed>()
  const skipped: Skipped[] = []
  let first: Failure | null = null
  for (const id of plan.ids) {
    try {
      const one = await reviewOne(session, plan, id, listings)
      if (one.data.refusal !== null && plan.options.each) throw refused(session, plan, one)
      reviewed.set(one.data.id, one)
    } catch (error) {
      if (!(error instanceof Failure && plan.options.each && error.code in SKIPS)) throw error
      first ??= error
      skipped.push(toSkipped(session, id, error))
    }
  }
  const all = [...reviewed.values()]
  const data = all.map(({ data }) => data)
  const place = { profile: plan.profile, home, directory: session.directory.url }
  const digest = digestOf(data, place)
  const isAccepted = (accepted: string) => agreesTo(accepted, data, place)
  const reviews: Reviews = { reviewed: all, skipped, digest, isAccepted, listings }
  if (all.length === 0 && first !== null) throw first.with({ data: toCheckData(plan, reviews) })
  const bad = all.find(({ data }) => data.refusal !== null)
  if (bad) throw refused(session, plan, bad).with({ data: toCheckData(plan, reviews) })
  return reviews
}

export async function reviewOne(session: Session, plan: Plan, id: string, listings: Listings): Promise<Reviewed> {
  const wish = plan.action === 'install' ? await listed(session, id, listings) : await installed(session, plan, id)
  return reviewChange(session, wish, { ...plan, allowVerdict: plan.options.allowVerdict })
}

/** Why something is skipped with --each, by error. */
const SKIPS: Readonly<Partial<Record<FailureCode, Skipped['reason']>>> = {
  'unknown-listing': 'not-found',
  ambiguous: 'ambiguous',
  'not-installable': 'no-command',
  'refused-verdict': 'refused-verdict',
  incompatible: 'incompatible',
  'not-installed': 'not-installed',
  'other-source': 'other-source',
}

export const toSkipped = ({ locale }: Session, id: string, error: Failure): Skipped => ({
  id,
  reason: SKIPS[error.code] ?? 'failed',
  message: failureText(error, locale),
})

function refused(session: Session, plan: Plan, { data }: Reviewed): Failure {
  const { code } = data.refusal!
  const allow =
    code === 'refused-verdict'
      ? planCommand(session, plan, ['--allow-verdict', data.verdict ?? ''])
      : data.compatibility?.allowCommand
  return new Failure(code as FailureCode, (words, locale) => words.labelled(data.id, refusalText(code, data, locale)), {
    next: allow && (({ failures }) => failures.allow(allow)),
  })
}

async function listed(session: Session, id: string, listings: Listings): Promise<Wish> {
  const listing = await resolveListing(session, id, listings)
  return { id: listing.id, package: listing.npmPackage }
}

/** A plugin of the profile, by its listing or the name of its package. */
async function installed(session: Session, { profile, action }: Plan, id: string): Promise<Wish> {
  const host = await session.openHost()
  const plugins = unwrap(await host.calls.installed({ profile }))
  const fold = (text: string | null) => text?.toLowerCase()
  const found = plugins.filter(({ name, listing }) => name === id || fold(listing) === fold(id))
  const [plugin, other] = found
  if (other !== undefined)
    throw new Failure('ambiguous', ({ failures }) => failures.ambiguousPackage(id, found.length), {
      data: { suggestions: found.map(({ name }) => name) },
    })
  if (plugin === undefined)
    throw new Failure('not-installed', ({ failures }) => failures.notInstalled(id, profile), {
      data: { suggestions: plugins.filter(({ removable }) => removable).map(({ name }) => name) },
      next: session.command('list', '--profile', profile),
    })
  if (plugin.listing !== null && plugin.removable) return { id: plugin.listing, package: plugin.name }
  const reason = plugin.unmanagedReason ?? 'other-source'
  if (reason === 'directory') throw new Failure('directory-needed', ({ unmanaged }) => unmanaged.directory)
  throw new Failure('other-source', ({ labelled, unmanaged }) => labelled(plugin.name, unmanaged[reason]), {
    next: session.harnessCommand('plugin', '--profile', profile, action, plugin.name),
  })
}

/** What was typed, with more options. */
export const planCommand = (session: Session, { action, ids, profile, options }: Plan, more: readonly string[]) =>
  session.command(
    ...[action, ...ids, '--profile', profile],
    ...(options.each ? ['--each'] : []),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...more,
  )
