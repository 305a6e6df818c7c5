/** Compares the lock of a file with the lock that a profile would give now. */
import { isDeepStrictEqual } from 'node:util'
import { repositoryOf } from '@plugmark/shared/install'
import type { Drift, LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { folderOf, integritiesIn } from './packages.ts'
import { isMap } from './settings.ts'

/** Most packages that a sentence names. */
const MOST_NAMES = 5

/** Returns how a profile differs from a lock, plugins first. */
export function driftOf(wanted: ProfileLock, found: ProfileLock): Drift[] {
  const drift: Drift[] = []
  const add = (kind: Drift['kind'], name: string, was: string | null, is: string | null) =>
    drift.push({ kind, name, wanted: was, found: is })
  const here = new Map(found.plugins.map((plugin) => [plugin.name, plugin]))
  const there = new Set(wanted.plugins.map(({ name }) => name))
  for (const plugin of wanted.plugins) {
    const { name, off, held } = plugin
    const installed = here.get(name)
    if (installed === undefined) add('missing', name, stateOf(plugin), null)
    else {
      const difference = differenceOf(plugin, installed)
      if (difference !== null) add(difference[0], name, difference[1], difference[2])
      if (off !== installed.off) add('off', name, off ? 'off' : 'on', off ? 'on' : 'off')
      if (!isDeepStrictEqual(held, installed.held)) add('held', name, holdText(plugin), holdText(installed))
    }
  }
  for (const plugin of found.plugins) if (!there.has(plugin.name)) add('extra', plugin.name, null, stateOf(plugin))

  const common = (one: ProfileLock, other: ProfileLock) => one.layers.filter((layer) => other.layers.includes(layer))
  const [order, orderHere] = [common(wanted, found).join(', '), common(found, wanted).join(', ')]
  if (order !== orderHere) add('order', 'layers', order, orderHere)

  // Entry by entry: a text that is shown is cut somewhere.
  for (const [name, was, is] of pairsOf(wanted.settings, found.settings)) {
    const entries = [was, is].every((value) => value === undefined || isMap(value))
      ? pairsOf(Object(was), Object(is)).map(([key, ...both]) =>
          both.map((one) => (one === undefined ? one : { [key]: one })),
        )
      : [[was, is]]
    for (const [one, other] of entries)
      if (!isDeepStrictEqual(one, other)) add('setting', name, settingText(one), settingText(other))
  }
  for (const [name, was, is] of pairsOf(wanted.patches, found.patches))
    if (!isDeepStrictEqual(was, is)) add('patch', name, was === undefined ? null : '', is === undefined ? null : '')

  // Where one of them is unknown, nobody can tell.
  const [was, is] = [integritiesIn(wanted), integritiesIn(found)]
  const names = was && is ? [...new Set([...was.keys(), ...is.keys()])] : []
  const others = names.filter((name) => was?.get(name) !== is?.get(name)).sort()
  const first = others.slice(0, MOST_NAMES).join(', ')
  if (others.length > 0)
    drift.push({ kind: 'packages', name: first, names: others, wanted: null, found: String(others.length) })
  if (wanted.harness !== null && found.harness !== null && wanted.harness !== found.harness)
    add('harness', 'dsh', wanted.harness, found.harness)
  return drift
}

/** Returns every name of two records with what each has of it. */
function pairsOf(one: object, other: object): (readonly [name: string, one: unknown, other: unknown])[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(one)), new Map<string, unknown>(Object.entries(other))]
  return [...new Set([...was.keys(), ...is.keys()])].map((name) => [name, was.get(name), is.get(name)])
}
const settingText = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Differences that single installs end. */
const INSTALLED: ReadonlySet<Drift['kind']> = new Set(['missing', 'version', 'commit', 'source'])
export const isInstalled = ({ kind }: Pick<Drift, 'kind'>): boolean => INSTALLED.has(kind)
/** Differences of which none may be left after a sync. */
const ENDED: ReadonlySet<Drift['kind']> = new Set([...INSTALLED, 'content', 'off', 'order'])
export const isEnded = ({ kind }: Pick<Drift, 'kind'>): boolean => ENDED.has(kind)

type Difference = readonly [kind: Drift['kind'], wanted: string | null, found: string | null]

/** Returns the first thing in which what is installed differs; null where both have the same. */
function differenceOf(wanted: LockedPlugin, found: LockedPlugin): Difference | null {
  if (originOf(wanted) !== originOf(found)) return ['source', wanted.spec, found.spec]
  if (wanted.commit !== null && found.commit !== null)
    return wanted.commit === found.commit ? null : ['commit', wanted.commit, found.commit]
  if (wanted.version !== found.version) return ['version', wanted.version, found.version]
  const isOther = wanted.integrity !== null && found.integrity !== null && wanted.integrity !== found.integrity
  return isOther ? ['content', wanted.integrity, found.integrity] : null
}

/** Returns where a plugin comes from, whatever the version: a repository with its folder, or the registry. */
function originOf({ spec }: LockedPlugin): string | null {
  if (spec === null) return null
  const repository = repositoryOf(spec)
  if (repository === null) return /[:/]/.test(spec) ? spec : 'registry'
  return `${repository} ${folderOf(spec)}`
}

const stateOf = ({ version, commit, spec }: LockedPlugin): string => version ?? commit ?? spec ?? '—'
const holdText = ({ held }: LockedPlugin): string | null => held && (held.reason ?? '')
