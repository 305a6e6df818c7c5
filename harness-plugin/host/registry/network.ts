import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { parse as parseIni } from 'ini'
import getAuthToken from 'registry-auth-token'
import getRegistryUrl from 'registry-auth-token/registry-url.js'
import * as v from 'valibot'
import { parse as parseYaml } from 'yaml'

type Environment = Readonly<Record<string, string | undefined>>
type Settings = Readonly<Record<string, string>>

/** Network settings of one profile's package manager. */
export interface NetworkSettings {
  /** Returns the base address of a package's registry, with a slash at its end. */
  registryOf(name: string): string
  /** Returns the `Authorization` header for an address; null when none is configured. */
  authorizationFor(url: string): string | null
  /** Returns the proxy for an address; null for a direct connection. */
  proxyFor(url: string): string | null
  /** Certificates to trust instead of Node's own; null when none are configured. */
  readonly ca: string | null
  readonly strictSsl: boolean
}

/**
 * Reads the network settings that pnpm would use in a directory. Later sources win: pnpm's own folder, the user's .npmrc,
 * the directory's .npmrc, its pnpm-workspace.yaml (pnpm 11 and 12), and the environment.
 */
export async function readNetworkSettings(directory: string, env: Environment): Promise<NetworkSettings> {
  const home = env.HOME || env.USERPROFILE || homedir()
  const ofPnpm = pnpmFolder(env, home)
  const files = [
    join(ofPnpm, 'rc'),
    join(ofPnpm, 'auth.ini'),
    env.npm_config_userconfig || env.NPM_CONFIG_USERCONFIG || join(home, '.npmrc'),
    join(directory, '.npmrc'),
  ]
  const read = await Promise.all(files.map((file) => readIniFile(file, env)))
  const settings: Settings = Object.assign(
    {},
    ...read,
    await readWorkspaceFile(join(directory, 'pnpm-workspace.yaml')),
    environmentSettings(env),
  )
  const variable = (name: string) => env[name] || env[name.toUpperCase()] || null
  const secure = settings['https-proxy'] || settings.proxy || variable('https_proxy')
  const plain = settings['http-proxy'] || secure || variable('http_proxy') || variable('proxy')
  const direct = (settings.noproxy || settings['no-proxy'] || variable('no_proxy') || '')
    .split(/[\s,]+/)
    .filter(Boolean)
  // Without it, requests fail by their certificate, and their error says so.
  const ca = settings.ca || (settings.cafile ? await readFile(settings.cafile, 'utf8').catch(() => null) : null)

  return {
    registryOf: (name) => getRegistryUrl(/^@[^/]+/.exec(name)?.[0], settings),
    authorizationFor(url) {
      const found = getAuthToken(url, { npmrc: settings, recursive: true })
      return found ? `${found.type} ${found.token}` : null
    },
    proxyFor(url) {
      const { protocol, hostname } = new URL(url)
      return isListed(hostname, direct) ? null : protocol === 'https:' ? secure : plain
    },
    ca,
    strictSsl: settings['strict-ssl'] !== 'false',
  }
}

/** Folder of pnpm's own settings. Source: pnpm's documentation of `rc` and `auth.ini`. */
function pnpmFolder(env: Environment, home: string): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'pnpm')
  if (process.platform === 'darwin') return join(home, 'Library/Preferences/pnpm')
  if (process.platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'pnpm/config')
  return join(home, '.config/pnpm')
}

/** Reads an ini file and substitutes environment variables. Returns no settings for an unreadable file. */
async function readIniFile(file: string, env: Environment): Promise<Settings> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return textsOf(parseIni(text.replace(/\$\{([^}]+)\}/g, (all, name: string) => env[name] ?? all)))
}

const WorkspaceSchema = v.object({
  registries: v.optional(v.record(v.string(), v.string()), {}),
  registry: v.optional(v.string()),
  httpProxy: v.optional(v.string()),
  httpsProxy: v.optional(v.string()),
  noProxy: v.optional(v.string()),
  strictSsl: v.optional(v.boolean()),
})

async function readWorkspaceFile(file: string): Promise<Settings> {
  try {
    const { registries, ...given } = v.parse(WorkspaceSchema, parseYaml(await readFile(file, 'utf8')))
    return textsOf({
      registry: given.registry ?? registries.default,
      'http-proxy': given.httpProxy,
      'https-proxy': given.httpsProxy,
      noproxy: given.noProxy,
      'strict-ssl': given.strictSsl,
      ...Object.fromEntries(Object.entries(registries).map(([scope, url]) => [`${scope}:registry`, url])),
    })
  } catch {
    return {}
  }
}

/** Reads settings of single processes, such as a registry; pnpm 10 reads the first spelling, pnpm 11 the second. */
function environmentSettings(env: Environment): Settings {
  const names = ['registry', 'proxy', 'http-proxy', 'https-proxy', 'noproxy', 'strict-ssl', 'cafile']
  const read = (name: string) => {
    const variable = name.replaceAll('-', '_')
    return env[`pnpm_config_${variable}`] || env[`npm_config_${variable}`]
  }
  return textsOf(Object.fromEntries(names.map((name) => [name, read(name)])))
}

const textsOf = (values: Readonly<Record<string, unknown>>): Settings =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'boolean' ? [[name, String(value)]] : [],
    ),
  )

/** Returns true if a host is in a list of hosts and domains; `*` stands for all. */
const isListed = (host: string, list: readonly string[]): boolean =>
  list.some((entry) => {
    const name = entry.replace(/^\*?\./, '').replace(/:\d+$/, '')
    return entry === '*' || host === name || host.endsWith(`.${name}`)
  })

// Requests

const MAX_REDIRECTS = 3
/**
 * Limits on a JSON document as it arrives and after it was unpacked, in bytes. The abbreviated document of a package with
 * 2,000 versions has 2 MB.
 */
const MAX_BYTES = 20_000_000
const MAX_UNPACKED_BYTES = 100_000_000

export interface RequestOptions {
  readonly network: NetworkSettings
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface RawOptions extends RequestOptions {
  /** Limit on the body, in bytes. */
  readonly maxBytes: number
  /** Returns true for an address that may be requested, also after a redirect. @default all */
  readonly isAllowed?: (address: URL) => boolean
}

/** Thrown for a body beyond its limit. */
export class TooLargeError extends Error {
  constructor() {
    super('the document is too large')
  }
}

interface Response<Body> {
  readonly status: number
  readonly etag: string | null
  /** Time that the server asks to wait, in ms; null when it gives none. */
  readonly retryAfterMs: number | null
  /** Null unless the status is 200. */
  readonly body: Body | null
  /** Size of the body as it arrived, in bytes. */
  readonly size: number
}
export type JsonResponse = Response<unknown>
export type RawResponse = Response<Buffer>

/**
 * Requests a JSON document through the proxy and with the credentials of a profile. Follows redirects; credentials go
 * only to the host that they are configured for.
 *
 * @throws when the server cannot be reached, the request is aborted, or the body is not JSON
 */
export async function requestJson(url: string, options: RequestOptions): Promise<JsonResponse> {
  const response = await request(url, options, { maxBytes: MAX_BYTES, maxUnpackedBytes: MAX_UNPACKED_BYTES })
  return { ...response, body: response.body && JSON.parse(response.body.toString('utf8')) }
}

/**
 * Requests any document in the same way.
 *
 * @throws TooLargeError for a body beyond its limit
 * @throws when the server cannot be reached, the request is aborted, or an address is not allowed
 */
export const requestRaw = (url: string, options: RawOptions): Promise<RawResponse> =>
  request(url, options, { maxBytes: options.maxBytes, maxUnpackedBytes: options.maxBytes })

interface Limits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
}

async function request(
  url: string,
  options: RequestOptions & Partial<Pick<RawOptions, 'isAllowed'>>,
  limits: Limits,
): Promise<RawResponse> {
  const { isAllowed = () => true } = options
  let address = new URL(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!isAllowed(address)) throw new Error('an address that may not be requested')
    const response = await send(address, options)
    const { location } = response.headers
    if (location === undefined || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0))
      return read(response, limits)
    response.resume()
    address = new URL(location, address)
    if (!/^https?:$/.test(address.protocol)) break
  }
  throw new Error('too many redirects')
}

function send(address: URL, { network, headers, signal }: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const authorization = network.authorizationFor(address.href)
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(
    address,
    {
      agent: agentFor(address, network),
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        'user-agent': 'plugmark',
        ...(authorization === null ? {} : { authorization }),
        ...headers,
      },
    },
    resolve,
  )
  request.on('error', reject)
  request.end()
  return promise
}

const agents = new Map<string, HttpAgent>()
/**
 * Returns an agent that reuses connections, because a run over all plugins makes thousands of requests to two hosts.
 */
function agentFor({ protocol, href }: URL, { proxyFor, ca, strictSsl }: NetworkSettings): HttpAgent {
  const proxy = proxyFor(href)
  const tls = { rejectUnauthorized: strictSsl, ...(ca === null ? {} : { ca }) }
  const key = JSON.stringify([protocol, proxy, tls])
  const known = agents.get(key)
  if (known) return known
  const options = { ...tls, keepAlive: true }
  const isSecure = protocol === 'https:'
  const direct = () => (isSecure ? new HttpsAgent(options) : new HttpAgent(options))
  const proxied = (address: string) =>
    isSecure ? new HttpsProxyAgent(address, options) : new HttpProxyAgent(address, options)
  const agent: HttpAgent = proxy === null ? direct() : (proxied(proxy) as unknown as HttpAgent)
  agents.set(key, agent)
  return agent
}

async function read(response: IncomingMessage, { maxBytes, maxUnpackedBytes }: Limits): Promise<RawResponse> {
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) response.destroy(new TooLargeError())
  })
  const encoding = response.headers['content-encoding']
  // An unchanged document has no body, whatever its headers say.
  const isEmpty = response.statusCode === 304
  const unzip = isEmpty
    ? null
    : encoding === 'gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : null
  if (unzip) response.on('error', (error) => unzip.destroy(error))
  const chunks: Buffer[] = []
  let unpacked = 0
  for await (const chunk of unzip ? response.pipe(unzip) : response) {
    unpacked += (chunk as Buffer).length
    if (unpacked > maxUnpackedBytes) {
      response.destroy()
      throw new TooLargeError()
    }
    chunks.push(chunk as Buffer)
  }
  const status = response.statusCode ?? 0
  return {
    status,
    etag: response.headers.etag ?? null,
    retryAfterMs: parseRetryAfter(response.headers['retry-after']),
    body: status === 200 ? Buffer.concat(chunks) : null,
    size,
  }
}

/** Returns the time to wait in ms; the header has seconds or a date. */
function parseRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
