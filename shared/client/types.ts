import type { IndexDocument, PluginRecord, Verdict } from '../contract/index.ts'

/** Query of `GET /api/v1/plugins`. Every field is optional; each is checked before anything is sent. */
export interface PluginsQuery {
  /** Free text over repository name, both summaries and description; at most 200 characters. */
  readonly q?: string
  /** A category id; one the server does not know matches nothing. */
  readonly category?: string
  /** 1 to 100. 24, 48 and 96 are right on every server. @default 24 */
  readonly limit?: number
  readonly installCheck?: Verdict
  /** 1-based. @default 1 */
  readonly page?: number
}

/** One page of listings. */
export interface PluginsPage {
  readonly records: readonly PluginRecord[]
  /** Listings that match over all pages, as the server counts them; null when it does not say. */
  readonly total: number | null
  /** Rows the server sent, before bad ones were dropped. 0 means that the last page was passed. */
  readonly received: number
}

/** A row that did not parse. */
export interface Rejection {
  /** Address of the answer it came in. */
  readonly url: string
  /** Position in the answer, 0-based. */
  readonly index: number
  /** What is wrong with it, for a person. */
  readonly reason: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Retries of each request; 0 where the caller has a back-off of its own. @default the client's */
  readonly retries?: number
}

/** Answer of `verifiedPlugins`. */
export interface VerifiedPlugin {
  readonly record: PluginRecord
  /** What makes it verified: the record's own verdict, or a server that was seen to honour the filter. */
  readonly by: 'record' | 'server-filter'
}

/** Reads a directory. Every failure is a DirectoryError. */
export interface DirectoryClient {
  /** Origin and path prefix of the directory, without a trailing slash. */
  readonly baseUrl: string
  plugins(query?: PluginsQuery, options?: CallOptions): Promise<PluginsPage>
  /** Every match, page by page of 96, without duplicates; at most one request is in flight. */
  allPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<PluginRecord, void, undefined>
  /** The one listing with this exact `fullName` (case folded), or null. At most four requests. */
  plugin(fullName: string, options?: CallOptions): Promise<PluginRecord | null>
  /** Listings whose install check is known to have passed. Yields nothing where that cannot be known. */
  verifiedPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>,
    options?: CallOptions,
  ): AsyncGenerator<VerifiedPlugin, void, undefined>
  /** The whole catalogue, its rows undecoded; decode and keep it with `@plugmark/shared/catalogue`. */
  index(options?: CallOptions): Promise<IndexDocument>
}
