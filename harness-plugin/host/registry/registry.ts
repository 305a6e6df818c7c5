import * as v from 'valibot'
import type { ReadProblem } from '../../protocol/package-facts.ts'
import { waitFor, withTimeout } from '../process/run.ts'
import type { NetworkSettings, RequestOptions } from './network.ts'

/** Limit on a JSON document, in bytes. The abbreviated document of a package with 2,000 versions has 2 MB. */
const MAX_JSON_BYTES = 100_000_000

/** Limit on the statements about one version, in bytes. They have 20 kB. */
const MAX_STATEMENTS_BYTES = 2_000_000

/** One version in a registry's abbreviated document. */
const VersionSchema = v.looseObject({
  deprecated: v.optional(v.unknown()),
  dependencies: v.optional(v.unknown()),
  peerDependencies: v.optional(v.unknown()),
  engines: v.optional(v.unknown()),
})
const DocumentSchema = v.object({
  name: v.string(),
  'dist-tags': v.objectWithRest({ latest: v.string() }, v.string()),
  versions: v.record(v.string(), VersionSchema),
  modified: v.optional(v.unknown()),
  time: v.optional(v.record(v.string(), v.unknown())),
})

/** Answer of a registry's search. Not every registry counts downloads in it. */
const SearchSchema = v.object({
  objects: v.array(
    v.object({
      package: v.object({ name: v.string() }),
      downloads: v.optional(v.object({ weekly: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
    }),
  ),
})

/** Keys that a registry signs with. Source: the registry's documentation of its signatures. */
const KeysSchema = v.object({
  keys: v.array(
    v.object({
      keyid: v.string(),
      key: v.string(),
      scheme: v.fallback(v.nullable(v.string()), null),
      /** ISO 8601; null for a key that is in use. */
      expires: v.fallback(v.nullable(v.string()), null),
    }),
  ),
})
export type RegistryKey = v.InferOutput<typeof KeysSchema>['keys'][number]

const AdvisoryFields = v.object({
  title: v.fallback(v.string(), ''),
  severity: v.fallback(v.string(), ''),
  url: v.fallback(v.string(), ''),
  vulnerable_versions: v.fallback(v.string(), '*'),
  /** Weaknesses: registries name them by number, in a list, or with a description. */
  cwe: v.pipe(
    v.optional(v.unknown()),
    v.transform((given): string[] => JSON.stringify(given ?? '').match(/CWE-\d{1,6}/g) ?? []),
  ),
})
const AdvisorySchema = v.pipe(
  AdvisoryFields,
  v.check(({ title, url, cwe = [] }) => title !== '' || url !== '' || cwe.length > 0),
)
/**
 * Answer of a registry's bulk endpoint for advisories, by package. Null stands for what cannot be read, and hides
 * nothing beside it.
 */
export const AdvisoriesSchema = v.pipe(
  v.unknown(),
  // An empty list would count as the answer that there is none.
  v.check((answer) => !Array.isArray(answer)),
  v.record(v.string(), v.fallback(v.array(v.fallback(v.nullable(AdvisorySchema), null)), [null])),
)
export type RegistryAdvisories = v.InferOutput<typeof AdvisoriesSchema>

/** A package as its registry describes it. */
export interface PackageDocument {
  readonly name: string
  /** Version that an install uses. */
  readonly latest: string
  /** Versions by tag. */
  readonly tags: Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, v.InferOutput<typeof VersionSchema>>>
  /** Time of the last change, ISO 8601; null when the registry does not give it. */
  readonly modified: string | null
  /** Times of the releases by version, ISO 8601; empty in an abbreviated document. */
  readonly times: Readonly<Record<string, string>>
}

const text = v.fallback(v.nullable(v.string()), null)
const Values = v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {})
const PublishedSchema = v.object({
  dist: v.fallback(
    v.object({
      tarball: text,
      integrity: text,
      shasum: text,
      signatures: v.fallback(v.array(v.object({ keyid: v.string(), sig: v.string() })), []),
      attestations: v.optional(v.unknown(), null),
    }),
    { tarball: null, integrity: null, shasum: null, signatures: [], attestations: null },
  ),
  dependencies: Values,
  optionalDependencies: Values,
  hasInstallScript: v.optional(v.unknown()),
  gitHead: text,
  _npmUser: v.fallback(
    v.object({ name: text, trustedPublisher: v.optional(v.unknown(), null), approver: v.optional(v.unknown()) }),
    { name: null, trustedPublisher: null },
  ),
  maintainers: v.fallback(v.array(v.fallback(v.object({ name: v.string() }), { name: '' })), []),
  repository: v.fallback(
    v.union([
      v.pipe(
        v.string(),
        v.transform((url) => ({ url, directory: '' })),
      ),
      v.object({ url: v.string(), directory: v.fallback(v.string(), '') }),
    ]),
    { url: '', directory: '' },
  ),
})
/** Entry of one version in a registry's document. Mirrors leave out parts of it. */
export type PublishedVersion = v.InferOutput<typeof PublishedSchema>

/** Returns what a registry says of a version; null if it does not have it. */
export function publishedVersion(
  { versions }: Pick<PackageDocument, 'versions'>,
  version: string,
): PublishedVersion | null {
  return Object.hasOwn(versions, version) ? v.parse(PublishedSchema, versions[version]) : null
}

/** Reasons why a JSON document could not be read; one that is too large is unreadable. */
export type DocumentProblem = Exclude<ReadProblem, 'too-large'>

export type DocumentAnswer<T> = { readonly state: 'read'; readonly document: T } | { readonly state: DocumentProblem }

/** A document of any kind, or the reason why there is none. */
type RawAnswer = { readonly state: 'read'; readonly body: Buffer } | { readonly state: ReadProblem }

interface DocumentOptions {
  readonly signal: AbortSignal
  /** Requests the full document of a package, which has the times of its releases. @default false */
  readonly withTimes?: boolean
}

interface RawOptions extends Pick<RequestOptions, 'signal' | 'json' | 'isAsSent'> {
  readonly accept: string
  /** Limit on the body, in bytes. @default 100 MB */
  readonly maxBytes?: number
  /** Returns true for an address that may be requested, also after a redirect. @default all */
  readonly isAllowed?: (address: URL) => boolean
  /**
   * True for a registry, which may not name private addresses. False for the code host, which answers 403 to clients that
   * have asked too often. @default false
   */
  readonly isRegistry?: boolean
}

/** A profile whose registries, proxies and git settings apply to requests. */
export interface Access {
  /** Directory of the profile. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Ends the requests, such as when the host closes. */
  readonly signal: AbortSignal
  /** Registries to ask, such as those of a review, which keep what they have read. @default new ones */
  readonly registry?: Registry | undefined
}

/** Returns the address of the registry from which a profile installs a package. Loads the network modules of Node late. */
export async function registryAddress(directory: string, env: Access['env'], name: string): Promise<string> {
  const { readNetworkSettings } = await import('./network.ts')
  return (await readNetworkSettings(directory, env)).registryOf(name)
}

/** Returns the registries of a profile. */
export const registryOf = ({ registry, directory, env }: Omit<Access, 'signal'>): Registry =>
  registry ?? new Registry(directory, env)

/** Address that raw files of repositories are read from. */
export const RAW_FILES = 'https://raw.githubusercontent.com'
/** Address of the code host's API. Source: its REST documentation, version 2022-11-28. */
export const CODE_HOST_API = 'https://api.github.com'

/** Requests documents of packages and repositories as the package manager of one profile would. Never rejects. */
export class Registry {
  readonly #directory: string
  readonly #env: Readonly<Record<string, string | undefined>>
  #settings: Promise<NetworkSettings> | null = null

  /** @param directory directory of the profile whose settings apply */
  constructor(directory: string, env: Readonly<Record<string, string | undefined>>) {
    this.#directory = directory
    this.#env = env
  }

  /** Requests the document of a package, abbreviated by default. */
  package(name: string, options: DocumentOptions): Promise<DocumentAnswer<PackageDocument>> {
    // The second type is for registries without the abbreviated document.
    const abbreviated = options.withTimes ? '' : 'application/vnd.npm.install-v1+json; q=1.0, '
    const schema = v.pipe(
      DocumentSchema,
      // Of another package, everything that is signed would be right.
      v.check((document) => document.name === name),
      v.transform(toDocument),
    )
    return this.#askRegistry(name, name.replace('/', '%2f'), schema, {
      ...options,
      accept: `${abbreviated}application/json; q=0.8`,
    })
  }
  /** Requests the number of downloads of a package in the last week; null if the registry does not tell. */
  async weeklyDownloads(
    name: string,
    options: DocumentOptions,
  ): Promise<{ readonly state: 'read'; readonly count: number | null } | { readonly state: DocumentProblem }> {
    const path = `-/v1/search?text=${encodeURIComponent(name)}&size=5`
    const answer = await this.#askRegistry(name, path, SearchSchema, options)
    if (answer.state === 'not-found') return { state: 'read', count: null }
    if (answer.state !== 'read') return answer
    const found = answer.document.objects.find((found) => found.package.name === name)
    return { state: 'read', count: found?.downloads?.weekly ?? null }
  }
  /** Returns the address of a package's registry, with a slash at its end; empty when the settings cannot be read. */
  async addressOf(name: string): Promise<string> {
    return (await this.addresses())(name)
  }
  /** Returns the function that `addressOf` calls. */
  async addresses(): Promise<(name: string) => string> {
    return this.#network().then(
      ({ registryOf }) => registryOf,
      () => () => '',
    )
  }
  /** Requests the keys that the registry of a package signs with. */
  keys(name: string, options: DocumentOptions): Promise<DocumentAnswer<v.InferOutput<typeof KeysSchema>>> {
    return this.#askRegistry(name, '-/npm/v1/keys', KeysSchema, { ...options, isSameServer: true })
  }
  /** Requests the signed statements about a version, such as who built it. They are not checked. */
  attestations(name: string, version: string, options: DocumentOptions): Promise<DocumentAnswer<unknown>> {
    const path = `-/npm/v1/attestations/${name.replace('/', '%2f')}@${version}`
    const limits = { maxBytes: MAX_STATEMENTS_BYTES, isSameServer: true }
    return this.#askRegistry(name, path, v.unknown(), { ...options, ...limits })
  }
  /** Requests the advisories about versions of packages from the registry of the first. @param versions by name */
  advisories(
    versions: Readonly<Record<string, readonly string[]>>,
    options: DocumentOptions,
  ): Promise<DocumentAnswer<RegistryAdvisories>> {
    const [first = ''] = Object.keys(versions)
    const path = '-/npm/v1/security/advisories/bulk'
    return this.#askRegistry(first, path, AdvisoriesSchema, { ...options, json: versions })
  }
  /** Requests a JSON file of the code host by its address. */
  file(url: string, options: DocumentOptions): Promise<DocumentAnswer<unknown>> {
    return this.#readJson(url, v.unknown(), { accept: 'application/json, text/plain', ...options })
  }

  async #askRegistry<T>(
    name: string,
    path: string,
    schema: v.GenericSchema<unknown, T>,
    {
      isSameServer = false,
      ...options
    }: DocumentOptions &
      Pick<RawOptions, 'json' | 'maxBytes'> & { readonly accept?: string; readonly isSameServer?: boolean },
  ): Promise<DocumentAnswer<T>> {
    const base = await this.addressOf(name)
    if (!URL.canParse(path, base)) return { state: 'unreachable' }
    const url = new URL(path, base)
    return this.#readJson(url.href, schema, {
      accept: 'application/json',
      isRegistry: true,
      ...options,
      isAllowed: ({ origin }) => !isSameServer || origin === url.origin,
    })
  }

  async #readJson<T>(
    url: string,
    schema: v.GenericSchema<unknown, T>,
    options: RawOptions,
  ): Promise<DocumentAnswer<T>> {
    const answer = await this.request(url, options)
    if (answer.state !== 'read') return { state: answer.state === 'too-large' ? 'unreadable' : answer.state }
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), answer.body.toString('utf8'))
    return parsed.success ? { state: 'read', document: parsed.output } : { state: 'unreadable' }
  }

  // Load this on demand: Node's network modules take long to load, and most runs request nothing.
  async #network(): Promise<NetworkSettings> {
    const { readNetworkSettings } = await import('./network.ts')
    this.#settings ??= readNetworkSettings(this.#directory, this.#env).catch((error) => {
      // The next request reads them again.
      this.#settings = null
      throw error
    })
    return this.#settings
  }

  /** Requests any document by its address. */
  async request(url: string, { accept, isAllowed, isRegistry = false, ...options }: RawOptions): Promise<RawAnswer> {
    const { request, TooLargeError } = await import('./network.ts')
    try {
      const network = await this.#network()
      const answer = await request(url, {
        maxBytes: MAX_JSON_BYTES,
        ...options,
        network,
        headers: { accept },
        isAllowed: async (address) =>
          isAllowed?.(address) !== false && (!isRegistry || (await network.mayName(address))),
      })
      if (answer.body !== null) return { state: 'read', body: answer.body }
      return { state: problemOf(answer.status, isRegistry) }
    } catch (error) {
      return { state: error instanceof TooLargeError ? 'too-large' : 'unreachable' }
    }
  }
}

function problemOf(status: number, isRegistry: boolean): DocumentProblem {
  if (status === 429 || status === 503 || (status === 403 && !isRegistry)) return 'busy'
  if (status === 401 || status === 403) return 'unauthorized'
  // 405 and 501: the registry has the address, but not what was asked of it.
  return [404, 405, 410, 451, 501].includes(status) ? 'not-found' : 'unreachable'
}

function toDocument(read: v.InferOutput<typeof DocumentSchema>): PackageDocument {
  const { name, versions, modified, time = {} } = read
  const times = Object.entries(time).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return {
    name,
    latest: read['dist-tags'].latest,
    tags: read['dist-tags'],
    versions,
    modified: typeof modified === 'string' ? modified : null,
    times: Object.fromEntries(times),
  }
}

// The registries of one review

/** Time limit of one request, in ms. Whoever waits for its answer may give up earlier. */
const REQUEST_MS = 30_000

/**
 * The registries of a profile for one review. Requests each document and each tarball once, whoever asks: what a version
 * declares, what it can do, where it comes from and what is known against it are of the same bytes.
 */
export class PackageReader extends Registry {
  readonly #ended = new AbortController()
  readonly #documents = new Map<string, Promise<DocumentAnswer<PackageDocument>>>()
  readonly #files = new Map<string, ReturnType<Registry['request']>>()
  /** Aborts when the review ends. */
  readonly signal: AbortSignal

  constructor({ directory, env, signal }: Omit<Access, 'registry'>) {
    super(directory, env)
    this.signal = AbortSignal.any([signal, this.#ended.signal])
  }

  /** Requests the full document of a package, which has everything that an abbreviated one has. */
  override async package(
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<DocumentAnswer<PackageDocument>> {
    const limited = { signal: withTimeout(this.signal, REQUEST_MS), withTimes: true }
    const document = this.#documents.get(name) ?? super.package(name, limited)
    this.#documents.set(name, document)
    return (await waitFor(document, signal)) ?? { state: 'unreachable' }
  }

  /** Returns true for a package whose document was requested. */
  hasRequested(name: string): boolean {
    return this.#documents.has(name)
  }

  override async request(...[url, options]: Parameters<Registry['request']>): ReturnType<Registry['request']> {
    if (!options.isAsSent) return super.request(url, options)
    const file =
      this.#files.get(url) ?? super.request(url, { ...options, signal: withTimeout(this.signal, REQUEST_MS) })
    this.#files.set(url, file)
    return (await waitFor(file, options.signal)) ?? { state: 'unreachable' }
  }

  /** Ends what is being read. */
  end(): void {
    this.#ended.abort()
  }
}
