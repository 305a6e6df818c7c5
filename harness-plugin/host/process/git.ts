import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReadOptions, readStdout } from './run.ts'

type GitOptions = Pick<ReadOptions, 'env' | 'signal'>

/** Returns the address from which git fetches a repository of the code host. */
export const gitUrl = (repository: string): string => `https://github.com/${repository}.git`

/**
 * Reads a file of a repository at one commit, without a checkout.
 *
 * @param commit a commit, or `HEAD` for the newest of the default branch
 * @returns null when it cannot be read in time
 */
export async function readRepositoryFile(
  path: string,
  { url, commit }: { readonly url: string; readonly commit: string },
  options: GitOptions,
): Promise<string | null> {
  const cwd = await mkdtemp(join(tmpdir(), 'plugmark-git-'))
  const git = (...args: string[]) => readStdout({ ...options, command: ['git', ...args], cwd })
  try {
    await git('init', '--quiet', '--bare')
    await git('fetch', '--quiet', '--depth=1', '--', url, commit)
    return await git('show', `FETCH_HEAD:${path}`)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** Matches a full commit. */
const COMMIT = /^[0-9a-f]{40}$/

/**
 * Requests the commit that pnpm would install of a repository. Fetches nothing.
 *
 * @param repository.ref a commit, a branch or a tag; `HEAD` for the newest commit of the default branch
 * @param cwd directory whose git configuration applies
 * @returns null when it cannot be read in time
 */
export async function readCommit(
  { url, ref }: { readonly url: string; readonly ref: string },
  cwd: string,
  options: GitOptions,
): Promise<string | null> {
  if (COMMIT.test(ref)) return ref
  const text = await readStdout({
    ...options,
    command: ['git', 'ls-remote', '--', url, ref, `${ref}^{}`],
    cwd,
    // No terminal prompt: for a missing repository, the code host asks for a password.
    env: { ...options.env, GIT_TERMINAL_PROMPT: '0' },
  })
  const commits = new Map((text ?? '').split('\n').map((line) => line.split('\t').toReversed() as [string, string]))
  // In the order of pnpm, which prefers the commit of an annotated tag to the tag itself.
  const names = [ref, `refs/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`]
  return names.map((name) => commits.get(name)).find((commit) => commit !== undefined && COMMIT.test(commit)) ?? null
}
