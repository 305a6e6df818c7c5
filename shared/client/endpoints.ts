import type { PluginRecord } from '../contract/index.ts'
import { pluginsSearch } from './address.ts'
import { decodeIndex, decodePlugins } from './decode.ts'
import { getJson } from './request.ts'
import type { Send } from './send.ts'
import type { CallOptions, DirectoryClient, PluginsQuery, Rejection } from './types.ts'

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

/**
 * The endpoints of one directory, over any way to send a request. What they are told is sent as it is given.
 *
 * @param options.baseUrl checked before, without a trailing slash
 */
export function createEndpoints(send: Send, options: ClientOptions): Endpoints {
  const { baseUrl, onRejected = () => {}, onRecords = () => {} } = options

  return {
    baseUrl,
    async plugins(query: PluginsQuery = {}, call: CallOptions = {}) {
      const url = `${baseUrl}/api/v1/plugins?${pluginsSearch(query)}`
      const page = decodePlugins(await getJson(url, send, call), url, onRejected)
      onRecords(page.records)
      return page
    },
    async index(call = {}) {
      const url = `${baseUrl}/api/v1/index`
      return decodeIndex(await getJson(url, send, call), url)
    },
  }
}
