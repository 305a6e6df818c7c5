import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PublishedPackage, packPackages } from './packages.ts'
import { commitAgain, makeRepositories } from './repositories.ts'

export interface Registry {
  /** Base address without a trailing slash. */
  readonly url: string
  /** A file for GIT_CONFIG_GLOBAL: `github:` specs of our owners reach local bare repositories, other hosts nothing. */
  readonly gitConfig: string
  /** `METHOD path` of every request so far; `CONNECT host:port` is one that wanted to leave the machine and could not. */
  readonly requests: readonly string[]
  /**
   * True to name the scripts of each version, as the public registry does. From these the store reads build scripts before
   * the first try of an install. False by default, so that a job finds them out.
   */
  hasScripts: boolean
  /** Publishes a package as the newest version of its name, from here on. */
  publish(release: PublishedPackage): void
  /** Replaces the advisories about a package, which the registry answers from here on. It has none before. */
  advise(name: string, advisories: readonly object[]): void
  /** Signs every version of a package from here on, as the public registry does. */
  sign(name: string): void
  /** Makes a newer commit of one of our repositories, `owner/name`, with the same files. @returns the commit */
  commit(repository: string): Promise<string>
  /** Replaces the history of one of our repositories by another, with the same files. @returns its only commit */
  takeOver(repository: string): Promise<string>
  close(): Promise<void>
}

/**
 * Starts a package registry and a code host on loopback with the plugins of the tests.
 *
 * @param more folder with those of others: `packages/<name>` and `repositories/<owner>/<name>`
 */
export async function startRegistry(more?: string): Promise<Registry> {
  const requests: string[] = []
  const published = await packPackages(more && join(more, 'packages'))
  const advisories = new Map<string, readonly object[]>()
  const signed = new Set<string>()
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/-/npm/v1/security/advisories/bulk' && advisories.size > 0) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(Object.fromEntries(advisories)))
    }
    if (request.url === '/-/npm/v1/keys' && signed.size > 0) {
      const key = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      const scheme = 'ecdsa-sha2-nistp256'
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ keys: [{ keyid: KEY, keytype: scheme, scheme, key, expires: null }] }))
    }
    answer({ published, signed, key: keys.privateKey, hasScripts: registry.hasScripts }, request, response)
  })
  server.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`)
    // Whoever asked may be killed by a test.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const directory = await mkdtemp(join(tmpdir(), 'plugmark-git-'))
  const gitConfig = await makeRepositories(directory, url, more && join(more, 'repositories'))
  const registry: Registry = {
    url,
    gitConfig,
    requests,
    hasScripts: false,
    publish: (release) => void published.unshift(release),
    advise: (name, about) => void advisories.set(name, about),
    sign: (name) => void signed.add(name),
    commit: (repository) => commitAgain(directory, repository),
    takeOver: (repository) => commitAgain(directory, repository, []),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await rm(directory, { recursive: true, force: true })
    },
  }
  return registry
}

const KEY = 'SHA256:of-the-tests'

interface Content {
  readonly published: readonly PublishedPackage[]
  /** Names of packages whose versions are signed with the key. */
  readonly signed: ReadonlySet<string>
  readonly key: KeyObject
  readonly hasScripts: boolean
}

type Answer = (content: Content, ...rest: Parameters<RequestListener>) => void

/** A packument at `/<name>`, a tarball at `/<name>/-/<file>.tgz`, and for the rest what the public registry answers. */
const answer: Answer = ({ published, signed, key, hasScripts }, request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://registry').pathname).slice(1)
  const asked = published.find(({ manifest }) => path === manifest.name || path === tarballPath(manifest))
  if (!asked) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}')
  } else if (path.endsWith('.tgz')) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(asked.tarball)
  } else {
    const versions = published.filter(({ manifest }) => manifest.name === asked.manifest.name)
    const signature = signed.has(asked.manifest.name) ? key : null
    const read = packument(versions, `http://${request.headers.host}`, signature)
    const body = JSON.stringify(read, (field, value) => (field === 'scripts' && !hasScripts ? undefined : value))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
}

/** As npm forms it: pnpm records any other address in its lockfile. The file's name has no scope. */
const tarballPath = ({ name, version }: PublishedPackage['manifest']) =>
  `${name}/-/${name?.split('/').at(-1)}-${version}.tgz`

/** @param releases newest first */
function packument(releases: readonly PublishedPackage[], base: string, key: KeyObject | null): unknown {
  const names = releases.map(({ manifest }) => manifest)
  const [{ name = '', version: latest = '' } = {}] = names
  const at = '2026-08-01T09:00:00.000Z'
  const versions = releases.map(({ manifest, integrity, shasum }) => [
    manifest.version,
    {
      ...manifest,
      _id: `${name}@${manifest.version}`,
      dist: {
        tarball: `${base}/${tarballPath(manifest)}`,
        integrity,
        shasum,
        ...(key && { signatures: [{ keyid: KEY, sig: signatureOf(manifest, integrity, key) }] }),
      },
    },
  ])
  return {
    _id: name,
    name,
    'dist-tags': { latest },
    versions: Object.fromEntries(versions),
    time: {
      created: at,
      modified: releases[0]?.at ?? at,
      ...Object.fromEntries(releases.map(({ manifest, at: released = at }) => [manifest.version, released])),
    },
  }
}

/** Signs a version. Source of the signed text: "ECDSA registry signatures" of npm's documentation. */
const signatureOf = ({ name, version }: PublishedPackage['manifest'], integrity: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(`${name}@${version}:${integrity}`), key).toString('base64')
