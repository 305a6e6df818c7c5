import { isIP } from 'node:net'
import { type Refusal, refuse } from '../host/index.ts'

/** Origin of a call, from the headers and the socket of its WebSocket upgrade. */
export interface Caller {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** Address of the other end of the socket. */
  readonly peer: string | undefined
  /** True if a header says that a proxy forwarded the request. */
  readonly forwarded: boolean
}

export interface Trust {
  /** Host names, besides loopback, under which the page is reached; without port. */
  readonly allowedHosts: readonly string[]
  /** True if the console has a log-in. Otherwise only this machine is served. */
  readonly authenticated: boolean
}

/** Returns true if a request has a header that proxies add when they forward it. */
export const isForwarded = (headers: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(headers).some((name) => /^(?:forwarded|via|x-real-ip|x-forwarded-.+|cf-connecting-ip)$/i.test(name))

/**
 * Checks that a call comes from a page of this console.
 *
 * `Host` must be loopback or an allowed name: otherwise a foreign name that was rebound to this address would pass as
 * the console. `Origin` must be that same host: otherwise any web site could call. A missing header is a refusal.
 *
 * A program can forge both headers. Without a log-in, the socket must therefore end on this machine and show no sign of a
 * proxy. A tunnel that passes bytes on unchanged cannot be distinguished from this machine.
 *
 * @returns null when the caller is trusted
 */
export function checkCaller({ host, origin, peer, forwarded }: Caller, trust: Trust): Refusal | null {
  const address = hostAddress(host)
  if (address === null) return untrusted('The request names no host.')
  const local = isLoopback(address.hostname)
  if (!local && !(trust.authenticated && trust.allowedHosts.includes(address.hostname)))
    return untrusted('The console is reached under a name that is not allowed.')
  if (!trust.authenticated && !isLoopback(peer ?? ''))
    return untrusted('Without a log-in, the store answers this machine only.')
  if (!trust.authenticated && forwarded)
    return untrusted('Without a log-in, the store does not answer what comes through a proxy.')
  if (originHost(origin) !== address.host) return untrusted('The request comes from another site.')
  return null
}

/** A host name or address alone, in a form. `readHostName` checks it in full. */
export const HOST_NAME = /^\s*(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)\s*$/i

/**
 * Reads a name of `Trust.allowedHosts` as a browser writes it.
 *
 * @throws Error with a sentence for the user when it is no host name
 */
export function readHostName(text: string): string {
  const name = hostAddress(text.trim())
  if (name && name.host === name.hostname) return name.hostname
  throw new Error(`"${text}" cannot be a host name: it is the name alone, without scheme, port or path.`)
}

const untrusted = (message: string): Refusal => refuse('untrusted', message)

function hostAddress(host: string | undefined): { host: string; hostname: string } | null {
  // A bare host: a URL would also take a path, a query or a user name here.
  if (host === undefined || !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return null
  const url = URL.parse(`http://${host}`)
  return url && { host: url.host, hostname: url.hostname }
}

function originHost(origin: string | undefined): string | null {
  const url = origin === undefined ? null : URL.parse(origin)
  // An origin is a scheme and a host, and nothing after it.
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin?.toLowerCase()) return null
  return url.host
}

function isLoopback(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '')
  if (isIP(address) === 4) return address.startsWith('127.')
  return address === '::1' || address === 'localhost'
}
