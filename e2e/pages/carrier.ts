import { readFile } from 'node:fs/promises'
import type { CarriedAnswer, CarriedRequest } from './shims.ts'

/**
 * Carries out a request of the manager stand-in, from Node, as a manager does outside the page: only to a host the
 * script's header names with `@connect`.
 */
export async function carryOut(request: CarriedRequest, hosts: ReadonlySet<string>): Promise<CarriedAnswer> {
  if (!URL.canParse(request.url) || !hosts.has(new URL(request.url).hostname)) {
    return { error: `${request.url} is not on a host the script may connect to.` }
  }
  try {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      // A redirect could lead to a host that is not allowed.
      redirect: 'error',
    })
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
    return { status: answer.status, statusText: answer.statusText, headers, body, finalUrl: answer.url }
  } catch (error) {
    return { error: String(error) }
  }
}

/** The hosts a userscript's header lets it connect to. */
export async function connectHosts(userscript: string): Promise<ReadonlySet<string>> {
  const header = (await readFile(userscript, 'utf8')).split('==/UserScript==', 1)[0]!
  return new Set([...header.matchAll(/^\/\/ @connect\s+(\S+)/gm)].map((match) => match[1]!))
}
