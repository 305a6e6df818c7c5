import { DirectoryError } from '@plugmark/shared/client'
import {
  bindInstall,
  type InstallSpec,
  parseDependency,
  placeKey,
  repositoryId,
  specKey,
  specText,
} from '@plugmark/shared/install'
import type { InstalledPlugin, StoreCalls, UpdateChecks } from '../../protocol/index.ts'
import { answer, refuse, stateProblem, unknownProfile } from '../../protocol/protocol.ts'
import { redact } from '../harness/output.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { KeptAnswers } from '../kept-answers.ts'
import type { Parts } from '../parts.ts'
import { isCheckDue } from '../plugins/news.ts'
import {
  advisoriesOf,
  fetchNewest,
  newerThan,
  type UpdateCheck,
  type UpdateState,
  unknownSince,
} from '../plugins/updates.ts'
import { changeHolds, type HoldChanges, holdOf, readHolds } from '../profile/holds.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { declaredRepository, declaresLayer, type ProfileState, readProfileState } from '../profile/state.ts'
import type { Overview } from './overview.ts'

/** The installed plugins of a profile and their newer versions. */
export class InstalledPlugins {
  readonly #parts: Parts
  readonly #findListing: FindListing
  /** Called when the installed plugins are to be read again. */
  readonly #onChange: () => void
  /** Running checks for updates, one at a time for each profile. */
  readonly #checks = new KeptAnswers<UpdateCheck | null>({ ms: 1, isKept: () => false })

  constructor(parts: Parts, overview: Overview) {
    this.#parts = parts
    this.#findListing = createFindListing(parts)
    this.#onChange = () => parts.background.add(overview.emitProfiles())
  }

  get calls() {
    const { now } = this.#parts
    return {
      installed: ({ profile }) => this.#list(profile),
      checkUpdates: ({ profile, ifDue = false }) => this.#checkUpdates(profile, ifDue),
      updateChecks: async ({ profile }) =>
        answer(await this.#shown(profile, await this.#parts.updates.read(this.#directoryOf(profile)))),
      setUpdateChecks: async ({ profile, automatic }) => {
        if (!(await this.#hasProfile(profile))) return unknownProfile(profile)
        const state = await this.#parts.updates.change(this.#directoryOf(profile), () => ({ automatic }))
        this.#onChange()
        return answer(await this.#shown(profile, state))
      },
      hold: ({ package: name, profile, ...hold }) => this.#setHold(profile, name, { ...hold, since: now() }),
      unhold: ({ package: name, profile }) => this.#setHold(profile, name, null),
    } satisfies Partial<StoreCalls>
  }

  async #list(profile: string, { isOffline = false } = {}) {
    const { settings, states: reader, queue, now } = this.#parts
    const { ownPackage, redactions } = settings
    await queue.recovered()
    const directory = this.#directoryOf(profile)
    const state = await readProfileState(directory)
    if (state === null) return unknownProfile(profile)
    const [{ check }, isLive, states, holds] = await Promise.all([
      this.#parts.updates.read(this.#directoryOf(profile)),
      queue.hasManager(profile),
      reader.read(profile, state),
      readHolds(directory),
    ])
    const switchable = isLive || !isDesktop(settings, profile) ? await layersOf(directory, state) : new Set<string>()
    const newer = newerThan(state, check, now())
    const dependencies = Object.entries(state.manifest.dependencies).map(([name, spec]) => ({
      name,
      spec,
      source: parseDependency(name, spec),
    }))
    const found = await identifyAll(dependencies, {
      directory,
      findListing: (spec) => this.#findListing(spec, { isOffline }),
    })
    const plugins = dependencies.map(({ name, spec, source }, index): InstalledPlugin => {
      const version = state.versions.get(name) ?? null
      // A registry package of the same name is not an update of a plugin from another source.
      const latest = (source && newer[source.kind === 'npm' ? 'versions' : 'commits'].get(name)) ?? null
      const layer = state.manifest.layers.includes(name)
      const { listing, directorySource, ...identified } = found[index]!
      const isStore = name === ownPackage && (identified.unmanagedReason !== null || isLive)
      const unmanagedReason = isStore ? 'store' : identified.unmanagedReason
      return {
        name,
        spec: redact(spec, redactions),
        version,
        latest: latest === version ? null : latest,
        waiting: (source?.kind === 'npm' && newer.waiting.get(name)) || null,
        updateProblem: newer.problems.get(name) ?? null,
        directorySource,
        advisories: advisoriesOf(name, version, newer.advisories),
        news: [...(newer.news.get(name) ?? [])],
        state: states.find((one) => one.name === name)?.state ?? LOADED,
        layer,
        enabled: name !== ownPackage && switchable.has(name) ? layer : null,
        switchesLive: isLive,
        hold: holdOf(holds, name, latest),
        listing,
        removable: unmanagedReason === null,
        unmanagedReason,
      }
    })
    // Entries that an upgrade dropped or that pin packages of the harness are not dependencies, so they have no listing.
    const others = new Map(states.toReversed().map((entry) => [entry.name, entry]))
    for (const { name } of plugins) others.delete(name)
    const entries = [...others.values()].map((entry) => ({ ...NO_DEPENDENCY, ...entry, switchesLive: isLive }))
    return answer([...plugins, ...entries].sort((a, b) => (a.name < b.name ? -1 : 1)))
  }

  /**
   * Returns the installed plugins for a count of their updates, as far as they can be told without a request to the
   * directory: nobody opened the store.
   *
   * @param options.check true to check for updates first, if a check is due
   */
  readonly listOffline = (profile: string, { check }: { readonly check: boolean }) =>
    check ? this.#checkUpdates(profile, true, { isOffline: true }) : this.#list(profile, { isOffline: true })

  async #checkUpdates(profile: string, ifDue: boolean, options: { readonly isOffline?: boolean } = {}) {
    const { now } = this.#parts
    await this.#parts.queue.recovered()
    if (!(await this.#hasProfile(profile))) return unknownProfile(profile)
    if (!ifDue || isCheckDue(await this.#parts.updates.read(this.#directoryOf(profile)), now())) {
      const found = await this.#checks.read(profile, () => this.#checkAndSave(profile))
      if (!ifDue && found === null) return refuse('package-manager', 'Could not check for newer versions.')
    }
    // Listed last: another shell may have stored its check meanwhile.
    return this.#list(profile, options)
  }

  /** Checks for updates, and stores the result. */
  async #checkAndSave(profile: string): Promise<UpdateCheck | null> {
    const { settings, apiUrl, now, signal } = this.#parts
    const attemptedAt = now()
    const { check: was } = await this.#parts.updates.read(this.#directoryOf(profile))
    const found = await fetchNewest(this.#directoryOf(profile), attemptedAt, { env: settings.env, signal, apiUrl, was })
    if (signal.aborted) return null
    // Stored with the result: a shell that looks meanwhile checks too, as it would not hear of the end of this check.
    await this.#parts.updates.change(this.#directoryOf(profile), ({ failures }) => ({
      attemptedAt,
      ...(found ? { check: found, checkedAt: now(), failures: 0 } : { failures: failures + 1 }),
    }))
    this.#onChange()
    return found
  }

  async #shown(profile: string, state: UpdateState): Promise<UpdateChecks> {
    const { automatic, checkedAt } = state
    const now = await readProfileState(this.#directoryOf(profile))
    return { automatic, checkedAt, unknownSince: unknownSince(now, state) }
  }

  async #setHold(profile: string, name: string, hold: HoldChanges[string]) {
    const known = await readProfile(this.#parts.settings.home, profile)
    if (known === null) return unknownProfile(profile)
    if (!Object.hasOwn(known.dependencies, name))
      return refuse('not-installed', 'This plugin is not installed in the profile.')
    try {
      await changeHolds(this.#directoryOf(profile), { [name]: hold })
    } catch {
      return stateProblem()
    }
    this.#onChange()
    return answer(null)
  }

  async #hasProfile(profile: string): Promise<boolean> {
    return (await readProfile(this.#parts.settings.home, profile)) !== null
  }

  #directoryOf(profile: string): string {
    return profileDirectory(this.#parts.settings.home, profile)
  }
}

/** Returns the dependencies that declare a layer, enabled or not. */
async function layersOf(directory: string, { manifest }: ProfileState): Promise<ReadonlySet<string>> {
  const names = Object.keys(manifest.dependencies)
  const declare = await Promise.all(names.map((name) => declaresLayer(directory, name)))
  return new Set(names.filter((_, index) => declare[index]))
}

/** A listing that was found by the source of an installed plugin. */
interface FoundListing {
  readonly fullName: string
  /** Source of the listing's own install command if it differs; otherwise null. */
  readonly otherSource: string | null
}

/**
 * Finds the listing of a source: the one whose install command names it, otherwise one of the same repository or
 * package.
 *
 * @param options.isOffline true to send no request: then only what is stored is found @default false
 * @returns null when the directory has none
 * @throws DirectoryError
 */
export type FindListing = (
  spec: InstallSpec,
  options?: { readonly isOffline?: boolean },
) => Promise<FoundListing | null>

/** State of a plugin that nobody has looked at. */
const LOADED: InstalledPlugin['state'] = {
  kind: 'loaded',
  why: [],
  harnessVersion: null,
  steps: [],
  allowCommand: null,
}

/** Fields of an entry that is not a dependency. */
const NO_DEPENDENCY = {
  spec: '',
  version: null,
  latest: null,
  waiting: null,
  updateProblem: null,
  directorySource: null,
  advisories: [],
  news: [],
  layer: false,
  enabled: null,
  hold: null,
  listing: null,
  removable: false,
  unmanagedReason: null,
} satisfies Partial<InstalledPlugin>

type PluginIdentity = Pick<InstalledPlugin, 'listing' | 'unmanagedReason' | 'directorySource'>

/** Looks up all sources in parallel; skips the rest once the directory has failed to answer for one. */
async function identifyAll(
  dependencies: readonly { readonly name: string; readonly source: InstallSpec | null }[],
  { directory, findListing }: { readonly directory: string; readonly findListing: FindListing },
): Promise<PluginIdentity[]> {
  let isDown = false
  const unknown = (unmanagedReason: PluginIdentity['unmanagedReason']): PluginIdentity => ({
    listing: null,
    unmanagedReason,
    directorySource: null,
  })
  /** Finds the listing of a package under another name, such as in another scope, by the repository that it names. */
  async function findSuccessor(name: string): Promise<string | null> {
    const repository = await declaredRepository(directory, name)
    const found = repository && (await findListing(repository))
    const successor = found && (found.otherSource ?? specText(repository))
    // A repository can have other packages, too.
    const nameIn = (source: string) => source.slice(source.lastIndexOf('/') + 1).toLowerCase()
    return successor && nameIn(successor) === nameIn(name) ? successor : null
  }
  async function identify({ name, source }: (typeof dependencies)[number]): Promise<PluginIdentity> {
    if (source === null) return unknown('other-source')
    if (isDown) return unknown('directory')
    try {
      const found = await findListing(source)
      const successor = found === null && source.kind === 'npm' ? await findSuccessor(name) : null
      if (successor !== null) return { ...unknown('other-source'), directorySource: successor }
      if (found === null) return unknown('not-in-directory')
      return { listing: found.fullName, unmanagedReason: null, directorySource: found.otherSource }
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      isDown = true
      return unknown('directory')
    }
  }
  // Look up the first alone, to find out if the directory answers.
  const [first, ...others] = dependencies
  return first === undefined ? [] : [await identify(first), ...(await Promise.all(others.map(identify)))]
}

/** Time that a source counts as unlisted after a lookup in the directory, in ms. */
const UNLISTED_MS = 10 * 60_000

export function createFindListing({ cli, catalogue, now }: Parts): FindListing {
  const unlisted = new Map<string, { readonly at: number; readonly hasIndex: boolean }>()
  const hasIndex = (key: string) => catalogue.isListed(key) !== null

  async function find(spec: InstallSpec, isOffline: boolean): Promise<FoundListing | null> {
    const wanted = placeKey(spec)
    const ids = spec.kind === 'npm' ? await catalogue.published(spec.name, { isOffline }) : [repositoryId(spec)]
    let other: FoundListing | null = null
    // A directory may list a package under two names. Name the same one, whatever the order of its answer.
    for (const id of ids.toSorted()) {
      // The index has every listing, so that the directory need not be asked for one that it lacks.
      if (catalogue.isListed(id) === false) continue
      const listing = catalogue.stored(id) ?? (isOffline ? null : ((await catalogue.find(id))?.record ?? null))
      if (listing === null) continue
      const { fullName } = listing
      const bound = bindInstall(listing, { cli })
      if (bound.ok && placeKey(bound.plan.spec) === wanted) return { fullName, otherSource: null }
      if (bound.ok) other ??= { fullName, otherSource: specText(bound.plan.spec) }
      // The directory has no command for most folders of repositories.
      else if (spec.kind === 'github' && spec.path !== undefined) other ??= { fullName, otherSource: null }
    }
    return other
  }

  return async (spec, { isOffline = false } = {}) => {
    const key = specKey(spec)
    for (;;) {
      const known = unlisted.get(key)
      const hadIndex = hasIndex(key)
      const age = known ? now() - known.at : -1
      if (known?.hasIndex === hadIndex && age >= 0 && age < UNLISTED_MS) return null
      const found = await find(spec, isOffline)
      if (found !== null || isOffline) return found
      // A search without the index misses listings, so look again once there is one, also if it came during the search.
      unlisted.set(key, { at: now(), hasIndex: hadIndex })
    }
  }
}
