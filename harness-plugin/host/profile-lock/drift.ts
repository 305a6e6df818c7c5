/** Compares the lock of a file with the lock that a profile would give now, and says what a sync makes of the difference. */
import { isDeepStrictEqual } from 'node:util'
import { repositoryOf } from '@plugmark/shared/install'
import type { Drift, LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { isPin } from '../profile/manifest.ts'
import { isMap } from './locked-settings.ts'
import { folderOf, integritiesIn, lockfileIn } from './packages.ts'

/** Most names in a sentence. */
export const MOST_NAMES = 5
export const firstOf = (names: readonly string[]): string => names.slice(0, MOST_NAMES).join(', ')

type Add = (kind: Drift['kind'], name: string, wanted: string | null, found: string | null, names?: string[]) => void

/** Returns how a profile differs from a lock, plugins first. */
export function driftOf(wanted: ProfileLock, found: ProfileLock): Drift[] {
  const drift: Drift[] = []
  const add: Add = (kind, name, was, is, names) =>
    drift.push({ kind, name, wanted: was, found: is, ...(names && { names }) })
  const addOther: Add = (kind, name, was, is) => (was === is ? undefined : add(kind, name, was, is))
  for (const [name, was, is] of pairsOf(byName(wanted), byName(found))) {
    if (was === undefined) add('extra', name, null, stateOf(is!))
    else if (is === undefined) add(was.spec === null ? 'local' : 'missing', name, stateOf(was), null)
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
  if (names.length > 0) add('packages', firstOf(names.sort()), null, String(names.length), names)
  if (wanted.harness !== null && found.harness !== null) addOther('harness', 'dsh', wanted.harness, found.harness)
  // Which of its own layers a profile has, its maker chose: no sync changes it.
  const own = ({ layers }: ProfileLock) => new Map(layers.filter(isPin).map((name) => [name, 'on']))
  for (const [name, was = null, is = null] of pairsOf(own(wanted), own(found))) addOther('harness', name, was, is)
  return drift
}

/** Adds the first thing in which what is installed differs. */
function addSource(wanted: LockedPlugin, found: LockedPlugin, add: Add): void {
  const { name, spec, commit, version, integrity } = wanted
  // Without a source, no sync installs it.
  if (spec === null) return
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

const stateOf = ({ version, commit, spec }: LockedPlugin): string => version ?? commit ?? spec ?? ''
const holdText = ({ held }: LockedPlugin): string | null => held && (held.reason ?? '')
const byName = ({ plugins }: ProfileLock) => new Map(plugins.map((plugin) => [plugin.name, plugin]))
const mapOf = (record: unknown) => new Map<string, unknown>(Object.entries(Object(record)))
/** Returns every name of two maps with what each has of it. */
const pairsOf = <T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>) =>
  [...new Set([...one.keys(), ...other.keys()])].map((name) => [name, one.get(name), other.get(name)] as const)

/** Differences that the install of a plugin ends. */
export const INSTALLED: readonly Drift['kind'][] = ['missing', 'version', 'commit', 'source']
/** Differences of which none may be left after a sync. */
export const ENDED: readonly Drift['kind'][] = [...INSTALLED, 'content', 'off', 'order']

/**
 * Returns because of what a profile cannot have the packages of a lock byte for byte.
 *
 * @param stays differences that stay, of what is installed and its settings
 * @param pnpm version of the pnpm that installs; null when it is unknown
 */
export function hindrancesOf(lock: ProfileLock, here: ProfileLock, stays: readonly Drift[], pnpm: string | null) {
  const local = [lock, here].flatMap(({ plugins }) => plugins.filter(({ spec }) => spec === null))
  // pnpm 10 refuses the patches in a frozen lock of 11 and 12, which take its own. (Tried with 10.34, 11.28 and 12.21.)
  const patches = Object.values(lockfileIn(lock)?.patchedDependencies ?? {})
  const isNewer = pnpm?.startsWith('10.') && patches.some((patch) => typeof patch === 'string')
  return [...[...stays, ...local].map(({ name }) => name), ...(isNewer ? ['patchedDependencies (pnpm 10)'] : [])]
}
