import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { hidePasswords } from '@plugmark/shared/contract'
import { renderSpec, repositoryOf } from '@plugmark/shared/install'
import satisfies from 'semver/functions/satisfies.js'
import type {
  Answer,
  Drift,
  LockProblem,
  PlannedChange,
  ProfileLock,
  Refusal,
  StoreCalls,
  SyncPlan,
  SyncWarning,
  Unread,
} from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { answer, stateProblem, unknownProfile } from '../../protocol/protocol.ts'
import { ANY_BUILD } from '../../protocol/review-facts.ts'
import { keysOfPackages, readAllowedBuilds } from '../builds/allowed.ts'
import { directoryError } from '../catalogue/directory.ts'
import { readPnpmVersion } from '../harness/command-line.ts'
import type { OpenSync } from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { advisoriesOfProfile } from '../inspection/advisories.ts'
import type { Parts } from '../parts.ts'
import { gitUrl, isInHistory } from '../process/git.ts'
import { withTimeout } from '../process/run.ts'
import { readProfile, realProfileDirectory } from '../profile/home.ts'
import { parsePackageId } from '../profile/lockfile.ts'
import { readProfileLock } from '../profile-lock/document.ts'
import { driftOf, firstOf, hindrancesOf, INSTALLED, MOST_NAMES } from '../profile-lock/drift.ts'
import { joinPackages, lockfileIn, unfitIn } from '../profile-lock/packages.ts'
import { foreignIn } from '../profile-lock/trust.ts'
import { readWanted, type WantedFile, type WantedPlugin } from '../profile-lock/wanted.ts'
import { publishedVersion, Registry, registryAddress } from '../registry/registry.ts'
import { createFindListing, type FindListing } from './installed.ts'
import type { Versions } from './versions.ts'

/** Time that a plan can be started, in ms: that of a review. */
const PLAN_VALID_MS = 10 * 60_000
/** Most plans at once; the oldest are dropped. */
const MAX_PLANS = 10
/** Time limit of what a plan reads about the packages of a lock, in ms. */
const WARNINGS_MS = 8_000

const CHANGE = { action: 'install', isSpec: false, version: null, commit: null, hold: null } as const
const NOTHING: SyncPlan = { changes: [], present: [], token: null, made: [], warnings: [], left: [], unread: [] }
const NO_LOCK = { problem: 'no-lock', where: '' } as const

/** A file that has a lock, and how a profile is made like it. */
type LockFile = WantedFile & { readonly lock: ProfileLock; readonly exact: boolean; readonly frozen: boolean }

/** Returns the packages that the lock of a file adds to a profile. */
function addedBy(lock: ProfileLock, here: ProfileLock): string[] {
  const present = lockfileIn(here)?.packages ?? {}
  return Object.keys(lockfileIn(lock)?.packages ?? {}).filter((id) => !Object.hasOwn(present, id))
}

/** The lock of a profile: what it is, how a profile differs from one, and what makes the profile the same. */
export class ProfileLocks {
  readonly #parts: Parts
  readonly #pickVersion: Versions['pickVersion']
  readonly #findListing: FindListing

  constructor(parts: Parts, { pickVersion }: Pick<Versions, 'pickVersion'>) {
    this.#parts = parts
    this.#pickVersion = pickVersion
    this.#findListing = createFindListing(parts)
  }

  get calls(): Pick<StoreCalls, 'profileLock' | 'planSync'> {
    return {
      profileLock: ({ profile }) => this.#read(profile),
      planSync: async ({ profile, text, exact = false, frozen = false }) => {
        const [here, file] = [await this.#read(profile), readWanted(text)]
        if (!here.ok) return here
        if ('problem' in file) return answer(file)
        const { lock } = file
        if (lock !== null) return this.#plan(profile, here.value, { ...file, lock, exact, frozen })
        if (exact || frozen) return answer(NO_LOCK)
        const found = await this.#findChanges(profile, here.value, { ...file, names: null })
        return 'ok' in found ? found : answer({ ...NOTHING, ...found })
      },
    }
  }

  /** Compares a profile with the text of a lock. Asks no server. */
  readonly drift = async (profile: string, text: string): Promise<Answer<readonly Drift[] | LockProblem>> => {
    const [here, read] = [await this.#read(profile), readWanted(text)]
    if (!here.ok) return here
    if ('problem' in read) return answer(read)
    return answer(read.lock ? driftOf(read.lock, here.value) : NO_LOCK)
  }

  async #read(profile: string): Promise<Answer<ProfileLock>> {
    const { settings, queue, fitCheck } = this.#parts
    await queue.recovered()
    if ((await readProfile(settings.home, profile)) === null) return unknownProfile(profile)
    const { redactions, home } = settings
    const given = { harness: await fitCheck.version(), redactions }
    const lock = await readProfileLock(await realProfileDirectory(home, profile), given)
    return lock === null ? stateProblem() : answer(lock)
  }

  /** Plans what makes a profile like a lock, and keeps the plan under a token if it is like the lock as a whole. */
  async #plan(profile: string, here: ProfileLock, file: LockFile): Promise<Answer<SyncPlan | LockProblem>> {
    const { lock, exact, frozen } = file
    const drift = driftOf(lock, here)
    const { foreign, isTaken } = await this.#judgePackages(profile, here, lock)
    const found = await this.#findReviewed(profile, here, { ...file, drift, isTaken })
    if ('ok' in found) return found
    const { changes, unread, isWhole } = found
    const { made, left } = this.#divideOthers(drift, exact, changes)

    if (frozen) {
      const hindrances = await this.#hindrancesOf(profile, lock, here, left)
      const reasons = isWhole ? hindrances : [...foreign, ...unread.map(({ at }) => at)]
      if (!isWhole || hindrances.length > 0)
        return answer({ problem: 'not-frozen', where: firstOf([...new Set(reasons)]) || 'pnpm-lock.yaml' })
      // The same packages, written in another way.
      if (made.length === 0 && !isDeepStrictEqual(lock.packages, here.packages))
        made.push({ kind: 'packages', name: 'pnpm-lock.yaml', wanted: null, found: '1' })
    }
    if (!isWhole) {
      const other = { at: 'packages', text: firstOf(foreign) || 'pnpm-lock.yaml', why: 'other-lock' } as const
      const isSaid = isTaken || (lock.packages === null && foreign.length === 0)
      const all = isSaid ? unread : [...unread, other]
      return answer({ ...NOTHING, changes, left: [...made, ...left], unread: all })
    }
    if (changes.length + made.length === 0) return answer({ ...NOTHING, left })
    const isOnlyHolds = changes.length === 0 && made.every(({ kind }) => kind === 'held')
    const added = isOnlyHolds ? [] : addedBy(lock, here)
    const warnings = await this.#warningsOf(profile, lock, added)
    const shown = warnings.flatMap(({ kind, names }) => (kind === 'builds' ? names : []))
    const allowsMore = async (keys: readonly string[]) =>
      !shown.includes(ANY_BUILD) &&
      (await this.#buildsOf(profile, added)).some((key) => ![...shown, ...keys].includes(key))
    const target = { lock, here, isExact: exact, isFrozen: frozen, isOnlyHolds }
    const token = this.#keep({ ...target, profile, changes, allowsMore })
    return answer({ ...NOTHING, changes, token, made, warnings, left })
  }

  /** 1. Judges whether the package manager's lock in a file can be taken. @returns also what of it cannot be trusted */
  async #judgePackages(
    profile: string,
    here: ProfileLock,
    lock: ProfileLock,
  ): Promise<{ readonly foreign: readonly string[]; readonly isTaken: boolean }> {
    const { settings } = this.#parts
    const foreign = foreignIn(lock, settings.ownPackage)
    for (const id of foreign.length === 0 ? addedBy(lock, here) : []) {
      const { repository } = parsePackageId(id)
      // The commit of a plugin is looked up with its install.
      if (repository === null || lock.plugins.some(({ commit }) => commit === repository.commit)) continue
      if (await this.#isInRepository(profile, repository.url, repository.commit)) continue
      foreign.push(id)
      break
    }
    const { directory } = await this.#access(profile)
    const text = await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(() => '')
    const canJoin = joinPackages(lock, { isTaken: () => true, keeps: [], here: text }) !== null
    return { foreign, isTaken: foreign.length === 0 && canJoin && !isDesktop(settings, profile) }
  }

  /** 2. Finds the changes that need a review. @returns also whether the profile is made like the lock as a whole */
  async #findReviewed(
    profile: string,
    here: ProfileLock,
    { drift, isTaken, ...file }: LockFile & { readonly drift: readonly Drift[]; readonly isTaken: boolean },
  ): Promise<Refusal | (Pick<SyncPlan, 'changes' | 'unread'> & { readonly isWhole: boolean })> {
    const { lock, exact } = file
    const kinds = isTaken ? [...INSTALLED, 'content'] : INSTALLED
    const names = new Set(drift.flatMap(({ kind, name }) => (kinds.includes(kind) ? name : [])))
    const found = await this.#findChanges(profile, here, { ...file, names })
    if ('ok' in found) return found
    const { unread } = found
    const isWhole = isTaken && unread.length === 0
    // Without the lock as a whole, a plugin that is off would be installed and on.
    const isOn = (change: PlannedChange) => !lock.plugins.some(({ name, off }) => off && name === change.package)
    const installs = found.changes.filter((change) => isWhole || isOn(change))
    const { ownPackage } = this.#parts.settings
    const removed = exact ? drift.filter(({ kind, name }) => kind === 'extra' && name !== ownPackage) : []
    const removals = removed.map(
      ({ name }): PlannedChange => ({ ...CHANGE, id: name, action: 'remove', package: name }),
    )
    return { changes: [...installs, ...removals], unread, isWhole }
  }

  /** 3. Divides the other differences into those that are made, if the profile is made like the lock as a whole, and the rest. */
  #divideOthers(drift: readonly Drift[], exact: boolean, changes: readonly PlannedChange[]) {
    const changed = new Set(changes.map((change) => change.package))
    const isReviewed = ({ kind, name, wanted }: Drift) =>
      changed.has(name) && ([...INSTALLED, 'content', 'extra'].includes(kind) || (kind === 'held' && wanted !== null))
    const hasOthers = !exact && drift.some(({ kind }) => kind === 'extra')
    const isMade = ({ kind, name, wanted }: Drift) => {
      if (name === this.#parts.settings.ownPackage) return false
      if (kind === 'setting' || kind === 'patch') return exact || wanted !== null
      // Packages of plugins that stay do so too.
      return kind === 'off' || kind === 'order' || kind === 'held' || (kind === 'packages' && !hasOthers)
    }
    const others = drift.filter((one) => !isReviewed(one))
    return { made: others.filter(isMade), left: others.filter((one) => !isMade(one)) }
  }

  /** Returns why a profile cannot get exactly the packages of a lock, by the differences that are left. */
  async #hindrancesOf(profile: string, lock: ProfileLock, here: ProfileLock, left: readonly Drift[]) {
    const { ownPackage } = this.#parts.settings
    const { directory: cwd, ...limits } = await this.#access(profile)
    const stays = left.filter(({ kind, name }) =>
      name === ownPackage ? kind !== 'held' : kind === 'extra' || kind === 'setting',
    )
    return hindrancesOf(lock, here, stays, await readPnpmVersion({ ...limits, cwd }))
  }

  /**
   * Finds the installs of the plugins that a file asks for.
   *
   * @param file.names those of a lock that differ; null for a list, of which the profile may have some
   */
  async #findChanges(
    profile: string,
    here: ProfileLock,
    { wanted, names, ...read }: WantedFile & { readonly names: ReadonlySet<string> | null },
  ): Promise<Refusal | Pick<SyncPlan, 'changes' | 'present' | 'unread'>> {
    const [changes, present, unread]: [PlannedChange[], string[], Unread[]] = [[], [], [...read.unread]]
    for (const one of wanted) {
      // The store changes itself by a job of its own.
      if (one.name !== null && (one.name === this.#parts.settings.ownPackage || names?.has(one.name) === false))
        continue
      const problem = await this.#findProblem(profile, one)
      const found = problem ?? (await this.#findInstall(profile, one, one.locked ? null : here).catch(directoryError))
      if (found === null) present.push(one.text)
      else if ('ok' in found) return found
      else if ('why' in found) unread.push(found)
      else if (!changes.some(({ id }) => id === found.id)) changes.push(found)
    }
    return { changes, present, unread }
  }

  /** Returns what reads a profile's registries and settings. */
  async #access(profile: string) {
    const { settings, signal } = this.#parts
    const directory = await realProfileDirectory(settings.home, profile)
    return { directory, env: settings.env, signal: withTimeout(signal, WARNINGS_MS) }
  }

  /** Says what is known of the packages that the lock of a file adds to a profile: no review is about all of them. */
  async #warningsOf(profile: string, lock: ProfileLock, added: readonly string[]): Promise<SyncWarning[]> {
    const wanted = lockfileIn(lock)
    if (!wanted || added.length === 0) return []
    const [known, builds] = await Promise.all([
      advisoriesOfProfile({ ...(await this.#access(profile)), lock: wanted }),
      this.#buildsOf(profile, added),
    ])
    const { found, unknown } = known.state === 'read' ? known : { found: [], unknown: [] }
    const problems = found
      .filter((one) => added.includes(one.package))
      .map(({ package: id, title, severity }) => `${id}: ${title} (${severity})`)
    const unread =
      known.state === 'read' ? unknown.flatMap(({ names }) => names).filter((name) => added.includes(name)) : added
    const all: readonly SyncWarning[] = [
      { kind: 'problems', names: [...new Set(problems)] },
      { kind: 'not-looked-up', names: unread.slice(0, MOST_NAMES) },
      { kind: 'builds', names: builds },
      { kind: 'platform', names: unfitIn(wanted).filter((id) => added.includes(id)) },
    ]
    return all.filter(({ names }) => names.length > 0)
  }

  /** Returns the keys of the build scripts that a profile lets packages run. */
  async #buildsOf(profile: string, packages: readonly string[]): Promise<readonly string[]> {
    if (packages.length === 0) return []
    const { directory: cwd, ...access } = await this.#access(profile)
    const allowed = await readAllowedBuilds({ ...access, cwd })
    return keysOfPackages(allowed, new Set(packages.map((id) => splitPackageId(id).name)))
  }

  /** Keeps a plan for the start of its job. @returns its token */
  #keep(plan: Omit<OpenSync, 'expiresAt'>): string {
    const { syncs, now } = this.#parts
    const token = randomBytes(32).toString('base64url')
    syncs.set(token, { ...plan, expiresAt: now() + PLAN_VALID_MS })
    const [oldest] = syncs.keys()
    if (syncs.size > MAX_PLANS && oldest !== undefined) syncs.delete(oldest)
    return token
  }

  /**
   * Returns the install of a wanted plugin: by its listing where the directory has one, else by its spec.
   *
   * @param here the profile, for a plugin in any version of a range; null for one at a version or commit of a lock, which
   *   the directory need not list
   * @returns null when the profile has it
   * @throws DirectoryError
   */
  async #findInstall(
    profile: string,
    { at, text, spec: branch, name, isSource, locked }: WantedPlugin,
    here: ProfileLock | null,
  ): Promise<PlannedChange | Unread | null> {
    const commit = locked?.commit ?? null
    const spec = await this.#atCommit(profile, branch, commit)
    if (typeof spec === 'string') return { at, text: `${text} (${commit})`, why: spec }
    // The name of a listing, which may be installed from the registry.
    const isName = spec.kind === 'github' && !isSource
    const named = isName ? ((await this.#parts.catalogue.find(text))?.record ?? null) : null
    if (here !== null && hasPlugin(here, { spec, name }, named?.npmPackage)) return null
    const isPlace = spec.kind === 'npm' || spec.ref === undefined
    // At a commit it is not what the directory lists.
    const found = named ? { ...named, otherSource: null } : isPlace ? await this.#findListing(spec) : null
    const change = { ...CHANGE, commit, package: name, hold: locked?.held ?? null }
    if (found === null || found.otherSource !== null) {
      if (here !== null && !isSource) return { at, text, why: 'not-listed' }
      return { ...change, id: renderSpec(spec), isSpec: true }
    }
    const range = spec.kind === 'npm' ? spec.range : null
    const isPicked = range !== null && range !== 'latest' && !isVersion(range) && name !== null
    const { signal } = this.#parts
    const picked = isPicked ? await this.#pickVersion({ package: name, profile, wanted: range, signal }) : null
    const version = picked === null ? range : picked.ok ? (picked.value?.version ?? null) : null
    if (range !== null && version === null) return { at, text, why: 'no-version' }
    return { ...change, id: found.fullName, version: version === 'latest' ? null : version }
  }

  /**
   * Returns what is at the commit of a lock: its branch while that is there, so that updates are still offered, else the
   * commit itself; why not for a folder, which cannot be named at a commit, and for a commit that is not known to be in a branch or
   * tag.
   */
  async #atCommit(
    profile: string,
    spec: WantedPlugin['spec'],
    commit: string | null,
  ): Promise<WantedPlugin['spec'] | 'folder-at-commit' | 'no-commit' | 'commit-unknown'> {
    if (spec.kind === 'npm' || commit === null) return spec
    const { cli, fitCheck } = this.#parts
    const isNamed = spec.ref === commit
    if (!isNamed && (await fitCheck.commit({ cli, profile, spec })) === commit) return spec
    if (!isNamed && spec.path !== undefined) return 'folder-at-commit'
    const isThere = await this.#isInRepository(profile, gitUrl(`${spec.owner}/${spec.repo}`), commit)
    if (isThere === null) return 'commit-unknown'
    return isThere ? { ...spec, ref: commit } : 'no-commit'
  }

  /** Returns true if a branch or tag of a repository has a commit, false if only forks can; null if it does not answer. */
  async #isInRepository(profile: string, url: string, commit: string): Promise<boolean | null> {
    const { env, signal } = await this.#access(profile)
    return isInHistory(url, { commit, of: null }, { env, signal })
  }

  /**
   * Returns why a plugin of a lock cannot be had: its registry has it with other bytes, or not at all; null where it can, or
   * the registry does not tell.
   */
  async #findProblem(profile: string, { at, text, locked }: WantedPlugin): Promise<Unread | null> {
    if (!locked?.integrity || locked.version === null) return null
    const { directory, env } = await this.#access(profile)
    const read = await new Registry(directory, env).package(locked.name, { signal: this.#parts.signal })
    if (read.state === 'not-found') {
      const place = hidePasswords(await registryAddress(directory, env, locked.name))
      return { at, text: `${text} (${place})`, why: 'not-there' }
    }
    const dist = read.state === 'read' ? publishedVersion(read.document, locked.version)?.dist : undefined
    const isOther = dist?.integrity != null && dist.integrity !== locked.integrity
    return isOther ? { at, text, why: 'other-bytes' } : null
  }
}

/** Returns true if a profile has a plugin that a list names, in a version of its range or only on this machine. */
function hasPlugin(
  { plugins }: ProfileLock,
  wanted: Pick<WantedPlugin, 'spec' | 'name'>,
  published?: string | null,
): boolean {
  const { spec: place, name: named } = wanted
  return plugins.some(({ name, spec, version }) => {
    const isNamed = named === null || name === named
    if (place.kind === 'github')
      return (
        name === published || (isNamed && repositoryOf(spec ?? '') === `${place.owner}/${place.repo}`.toLowerCase())
      )
    return isNamed && (place.range === null || spec === null || satisfies(version ?? '', place.range, true))
  })
}
