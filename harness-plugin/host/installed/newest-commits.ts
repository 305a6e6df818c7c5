import type { InstallSpec } from '@plugmark/shared/install'
import { partsOf } from '../builds/blocked.ts'
import { runProcess } from '../process/run-process.ts'
import { lockedPackages } from '../profile/lockfile.ts'

/** The page waits for the answer, and its connection gives up after a minute. */
const LIMIT_MS = 45_000
const MAX_LENGTH = 10_000
/** Questions at a time. */
const AT_ONCE = 4

/** A dependency that comes from a repository's default branch. */
export interface RepositoryDependency {
  readonly name: string
  readonly spec: InstallSpec & { readonly kind: 'github' }
}

/** The commits that a profile's lock has of its dependencies, by name. */
export async function lockedCommits(directory: string): Promise<ReadonlyMap<string, string>> {
  const commits = new Map<string, string>()
  for (const key of (await lockedPackages(directory))?.keys() ?? []) {
    const { name, commit } = partsOf(key)
    if (commit) commits.set(name, commit.commit)
  }
  return commits
}

/**
 * Asks git for the newest commit of each repository: it knows the proxies and credentials of whoever runs the console,
 * as it does for an install. Nothing is fetched.
 *
 * @returns commits by name, of those that answered; null when none did
 */
export async function askNewestCommits(
  dependencies: readonly RepositoryDependency[],
  { directory, env }: { readonly directory: string; readonly env: Readonly<Record<string, string>> },
): Promise<ReadonlyMap<string, string> | null> {
  const until = performance.now() + LIMIT_MS
  const commits = new Map<string, string>()
  const waiting = [...dependencies]
  async function askNext(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { owner, repo } = next.spec
      const timeLimitMs = Math.max(1, until - performance.now())
      const commit = await newestCommit(`https://github.com/${owner}/${repo}.git`, { directory, env, timeLimitMs })
      if (commit !== null) commits.set(next.name, commit)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askNext))
  return commits.size === 0 && dependencies.length > 0 ? null : commits
}

/** The commit of the default branch; null when it cannot be had. */
async function newestCommit(
  url: string,
  { directory, ...options }: { directory: string; env: Readonly<Record<string, string>>; timeLimitMs: number },
): Promise<string | null> {
  let text = ''
  await runProcess({
    ...options,
    command: ['git', 'ls-remote', '--', url, 'HEAD'],
    cwd: directory,
    // A question that nobody answers: a repository that is gone is asked for with a password.
    env: { ...options.env, GIT_TERMINAL_PROMPT: '0' },
    signal: new AbortController().signal,
    onText: (stream, more) => {
      if (stream === 'out' && text.length < MAX_LENGTH) text += more
    },
  })
  return /^([0-9a-f]{40})\tHEAD$/m.exec(text)?.[1] ?? null
}
