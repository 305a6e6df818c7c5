import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runNpm } from '@plugmark/shared/packing/npm'
import { addressOption } from '../command.ts'
import type { Manifest } from './format.ts'
import { ICON_LIMIT, iconPath, readFromTarball } from './icon.ts'

/** Pause after each request to another machine, so that the generator slows nobody down. ms */
const PAUSE_MS = 500
/** Time limit of one request or one clone. ms */
const LIMIT_MS = 60_000

/** A package document of the registry. Every field may have any type. */
interface Packument {
  readonly 'dist-tags'?: unknown
  readonly versions?: unknown
  readonly time?: unknown
}

export interface Head {
  readonly commit: string
  /** Committer time, seconds since 1970. */
  readonly committedAt: number
  readonly manifest: Manifest
}

/** Place of a file of a package: in a version on the registry, or at the newest commit of a repository. */
export type FilePlace = { readonly name: string; readonly version: string } | { readonly url: string }

/** Sources of the facts that a catalogue lacks. Each method rejects with the reason as text. */
export interface Sources {
  readPackage(name: string): Promise<Packument>
  readHead(url: string): Promise<Head>
  /** Reads the icon that a manifest names; null when it names none. */
  readIcon(place: FilePlace, manifest: Manifest): Promise<Buffer | null>
  readCommit(url: string): Promise<string>
}

/**
 * Reads a package registry by HTTP, and repositories by git: one at a time, with a pause in between.
 *
 * @param options.registry address of the registry
 */
export function createSources({ registry }: { readonly registry: string }): Sources {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(url: string, read: () => Promise<T>): Promise<T> => {
    const turn = last.then(read)
    const pause = () => delay(isOnThisMachine(url) ? 0 : PAUSE_MS)
    last = turn.then(pause, pause)
    return turn
  }
  const base = registry.replace(/\/$/, '')
  const get = async (path: string, accept: string) => {
    const response = await fetch(`${base}/${path}`, { headers: { accept }, signal: AbortSignal.timeout(LIMIT_MS) })
    if (response.ok && response.body) return response
    throw new Error(`the registry answers with status ${response.status}`)
  }
  return {
    readPackage: (name) =>
      inTurn(registry, async () => {
        const response = await get(name.replace('/', '%2f'), 'application/json')
        return Object((await response.json()) as unknown) as Packument
      }),
    async readIcon(place, manifest) {
      const path = iconPath(manifest.icon)
      if (path === null) return null
      return inTurn('url' in place ? place.url : registry, async () => {
        if ('url' in place) return readAtHead(place.url, path)
        const file = `${place.name.slice(place.name.indexOf('/') + 1)}-${place.version}.tgz`
        return readFromTarball((await get(`${place.name}/-/${file}`, '*/*')).body!, path)
      })
    },
    readHead: (url) => inTurn(url, () => readHead(url)),
    readCommit: (url) => inTurn(url, () => readCommit(url)),
  }
}

/**
 * Returns the address of the package registry: that of the option, else the one that npm uses.
 *
 * @throws {UsageError} when it is not an address
 */
export const registryAddress = async (option: string | undefined): Promise<string> =>
  option === undefined ? (await runNpm(['config', 'get', 'registry'])).trim() : addressOption('--registry', option)

const isOnThisMachine = (url: string) => ['', 'localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const run = promisify(execFile)

async function readCommit(url: string): Promise<string> {
  const { stdout } = await run('git', ['ls-remote', '--', url, 'HEAD'], { timeout: LIMIT_MS, env: gitEnvironment() })
  const [commit] = stdout.split('\t', 1)
  if (!commit) throw new Error('the repository has no commit')
  return commit
}

/** Git must not ask for a password. */
const gitEnvironment = () => ({ ...process.env, GIT_TERMINAL_PROMPT: '0' })

async function readHead(url: string): Promise<Head> {
  return inClone(url, async (git) => {
    const [commit = '', time = ''] = (await git('log', '-1', '--format=%H %ct')).toString().trim().split(' ')
    const manifest = (await git('show', 'HEAD:package.json')).toString()
    return { commit, committedAt: Number(time), manifest: Object(JSON.parse(manifest)) as Manifest }
  })
}

const readAtHead = (url: string, path: string) => inClone(url, (git) => git('show', `HEAD:${path}`))

/** Clones the newest commit without its files, which git then fetches one by one as they are read. */
async function inClone<T>(url: string, read: (git: (...args: string[]) => Promise<Buffer>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-market-'))
  const options = { timeout: LIMIT_MS, env: gitEnvironment(), maxBuffer: 16 * ICON_LIMIT, encoding: 'buffer' } as const
  try {
    await run(
      'git',
      ['clone', '--quiet', '--depth=1', '--no-checkout', '--filter=blob:none', '--', url, folder],
      options,
    )
    return await read(async (...args) => (await run('git', ['-C', folder, ...args], options)).stdout)
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    const problem = (stderr?.toString() || message).trim().split('\n').at(-1)
    throw new Error(`git cannot read it: ${problem}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
