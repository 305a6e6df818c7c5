import { waitFor, withTimeout } from '../process/run.ts'
import { type Access, type DocumentAnswer, type PackageDocument, Registry } from './registry.ts'

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
    const answer = (await waitFor(file, options.signal)) ?? ({ state: 'unreachable' } as const)
    // A worker takes the bytes that it reads with it.
    return answer.state === 'read' ? { ...answer, body: Buffer.from(answer.body) } : answer
  }

  /** Ends what is being read. */
  end(): void {
    this.#ended.abort()
  }
}
