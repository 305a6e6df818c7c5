import { parseDependency } from '@plugmark/shared/install'
import { readManifest } from '../profile/manifest.ts'
import { askNewestCommits, lockedCommits, type RepositoryDependency } from './newest-commits.ts'
import { askOutdated } from './outdated.ts'

/** What the registry and the code host have, by the name of a dependency. */
export interface Newest {
  readonly versions: ReadonlyMap<string, string>
  readonly commits: ReadonlyMap<string, string>
}

/** How many characters of a commit are shown. */
const SHOWN = 7

/** Asks for the newest versions and commits of what a profile has; null when that cannot be told. */
export async function askNewest(directory: string, env: Readonly<Record<string, string>>): Promise<Newest | null> {
  const { dependencies = {} } = (await readManifest(directory)) ?? {}
  const repositories = Object.entries(dependencies).flatMap(([name, source]): RepositoryDependency[] => {
    const spec = parseDependency(name, source)
    return spec?.kind === 'github' ? [{ name, spec }] : []
  })
  const [versions, commits] = await Promise.all([
    askOutdated(directory, env),
    askNewestCommits(repositories, { directory, env }),
  ])
  return versions && commits && { versions, commits }
}

/** The same without the commits that the profile has by now, and of the others how they begin. */
export async function newerThan(directory: string, newest: Newest | undefined): Promise<Newest> {
  if (newest === undefined) return { versions: new Map(), commits: new Map() }
  const locked = newest.commits.size > 0 ? await lockedCommits(directory) : new Map<string, string>()
  const newer = [...newest.commits].filter(([name, commit]) => locked.has(name) && locked.get(name) !== commit)
  return { ...newest, commits: new Map(newer.map(([name, commit]) => [name, commit.slice(0, SHOWN)])) }
}
