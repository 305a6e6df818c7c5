import { type InstallSpec, parseDependency, parseSpec } from '@plugmark/shared/install'
import { ClientError } from '../../client/client-error.ts'
import { checkVersion, findInstalled } from '../../client/name-lookup.ts'
import { messagesFor } from '../../messages/index.ts'
import { publish } from '../../protocol/text.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure, toFailure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import type { LocalizedText } from '../words/index.ts'
import { findShown } from './show.ts'

export interface DiffOptions extends Profiled {
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly unlisted?: boolean | undefined
}

/** Compares the files of two versions of a plugin: by default of the installed one and the newest. */
export async function diff(session: Session, text: string, options: DiffOptions): Promise<DataOf<'diff'>> {
  const profile = await session.chooseProfile(options.profile)
  const client = await session.openClient()
  const installed = await findInstalled(client, text, profile, { byName: !options.unlisted }).catch(
    (error: unknown) => {
      if (error instanceof ClientError && error.code === 'not-installed') return null
      throw error
    },
  )
  const isListed = installed === null && !options.unlisted
  const listing = isListed ? await findShown(session, text, 'diff') : null
  const id = installed?.listing ?? installed?.name ?? listing?.id ?? text
  const spec = installed ? parseDependency(installed.name, installed.spec) : specOf(listing ? listing.specKey : text)
  const isUnlisted = options.unlisted === true && installed === null
  const showing = session.command('show', id, ...(isUnlisted ? ['--unlisted'] : []))
  const { before = null, after = null } = options
  if (spec === null) {
    const files = { state: 'unknown', reason: 'not-a-registry-package' } as const
    const unread = { compareUrl: null, files }
    throw notCompared(publish(DATA.diff, { id, package: id, before, after, ...unread }), { showing, isUnlisted })
  }
  session.progress.work(session.words.asking)
  const host = await session.openHost()
  const given = { profile, spec, package: installed?.name ?? null, before, after }
  const compared = await host.diff({ ...given, signal: session.signal })
  session.signal.throwIfAborted()
  const data = publish(DATA.diff, { id, ...compared })
  if (data.files.state === 'read') return data
  // Without a named version, the one before is missing only where there is no older one.
  const isOnly = before === null && data.before === null && data.after !== null
  if (isOnly && data.files.reason === 'no-such-version') {
    const plugin = `${data.package} ${data.after}`
    throw new Failure('not-compared', ({ failures }) => failures.onlyVersion(plugin), { data, next: showing })
  }
  const failure = notCompared(data, { showing, isUnlisted })
  if (data.files.reason !== 'no-such-version') throw failure
  // Where the registry tells which versions there are, the failure names the one that is missing, and these.
  for (const version of [before, after])
    if (version !== null)
      await checkVersion(client, { id, profile, version }).catch((error: unknown) => {
        throw toFailure(error, session.signal, session).with({ data })
      })
  throw failure
}

/**
 * A script must not take what could not be read for what is the same.
 *
 * @param given.showing command that shows the plugin, with its newest version
 */
function notCompared(
  data: DataOf<'diff'>,
  { showing, isUnlisted }: { readonly showing: string; readonly isUnlisted: boolean },
): Failure {
  const reason = data.files.state === 'unknown' ? data.files.reason : 'failed'
  const isMissing = reason === 'no-such-version' || reason === 'no-such-commit'
  const text: LocalizedText = (words, locale) => {
    const { inspection, review } = messagesFor(locale)
    const versions = data.after === null ? (data.before ?? '') : review.versions(data.before, data.after)
    return words.labelled(`${data.package} ${versions}`.trimEnd(), inspection.notRead(inspection.reasons[reason]))
  }
  const isUnanswered = ['unreachable', 'busy', 'repository-unreachable', 'unknown-commit'].includes(reason)
  // What names nothing cannot be shown either.
  const isNothing = isUnlisted && ['not-found', 'not-a-registry-package'].includes(reason)
  const next: LocalizedText = isUnanswered
    ? ({ failures }) => failures.checkNetwork
    : isNothing
      ? 'plugmark search'
      : showing
  return new Failure(isMissing ? 'no-such-version' : 'not-compared', text, { data, next })
}

/** Parses the source of a listing; null when nothing installs it. */
function specOf(text: string | null | undefined): InstallSpec | null {
  const source = parseSpec(text ?? '')
  return source?.kind === 'npm' || source?.kind === 'github' ? source : null
}
