import { DirectoryError } from '@plugmark/shared/client'
import { bindInstall, type InstallSpec, parseDependency, specKey, specText } from '@plugmark/shared/install'
import type { Hold, InstalledPlugin } from '../../protocol/index.ts'
import type { ListingLookup } from '../catalogue/lookup.ts'
import type { ProfileState } from '../profile/state.ts'
import type { Holds } from './holds.ts'
import type { Newest } from './newest.ts'
import type { StateOf } from './states.ts'

/** A listing that was found by the source of an installed plugin. */
export interface FoundListing {
  readonly fullName: string
  /** Source of the listing's own install command if it differs; otherwise null. */
  readonly otherSource: string | null
}

/**
 * Finds the listing of a source: the one whose install command names it, otherwise one of the same repository or
 * package.
 *
 * @returns null when the directory has none
 * @throws DirectoryError
 */
export type FindListing = (spec: InstallSpec) => Promise<FoundListing | null>

interface ListOptions {
  readonly findListing: FindListing
  /** Newer versions and commits. */
  readonly newer: Newest
  /** Package of the store itself; null when it is not installed in a profile. */
  readonly ownPackage: string | null
  /** Names of the dependencies that can be enabled and disabled. */
  readonly switchable: ReadonlySet<string>
  readonly switchesLive: boolean
  readonly holds: Holds
  readonly redact: (text: string) => string
  /** States of the plugins in the harness, and of entries that are not dependencies. */
  readonly states: readonly StateOf[]
}

/** Lists the dependencies of a profile by name, as its own files describe them. */
export async function listInstalled(state: ProfileState, options: ListOptions): Promise<InstalledPlugin[]> {
  const { findListing, newer, ownPackage, switchable, switchesLive, holds, redact, states } = options
  const dependencies = Object.entries(state.manifest.dependencies)
  const sources = dependencies.map(([name, spec]) => parseDependency(name, spec))
  const found = await identifyAll(sources, findListing)
  const plugins: InstalledPlugin[] = []
  for (const [index, [name, spec]] of dependencies.entries()) {
    const version = state.versions.get(name) ?? null
    const source = sources[index] ?? null
    // A registry package of the same name is not an update of a plugin from another source.
    const latest = (source && newer[source.kind === 'npm' ? 'versions' : 'commits'].get(name)) ?? null
    const layer = state.manifest.bundles.includes(name)
    const identified = found[index]!
    const isStore = name === ownPackage && (identified.unmanagedReason !== null || switchesLive)
    const unmanagedReason = isStore ? 'store' : identified.unmanagedReason
    plugins.push({
      name,
      spec: redact(spec),
      version,
      latest: latest === version ? null : latest,
      waiting: (source?.kind === 'npm' && newer.waiting.get(name)) || null,
      updateProblem: newer.problems.get(name) ?? null,
      directorySource: identified.directorySource,
      state: stateOf(states, name),
      layer,
      enabled: name !== ownPackage && switchable.has(name) ? layer : null,
      switchesLive,
      hold: holdOf(holds[name], latest),
      listing: identified.listing,
      removable: unmanagedReason === null,
      unmanagedReason,
    })
  }
  // Entries that an upgrade dropped or that pin packages of the harness are not dependencies, so they have no listing.
  for (const { name, state: isDoing } of states) {
    if (plugins.some((plugin) => plugin.name === name)) continue
    plugins.push({
      name,
      spec: '',
      version: null,
      latest: null,
      waiting: null,
      updateProblem: null,
      directorySource: null,
      ...{
        state: isDoing,
        layer: false,
        enabled: null,
        switchesLive,
        hold: null,
        listing: null,
        removable: false,
        unmanagedReason: null,
      },
    })
  }
  return plugins.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the hold of a plugin; null for none, and for a skipped update after which there is a newer one. */
function holdOf(hold: Hold | undefined, latest: string | null): Hold | null {
  return hold === undefined || (hold.skips !== undefined && hold.skips !== latest) ? null : hold
}

const stateOf = (states: readonly StateOf[], name: string): InstalledPlugin['state'] =>
  states.find((one) => one.name === name)?.state ?? {
    kind: 'loaded',
    why: [],
    harnessVersion: null,
    steps: [],
    allowCommand: null,
  }

type Identified = Pick<InstalledPlugin, 'listing' | 'unmanagedReason' | 'directorySource'>

/** Looks up all sources in parallel; skips the rest once the directory has failed to answer for one. */
async function identifyAll(sources: readonly (InstallSpec | null)[], findListing: FindListing): Promise<Identified[]> {
  let isDown = false
  const unknown = (unmanagedReason: Identified['unmanagedReason']): Identified => ({
    listing: null,
    unmanagedReason,
    directorySource: null,
  })
  async function identify(spec: InstallSpec | null): Promise<Identified> {
    if (spec === null) return unknown('other-source')
    if (isDown) return unknown('directory')
    try {
      const found = await findListing(spec)
      if (found === null) return unknown('not-in-directory')
      return { listing: found.fullName, unmanagedReason: null, directorySource: found.otherSource }
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      isDown = true
      return unknown('directory')
    }
  }
  // Look up the first alone, to find out if the directory answers.
  const first = await identify(sources[0] ?? null)
  return [first, ...(await Promise.all(sources.slice(1).map(identify)))]
}

/** Time that a source counts as unlisted after a lookup in the directory, in ms. */
const UNLISTED_MS = 10 * 60_000

export function createFindListing(options: {
  readonly cli: string
  readonly listings: Pick<ListingLookup, 'find' | 'published' | 'isListed'>
  readonly now: () => number
}): FindListing {
  const { listings, now } = options
  const unlisted = new Map<string, { readonly at: number; readonly hasIndex: boolean }>()
  const hasIndex = (key: string) => listings.isListed(key) !== null

  async function find(spec: InstallSpec): Promise<FoundListing | null> {
    const wanted = specKey(spec)
    const ids = spec.kind === 'npm' ? await listings.published(spec.name) : [`${spec.owner}/${spec.repo}`]
    let other: FoundListing | null = null
    for (const id of ids) {
      // The index has every listing, so that the directory need not be asked for one that it lacks.
      if (listings.isListed(id) === false) continue
      const known = await listings.find(id)
      if (known === null) continue
      const { fullName } = known.record
      const bound = bindInstall(known.record, options)
      if (bound.ok && specKey(bound.plan.spec) === wanted) return { fullName, otherSource: null }
      if (bound.ok) other ??= { fullName, otherSource: specText(bound.plan.spec) }
    }
    return other
  }

  return async (spec) => {
    const key = specKey(spec)
    // A search without the index misses listings, so look again once there is one.
    const known = unlisted.get(key)
    if (known && known.hasIndex === hasIndex(key) && now() - known.at < UNLISTED_MS) return null
    const found = await find(spec)
    if (found === null) unlisted.set(key, { at: now(), hasIndex: hasIndex(key) })
    return found
  }
}
