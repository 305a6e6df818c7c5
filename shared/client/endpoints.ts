import type { PluginRecord } from '../contract/index.ts'
import { pluginsSearch } from './address.ts'
import { decodeIndex, decodePlugins } from './decode.ts'
import { getJson } from './request.ts'
import type { Send } from './send.ts'
import type { CallOptions, DirectoryClient, PluginsPage, PluginsQuery, Rejection } from './types.ts'

export interface ClientOptions {
  /** Address of the directory: origin and perhaps a path prefix. */
  readonly baseUrl: string
  /** Told of every row that does not parse. @default nobody */
  readonly onRejected?: (rejection: Rejection) => void
  /** Told of the records of every answer, also of those that a call passes over. @default nobody */
  readonly onRecords?: (records: readonly PluginRecord[]) => void
}

/** The two endpoints, on which all else stands. */
export type Endpoints = Pick<DirectoryClient, 'baseUrl' | 'plugins' | 'index'>

/** The index as it comes: whoever keeps it parses it. */
export const getIndex = (send: Send, baseUrl: string, call: CallOptions): Promise<unknown> =>
  getJson(indexAt(baseUrl), send, call)

const indexAt = (baseUrl: string) => `${baseUrl}/api/v1/index`

/** One page of listings. */
export async function getPlugins(
  send: Send,
  { baseUrl, onRejected = () => {} }: ClientOptions,
  query: PluginsQuery = {},
  call: CallOptions = {},
): Promise<PluginsPage> {
  const url = `${baseUrl}/api/v1/plugins?${pluginsSearch(query)}`
  return decodePlugins(await getJson(url, send, call), url, onRejected)
}

/**
 * The endpoints of one directory, over any way to send a request. What they are told is sent as it is given.
 *
 * @param options.baseUrl checked before, without a trailing slash
 */
export function createEndpoints(send: Send, options: ClientOptions): Endpoints {
  const { baseUrl, onRecords = () => {} } = options

  return {
    baseUrl,
    async plugins(query, call) {
      const page = await getPlugins(send, options, query, call)
      onRecords(page.records)
      return page
    },
    async index(call = {}) {
      return decodeIndex(await getIndex(send, baseUrl, call), indexAt(baseUrl))
    },
  }
}
