import { type InstallSpec, parseDependency } from '@plugmark/shared/install'
import * as v from 'valibot'
import { gitUrl, readNewestCommit } from '../process/git.ts'
import { readStdout } from '../process/run-process.ts'
import { lockedCommits } from '../profile/lockfile.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'

/** The page waits for the answer, and its connection gives up after a minute. */
const LIMIT_MS = 45_000
/** Repositories that are asked at a time. */
const CONCURRENCY = 4
/** How many characters of a commit are shown. */
const SHOWN_LENGTH = 7

/** What the registry and the code host have, by the name of a dependency. */
export interface Newest {
  readonly versions: ReadonlyMap<string, string>
  readonly commits: ReadonlyMap<string, string>
}

/** The result of a check. */
export interface UpdateCheck extends Newest {
  /** What was installed when it began. */
  readonly installed: {
    readonly versions: ReadonlyMap<string, string | null>
    readonly commits: ReadonlyMap<string, string>
  }
}

/** A dependency that comes from a repository's default branch. */
interface RepositoryDependency {
  readonly name: string
  readonly spec: InstallSpec & { readonly kind: 'github' }
}

interface Limits {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly deadline: number
}

/**
 * Asks the registry and the code host for the newest versions and commits of what a profile has.
 *
 * @param directory the profile's directory
 * @returns null when one of them does not answer
 */
export async function fetchNewest(
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<UpdateCheck | null> {
  const limits = { env, signal: new AbortController().signal, deadline: performance.now() + LIMIT_MS }
  const state = await readProfileState(directory)
  const dependencies = state?.manifest.dependencies ?? {}
  const repositories = Object.entries(dependencies).flatMap(([name, source]): RepositoryDependency[] => {
    const spec = parseDependency(name, source)
    return spec?.kind === 'github' ? [{ name, spec }] : []
  })
  const installed = {
    versions: state?.versions ?? new Map<string, null>(),
    commits: repositories.length > 0 ? await lockedCommits(directory) : new Map<string, string>(),
  }
  const [versions, commits] = await Promise.all([
    fetchVersions(directory, limits),
    fetchCommits(repositories, directory, limits),
  ])
  return versions && commits && { versions, commits, installed }
}

/**
 * What a check found of dependencies that have not changed since, as what is installed later may be newer. Without the
 * commits that the profile has; the others shortened as they are shown.
 */
export async function newerThan(
  directory: string,
  { versions }: Pick<ProfileState, 'versions'>,
  check: UpdateCheck | undefined,
): Promise<Newest> {
  if (check === undefined) return { versions: new Map(), commits: new Map() }
  const { installed } = check
  const locked = check.commits.size > 0 ? await lockedCommits(directory) : new Map<string, string>()
  const newer = [...check.commits].filter(([name, commit]) => {
    const current = locked.get(name)
    return current !== undefined && current === installed.commits.get(name) && current !== commit
  })
  return {
    versions: new Map([...check.versions].filter(([name]) => versions.get(name) === installed.versions.get(name))),
    commits: new Map(newer.map(([name, commit]) => [name, commit.slice(0, SHOWN_LENGTH)])),
  }
}

const OutdatedSchema = v.record(v.string(), v.object({ latest: v.string() }))

/**
 * Through the package manager, which knows the registries, proxies and credentials of the profile. Not through the
 * harness's command line, which rewrites the profile's package.json after whatever it ran.
 *
 * @returns the newest versions by name, of those that are not installed already
 */
async function fetchVersions(cwd: string, limits: Limits): Promise<ReadonlyMap<string, string> | null> {
  // It exits with 1 when something is newer.
  const text = await readStdout({ ...limits, command: ['pnpm', 'outdated', '--json'], cwd, exitCodes: [0, 1] })
  try {
    const outdated = v.parse(OutdatedSchema, JSON.parse(text ?? ''))
    return new Map(Object.entries(outdated).map(([name, { latest }]) => [name, latest]))
  } catch {
    return null
  }
}

/**
 * Through git, which knows the proxies and credentials of whoever runs the console, as it does for an install.
 *
 * @returns commits by name, of those that answered; null when none did
 */
async function fetchCommits(
  dependencies: readonly RepositoryDependency[],
  cwd: string,
  limits: Limits,
): Promise<ReadonlyMap<string, string> | null> {
  const commits = new Map<string, string>()
  const waiting = [...dependencies]
  async function fetchNext(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { owner, repo } = next.spec
      const commit = await readNewestCommit(gitUrl(`${owner}/${repo}`), cwd, limits)
      if (commit !== null) commits.set(next.name, commit)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, fetchNext))
  return commits.size === 0 && dependencies.length > 0 ? null : commits
}
