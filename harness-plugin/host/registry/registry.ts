import * as v from 'valibot'
import type { JsonResponse, NetworkSettings } from './network.ts'

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

const VersionDocumentSchema = v.object({ scripts: v.optional(v.record(v.string(), v.string()), {}) })
/** The manifest of one version. */
export type VersionDocument = v.InferOutput<typeof VersionDocumentSchema>

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

/**
 * - `not-found`: the server does not have it
 * - `unauthorized`: the server wants a log-in, or does not let this one read it
 * - `busy`: the server asks clients to wait
 * - `unreachable`: it could not be reached, or did not answer in time
 * - `unreadable`: its answer has another form
 */
export type DocumentProblem = 'not-found' | 'unauthorized' | 'busy' | 'unreachable' | 'unreadable'

export type DocumentAnswer<T> =
  | { readonly state: 'read'; readonly document: T; readonly etag: string | null; readonly size: number }
  | { readonly state: 'unchanged'; readonly size: number }
  | { readonly state: DocumentProblem; readonly retryAfterMs: number | null; readonly size: number }

interface DocumentOptions {
  readonly signal: AbortSignal
  /** ETag of the stored copy: an unchanged document is not sent again. */
  readonly etag?: string | null
  /** Requests the full document of a package, which has the times of its releases. @default false */
  readonly withTimes?: boolean
}

/** Requests documents of packages and repositories as the package manager of one profile would. Never rejects. */
export interface Registry {
  /** Requests the document of a package, abbreviated by default. */
  package(name: string, options: DocumentOptions): Promise<DocumentAnswer<PackageDocument>>
  /** Requests the manifest of one version of a package. */
  version(name: string, version: string, options: DocumentOptions): Promise<DocumentAnswer<VersionDocument>>
  /** Requests the number of downloads of a package in the last week. @returns null if the registry does not tell */
  weeklyDownloads(name: string, options: DocumentOptions): Promise<number | null>
  /** Returns the host of a package's registry. */
  hostOf(name: string): Promise<string>
  /** Requests a JSON file by its address. */
  file(url: string, options: DocumentOptions): Promise<DocumentAnswer<unknown>>
}

/** Address that raw files of repositories are read from. */
export const RAW_FILES = 'https://raw.githubusercontent.com'

/** Creates a client of the registries. @param directory directory of the profile whose settings apply */
export function openRegistry(directory: string, env: Readonly<Record<string, string | undefined>>): Registry {
  let network: Promise<NetworkSettings> | null = null
  // Load this on demand: Node's network modules take long to load, and most runs request nothing.
  const readNetwork = async () => (await import('./network.ts')).readNetworkSettings(directory, env)

  async function request<T>(
    addressOf: (network: NetworkSettings) => string,
    { signal, etag }: DocumentOptions,
    accept: string,
    schema: v.GenericSchema<unknown, T>,
    isRegistry = true,
  ): Promise<DocumentAnswer<T>> {
    network ??= readNetwork()
    let response: JsonResponse
    try {
      const settings = await network
      const headers = { accept, ...(etag ? { 'if-none-match': etag } : {}) }
      const { requestJson } = await import('./network.ts')
      response = await requestJson(addressOf(settings), { network: settings, headers, signal })
    } catch (error) {
      return { state: error instanceof SyntaxError ? 'unreadable' : 'unreachable', retryAfterMs: null, size: 0 }
    }
    const { status, retryAfterMs, size } = response
    const problem = (state: DocumentProblem) => ({ state, retryAfterMs, size })
    if (status === 304) return { state: 'unchanged', size }
    if (status === 429 || status === 503) return problem('busy')
    // The code host answers 403 to who asks too often.
    if (status === 403 && !isRegistry) return problem('busy')
    if (status === 401 || status === 403) return problem('unauthorized')
    if ([404, 410, 451].includes(status)) return problem('not-found')
    if (status !== 200) return problem('unreachable')
    const parsed = v.safeParse(schema, response.body)
    return parsed.success
      ? { state: 'read', document: parsed.output, etag: response.etag, size }
      : problem('unreadable')
  }

  return {
    package: (name, options) =>
      request(
        ({ registryOf }) => new URL(name.replace('/', '%2f'), registryOf(name)).href,
        options,
        // The second type is for registries without the abbreviated document.
        `${options.withTimes ? '' : 'application/vnd.npm.install-v1+json; q=1.0, '}application/json; q=0.8`,
        v.pipe(DocumentSchema, v.transform(toDocument)),
      ),
    version: (name, version, options) =>
      request(
        ({ registryOf }) => new URL(`${name.replace('/', '%2f')}/${version}`, registryOf(name)).href,
        options,
        'application/json',
        VersionDocumentSchema,
      ),
    async weeklyDownloads(name, options) {
      const answer = await request(
        ({ registryOf }) => new URL(`-/v1/search?text=${encodeURIComponent(name)}&size=5`, registryOf(name)).href,
        options,
        'application/json',
        SearchSchema,
      )
      if (answer.state !== 'read') return null
      return answer.document.objects.find((found) => found.package.name === name)?.downloads?.weekly ?? null
    },
    async hostOf(name) {
      network ??= readNetwork()
      return new URL((await network).registryOf(name)).host
    },
    file: (url, options) => request(() => url, options, 'application/json, text/plain', v.unknown(), false),
  }
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
