import { join } from 'node:path'
import * as v from 'valibot'
import { gitUrl } from '../process/git.ts'
import { readYaml } from './files.ts'

const LockSchema = v.object({
  packages: v.optional(v.record(v.string(), v.object({ resolution: v.record(v.string(), v.unknown()) })), {}),
})

/**
 * Reads the installed packages from pnpm-lock.yaml: the integrity of each package, or the commit of a repository. Omits
 * packages from local files, because their ids are paths relative to the profile.
 *
 * @returns null without a readable lockfile
 */
export async function lockedPackages(directory: string): Promise<ReadonlyMap<string, string> | null> {
  const lockfile = await readYaml(join(directory, 'pnpm-lock.yaml'), LockSchema)
  if (lockfile === null) return null
  const entries = Object.entries(lockfile.packages).filter(([key]) => !key.includes('@file:'))
  return new Map(entries.map(([key, { resolution }]) => [key, JSON.stringify(resolution)]))
}

/** Returns the commits of a profile's dependencies in its lockfile, by name. */
export async function lockedCommits(directory: string): Promise<ReadonlyMap<string, string>> {
  const ids = [...((await lockedPackages(directory))?.keys() ?? [])].map(parsePackageId)
  return new Map(ids.flatMap(({ name, repository }) => (repository ? [[name, repository.commit]] : [])))
}

/** Parses the id of a package. @param id `name@version`, or `name@` and the address of a repository at a commit */
export function parsePackageId(id: string): {
  readonly name: string
  readonly version: string | null
  readonly repository: { readonly url: string; readonly commit: string } | null
} {
  const at = id.indexOf('@', 1)
  if (at < 0) return { name: id, version: null, repository: null }
  const [name, rest] = [id.slice(0, at), id.slice(at + 1)]
  const [, repository, commit] = COMMIT.exec(rest) ?? []
  if (repository && commit) return { name, version: null, repository: { url: gitUrl(repository), commit } }
  return { name, version: /^\d/.test(rest) ? rest : null, repository: null }
}

const COMMIT =
  /^(?:git\+)?(?:https:\/\/(?:codeload\.)?|ssh:\/\/git@)github\.com\/([^/\s#]+\/[^/\s#]+?)(?:\.git)?(?:#|\/tar\.gz\/)([0-9a-f]{40})$/

/** Returns the packages that two profiles have in different versions, or that only one of them has. */
export function lockDifferences(
  one: ReadonlyMap<string, string> | null,
  other: ReadonlyMap<string, string> | null,
): string[] {
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])
  return [...names].filter((name) => one?.get(name) !== other?.get(name))
}
