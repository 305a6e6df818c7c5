/** What a review tells of a plugin from a repository before the yes, read from the commit that would be installed. */
import { type InstallSpec, specText } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { CodeReading, Inspection } from '../../protocol/inspection.ts'
import { type CommitFiles, gitUrl, readArchives } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { LIMIT_MS, type ReadCode, toCode } from './inspect.ts'
import { readPackages } from './reading.ts'

/**
 * Reads all files of a commit: also those that an install leaves out, as its build scripts can use them. Nothing of it is
 * checked out or run. Never rejects.
 *
 * @param given.commit null when it is unknown
 * @param given.before installed commit; null when there is none, or it is unknown
 */
export async function inspectRepository(given: {
  readonly spec: InstallSpec & { readonly kind: 'github' }
  readonly commit: string | null
  readonly before: string | null
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}): Promise<Omit<Inspection, 'advisories'>> {
  const { owner, repo } = given.spec
  const name = specText({ kind: 'github', owner, repo })
  const inspection = (code: CodeReading, before: string | null = null): Omit<Inspection, 'advisories'> => ({
    plugin: given.commit === null ? name : `${name}#${given.commit}`,
    before,
    code,
    origin: null,
  })
  if (given.commit === null) return inspection({ state: 'unknown', reason: 'unknown-commit' })
  const signal = withTimeout(given.signal, LIMIT_MS)
  const before = given.before === given.commit ? null : given.before
  const refs = before === null ? [given.commit] : [given.commit, before]
  const archives = await readArchives(gitUrl(`${owner}/${repo}`), refs, { env: given.env, signal })
  const [first] = archives
  if (first?.state !== 'read') return inspection({ state: 'unknown', reason: first?.state ?? 'failed' })
  const commits = archives.filter((archive): archive is CommitFiles => archive.state === 'read')
  const readings = await readPackages(
    commits.map(({ tar }) => tar),
    { signal: given.signal },
  )
  const [now, was] = readings.map((reading, index) =>
    reading.state === 'read' ? withRepository(reading, commits[index]!) : reading,
  )
  if (now?.state !== 'read') return inspection({ state: 'unknown', reason: now?.state ?? 'failed' })
  if (was?.state !== 'read') return inspection(toCode(now, null))
  return inspection(toCode(now, was), before)
}

type Read = ReadCode & { readonly state: 'read' }

/** Adds what a reading cannot see in the files of a commit: what its code host makes of them, and how it is built. */
function withRepository(reading: Read, commit: CommitFiles): Read {
  // What is served depends on the commit, also where its files are the same.
  const rewritten = commit.rewritten.map((file) => ({ file, reason: 'rewritten', digest: commit.commit }) as const)
  return withBuildScripts({ ...reading, unread: [...rewritten, ...reading.unread] }, commit)
}

/** Adds the scripts that build the package, which the package manager runs during the install. */
function withBuildScripts(reading: Read, commit: CommitFiles): Read {
  const scripts = buildScripts(commit).map(([name, command]) => `${name}: ${command}`)
  if (scripts.length === 0) return reading
  const own = reading.abilities.find(({ kind }) => kind === 'install-scripts')
  const all = {
    more: false,
    places: [],
    ...own,
    kind: 'install-scripts',
    names: [...(own?.names ?? []), ...scripts],
  } as const
  return { ...reading, abilities: [all, ...reading.abilities.filter((one) => one !== own)] }
}

const Scripts = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((scripts) =>
    Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === 'string' && one[1] !== ''),
  ),
)
const ManifestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ scripts: Scripts, main: v.fallback(v.string(), 'index.js') }),
)

/**
 * Returns the scripts that pnpm runs to build a repository: `prepare` always, and the others with it, or where the file
 * of `main` is missing. Source: pnpm 10 to 12, `preparePackage`.
 */
function buildScripts({ manifest, paths }: CommitFiles): [string, string][] {
  const parsed = v.safeParse(ManifestSchema, manifest)
  if (!parsed.success) return []
  const { scripts, main } = parsed.output
  const found = scripts.filter(([name]) => ['prepublish', 'prepare', 'prepack', 'publish'].includes(name))
  const isBuilt = found.some(([name]) => name === 'prepare') || !paths.has(main.replace(/^\.\//, ''))
  return isBuilt ? found : []
}
