/** Decides what a sync makes of the differences between a lock and a profile, and what stays as the profile has it. */
import { isDeepStrictEqual } from 'node:util'
import type { Drift, ProfileLock } from '../../protocol/index.ts'
import { isInstalled } from './drift.ts'
import { lockfileIn } from './packages.ts'

interface Sync {
  readonly lock: ProfileLock
  /** The lock that the profile would give now. */
  readonly here: ProfileLock
  readonly drift: readonly Drift[]
  readonly exact: boolean
  /** The store itself, which a job of its own changes. */
  readonly ownPackage: string | null
}

/** Returns the plugins, or the setting, because of which a profile cannot have exactly the packages of a lock. */
export function hindrancesOf({ lock, here, drift, exact, ownPackage }: Sync): string[] {
  const local = [lock, here].flatMap(({ plugins }) => plugins.filter(({ spec }) => spec === null))
  const stays = drift.filter(({ kind, name }) => (name === ownPackage ? kind !== 'held' : kind === 'extra' && !exact))
  // pnpm 10 refuses the patches in a frozen lock of 11 and 12, which take its own. (Tried with 10.34, 11.28 and 12.21.)
  const patches = lockfileIn(lock)?.patchedDependencies ?? {}
  const isNewer = Object.values(patches).some((patch) => typeof patch === 'string')
  const unread = isNewer && here.packageManager?.startsWith('pnpm@10.') ? ['patchedDependencies (pnpm 10)'] : []
  return [...[...stays, ...local].map(({ name }) => name), ...unread]
}

/**
 * Parts the differences.
 *
 * @param given.changed packages of the changes that are reviewed
 * @param given.isWhole true if the sync makes more than these changes
 * @param given.frozen true to take the package manager's lock byte for byte
 */
export function partDrift(
  { lock, here, drift, exact, ownPackage }: Sync,
  given: { readonly changed: ReadonlySet<string | null>; readonly isWhole: boolean; readonly frozen: boolean },
): { readonly made: readonly Drift[]; readonly left: readonly Drift[] } {
  const open = drift.filter((one) => !given.changed.has(one.name) || !isOfChange(one))
  if (!given.isWhole) return { made: [], left: open }
  const hasOthers = !exact && drift.some(({ kind }) => kind === 'extra')
  const isMade = ({ kind, name, wanted }: Drift) => {
    if (name === ownPackage) return false
    if (kind === 'setting' || kind === 'patch') return exact || wanted !== null
    // Packages of plugins that stay do so too.
    return kind === 'packages' ? !hasOthers : kind === 'off' || kind === 'order' || kind === 'held'
  }
  const made = open.filter(isMade)
  const left = open.filter((one) => !isMade(one))
  // The same packages, written in another way.
  if (given.frozen && made.length === 0 && !isDeepStrictEqual(lock.packages, here.packages))
    made.push({ kind: 'packages', name: 'pnpm-lock.yaml', wanted: null, found: '1' })
  return { made, left }
}

/** Returns true for what the change of a plugin itself makes. */
const isOfChange = (one: Drift): boolean =>
  isInstalled(one) || one.kind === 'content' || one.kind === 'extra' || (one.kind === 'held' && one.wanted !== null)
