import { spawn } from 'node:child_process'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import { readListings } from '../read-listings.ts'
import type { Session } from '../session.ts'

/** Opens a page of a plugin in the browser. In a pipe and with --json, only writes its address. */
export async function open(
  session: Session,
  id: string,
  { what }: { readonly what?: 'page' | 'source' | 'releases' | undefined },
): Promise<DataOf<'open'>> {
  const client = await session.openClient()
  const listing = await client.resolve(id, await readListings(session), { byName: true })
  const { page, source: repository } = await client.details(listing, 'web')
  const base = repository?.replace(/\/+$/, '') ?? null
  const [, folder] = listing.id.split('#')
  const source = base && folder ? `${base}/tree/HEAD/${folder.split('/').map(encodeURIComponent).join('/')}` : base
  const addresses = { page: page ?? source, source, releases: base && `${base}/releases` }
  const url = addresses[what ?? 'page']
  if (url === null || !/^https?:\/\//.test(url))
    throw new Failure('no-page', ({ failures }) => failures.noPage(listing.id))
  const isOpened = session.canAsk && session.stdout.isTTY === true && (await openInBrowser(url, session.env))
  return { id: listing.id, url, opened: isOpened }
}

/** Starts the system's command that opens an address, without a shell. Returns false when there is none. */
function openInBrowser(url: string, env: Session['env']): Promise<boolean> {
  const [program, ...args] = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[
    process.platform as string
  ] ?? ['xdg-open']
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(program!, [...args, url], { env: { ...env }, stdio: 'ignore', detached: true })
  child.once('error', () => resolve(false)).once('spawn', () => resolve(true))
  child.unref()
  return promise
}
