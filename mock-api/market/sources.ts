import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Manifest } from './format.ts'

/** Shortest time between two requests, so that the generator slows nobody down. ms */
const PAUSE_MS = 500
/** Time limit of one request or one clone. ms */
const LIMIT_MS = 60_000

/** A package document of the registry. Every field may have any type. */
export interface Packument {
  readonly 'dist-tags'?: unknown
  readonly versions?: unknown
  readonly time?: unknown
}

/** The newest commit of a repository. */
export interface Head {
  readonly commit: string
  /** Committer time, seconds since 1970. */
  readonly committedAt: number
  readonly manifest: Manifest
}

/** Sources of the facts that a catalogue lacks. Each method rejects with the reason for a person. */
export interface Sources {
  readPackage(name: string): Promise<Packument>
  /** @param url address of the repository */
  readHead(url: string): Promise<Head>
  /** @param url address of the repository */
  readCommit(url: string): Promise<string>
}

/**
 * Reads a package registry by HTTP, and repositories by git: one at a time, with a pause in between.
 *
 * @param options.registry address of the registry
 */
export function createSources({ registry, pauseMs = PAUSE_MS }: { registry: string; pauseMs?: number }): Sources {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const turn = last.then(read)
    last = turn.then(
      () => delay(pauseMs),
      () => delay(pauseMs),
    )
    return turn
  }
  return {
    readPackage: (name) =>
      inTurn(async () => {
        const url = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`
        const response = await fetch(url, {
          headers: { accept: 'application/json' },
          signal: AbortSignal.timeout(LIMIT_MS),
        })
        if (!response.ok) throw new Error(`the registry answers with status ${response.status}`)
        return Object((await response.json()) as unknown) as Packument
      }),
    readHead: (url) => inTurn(() => readHead(url)),
    readCommit: (url) => inTurn(() => readCommit(url)),
  }
}

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
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-market-'))
  const git = async (...args: string[]) => {
    return (await run('git', args, { timeout: LIMIT_MS, env: gitEnvironment(), maxBuffer: 4_000_000 })).stdout
  }
  try {
    await git('clone', '--quiet', '--depth=1', '--no-checkout', '--filter=blob:none', '--', url, folder)
    const [commit = '', time = ''] = (await git('-C', folder, 'log', '-1', '--format=%H %ct')).trim().split(' ')
    const manifest = await git('-C', folder, 'show', 'HEAD:package.json')
    return { commit, committedAt: Number(time), manifest: Object(JSON.parse(manifest)) as Manifest }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new Error(`git cannot read it: ${(stderr || message).trim().split('\n').at(-1)}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
