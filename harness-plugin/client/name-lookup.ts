/** Finds what the texts of a command line or an agent name: a listing, an installed plugin or a spec, and its version. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { nameParts } from '@plugmark/shared/contract'
import { isOnlySpec, parseSpec, renderSpec, repositoryOf, type Spec } from '@plugmark/shared/install'
import type { AllListings } from '../host/index.ts'
import { type Messages, messagesFor } from '../messages/index.ts'
import type { InstalledPlugin, StoreListing } from '../protocol/index.ts'
import type { PnpmRefusal } from '../protocol/inspection.ts'
import { plainText } from '../protocol/text.ts'
import { findListings } from '../search/find.ts'
import { isFresh, listingName, packageName, shortNames, withoutPrefix } from '../search/listings.ts'
import { parseQuery, parseReference, type Reference } from '../search/query.ts'
import { idsOf, resolveListing } from '../search/resolve.ts'
import { isOneEditApart } from '../search/spelling.ts'
import { intentFor, isManaged } from './client.ts'
import { ClientError, type NextCall, unwrap } from './client-error.ts'
import type { ChangeRequest, StoreClient, Target } from './store-client.ts'

interface NameOptions {
  /** True to accept a name that only one listing, or installed plugin, has. @default false: a change does not, see `resolveListing` */
  readonly byName?: boolean
  /** True if the user may install a package or a repository that the directory does not list. @default false */
  readonly unlisted?: boolean
}

/**
 * Finds what a text means for a change.
 *
 * @param text of an install, what `findListing` takes, or a source that only the user may install; otherwise what
 *   `findInstalled` takes
 * @param listings needed for an install only
 * @throws ClientError when it means nothing, or what the store does not manage
 */
export async function findTarget(
  client: StoreClient,
  text: string,
  { action, profile }: Pick<ChangeRequest, 'action' | 'profile'>,
  listings: AllListings | null,
  options: NameOptions = {},
): Promise<Target> {
  if (action !== 'install') {
    const plugin = await findInstalled(client, text, profile, options)
    const isRemoval = action === 'remove' && plugin.unmanagedReason !== 'store'
    if (!isManaged(plugin) && !isRemoval) throw unmanaged(plugin, { action, profile })
    return { intent: intentFor(plugin, action), package: plugin.name }
  }
  const { unlisted = false } = options
  const source = unlisted || isOnlySpec(text) ? parseSpec(text) : null
  const { name, version } = splitVersion(text)
  const listing =
    source === null
      ? await findListing(client, name, listings ?? (await client.listings()), options)
      : await findListed(client, source, name, listings, options)
  if (listing === null) {
    return { intent: { id: renderSpec(existing(source!, text)), action, isSpec: true }, package: null }
  }
  const chosen = await chooseVersion(client, listing, profile, version)
  return {
    intent: { id: listing.id, action, ...(chosen !== null && { version: chosen }) },
    package: listing.npmPackage,
  }
}

/** Finds the one listing that a text names: an id, a package name, the address of a repository, or an install command. */
export async function findListing(
  client: StoreClient,
  text: string,
  { rows, status }: AllListings,
  options: NameOptions = {},
): Promise<StoreListing> {
  const reference = parseReference(text)
  const found = resolveListing(rows, reference, options)
  if ('several' in found) throw ambiguousListing(text, found.several)
  if (found.listing) return found.listing
  const isStale = status.state === 'failed' || !isFresh(status)
  if (isStale || reference.kind !== 'repository') throw unknownListing(text, reference, rows, isStale)
  // The listing may be newer than the stored index.
  const details = await client.call('details', { id: reference.id, profile: client.host.profile })
  if (details.ok) return details.value
  throw unknownListing(text, reference, rows, details.code === 'directory')
}

/** Finds the listing of a source; null for one that the directory need not list. */
async function findListed(
  client: StoreClient,
  source: Spec,
  name: string,
  listings: AllListings | null,
  options: NameOptions,
): Promise<StoreListing | null> {
  // A version of a package that is listed is a version of that plugin. Any other package needs no directory.
  if (options.unlisted || source.kind !== 'npm' || source.range === null) return null
  const all = listings ?? (await client.listings().catch(() => null))
  if (all === null) return null
  return findListing(client, name, all, options).catch((error: unknown) => {
    if (error instanceof ClientError && error.code !== 'ambiguous') return null
    throw error
  })
}

/** Finds the installed plugin that a text names, from any source. */
export async function findInstalled(
  client: StoreClient,
  text: string,
  profile: string,
  { byName = false }: NameOptions = {},
): Promise<InstalledPlugin> {
  const plugins = await client.installed(profile)
  const exact = namedPlugins(plugins, text)
  const [plugin, ...others] = exact.length === 0 && byName ? pluginsCalled(plugins, text) : exact
  if (plugin === undefined) throw notInstalled(text, plugins, profile)
  if (others.length === 0) return plugin
  const names = [plugin, ...others].map(({ name }) => plainText(name))
  throw new ClientError('ambiguous', (words) => words.severalPackages(plainText(text), names.length), {
    suggestions: names,
  })
}

/** Returns the installed plugins that a text names: by their package, their listing, or their repository. */
function namedPlugins(plugins: readonly InstalledPlugin[], text: string): readonly InstalledPlugin[] {
  const reference = parseReference(text)
  const name = reference.kind === 'repository' ? text : reference.name
  const named = plugins.find((plugin) => plugin.name === text || plugin.name === name)
  if (named || reference.kind !== 'repository') return named ? [named] : []
  const isOf = ({ listing }: InstalledPlugin, id: string) => fold(listing ?? '') === id
  const whole = fold(reference.id)
  // A folder that is not a listing here can be of any plugin of its repository.
  const ids = reference.paths.length > 0 ? idsOf(reference).slice(0, -1) : [whole]
  const byListing = ids.map((id) => plugins.filter((plugin) => isOf(plugin, id)))
  return (
    byListing.find((found) => found.length > 0) ??
    plugins.filter((plugin) => isOf(plugin, whole) || repositoryOf(plugin.spec) === whole)
  )
}

/** Returns the installed plugins with a short name: of their package, plugin or repository; else one of these without a prefix. */
function pluginsCalled(plugins: readonly InstalledPlugin[], text: string): readonly InstalledPlugin[] {
  const called = (nameOf: (name: string) => string) =>
    plugins.filter(({ name, listing }) =>
      shortNames({ id: listing ?? name, npmPackage: name }).some((one) => nameOf(one) === fold(text)),
    )
  const named = called((name) => name)
  return named.length > 0 ? named : called(withoutPrefix)
}

/** Returns the source with an absolute path. @param text what was typed @throws ClientError when there is no such file */
export function existing(source: Spec, text: string): Spec {
  if (!('path' in source) || /^~/.test(source.path)) return source
  const path = resolve(source.path)
  if (!existsSync(path)) throw new ClientError('unknown-source', (words) => words.noSuchFile(plainText(text)))
  return { ...source, path }
}

/** Returns a package or a repository as it is typed where the directory does not list it; null if a text names neither. */
export function unlistedSpec(text: string): { readonly kind: 'npm' | 'github'; readonly text: string } | null {
  const spec = parseSpec(text)
  if (spec?.kind === 'npm') return { kind: 'npm', text }
  return spec?.kind === 'github' ? { kind: 'github', text: renderSpec(spec) } : null
}

// Versions

/** Splits `owner/repo@1.2.3`, which names a listing and a version of its package, a range such as `^1`, or a tag. */
export function splitVersion(text: string): { readonly name: string; readonly version: string | null } {
  const [, name, version] = /^(.+)@([\w^~][\w.+-]*)$/.exec(text) ?? []
  return name === undefined ? { name: text, version: null } : { name, version: version! }
}

/** Most versions that an error names. */
const MOST_VERSIONS = 5

/**
 * Returns the version of a listing that a version, a range or a tag means; null for the newest.
 *
 * @throws ClientError with the versions that there are, if it means none, or with the time until which pnpm waits with it
 */
async function chooseVersion(
  client: StoreClient,
  { id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>,
  profile: string,
  wanted: string | null,
): Promise<string | null> {
  if (wanted === null || wanted === 'latest') return null
  if (npmPackage !== null && !/^\d+\.\d+\.\d/.test(wanted)) {
    const asked = { package: npmPackage, profile, wanted, signal: client.signal }
    const picked = unwrap(await client.host.pickVersion(asked))
    const [refused] = picked?.refusals ?? []
    if (picked && refused) throw refusedRelease(id, picked.version, refused)
    if (picked) return picked.version
  }
  await checkVersion(client, { id, profile, version: wanted })
  return wanted
}

/** Checks that a registry has a version, as far as it tells. @throws ClientError with the versions that there are */
export async function checkVersion(
  client: StoreClient,
  { id, profile, version }: { readonly id: string; readonly profile: string; readonly version: string },
): Promise<void> {
  const known = await client.call('versions', { id, profile })
  if (!known.ok || known.value.state !== 'read' || known.value.more > 0) return
  const versions = known.value.versions.map((one) => one.version)
  if (versions.includes(version)) return
  const shown = versions.slice(0, MOST_VERSIONS).map((one) => plainText(one))
  throw new ClientError('no-such-version', (words) => words.noSuchVersion(id, plainText(version), shown.join(', ')), {
    suggestions: shown.map((one) => `${id}@${one}`),
    next: { call: 'show', id },
  })
}

/** Returns the error for a range or a tag of which pnpm installs no release now. @param version the newest of them */
function refusedRelease(id: string, version: string, { rule, until, passing }: PnpmRefusal): ClientError {
  const reason = ({ time, inspection }: Messages) =>
    inspection.origin.refusals[rule](until && time(Date.parse(until)), passing && plainText(passing))
  return new ClientError(
    'no-such-version',
    (words, locale) => words.labelled(`${id}@${plainText(version)}`, reason(messagesFor(locale))),
    { suggestions: passing === null ? [] : [`${id}@${plainText(passing)}`], next: { call: 'show', id } },
  )
}

// Names that mean nothing, or too much

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
  // A search that finds nothing is no next step.
  const isFound = findListings(rows, parseQuery(words)).listings.length > 0
  const next: NextCall = { call: 'search', query: words && isFound ? plainText(words) : null }
  const suggestions = suggestListings(rows, reference).map((id) => plainText(id))
  return new ClientError('unknown-listing', (words) => words.notListed(plainText(text), isStale), { suggestions, next })
}

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
  const why = ({ installedView }: Messages) => installedView.unmanagedReason[reason]
  if (reason === 'directory') return new ClientError('directory-needed', (_, locale) => why(messagesFor(locale)))
  const next: NextCall = { call: 'harness', args: ['plugin', '--profile', profile, action, name] }
  return new ClientError('other-source', (words, locale) => words.labelled(plainText(name), why(messagesFor(locale))), {
    next,
  })
}

// Listings by their names

const fold = (text: string) => text.toLowerCase()

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
