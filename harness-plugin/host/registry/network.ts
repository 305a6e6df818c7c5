import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
  /**
   * Returns true for an address that a registry may name. It may not name one of the user's own machine or network, unless
   * a registry is in there.
   */
  mayName(address: URL): Promise<boolean>
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
  const files = [join(ofPnpm, 'rc'), join(ofPnpm, 'auth.ini'), join(home, '.npmrc')]
  const read = await Promise.all(files.map((file) => readIniFile(file, env)))
  const settings: Settings = Object.assign(
    {},
    ...read,
    await readIniFile(join(directory, '.npmrc'), env, { isShared: true }),
    await readWorkspaceFile(join(directory, 'pnpm-workspace.yaml')),
    environmentSettings(env),
  )
  const variable = (name: string) => env[name] || env[name.toUpperCase()] || null
  const secure = settings['https-proxy'] || settings.proxy || variable('https_proxy')
  const plain = settings['http-proxy'] || secure || variable('http_proxy') || variable('proxy')
  const direct = (settings.noproxy || settings['no-proxy'] || variable('no_proxy') || '')
    .split(/[\s,]+/)
    .filter(Boolean)
  const ca = settings.ca || null
  const proxyFor: NetworkSettings['proxyFor'] = (url) => {
    const { protocol, hostname } = new URL(url)
    return isListed(hostname, direct) ? null : protocol === 'https:' ? secure : plain
  }
  const registries = registriesOf({ registry: getRegistryUrl(undefined, {}), ...settings }).map((url) => new URL(url))
  // The addresses behind a proxy are of its network.
  const isNear = async (address: URL) => proxyFor(address.href) === null && isPrivate(address.hostname)

  return {
    registryOf: (name) => getRegistryUrl(/^@[^/]+/.exec(name)?.[0], settings),
    authorizationFor(url) {
      if (!url.startsWith('https:') && !isPlainRegistry(url, settings)) return null
      const found = getAuthToken(url, { npmrc: settings, recursive: true })
      return found ? `${found.type} ${found.token}` : null
    },
    proxyFor,
    async mayName(address) {
      if (registries.some(({ origin }) => origin === address.origin) || !(await isNear(address))) return true
      return (await Promise.all(registries.map(isNear))).includes(true)
    },
    ca,
    strictSsl: settings['strict-ssl'] !== 'false',
  }
}

/** Returns true if a registry at the same host is configured without encryption, so that its credentials may be too. */
const isPlainRegistry = (url: string, settings: Settings): boolean =>
  registriesOf(settings).some((registry) => new URL(registry).origin === new URL(url).origin)

/** Returns the addresses of the registries that are configured. */
const registriesOf = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    /(^|:)registry$/.test(name) && URL.canParse(value) ? [value] : [],
  )

/** Addresses of this machine, of private networks, and of services of the network. Source: RFC 6890. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix)
PRIVATE.addSubnet('::', 127, 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** Returns true if a host has a private address; false where it has none at all. */
async function isPrivate(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  return found.some(({ address }) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
}

/** Folder of pnpm's own settings. Source: pnpm's documentation of `rc` and `auth.ini`. */
function pnpmFolder(env: Environment, home: string): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'pnpm')
  if (process.platform === 'darwin') return join(home, 'Library/Preferences/pnpm')
  if (process.platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'pnpm/config')
  return join(home, '.config/pnpm')
}

const VARIABLE = /\$\{([^}]+)\}/g
/** Lines of registries, proxies and credentials. A name in quotes can be any of these. */
const ADDRESS_OR_SECRET = /^\s*(?:["']|\/\/|@|registry|https?-proxy|proxy|_auth|_password|username)/

/**
 * Reads an ini file, and puts environment variables into its settings. Returns no settings for an unreadable file.
 *
 * @param options.isShared true for a file that comes with a project. Its addresses and credentials get no variables, and
 *   are left out: they could send a secret anywhere. Source: pnpm 10.34 and 11.28, `dropUntrustedEnvExpansions`.
 */
async function readIniFile(file: string, env: Environment, { isShared = false } = {}): Promise<Settings> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const isUsed = (line: string) => !isShared || line.search(VARIABLE) < 0 || !ADDRESS_OR_SECRET.test(line)
  const text = lines.filter(isUsed).join('\n')
  const { ca, cafile, ...settings } = parseIni(text.replace(VARIABLE, (all, name: string) => env[name] ?? all))
  // A path is relative to its file, and outranks `ca`, as in pnpm 11.28. pnpm 10 resolves it against the profile.
  // Without the certificates, requests fail, and their error says so.
  const certificates =
    typeof cafile === 'string' && cafile !== ''
      ? await readFile(resolve(dirname(file), cafile), 'utf8').catch(() => null)
      : null
  // `ca[]` can stand there several times.
  const listed = Array.isArray(ca) ? ca.join('\n') : ca
  return scopeCredentials(textsOf({ ...settings, ca: certificates ?? listed }))
}

/**
 * Gives the credentials that name no registry to the default registry of their own file, and to nobody else. Source:
 * pnpm 10.34, `rescopeUnscopedCreds`.
 */
function scopeCredentials(settings: Settings): Settings {
  const { _authToken, _auth, username, _password, ...scoped } = settings
  const given = Object.entries(textsOf({ _authToken, _auth, username, _password }))
  const registry = getRegistryUrl(undefined, settings)
  if (given.length === 0 || !URL.canParse(registry)) return scoped
  const { host, pathname } = new URL('./', registry)
  return { ...Object.fromEntries(given.map(([name, value]) => [`//${host}${pathname}:${name}`, value])), ...scoped }
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
    // Without the file the .npmrc files apply. pnpm itself names one that does not parse.
    return {}
  }
}

/** Reads the registry of the store's own settings. No other setting of pnpm reaches a job by its environment. */
const environmentSettings = (env: Environment): Settings =>
  textsOf({ registry: env.pnpm_config_registry || env.npm_config_registry })

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

export interface RequestOptions {
  readonly network: NetworkSettings
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** JSON to send. @default none */
  readonly json?: unknown
  /** Limit on the body after it was unpacked, in bytes. */
  readonly maxBytes: number
  /** True for a body as the server sent it, which is not asked to compress it. @default false */
  readonly isAsSent?: boolean
  /** Returns true for an address that may be requested, also after a redirect. @default all */
  readonly isAllowed?: ((address: URL) => Promise<boolean> | boolean) | undefined
}

/** Thrown for a body beyond its limit. */
export class TooLargeError extends Error {}

/**
 * Requests a document through the proxy and with the credentials of a profile. Follows redirects; credentials go only to
 * the host that they are configured for, and JSON only to the origin that was asked.
 *
 * @returns a body only with the status 200
 * @throws TooLargeError for a body beyond its limit
 * @throws when the server cannot be reached, the request is aborted, or an address is not allowed
 */
export async function request(
  url: string,
  options: RequestOptions,
): Promise<{ readonly status: number; readonly body: Buffer | null }> {
  const { isAllowed = () => true } = options
  let address = new URL(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!(await isAllowed(address))) throw new Error('an address that may not be requested')
    const response = await send(address, options)
    const { statusCode: status = 0, headers } = response
    if (headers.location === undefined || ![301, 302, 303, 307, 308].includes(status)) {
      const body = status === 200 ? await readBody(response, options) : null
      response.resume()
      return { status, body }
    }
    response.resume()
    address = new URL(headers.location, address)
    if (!/^https?:$/.test(address.protocol)) break
    if (options.json !== undefined && address.origin !== new URL(url).origin)
      throw new Error('a redirect of what was sent to another server')
  }
  throw new Error('too many redirects')
}

function send(address: URL, { network, headers, signal, json, isAsSent }: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const authorization = network.authorizationFor(address.href)
  const options = {
    method: json === undefined ? 'GET' : 'POST',
    agent: agentFor(address, network),
    signal,
    headers: {
      'accept-encoding': isAsSent ? 'identity' : 'gzip, br',
      'user-agent': 'plugmark',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
      ...headers,
    },
  }
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(address, options, resolve)
  request.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
  return promise
}

const agents = new Map<string, HttpAgent>()
/** Returns an agent that reuses connections. */
function agentFor({ protocol, href }: URL, { proxyFor, ca, strictSsl }: NetworkSettings): HttpAgent {
  const proxy = proxyFor(href)
  const options = { keepAlive: true, rejectUnauthorized: strictSsl, ...(ca === null ? {} : { ca }) }
  const key = JSON.stringify([protocol, proxy, options])
  const create = (): HttpAgent => {
    if (protocol === 'https:') return proxy === null ? new HttpsAgent(options) : new HttpsProxyAgent(proxy, options)
    return proxy === null ? new HttpAgent(options) : (new HttpProxyAgent(proxy, options) as unknown as HttpAgent)
  }
  const agent = agents.get(key) ?? create()
  agents.set(key, agent)
  return agent
}

async function readBody(response: IncomingMessage, { maxBytes, isAsSent }: RequestOptions): Promise<Buffer> {
  const encoding = isAsSent ? 'identity' : response.headers['content-encoding']
  const unpack = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : new PassThrough()
  const chunks: Buffer[] = []
  await pipeline(response, unpack, async (body: AsyncIterable<Buffer>) => {
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw new TooLargeError('the document is too large')
      chunks.push(chunk)
    }
  })
  return Buffer.concat(chunks)
}
