import { resolve } from 'node:path'
import { nameParts, repositoryKey } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { isOnlySpec, parseSpec, renderSpec, repositoryOf, type Spec } from '@plugmark/shared/install'
import type { AllListings, StoreHost } from '../host/index.ts'
import { type Messages, messagesFor } from '../messages/index.ts'
import type {
  CallInput,
  CallName,
  CallResult,
  CatalogueStatus,
  InstalledPlugin,
  Job,
  StoreListing,
} from '../protocol/index.ts'
import type { PnpmRefusal } from '../protocol/inspection.ts'
import { plainText } from '../protocol/text.ts'
import { isFresh, listingName, packageName } from '../search/listings.ts'
import { parseReference, type Reference } from '../search/query.ts'
import { isOneEditApart } from '../search/spelling.ts'
import { Client, intentFor } from './client.ts'
import { ClientError, type NextCall, unwrap } from './client-error.ts'
import { type DetailsData, toDetailsData } from './listing-data.ts'
import type { EndedJob } from './published.ts'
import { type ChangeRequest, type Reviewed, reviewChange, type Target } from './review-change.ts'
import { isManaged } from './updates.ts'

/** Time limits for reading the directory, in ms: of all, and until something arrives; and both without a stored index. */
const READ_LIMIT_MS = 20_000
const SILENCE_LIMIT_MS = 5_000
const FIRST_READ_LIMIT_MS = 120_000
const FIRST_SILENCE_LIMIT_MS = 10_000

const MOST_VERSIONS = 5

interface ResolveOptions {
  /** True to accept a name that only one listing has. For reading only: see `resolveListing`. */
  readonly byName?: boolean
}

interface InstallOptions extends ResolveOptions {
  /** True if a person may install a package or a repository that the directory does not list. */
  readonly unlisted?: boolean
}

/**
 * The client for the command line, MCP and agents' tools, which name plugins by texts and wait for one thing at a time:
 * every method either returns a result or throws a ClientError, and its texts are safe to show.
 */
export class StoreClient extends Client {
  readonly host: StoreHost
  readonly #locale: Locale
  readonly #signal: AbortSignal

  /** @param options.signal ends all waiting; a method that was waiting then rejects with its reason */
  constructor(host: StoreHost, options: { readonly locale: Locale; readonly signal: AbortSignal }) {
    super({ call: (name, input) => host.calls[name](input) })
    this.host = host
    this.#locale = options.locale
    this.#signal = options.signal
  }

  /**
   * Returns every listing. Reads the directory first, unless the stored index is fresh; where the directory cannot be
   * reached, an older index is used.
   *
   * @param options.refresh true to read the directory in any case
   * @param options.replace true when a person agreed to the `difference` of the status
   * @param options.stale `use` to return a stale index at once, which the host then refreshes in the background
   * @throws ClientError when there is neither
   */
  async listings({
    refresh = false,
    replace = false,
    stale = 'wait',
  }: {
    refresh?: boolean
    replace?: boolean
    stale?: 'wait' | 'use'
  } = {}): Promise<AllListings> {
    const status = await this.status()
    const isUsable = status.count > 0 && (stale === 'use' || isFresh(status))
    if (refresh || !isUsable) await this.#readDirectory({ hasStored: status.count > 0 && !refresh, replace })
    else if (!isFresh(status)) await this.ask('overview', {})
    const listings = await this.host.listings()
    this.#signal.throwIfAborted()
    const { count, failure, loadedAt } = listings.status
    if (count === 0 && (failure !== null || loadedAt === null)) throw unreadError(listings.status)
    return listings
  }

  /** Makes a call. @returns its result @throws ClientError when the host refuses */
  async ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<Name>> {
    return unwrap(await this.call(name, input))
  }

  async status(): Promise<CatalogueStatus> {
    return (await this.ask('listings', { from: 0 })).status
  }

  async #readDirectory({ hasStored, replace }: { hasStored: boolean; replace: boolean }): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, hasStored ? READ_LIMIT_MS : FIRST_READ_LIMIT_MS)
    const silence = setTimeout(resolve, hasStored ? SILENCE_LIMIT_MS : FIRST_SILENCE_LIMIT_MS)
    const unsubscribe = this.host.subscribe(({ type }) => {
      if (type === 'catalogue') silence.refresh()
    })
    const stop = () => resolve()
    this.#signal.addEventListener('abort', stop)
    try {
      if (!this.#signal.aborted) await Promise.race([this.host.readDirectory({ replace, force: !hasStored }), over])
    } finally {
      this.#signal.removeEventListener('abort', stop)
      unsubscribe()
      clearTimeout(limit)
      clearTimeout(silence)
    }
  }

  /** Finds the one listing that a text names: an id, a package name, the address of a repository, or an install command. */
  async resolve(text: string, { rows, status }: AllListings, options: ResolveOptions = {}): Promise<StoreListing> {
    const reference = parseReference(text)
    const found = resolveListing(rows, reference, options)
    if ('several' in found) throw ambiguousListing(text, found.several)
    if (found.listing) return found.listing
    const isStale = status.state === 'failed' || !isFresh(status)
    if (isStale || reference.kind !== 'repository') throw unknownListing(text, reference, rows, isStale)
    // The listing may be newer than the stored index.
    const details = await this.call('details', { id: reference.id, profile: 'web' })
    if (details.ok) return details.value
    throw unknownListing(text, reference, rows, details.code === 'directory')
  }

  async details({ id }: Pick<StoreListing, 'id'>, profile: string): Promise<DetailsData> {
    return toDetailsData(await this.ask('details', { id, profile }), profile, this.#locale)
  }

  /** Returns the plugins of a profile. */
  async installed(
    profile: string,
    { checkUpdates = false }: { checkUpdates?: boolean } = {},
  ): Promise<readonly InstalledPlugin[]> {
    return this.ask(checkUpdates ? 'checkUpdates' : 'installed', { profile })
  }

  /** Finds the installed plugin that a text names, for a change. Throws if the store does not manage it. */
  async resolveInstalled(text: string, request: Pick<ChangeRequest, 'action' | 'profile'>): Promise<Target> {
    const plugin = await this.findInstalled(text, request.profile)
    const isRemoval = request.action === 'remove' && plugin.unmanagedReason !== 'store'
    if (!isManaged(plugin) && !isRemoval) throw unmanaged(plugin, request)
    return { intent: intentFor(plugin, request.action), package: plugin.name }
  }

  /** Finds the installed plugin that a text names, from any source. */
  async findInstalled(text: string, profile: string): Promise<InstalledPlugin> {
    const plugins = await this.installed(profile)
    const found = namedPlugins(plugins, text)
    const [plugin, ...others] = found
    if (others.length > 0)
      throw new ClientError('ambiguous', (words) => words.severalPackages(plainText(text), found.length), {
        suggestions: found.map(({ name }) => plainText(name)),
      })
    if (plugin === undefined) throw notInstalled(text, plugins, profile)
    return plugin
  }

  /** Enables or disables an installed plugin from any source, as one job. @param signal cancels it */
  async switchPlugin(
    text: string,
    { profile, enabled }: { readonly profile: string; readonly enabled: boolean },
    signal: AbortSignal,
  ): Promise<EndedJob> {
    const plugin = await this.findInstalled(text, profile)
    return this.waitFor(unwrap(await this.requestSwitch(plugin, profile, enabled)).id, signal)
  }

  /** Holds an installed plugin from any source at its version. @param options.hold null to end that */
  async hold(
    text: string,
    { profile, hold }: { readonly profile: string; readonly hold: { readonly reason: string | null } | null },
  ): Promise<InstalledPlugin> {
    const plugin = await this.findInstalled(text, profile)
    unwrap(await this.requestHold(plugin, profile, hold))
    return plugin
  }

  /** Reviews a change of one plugin. @throws ClientError when it cannot be reviewed; what is refused has `refusal` */
  review(target: Target, request: ChangeRequest): Promise<Reviewed> {
    return reviewChange(this, target, request, this.#signal)
  }

  /**
   * Finds what a text means for a change.
   *
   * @param text what `resolve` takes for an install, or a source that only a person may install; otherwise what
   *   `resolveInstalled` takes
   * @param listings needed for an install only
   */
  async findTarget(
    text: string,
    request: Pick<ChangeRequest, 'action' | 'profile'>,
    listings: AllListings | null,
    { unlisted = false, ...options }: InstallOptions = {},
  ): Promise<Target> {
    if (request.action !== 'install') return this.resolveInstalled(text, request)
    const source = unlisted || isOnlySpec(text) ? parseSpec(text) : null
    const { name, version } = splitVersion(text)
    const listing = await this.#findFor(source, { name, unlisted, listings, options })
    const { action, profile } = request
    if (listing === null)
      return { intent: { id: renderSpec(withAbsolutePath(source!)), action, isSpec: true }, package: null }
    const chosen = await this.chooseVersion(listing, profile, version)
    const intent = { id: listing.id, action, ...(chosen !== null && { version: chosen }) }
    return { intent, package: listing.npmPackage }
  }

  /** Finds the listing that a text names; null for a source that the directory need not list. */
  async #findFor(
    source: Spec | null,
    given: {
      readonly name: string
      readonly unlisted: boolean
      readonly listings: AllListings | null
      readonly options: ResolveOptions
    },
  ): Promise<StoreListing | null> {
    const { name, unlisted, listings, options } = given
    if (source === null) return this.resolve(name, listings ?? (await this.listings()), options)
    if (unlisted || source.kind !== 'npm' || source.range === null) return null
    // A version of a package that is listed is a version of that plugin. Any other package needs no directory.
    const all = listings ?? (await this.listings().catch(() => null))
    if (all === null) return null
    return this.resolve(name, all, options).catch((error: unknown) => {
      if (error instanceof ClientError && error.code !== 'ambiguous') return null
      throw error
    })
  }

  /**
   * Returns the version of a listing that a version, a range or a tag means; null for the newest.
   *
   * @throws ClientError with the versions that there are, if it means none
   */
  async chooseVersion(
    { id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>,
    profile: string,
    wanted: string | null,
  ): Promise<string | null> {
    if (wanted === null || wanted === 'latest') return null
    const isExact = /^\d+\.\d+\.\d/.test(wanted)
    const signal = this.#signal
    const picked =
      isExact || npmPackage === null
        ? null
        : unwrap(await this.host.pickVersion({ package: npmPackage, profile, wanted, signal }))
    const [refused] = picked?.refusals ?? []
    if (picked && refused) throw refusedRelease(id, picked.version, refused)
    if (picked === null) await this.checkVersion(id, profile, wanted)
    return picked?.version ?? wanted
  }

  /** Checks that a registry has a version. @throws ClientError with the versions that there are, if it has not */
  async checkVersion(id: string, profile: string, version: string): Promise<void> {
    const known = await this.call('versions', { id, profile })
    if (!known.ok || known.value.state !== 'read' || known.value.more > 0) return
    const versions = known.value.versions.map((one) => one.version)
    if (versions.includes(version)) return
    const shown = versions.slice(0, MOST_VERSIONS).map((one) => plainText(one))
    throw new ClientError('no-such-version', (words) => words.noSuchVersion(id, plainText(version), shown.join(', ')), {
      suggestions: shown.map((one) => `${id}@${one}`),
    })
  }

  /** Runs one job of all these reviews, which is kept or rolled back as a whole. @param signal cancels it */
  async run(reviews: readonly Reviewed[], signal: AbortSignal): Promise<EndedJob> {
    const agreed = reviews.map(({ review: { id, token }, hold }) => ({
      id,
      token,
      acknowledged: true,
      ...(hold && { hold }),
    }))
    return this.waitFor(unwrap(await this.startJob(agreed)).id, signal)
  }

  /** Waits for a job's end. @param signal cancels the job; its end is then that of its rollback */
  async waitFor(id: string, signal: AbortSignal): Promise<EndedJob> {
    const cancel = () => void this.call('cancel', { job: id })
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    try {
      const job = await this.watch(id)
      if (job?.outcome) return { ...job, outcome: job.outcome }
      throw new ClientError('unknown-job', (words) => words.unknownJob)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /**
   * Waits for a job's end, without cancelling it.
   *
   * @param options.forMs limit of the waiting, in ms @default none
   * @param options.signal ends the waiting
   * @returns the job as it is then; null when none has this id
   */
  async watch(
    id: string,
    options: { readonly forMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Job | null> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const unsubscribe = this.host.subscribe((event) => {
      if (event.type === 'job' && event.job.id === id && event.job.state === 'done') resolve()
    })
    const limit = options.forMs === undefined ? undefined : setTimeout(resolve, options.forMs)
    const stop = () => resolve()
    options.signal?.addEventListener('abort', stop)
    try {
      const job = this.host.job(id)
      if (job === null || job.state === 'done' || options.signal?.aborted) return job
      await over
      return this.host.job(id)
    } finally {
      options.signal?.removeEventListener('abort', stop)
      clearTimeout(limit)
      unsubscribe()
    }
  }
}

/** Splits `owner/repo@1.2.3`, which names a listing and a version of its package, a range such as `^1`, or a tag. */
export function splitVersion(text: string): { readonly name: string; readonly version: string | null } {
  const [, name, version] = /^(.+)@([\w^~][\w.+-]*)$/.exec(text) ?? []
  return name === undefined ? { name: text, version: null } : { name, version: version! }
}

export const unreadError = ({ failure }: CatalogueStatus): ClientError =>
  new ClientError('directory', (words, locale) => (locale === 'en' ? failure?.message : null) ?? words.unread, {
    next: { call: 'try-again' },
  })

/** Returns the error for a range or a tag of which pnpm installs no release now. @param version the newest of them */
function refusedRelease(id: string, version: string, { rule, until, passing }: PnpmRefusal): ClientError {
  const isWaiting = (words: Messages) =>
    words.inspection.origin.refusals[rule](until && words.time(Date.parse(until)), passing && plainText(passing))
  return new ClientError(
    'no-such-version',
    (words, locale) => words.labelled(`${id}@${plainText(version)}`, isWaiting(messagesFor(locale))),
    { suggestions: passing === null ? [] : [`${id}@${plainText(passing)}`] },
  )
}

function ambiguousListing(text: string, found: readonly StoreListing[]): ClientError {
  const suggestions = found.slice(0, 20).map(({ id }) => plainText(id))
  return new ClientError('ambiguous', (words) => words.ambiguous(plainText(text), found.length), {
    suggestions,
    next: { call: 'show', id: suggestions[0]! },
  })
}

function unknownListing(
  text: string,
  reference: Reference,
  rows: readonly StoreListing[],
  isStale: boolean,
): ClientError {
  const named = reference.kind === 'repository' ? reference.id : reference.name
  const words = (named.split('?', 1)[0]!.split(/[/#]/).findLast(Boolean) ?? '').replace(/[^\p{L}\p{N}]+/gu, ' ')
  const next: NextCall = { call: 'search', query: plainText(words) || 'plugin' }
  const suggestions = suggestListings(rows, reference).map((id) => plainText(id))
  return new ClientError('unknown-listing', (words) => words.notListed(plainText(text), isStale), { suggestions, next })
}

/** Returns the installed plugins that a text names: by their package, their listing, or their repository. */
function namedPlugins(plugins: readonly InstalledPlugin[], text: string): readonly InstalledPlugin[] {
  const reference = parseReference(text)
  const name = reference.kind === 'repository' ? text : reference.name
  const named = plugins.find((plugin) => plugin.name === text || plugin.name === name)
  if (named || reference.kind !== 'repository') return named ? [named] : []
  const isOf = ({ listing }: InstalledPlugin, id: string) => fold(listing ?? '') === id
  const whole = fold(reference.id)
  // A folder that is no listing here can be of any plugin of its repository.
  const ids = reference.paths.length > 0 ? idsOf(reference).slice(0, -1) : [whole]
  const byListing = ids.map((id) => plugins.filter((plugin) => isOf(plugin, id)))
  return (
    byListing.find((found) => found.length > 0) ??
    plugins.filter((plugin) => isOf(plugin, whole) || repositoryOf(plugin.spec) === whole)
  )
}

/** Returns the ids that a reference may mean, folded: a folder of a repository before the whole one. */
const idsOf = ({ id, paths }: Reference & { kind: 'repository' }): string[] =>
  [...paths.map((path) => `${id}#${path}`), id].map(fold)

function notInstalled(text: string, plugins: readonly InstalledPlugin[], profile: string): ClientError {
  return new ClientError('not-installed', (words) => words.notInstalled(plainText(text), profile), {
    suggestions: plugins.filter(({ name }) => isAlike(name, text)).map(({ name }) => plainText(name)),
    next: { call: 'list', profile },
  })
}

function unmanaged(
  plugin: InstalledPlugin,
  { profile, action }: Pick<ChangeRequest, 'action' | 'profile'>,
): ClientError {
  const { name } = plugin
  const reason = plugin.unmanagedReason ?? 'other-source'
  if (reason === 'directory') return new ClientError('directory-needed', (words) => words.unmanaged.directory)
  const next: NextCall = { call: 'harness', args: ['plugin', '--profile', profile, action, name] }
  return new ClientError('other-source', (words) => words.labelled(plainText(name), words.unmanaged[reason]), { next })
}

const withAbsolutePath = (source: Spec): Spec =>
  'path' in source && !/^~/.test(source.path) ? { ...source, path: resolve(source.path) } : source

export type Resolved =
  | { readonly listing: StoreListing }
  | { readonly several: readonly StoreListing[] }
  | { readonly listing: null }

const fold = (text: string) => text.toLowerCase()

/**
 * Finds the listing that a reference names exactly. Case does not count in names of repositories.
 *
 * @param options.byName true to accept the name of a repository, or of a plugin, that only one listing has
 */
export function resolveListing(
  rows: readonly StoreListing[],
  reference: Reference,
  { byName = false }: { readonly byName?: boolean } = {},
): Resolved {
  if (reference.kind === 'repository') {
    const byId = new Map(rows.map((row) => [fold(row.id), row]))
    const found = idsOf(reference)
      .map((id) => byId.get(id))
      .find((row) => row !== undefined)
    if (found) return { listing: found }
    if (reference.id.includes('#')) return { listing: null }
    return only(
      rows.filter(({ id }) => repositoryKey(id) === fold(reference.id)),
      byName,
    )
  }
  const { kind, name } = reference
  const published = kind === 'package' ? rows.filter(({ npmPackage }) => npmPackage === name) : []
  if (published.length > 0) return only(published, true)
  const named = rows.filter(
    (row) => fold(nameParts(row.id).repo) === fold(name) || fold(listingName(row)) === fold(name),
  )
  // A change does not accept a short name, because another plugin may have the same name tomorrow.
  return byName ? only(named, true) : { listing: null }
}

/** Returns the only listing, or several. @param isOneEnough false if a single listing is ambiguous too */
function only(found: readonly StoreListing[], isOneEnough: boolean): Resolved {
  const [first, ...others] = found
  if (first === undefined) return { listing: null }
  return others.length === 0 && isOneEnough ? { listing: first } : { several: found }
}

/** Minimum length of a name to compare, because shorter ones are similar to everything. */
const LEAST_LETTERS = 3
/** Generic prefix of a plugin's name, which does not identify it. */
const GENERIC = /^(?:dsh|plugin|harness)+(?=[a-z\d])/

/** Returns the letters of a name that distinguish it from others. */
function distinctive(name: string): string {
  const letters = fold(name).replace(/[^\p{L}\p{N}]+/gu, '')
  return letters.replace(GENERIC, '') || letters
}

export function suggestListings(rows: readonly StoreListing[], reference: Reference, most = 5): string[] {
  const typed = reference.kind === 'repository' ? reference.id : reference.name
  const wanted = distinctive(typed.split(/[/#]/).findLast(Boolean) ?? '')
  if (wanted.length < LEAST_LETTERS) return []
  const likeness = (row: StoreListing) => {
    const names = [listingName(row), nameParts(row.id).repo, row.npmPackage === null ? '' : packageName(row.npmPackage)]
    return Math.max(...names.map((name) => likenessOf(distinctive(name), wanted)))
  }
  return rows
    .map((row) => ({ row, likeness: likeness(row) }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || (b.row.stars ?? -1) - (a.row.stars ?? -1))
    .slice(0, most)
    .map(({ row }) => row.id)
}

/** Returns true when two names are the same, one typing error apart, or one contains most of the other. */
function isAlike(name: string, typed: string): boolean {
  const wanted = distinctive(packageName(typed))
  return wanted.length >= LEAST_LETTERS && likenessOf(distinctive(packageName(name)), wanted) > 0
}

/** Returns 3 for the same name, 2 for one typing error, 1 for a part of the name or a little more than it, otherwise 0. */
function likenessOf(name: string, wanted: string): number {
  if (name === wanted) return 3
  if (isOneEditApart(name, wanted)) return 2
  const isLittleMore = wanted.includes(name) && name.length >= LEAST_LETTERS && name.length * 2 > wanted.length
  return name.includes(wanted) || isLittleMore ? 1 : 0
}
