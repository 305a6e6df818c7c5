import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { renderSpec, repositoryOf } from '@plugmark/shared/install'
import satisfies from 'semver/functions/satisfies.js'
import type {
  Answer,
  Drift,
  LockedPlugin,
  LockProblem,
  ProfileLock,
  StoreCalls,
  SyncPlan,
  Unread,
} from '../../protocol/index.ts'
import { answer, stateProblem, unknownProfile } from '../../protocol/protocol.ts'
import { directoryError } from '../catalogue/directory.ts'
import type { PlannedSync } from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { publishedVersion } from '../inspection/registry-package.ts'
import type { Parts } from '../parts.ts'
import { readProfile, realProfileDirectory } from '../profile/home.ts'
import { readProfileLock } from '../profile-lock/document.ts'
import { driftOf, isInstalled } from '../profile-lock/drift.ts'
import { foreignIn, joinPackages } from '../profile-lock/packages.ts'
import { hasSetting } from '../profile-lock/settings.ts'
import { readWanted, type Wanted } from '../profile-lock/wanted.ts'
import { Registry } from '../registry/registry.ts'
import type { Details } from './details.ts'
import { createFindListing, type FindListing } from './installed.ts'

/** Time that a plan can be started, in ms: that of a review. */
const PLAN_VALID_MS = 10 * 60_000
/** Most plans at once; the oldest are dropped. */
const MAX_PLANS = 10
/** Most names in one message. */
const MOST_NAMES = 5

interface Asked {
  readonly exact: boolean
  readonly frozen: boolean
}

/** Returns true for what a sync of the whole makes beside installs and removals. */
const isBeside = ({ kind, wanted }: Drift, isKept: boolean, isExact: boolean): boolean =>
  kind === 'off' ||
  kind === 'order' ||
  kind === 'held' ||
  ((kind === 'setting' || kind === 'patch') && (isExact || wanted !== null)) ||
  (kind === 'packages' && isKept)

const CHANGE = { action: 'install', isSpec: false, version: null, commit: null, hold: null } as const
const NO_LOCK = { problem: 'no-lock', where: '' } as const

/** The lock of a profile: what it is, how a profile differs from one, and what makes the profile the same. */
export class ProfileLocks {
  readonly #parts: Parts
  readonly #pickVersion: Details['pickVersion']
  readonly #findListing: FindListing

  constructor(parts: Parts, { pickVersion }: Pick<Details, 'pickVersion'>) {
    this.#parts = parts
    this.#pickVersion = pickVersion
    this.#findListing = createFindListing(parts)
  }

  get calls(): Pick<StoreCalls, 'profileLock' | 'planSync'> {
    return {
      profileLock: ({ profile }) => this.#read(profile),
      planSync: async ({ profile, text, exact = false, frozen = false }) => {
        const [here, read] = [await this.#read(profile), readWanted(text)]
        if (!here.ok) return here
        if ('problem' in read) return answer(read)
        if ((exact || frozen) && read.lock === null) return answer(NO_LOCK)
        return this.#plan(profile, here.value, { ...read, exact, frozen })
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

  async #plan(
    profile: string,
    here: ProfileLock,
    { lock, wanted, unread, exact, frozen }: Exclude<ReturnType<typeof readWanted>, LockProblem> & Asked,
  ): Promise<Answer<SyncPlan | LockProblem>> {
    const { ownPackage } = this.#parts.settings
    const drift = lock ? driftOf(lock, here) : []
    const foreign = lock ? foreignIn(lock, ownPackage) : []
    const canBeLike = lock !== null && foreign.length === 0 && (await this.#canJoin(profile, lock))
    if (frozen && lock !== null) {
      const own = drift.filter(({ kind, name }) => name === ownPackage && kind !== 'held')
      const extra = exact ? [] : drift.filter(({ kind }) => kind === 'extra')
      const local = [lock, here].flatMap(({ plugins }) => plugins.filter(({ spec }) => spec === null))
      const names = [...foreign, ...[...own, ...extra, ...local].map(({ name }) => name)]
      if (!canBeLike || names.length > 0)
        return answer({
          problem: 'not-frozen',
          where: [...new Set(names)].slice(0, MOST_NAMES).join(', ') || 'pnpm-lock.yaml',
        })
    }
    // The store changes itself by a job of its own.
    const isOther = (one: Drift) => isInstalled(one) || (canBeLike && one.kind === 'content')
    const isAsked = ({ name, isOff }: Pick<Wanted, 'name' | 'isOff'>) =>
      name === null ||
      (name !== ownPackage &&
        (canBeLike || !isOff) &&
        (!lock || drift.some((one) => isOther(one) && one.name === name)))
    const [changes, present, notTaken]: [SyncPlan['changes'][number][], string[], Unread[]] = [[], [], [...unread]]
    if (foreign.length > 0)
      notTaken.push({ at: 'packages', text: foreign.slice(0, MOST_NAMES).join(', '), why: 'other-lock' })
    for (const one of wanted.filter(isAsked)) {
      const change = await this.#install(profile, one, lock === null ? here : null).catch(directoryError)
      const locked = lock?.plugins.find(({ name }) => name === one.name)
      if (change === null) present.push(one.text)
      else if ('ok' in change) return change
      else if ('why' in change) notTaken.push(change)
      else if (await this.#hasOtherBytes(profile, locked))
        notTaken.push({ at: one.at, text: one.text, why: 'other-bytes' })
      else if (!changes.some(({ id }) => id === change.id)) changes.push(change)
    }
    for (const { kind, name } of exact ? drift : [])
      if (kind === 'extra' && name !== ownPackage)
        changes.push({ ...CHANGE, id: name, action: 'remove', package: name })
    const isLike = canBeLike && notTaken.length === 0
    // Without the lock as a whole, a plugin that is off would be installed and on.
    const off = new Set(lock?.plugins.filter((plugin) => plugin.off).map(({ name }) => name))
    const made = isLike ? changes : changes.filter((change) => change.action === 'remove' || !off.has(change.package!))
    const changed = new Set(made.map((change) => change.package))
    const isDone = (one: Drift) =>
      changed.has(one.name) && (isOther(one) || one.kind === 'extra' || (one.kind === 'held' && one.wanted !== null))
    const open = drift.filter((one) => !isDone(one))
    const isKept = exact || !drift.some(({ kind }) => kind === 'extra')
    const isMet = ({ kind, name }: Drift) =>
      kind === 'setting' && lock !== null && !exact && hasSetting(name, lock, here)
    const beside = isLike
      ? open.filter((one) => one.name !== ownPackage && isBeside(one, isKept, exact) && !isMet(one))
      : []
    // The same packages, written in another way.
    const isText = frozen && isLike && beside.length === 0 && !isDeepStrictEqual(lock.packages, here.packages)
    if (isText) beside.push({ kind: 'packages', name: 'pnpm-lock.yaml', wanted: null, found: '1' })
    const left = open.filter((one) => !beside.includes(one))
    const isOnlyHolds = made.length === 0 && beside.every(({ kind }) => kind === 'held')
    const asked = lock && { lock, here, isExact: exact, isFrozen: frozen, isOnlyHolds }
    const like = isLike && made.length + beside.length > 0 ? asked : null
    const token = like && this.#keep({ ...like, profile, ids: made.map(({ id }) => id) })
    return answer({ changes: made, present, token, made: beside, left, unread: notTaken })
  }

  /** Returns true if the package manager can install the lock of a file in a profile as a whole. */
  async #canJoin(profile: string, lock: ProfileLock): Promise<boolean> {
    const { settings } = this.#parts
    if (isDesktop(settings, profile)) return false
    const directory = await realProfileDirectory(settings.home, profile)
    const here = await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8').catch(() => null)
    return joinPackages(lock, { names: [], keeps: [], here }) !== null
  }

  /** Keeps a plan for the start of its job. @returns its token */
  #keep(plan: Omit<PlannedSync, 'expiresAt'>): string {
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
  async #install(
    profile: string,
    { at, text, spec: branch, name, isSource, commit, hold }: Wanted,
    here: ProfileLock | null,
  ): Promise<SyncPlan['changes'][number] | Unread | null> {
    const spec = await this.#atCommit(profile, branch, commit)
    if (spec === null) return { at, text, why: 'folder-at-commit' }
    // The name of a listing, which may be installed from the registry.
    const isName = spec.kind === 'github' && !isSource
    const named = isName ? ((await this.#parts.catalogue.find(text))?.record ?? null) : null
    if (here !== null && hasPlugin(here, { spec, name }, named?.npmPackage)) return null
    const isPlace = spec.kind === 'npm' || spec.ref === undefined
    // At a commit it is not what the directory lists.
    const found = named ? { ...named, otherSource: null } : isPlace ? await this.#findListing(spec) : null
    const change = { ...CHANGE, commit, package: name, hold }
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
   * commit itself; null for a folder, which cannot be named at a commit.
   */
  async #atCommit(profile: string, spec: Wanted['spec'], commit: string | null): Promise<Wanted['spec'] | null> {
    const { cli, fitCheck } = this.#parts
    if (spec.kind === 'npm' || commit === null) return spec
    if ((await fitCheck.commit({ cli, profile, spec })) === commit) return spec
    return spec.path === undefined ? { ...spec, ref: commit } : null
  }

  /** Returns true if a registry has other bytes of a locked version than the lock; false where it does not tell. */
  async #hasOtherBytes(profile: string, plugin: LockedPlugin | undefined): Promise<boolean> {
    if (!plugin?.integrity || plugin.version === null) return false
    const { settings, signal } = this.#parts
    const registry = new Registry(await realProfileDirectory(settings.home, profile), settings.env)
    const read = await registry.package(plugin.name, { signal })
    const dist = read.state === 'read' ? publishedVersion(read.document, plugin.version)?.dist : undefined
    return dist?.integrity !== undefined && dist.integrity !== plugin.integrity
  }
}

/** Returns true if a profile has a plugin that a list names, in a version of its range or only on this machine. */
function hasPlugin(
  { plugins }: ProfileLock,
  wanted: Pick<Wanted, 'spec' | 'name'>,
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
