import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DEFAULTS } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { bindInstall } from '@plugmark/shared/install'
import { compare } from 'semver'
import type { Catalogue, Listing } from '../../catalogue/catalogue.ts'
import {
  addressOption,
  CATALOGUE_OPTIONS,
  CATALOGUE_USAGE,
  checkDistinct,
  checkWritable,
  defineCommand,
  RefusedError,
  readCatalogue,
  say,
  UsageError,
  warnList,
} from '../command.ts'
import {
  isNewPackageName,
  type Manifest,
  type MarketIndex,
  type MarketPlugin,
  type MarketVersion,
  optionalText,
  versionProblem,
} from './format.ts'
import { iconFile } from './icon.ts'
import { createSources, type FilePlace, registryAddress, type Sources } from './sources.ts'

const USAGE = `Usage: plugmark-directory index --catalogue FILE --out FILE [options]

Writes a market index (format 1) for the harness's own Discover tab. Reads exact versions, publish times and engines.dsh
from the package registry and the code host, one request at a time. What cannot be listed is left out, with the reason.

${CATALOGUE_USAGE}
  --out FILE        file to write
  --report FILE     write what was left out, and why, as JSON
  --icons           read the packages' icons too, and write them to the folder icons beside FILE
  --title TEXT      title of the index (default Plugin directory)
  --registry URL    package registry (default: the one that npm uses)
  --code-host URL   address that github: stands for (default https://github.com)
  --help            print this
`

export const marketCommand = defineCommand(
  USAGE,
  {
    ...CATALOGUE_OPTIONS,
    out: { type: 'string' },
    report: { type: 'string' },
    icons: { type: 'boolean', default: false },
    title: { type: 'string', default: 'Plugin directory' },
    registry: { type: 'string' },
    'code-host': { type: 'string', default: 'https://github.com' },
  },
  async (values) => {
    const { out, title, report } = values
    if (out === undefined) throw new UsageError('Name the file to write with --out FILE.')
    if (report !== undefined) await checkDistinct(['--out', out], ['--report', report])
    if (title.trim() === '') throw new UsageError('--title takes text that is not blank.')
    const codeHost = addressOption('--code-host', values['code-host'])
    const registry = await registryAddress(values.registry)
    const catalogue = await readCatalogue(values)
    await checkWritable(out, report)
    const sources = createSources({ registry })
    const built = await buildMarketIndex(catalogue, { sources, title, icons: values.icons, codeHost })
    const { index, leftOut, icons, withoutIcon } = built
    if (report !== undefined) await writeFile(report, `${JSON.stringify({ leftOut, withoutIcon }, null, 2)}\n`)
    warnList(
      'Left out listings:',
      leftOut.map(({ fullName, reason }) => `${fullName}: ${reason}`),
    )
    if (index.plugins.length === 0 && !values['allow-empty'])
      throw new RefusedError('No listing can be in a market index. To write one without any, add --allow-empty.')
    if (icons.size > 0) await mkdir(join(dirname(out), 'icons'), { recursive: true })
    for (const [name, bytes] of icons) await writeFile(join(dirname(out), name), bytes)
    await writeFile(out, `${JSON.stringify(index)}\n`)
    say(`Wrote ${index.plugins.length} plugins to ${out}, and left out ${leftOut.length} listings.`)
    return 0
  },
)

/** A listing that the index leaves out, or has without its icon. */
interface LeftOut {
  readonly fullName: string
  readonly reason: string
}

/** Thrown for a listing that cannot be in the index. The message gives the reason. */
class NotListed extends Error {}

/**
 * Builds a market index of a catalogue, for the harness's own Discover tab. Exact versions, publish times and
 * `engines.dsh` come from the package registry and the code host. Leaves a listing out, with the reason, rather than
 * guess.
 *
 * @param options.title title of the index
 * @param options.codeHost address that `github:` stands for
 * @param options.icons true to read the icons of packages too
 */
export async function buildMarketIndex(
  catalogue: Catalogue,
  options: {
    readonly sources: Omit<Sources, 'readCommit'>
    readonly title: string
    readonly codeHost: string
    readonly icons?: boolean
  },
): Promise<{
  readonly index: MarketIndex
  readonly leftOut: readonly LeftOut[]
  /** Icons by the name of their file, relative to the index. */
  readonly icons: ReadonlyMap<string, Buffer>
  readonly withoutIcon: readonly LeftOut[]
}> {
  const plugins = new Map<string, MarketPlugin>()
  const icons = new Map<string, Buffer>()
  const leftOut: LeftOut[] = []
  const withoutIcon: LeftOut[] = []
  const readIcon = async (fullName: string, place: FilePlace, manifest: Manifest): Promise<string | undefined> => {
    try {
      const bytes = await options.sources.readIcon(place, manifest)
      if (bytes === null) return undefined
      const file = iconFile(bytes)
      icons.set(file, bytes)
      return file
    } catch (error) {
      withoutIcon.push({ fullName, reason: (error as Error).message })
      return undefined
    }
  }
  for (const listing of catalogue.listings) {
    const { fullName } = listing.record
    try {
      const { plugin, place, newest } = await toPlugin(listing, options)
      if (plugins.has(plugin.name)) throw new NotListed(`another listing is called ${plugin.name} too`)
      const icon = options.icons ? await readIcon(fullName, place, newest) : undefined
      plugins.set(plugin.name, { ...plugin, ...optionalText('icon', icon) })
    } catch (error) {
      leftOut.push({ fullName, reason: (error as Error).message })
    }
  }
  const used = new Set([...plugins.values()].flatMap(({ metadata }) => metadata.category ?? []))
  const [en, zh] = [contractMessages('en'), contractMessages('zh')]
  const index: MarketIndex = {
    format: 1,
    title: options.title,
    metadata: {
      categories: Object.fromEntries(
        [...used].map((id) => [id, { title: { en: en.category(id), zh: zh.category(id) } }]),
      ),
      sortKeys: { stars: { title: { en: 'Stars', zh: '星标' }, order: 'desc' } },
    },
    plugins: [...plugins.values()],
  }
  return { index, leftOut, icons, withoutIcon }
}

async function toPlugin(
  listing: Listing,
  { sources, codeHost }: { readonly sources: Omit<Sources, 'readCommit'>; readonly codeHost: string },
): Promise<{ readonly plugin: MarketPlugin; readonly place: FilePlace; readonly newest: Manifest }> {
  const { record } = listing
  const bound = bindInstall(record, { cli: DEFAULTS.cli })
  if (!bound.ok) throw new NotListed(contractMessages('en').reason(bound.reason))
  const { spec } = bound.plan
  const read =
    spec.kind === 'npm'
      ? await readVersions(spec.name, sources)
      : await readCommit(`${codeHost}/${spec.owner}/${spec.repo}`, sources)
  const { name, versions, newest, place } = read
  if (!isNewPackageName(name)) throw new NotListed(`${String(name)} is not valid for a new package`)
  const tags = Object.entries(read.tags).filter(([, version]) => versions.some((one) => one.version === version))
  const plugin = {
    name,
    ...optionalText('description', newest.description),
    ...optionalText('author', typeof newest.author === 'string' ? newest.author : Object(newest.author).name),
    ...(isHttps(newest.homepage) ? { homepage: newest.homepage } : {}),
    metadata: { ...(record.category ? { category: record.category } : {}), sortKeys: { stars: record.stars } },
    ...(tags.length > 0 ? { 'dist-tags': Object.fromEntries(tags) } : {}),
    versions,
  }
  return { plugin, place, newest }
}

interface Read {
  readonly name: unknown
  readonly versions: readonly MarketVersion[]
  /** Manifest of the highest listed version. */
  readonly newest: Manifest
  /** The files of that version. */
  readonly place: FilePlace
  readonly tags: Readonly<Record<string, string>>
}

async function readVersions(name: string, { readPackage }: Pick<Sources, 'readPackage'>): Promise<Read> {
  const { versions, time, 'dist-tags': tags } = await readPackage(name)
  const problems: string[] = []
  const listed: { readonly manifest: Manifest; readonly version: MarketVersion }[] = []
  for (const manifest of Object.values(Object(versions)).map((value) => Object(value) as Manifest)) {
    const publishedAt = Math.floor(Date.parse(Object(time)[String(manifest.version)]) / 1000)
    const problem = manifest.name === name ? versionProblem(manifest, publishedAt) : 'a version has another name'
    if (problem === null) listed.push({ manifest, version: toVersion(manifest, publishedAt, { type: 'npm' }) })
    else problems.push(problem)
  }
  listed.sort((a, b) => compare(b.version.version, a.version.version))
  const [highest] = listed
  if (highest === undefined) throw new NotListed(`no version can be listed: ${problems.at(-1) ?? 'there is none'}`)
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  return {
    name,
    versions: listed.map(({ version }) => version),
    newest: highest.manifest,
    place: { name, version: highest.version.version },
    tags: Object.fromEntries(Object.entries(Object(tags)).filter(isText)),
  }
}

async function readCommit(url: string, { readHead }: Pick<Sources, 'readHead'>): Promise<Read> {
  const { commit, committedAt, manifest } = await readHead(url)
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new NotListed('its commit has no name of 40 hex digits')
  const problem = versionProblem(manifest, committedAt)
  if (problem !== null) throw new NotListed(problem)
  const version = toVersion(manifest, committedAt, { type: 'git', url, commit })
  return {
    name: manifest.name,
    versions: [version],
    newest: manifest,
    place: { url },
    tags: { latest: version.version },
  }
}

const toVersion = (
  { version, engines }: Manifest,
  publishTimestamp: number,
  source: MarketVersion['source'],
): MarketVersion => ({ version: String(version), publishTimestamp, source, engines: { dsh: Object(engines).dsh } })

const isHttps = (value: unknown): value is string =>
  typeof value === 'string' && URL.parse(value)?.protocol === 'https:'
