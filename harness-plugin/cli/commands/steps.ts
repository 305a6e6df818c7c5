import { DEFAULTS } from '@plugmark/shared/contract'
import { unwrap } from '../../client/client-error.ts'
import { type JobData, toJobData } from '../../client/published.ts'
import type { StoreClient } from '../../client/store-client.ts'
import type { AllListings } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import type { Answer, CatalogueStatus, Job } from '../../protocol/index.ts'
import { isFresh } from '../../search/listings.ts'
import { checkProfileName } from '../cli-settings.ts'
import { Failure, withoutQuery } from '../failure.ts'
import type { Session } from '../session.ts'

/** Options of the commands about a profile. */
export interface Profiled {
  readonly profile?: string | undefined
  /** True to say what would be done, and change nothing. */
  readonly dryRun?: boolean | undefined
}

/**
 * Returns the profile that was named, else the one of the stored settings, else the only one.
 *
 * @throws Failure when it does not exist, and when there are several to choose from
 */
export async function chooseProfile(
  session: Session,
  named: string | undefined = session.defaultProfile,
): Promise<string> {
  if (named !== undefined) checkProfileName(named)
  // The cheapest command of the harness that makes a profile.
  const creating = (name: string) => session.harnessCommand('plugin', '--profile', name, 'list')
  const names = await profileNames(session)
  if (named !== undefined) {
    if (names.includes(named)) return named
    throw new Failure('unknown-profile', ({ failures }) => failures.unknownProfile(named, creating(named)), {
      data: { suggestions: names },
      next: session.command('doctor', '--profile', named),
    })
  }
  const [only, ...others] = names
  if (only === undefined) throw await noProfile(session, creating(DEFAULTS.profile))
  if (others.length > 0)
    throw new Failure('usage', ({ failures }) => failures.severalProfiles(names), {
      data: { suggestions: names },
    })
  return only
}

/**
 * Returns the profile as `chooseProfile` does, or the default one where there is none or nobody said which: plugins are
 * found and shown without a harness, too.
 *
 * @throws Failure when the harness has profiles, and not the one that was named
 */
export async function likelyProfile(
  session: Session,
  named: string | undefined = session.defaultProfile,
): Promise<string> {
  if (named !== undefined) checkProfileName(named)
  const { length } = await profileNames(session)
  return length === 0 || (named === undefined && length > 1)
    ? (named ?? DEFAULTS.profile)
    : chooseProfile(session, named)
}

/** Returns the failure where there is no profile: without a harness, the command that creates one is of no use. */
async function noProfile(session: Session, creating: string): Promise<Failure> {
  const { program, findProgram } = await session.openHost()
  return (await findProgram()) === null
    ? new Failure('no-profile', ({ harnessMissing }) => harnessMissing(program), {
        next: ({ failures }) => failures.getProgram['harness-missing'],
      })
    : new Failure('no-profile', ({ failures }) => failures.noProfile(creating), { next: session.command('doctor') })
}

/** Returns the profiles whose package.json can be read. */
async function profileNames(session: Session): Promise<string[]> {
  const profiles = await (await session.openHost()).profiles()
  return profiles.map(({ name }) => name)
}

/** Starts a job, and waits for its end. If a person cancels meanwhile, returns the outcome of the rollback. */
export async function finishJob(
  session: Session,
  start: (client: StoreClient) => Promise<Answer<Job>>,
): Promise<JobData> {
  const client = await session.openClient()
  const wasWorking = session.isWorking
  session.isWorking = true
  try {
    const { id } = unwrap(await start(client))
    const job = await client.waitFor(id, { signal: session.signal, cancels: true })
    const log = await client.host.logFile(job.profile, job.id)
    return toJobData({ ...job, outcome: job.outcome! }, session.locale, session.words.outcomes, log)
  } finally {
    session.isWorking = wasWorking
  }
}

/**
 * Returns every listing, and records the used index in the session's document.
 *
 * @throws ClientError when the directory cannot be reached and no index is stored
 */
export async function readListings(
  session: Session,
  options: { readonly refresh?: boolean; readonly replace?: boolean } = {},
): Promise<AllListings> {
  const client = await session.openClient()
  session.progress.work(session.words.waitsFor(URL.parse(session.directory.url ?? '')?.host ?? ''))
  const startedAt = Date.now()
  try {
    const listings = await client.listings(options)
    if ((listings.status.loadedAt ?? 0) >= startedAt) session.unprepared = listings
    return listings
  } finally {
    reportDirectory(session, await client.status())
    session.progress.end()
  }
}

function reportDirectory(session: Session, status: CatalogueStatus): void {
  const isCurrent = status.state !== 'failed' && isFresh(status)
  session.noteDirectory(status, isCurrent)
  if (session.directory.state === 'stored')
    session.progress.warn(session.words.stored(ageText(session, status.loadedAt), problemText(session, status)))
  else if (session.problems.has('index-unfetched') && isCurrent)
    session.progress.warn(session.words.problems['index-unfetched'])
}

const ageText = ({ locale }: Session, at: number | null) =>
  at === null ? null : messagesFor(locale).ago(at, Date.now())

/** Returns the reason why the directory was not read. The host's own message is in English. */
const problemText = ({ locale, words }: Session, { failure }: CatalogueStatus): string =>
  (locale === 'en' && failure ? withoutQuery(failure.message) : null) ?? words.problems['directory-unread']
