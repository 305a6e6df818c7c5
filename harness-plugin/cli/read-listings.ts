import { isFresh } from '../client/store-client.ts'
import type { AllListings } from '../host/index.ts'
import { messagesFor } from '../messages/index.ts'
import type { CatalogueStatus } from '../protocol/index.ts'
import type { Session } from './session.ts'

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
  try {
    return await client.listings(options)
  } finally {
    noteDirectory(session, await client.status())
    session.progress.end()
  }
}

function noteDirectory(session: Session, status: CatalogueStatus): void {
  const { loadedAt, generated, count, state } = status
  const isCurrent = state !== 'failed' && isFresh(status)
  session.directory = {
    ...session.directory,
    generated,
    readAt: loadedAt === null ? null : new Date(loadedAt).toISOString(),
    ageMs: loadedAt === null ? null : Math.max(0, Date.now() - loadedAt),
    state: isCurrent ? 'current' : count > 0 ? 'stored' : 'unreachable',
  }
  if (session.directory.state === 'stored')
    session.progress.warn(session.words.stored(ageText(session, loadedAt), problemText(session, status)))
  else if (session.problems.has('index-unfetched') && isCurrent)
    session.progress.warn(session.words.problems['index-unfetched'])
}

const ageText = ({ locale }: Session, at: number | null) =>
  at === null ? null : messagesFor(locale).ago(at, Date.now())

/** Returns the reason why the directory was not read. The host's own message is in English. */
const problemText = ({ locale, words }: Session, { failure }: CatalogueStatus): string =>
  (locale === 'en' ? failure?.message.replace(/\/api\/v1\/\S*/, '') : null) ?? words.problems['directory-unread']
