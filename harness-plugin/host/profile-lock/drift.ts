/** Compares the lock of a file with the lock that a profile would give now, and says what a sync makes of the difference. */
import { isDeepStrictEqual } from 'node:util'
import { repositoryOf } from '@plugmark/shared/install'
import type { Drift, LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { isMap } from './locked-settings.ts'
import { folderOf, integritiesIn, lockfileIn } from './packages.ts'

/** Most packages that a sentence names. */
const MOST_NAMES = 5

type Add = (kind: Drift['kind'], name: string, wanted: string | null, found: string | null, names?: string[]) => void

/** Returns how a profile differs from a lock, plugins first. */
export function driftOf(wanted: ProfileLock, found: ProfileLock): Drift[] {
  const drift: Drift[] = []
  const add: Add = (kind, name, was, is, names) =>
    drift.push({ kind, name, wanted: was, found: is, ...(names && { names }) })
  const addOther: Add = (kind, name, was, is) => (was === is ? undefined : add(kind, name, was, is))
  for (const [name, was, is] of pairsOf(byName(wanted), byName(found))) {
    if (was === undefined) add('extra', name, null, stateOf(is!))
    else if (is === undefined) add('missing', name, stateOf(was), null)
    else {
      addSource(was, is, add)
      addOther('off', name, was.off ? 'off' : 'on', is.off ? 'off' : 'on')
      addOther('held', name, holdText(was), holdText(is))
    }
  }
  const order = (one: ProfileLock, other: ProfileLock) =>
    one.layers.filter((layer) => other.layers.includes(layer)).join(', ')
  addOther('order', 'layers', order(wanted, found), order(found, wanted))

  // Entry by entry: a text that is shown is cut somewhere.
  for (const [name, was, is] of pairsOf(mapOf(wanted.settings), mapOf(found.settings))) {
    const isOfEntries = [was, is].every((value) => value === undefined || isMap(value))
    const text = (key: string, value: unknown) =>
      value === undefined ? null : JSON.stringify(isOfEntries ? { [key]: value } : value)
    const pairs = isOfEntries ? pairsOf(mapOf(was), mapOf(is)) : [['', was, is] as const]
    for (const [key, one, other] of pairs)
      if (!isDeepStrictEqual(one, other)) add('setting', name, text(key, one), text(key, other))
  }
  for (const [name, was, is] of pairsOf(mapOf(wanted.patches), mapOf(found.patches)))
    if (!isDeepStrictEqual(was, is)) add('patch', name, was === undefined ? null : '', is === undefined ? null : '')

  // Where one of them is unknown, nobody can tell.
  const [was, is] = [integritiesIn(wanted), integritiesIn(found)]
  const names = was && is ? pairsOf(was, is).flatMap(([name, one, other]) => (one === other ? [] : [name])) : []
  const first = names.sort().slice(0, MOST_NAMES).join(', ')
  if (names.length > 0) add('packages', first, null, String(names.length), names)
  if (wanted.harness !== null && found.harness !== null) addOther('harness', 'dsh', wanted.harness, found.harness)
  return drift
}

/** Adds the first thing in which what is installed differs. */
function addSource(wanted: LockedPlugin, found: LockedPlugin, add: Add): void {
  const { name, spec, commit, version, integrity } = wanted
  if (originOf(wanted) !== originOf(found)) add('source', name, spec, found.spec)
  else if (commit !== null && found.commit !== null) {
    if (commit !== found.commit) add('commit', name, commit, found.commit)
  } else if (version !== found.version) add('version', name, version, found.version)
  else if (integrity !== null && found.integrity !== null && integrity !== found.integrity)
    add('content', name, integrity, found.integrity)
}

/** Returns where a plugin comes from, whatever the version: a repository with its folder, or the registry. */
function originOf({ spec }: LockedPlugin): string | null {
  const repository = repositoryOf(spec ?? '')
  if (spec !== null && repository !== null) return `${repository} ${folderOf(spec)}`
  return spec === null || /[:/]/.test(spec) ? spec : 'registry'
}

const stateOf = ({ version, commit, spec }: LockedPlugin): string => version ?? commit ?? spec ?? '—'
const holdText = ({ held }: LockedPlugin): string | null => held && (held.reason ?? '')
const byName = ({ plugins }: ProfileLock) => new Map(plugins.map((plugin) => [plugin.name, plugin]))
const mapOf = (record: unknown) => new Map<string, unknown>(Object.entries(Object(record)))
/** Returns every name of two maps with what each has of it. */
const pairsOf = <T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>) =>
  [...new Set([...one.keys(), ...other.keys()])].map((name) => [name, one.get(name), other.get(name)] as const)

/** Differences that the install of a plugin ends. */
export const INSTALLED: readonly Drift['kind'][] = ['missing', 'version', 'commit', 'source']
/** Differences that the reviewed change of a plugin ends. */
const REVIEWED: readonly Drift['kind'][] = [...INSTALLED, 'content', 'extra']
/** Differences of which none may be left after a sync. */
export const ENDED: readonly Drift['kind'][] = [...INSTALLED, 'content', 'off', 'order']

interface Sync {
  readonly lock: ProfileLock
  /** The lock that the profile would give now. */
  readonly here: ProfileLock
  readonly drift: readonly Drift[]
  readonly exact: boolean
  /** True to take the package manager's lock byte for byte. */
  readonly frozen: boolean
  /** Version of the pnpm that installs; null when it is unknown. */
  readonly pnpm: string | null
  /** The store itself, which a job of its own changes. */
  readonly ownPackage: string | null
  /** Packages of the changes that are reviewed. */
  readonly changed: ReadonlySet<string | null>
}

/**
 * Parts the differences that no reviewed change ends: what a sync makes, and what stays as the profile has it.
 *
 * @returns also because of what the profile cannot have exactly the packages of the lock
 */
export function partDrift({ lock, here, drift, exact, frozen, pnpm, ownPackage, changed }: Sync) {
  const hasOthers = !exact && drift.some(({ kind }) => kind === 'extra')
  const made: Drift[] = []
  const left: Drift[] = []
  for (const one of drift) {
    const { kind, name, wanted } = one
    const isReviewed = REVIEWED.includes(kind) || (kind === 'held' && wanted !== null)
    if (isReviewed && changed.has(name)) continue
    const isMade =
      kind === 'setting' || kind === 'patch'
        ? exact || wanted !== null
        : // Packages of plugins that stay do so too.
          kind === 'off' || kind === 'order' || kind === 'held' || (kind === 'packages' && !hasOthers)
    if (isMade && name !== ownPackage) made.push(one)
    else left.push(one)
  }
  // The same packages, written in another way.
  if (frozen && made.length === 0 && !isDeepStrictEqual(lock.packages, here.packages))
    made.push({ kind: 'packages', name: 'pnpm-lock.yaml', wanted: null, found: '1' })

  const stays = left.filter(({ kind, name }) =>
    name === ownPackage ? kind !== 'held' : kind === 'extra' || kind === 'setting',
  )
  const local = [lock, here].flatMap(({ plugins }) => plugins.filter(({ spec }) => spec === null))
  // pnpm 10 refuses the patches in a frozen lock of 11 and 12, which take its own. (Tried with 10.34, 11.28 and 12.21.)
  const patches = Object.values(lockfileIn(lock)?.patchedDependencies ?? {})
  const isNewer = pnpm?.startsWith('10.') && patches.some((patch) => typeof patch === 'string')
  const hindrances = [...stays, ...local].map(({ name }) => name)
  return { made, left, hindrances: isNewer ? [...hindrances, 'patchedDependencies (pnpm 10)'] : hindrances }
}
