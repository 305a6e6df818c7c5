import { type InstallSpec, parseDependency, type RepositorySpec } from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import prerelease from 'semver/functions/prerelease.js'
import * as v from 'valibot'
import type { Advisory, InstalledPlugin, PluginNews, WaitingRelease } from '../../protocol/index.ts'
import { AdvisorySchema, type ProfileAdvisories } from '../../protocol/inspection.ts'
import { shortCommit, splitPackageId } from '../../protocol/package-id.ts'
import { PluginNewsSchema } from '../../protocol/profiles.ts'
import { isVersion } from '../harness/requirements.ts'
import { advisoriesOfProfile } from '../inspection/advisories.ts'
import { readStrict, TimeSchema, update } from '../json-file.ts'
import { findCommit, gitUrl, isFolderChanged } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { updatesFile } from '../profile/state-folder.ts'
import { CODE_HOST_API, type PackageDocument, Registry } from '../registry/registry.ts'
import { findNewerReleases, type ReleaseAge, readReleaseAge } from '../releases/pick-version.ts'
import { deprecationOf } from './declarations.ts'

/** Time limit of a check, in ms: the page waits for the answer, and its connection times out after a minute. */
const CHECK_TIMEOUT_MS = 45_000
/** Time limit of the look-up of what is known against the packages, in ms: it must not hold back newer versions. */
const AUDIT_MS = 10_000
/** Most advisories of earlier checks that are kept. */
const MAX_EARLIER = 200
/** Most requests at a time. */
const CONCURRENCY = 4
/** Reasons why it is unknown what is known against a package, although another attempt may tell. */
const MAY_PASS: ReadonlySet<string> = new Set(['unauthorized', 'busy', 'unreachable', 'unreadable', 'too-slow'])

/** A map, as a list of pairs in the file. */
const mapOf = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.array(v.tuple([v.string(), schema])),
    v.transform((pairs): ReadonlyMap<string, T> => new Map(pairs)),
  )

const AdvisoriesSchema: v.GenericSchema<unknown, readonly Advisory[]> = v.array(AdvisorySchema)

/** The result of a check: newest versions and commits by the name of a dependency, and why others are unknown. */
const UpdateCheckSchema = v.object({
  versions: mapOf(v.string()),
  /** Newest versions that pnpm does not install yet. */
  waiting: mapOf(v.object({ version: v.string(), until: v.string(), pnpm: v.number(), minutes: v.number() })),
  commits: mapOf(v.string()),
  problems: mapOf(v.picklist(['not-found', 'unauthorized', 'no-answer'])),
  /** Advisories about the packages of the profile. */
  advisories: AdvisoriesSchema,
  /** Time since which some of them are unknown; null when all were looked up. */
  unknownSince: v.optional(v.nullable(TimeSchema), null),
  /** News of the dependencies where they came from. */
  news: v.optional(mapOf(v.pipe(v.array(PluginNewsSchema), v.readonly())), []),
  /** Versions and commits that were installed when it began. */
  installed: v.object({ versions: mapOf(v.nullable(v.string())), commits: mapOf(v.string()) }),
})
export type UpdateCheck = Readonly<v.InferOutput<typeof UpdateCheckSchema>>

/**
 * Requests the newest versions and commits of a profile's dependencies from registries and the code host. A source that
 * is gone or does not answer does not affect the others.
 *
 * @param directory the profile's directory
 * @returns null when no source answered
 */
export async function fetchNewest(
  directory: string,
  now: number,
  {
    env,
    apiUrl,
    was,
    ...given
  }: {
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly apiUrl?: string | undefined
    /** Result of the check before. */
    readonly was: UpdateCheck | null
  },
): Promise<UpdateCheck | null> {
  const signal = withTimeout(given.signal, CHECK_TIMEOUT_MS)
  const limits = { env, signal }
  const state = await readProfileState(directory)
  const sources = Object.entries(state?.manifest.dependencies ?? {}).flatMap(([name, source]) => {
    const spec = parseDependency(name, source)
    return spec === null ? [] : { name, spec }
  })
  const installed = {
    versions: state?.versions ?? new Map<string, null>(),
    commits: state?.commits ?? new Map<string, string>(),
  }
  const versions = new Map<string, string>()
  const waiting = new Map<string, WaitingRelease>()
  const commits = new Map<string, string>()
  const isSame = (name: string) => was?.installed.versions.get(name) === installed.versions.get(name)
  // The news of a version, and the wait for the next, stay until its registry or code host says otherwise.
  const news = new Map([...(was?.news ?? [])].filter(([name]) => isSame(name)))
  const problems = new Map<string, NonNullable<InstalledPlugin['updateProblem']>>()
  const registry = new Registry(directory, env)
  let age: Promise<ReleaseAge | null> | undefined
  const readAge = () => (age ??= readReleaseAge({ ...limits, cwd: directory }))

  async function ask(name: string, spec: InstallSpec): Promise<void> {
    if (spec.kind === 'github') {
      const url = gitUrl(`${spec.owner}/${spec.repo}`)
      const [after, found] = await Promise.all([
        findCommit({ url, ref: spec.ref }, directory, limits),
        readNewsOfRepository(spec, registry, { signal, apiUrl }),
      ])
      if (found !== null) news.set(name, found)
      const before = installed.commits.get(name)
      // git distinguishes a missing repository from an unreachable one only by the text of its message.
      if (after === null) problems.set(name, 'no-answer')
      else if (after === 'not-found') problems.set(name, 'not-found')
      else if (spec.path === undefined || before === undefined || before === after) commits.set(name, after)
      else {
        // A commit beside the folder does not update it.
        const isChanged = await isFolderChanged(url, { path: spec.path, before, after }, limits)
        commits.set(name, isChanged === false ? before : after)
      }
      return
    }
    const answer = await registry.package(spec.name, { signal })
    if (answer.state === 'not-found' || answer.state === 'unauthorized') problems.set(name, answer.state)
    else if (answer.state !== 'read') problems.set(name, 'no-answer')
    else {
      const current = installed.versions.get(name) ?? null
      news.set(name, newsOfPackage(answer.document, current))
      const newer = await findNewerReleases(answer.document, { current, readAge, registry, signal, now })
      const known = isSame(name) ? was?.waiting.get(name) : undefined
      const isKept = newer.waiting === 'unknown' && known?.version === answer.document.latest
      const version = isKept ? was?.versions.get(name) : newer.version
      const left = isKept ? known : newer.waiting
      if (version) versions.set(name, version)
      if (left && left !== 'unknown') waiting.set(name, left)
    }
  }
  const queued = [...sources]
  async function askNext(): Promise<void> {
    for (let next = queued.shift(); next; next = queued.shift()) await ask(next.name, next.spec)
  }
  const [audit] = await Promise.all([
    advisoriesOfProfile({ directory, env, signal: withTimeout(signal, AUDIT_MS) }),
    ...Array.from({ length: CONCURRENCY }, askNext),
  ])
  const isAnswered = sources.length === 0 || sources.some(({ name }) => problems.get(name) !== 'no-answer')
  if (!isAnswered) return null
  const known = withEarlier(audit, { was, versions: installed.versions, now })
  return { versions, waiting, commits, problems, ...known, news, installed }
}

/**
 * Returns what is known against the packages of a profile: what was known before stays until its registry says otherwise,
 * and of other versions, which an undo may bring back.
 */
function withEarlier(
  audit: ProfileAdvisories,
  given: { readonly was: UpdateCheck | null; readonly versions: ProfileState['versions']; readonly now: number },
): Pick<UpdateCheck, 'advisories' | 'unknownSince'> {
  const { was, versions, now } = given
  const found = audit.state === 'read' ? audit.found : []
  const groups = audit.state === 'read' ? audit.unknown.filter(({ reason }) => MAY_PASS.has(reason)) : null
  const isUnknown = (id: string) => groups?.some(({ names }) => names.includes(id)) ?? true
  const earlier = (was?.advisories ?? []).filter(({ package: about, title, path: [plugin = ''] }) => {
    const { name, version } = splitPackageId(plugin)
    const stays = isUnknown(about) || (version !== null && versions.get(name) !== version)
    return stays && !found.some((one) => one.package === about && one.title === title && one.path[0] === plugin)
  })
  return {
    advisories: [...found, ...earlier.slice(0, MAX_EARLIER)],
    unknownSince: groups?.length !== 0 ? (was?.unknownSince ?? now) : null,
  }
}

/** Returns the time since which known problems of what is installed now are unknown; null when all were looked up. */
export function unknownSince(state: ProfileState | null, { check, checkedAt }: UpdateState): number | null {
  if (check === null) return null
  // Of a new plugin, and of the version that a check offered, the review of its install looked them up.
  const isLookedUp = [...(state?.versions ?? [])].every(([name, version]) =>
    [
      null,
      check.versions.get(name),
      check.waiting.get(name)?.version,
      check.installed.versions.get(name) ?? version,
    ].includes(version),
  )
  return check.unknownSince ?? (isLookedUp ? null : checkedAt)
}

/**
 * Returns the results of a check for what is installed now: of a dependency that has changed since, only a newer version.
 * Omits commits that the profile already has, and shortens the others for display.
 */
export function newerThan(
  { versions, commits }: ProfileState,
  check: UpdateCheck | null,
  now: number,
): Omit<UpdateCheck, 'installed' | 'unknownSince'> {
  if (check === null) {
    const none = { versions: new Map(), waiting: new Map(), commits: new Map(), problems: new Map(), news: new Map() }
    return { ...none, advisories: [] }
  }
  const { installed, problems, advisories } = check
  const newer = [...check.commits].filter(([name, commit]) => {
    const current = commits.get(name)
    return current !== undefined && current === installed.commits.get(name) && current !== commit
  })
  const isUnchanged = ([name]: readonly [string, unknown]) => versions.get(name) === installed.versions.get(name)
  const [waiting, ready] = [true, false].map((waits) =>
    [...check.waiting].filter(isUnchanged).filter(([, { until }]) => Date.parse(until) > now === waits),
  )
  // An undo brings an older version back, for which what was found, or was the newest itself, is newer as well.
  const newerNow = [...versions].flatMap(([name, current]) => {
    const found = check.versions.get(name) ?? installed.versions.get(name) ?? ''
    // Known of what a registry answered for: not of a folder or a repository, and not where it did not answer.
    const isAnswered = !problems.has(name) && !installed.commits.has(name)
    const isOffered = isAnswered && check.news.get(name)?.every(({ kind }) => kind === 'deprecated')
    // Only who has a prerelease wants one.
    const isFit = current !== null && isVersion(current) && isVersion(found) && prerelease(found) === null
    return isFit && isOffered && gt(found, current) ? [[name, found] as const] : []
  })
  return {
    versions: new Map([
      ...newerNow,
      ...[...check.versions].filter(isUnchanged),
      ...ready!.map(([name, { version }]) => [name, version] as const),
    ]),
    waiting: new Map(waiting),
    commits: new Map(newer.map(([name, commit]) => [name, shortCommit(commit)])),
    problems,
    news: new Map([...check.news].filter(isUnchanged)),
    // Each is about one version of its plugin.
    advisories,
  }
}

// News of an installed plugin where it came from: deprecated, withdrawn, moved back, archived, renamed

/** Returns the news that a registry has of an installed version; none of a version that is not known. */
function newsOfPackage({ versions, latest }: PackageDocument, installed: string | null): PluginNews[] {
  if (installed === null || !isVersion(installed)) return []
  const isThere = Object.hasOwn(versions, installed)
  const deprecated = isThere ? deprecationOf(versions[installed]?.deprecated) : null
  // A user who installed a prerelease wanted something newer than the newest.
  const isAhead = isVersion(latest) && prerelease(installed) === null && gt(installed, latest)
  return [
    ...(isThere ? [] : [{ kind: 'withdrawn' as const }]),
    ...(deprecated === null ? [] : [{ kind: 'deprecated' as const, message: deprecated }]),
    ...(isAhead ? [{ kind: 'moved-back' as const, latest }] : []),
  ]
}

const RepositorySchema = v.object({ archived: v.boolean(), full_name: v.string() })

/** Requests the news of a repository. @returns null when the code host does not tell */
export async function readNewsOfRepository(
  { owner, repo }: RepositorySpec,
  registry: Pick<Registry, 'file'>,
  { signal, apiUrl = CODE_HOST_API }: { readonly signal: AbortSignal; readonly apiUrl?: string | undefined },
): Promise<PluginNews[] | null> {
  const answer = await registry.file(`${apiUrl}/repos/${owner}/${repo}`, { signal })
  const read = v.safeParse(RepositorySchema, answer.state === 'read' ? answer.document : null)
  if (!read.success) return null
  const { archived, full_name: to } = read.output
  const isMoved = to.toLowerCase() !== `${owner}/${repo}`.toLowerCase()
  return [...(archived ? [{ kind: 'archived' as const }] : []), ...(isMoved ? [{ kind: 'renamed' as const, to }] : [])]
}

/** Checks for updates of one profile, as every shell of the machine sees them. */
const UpdateStateSchema = v.object({
  /** True if an open store checks by itself. */
  automatic: v.boolean(),
  /** Time of the last attempt, ms since 1970; 0 before the first. */
  attemptedAt: v.number(),
  /** Number of attempts without an answer since the last success. */
  failures: v.number(),
  /** Time of the last success. */
  checkedAt: v.nullable(TimeSchema),
  /** A result in another form is dropped, and requested again. */
  check: v.fallback(v.nullable(UpdateCheckSchema), null),
})
export const UPDATES = { schema: UpdateStateSchema, version: 1 }
export type UpdateState = Readonly<v.InferOutput<typeof UpdateStateSchema>>

const NEVER: UpdateState = { automatic: true, attemptedAt: 0, failures: 0, checkedAt: null, check: null }

/** The states of the checks of profiles, by their directories. One that cannot be stored lasts as long as its host. */
export class UpdateStates {
  readonly #unsaved = new Map<string, UpdateState>()

  /**
   * Reads the state of a profile's checks: that of a profile that was never checked if the file is missing. Without the
   * answer whether the store may check by itself, it does not. Never rejects.
   */
  async read(profile: string): Promise<UpdateState> {
    const stored = () => readStrict(updatesFile(profile), UPDATES).catch(() => ({ ...NEVER, automatic: false }))
    return this.#unsaved.get(profile) ?? (await stored()) ?? NEVER
  }

  /** Changes the state of a profile's checks, from what is stored now. Never rejects. */
  async change(profile: string, change: (was: UpdateState) => Partial<UpdateState>): Promise<UpdateState> {
    let state = NEVER
    try {
      await update(updatesFile(profile), UPDATES, (stored) => {
        const was = this.#unsaved.get(profile) ?? stored ?? NEVER
        state = { ...was, ...change(was) }
        return JSON.parse(JSON.stringify(state, (_, value) => (value instanceof Map ? [...value] : value)))
      })
      this.#unsaved.delete(profile)
    } catch {
      const was = await this.read(profile)
      state = { ...was, ...change(was) }
      this.#unsaved.set(profile, state)
    }
    return state
  }
}

/** Returns the advisories about a version of a plugin, and about the plugin where its version is not known. */
export const advisoriesOf = (name: string, version: string | null, all: readonly Advisory[] = []): Advisory[] =>
  all.filter(({ path: [plugin] }) => plugin === `${name}@${version}` || plugin === name)
