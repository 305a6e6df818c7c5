/** Reviews a change before its job: what exactly it makes of the profile, and what is known before it is made. */

import { DirectoryError } from '@plugmark/shared/client'
import { nameParts } from '@plugmark/shared/contract'
import {
  bindInstall,
  type InstallPlan,
  isPackageName,
  isProgramName,
  parseDependency,
  parseSpec,
  renderSpec,
  specText,
} from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import type {
  CallInput,
  Caution,
  DeclaredFit,
  Hold,
  JobAction,
  Profile,
  Refusal,
  Review,
} from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { refuse, unknownProfile } from '../../protocol/protocol.ts'
import { ANY_BUILD } from '../../protocol/review-facts.ts'
import { keysOfPackages, readAllowedBuilds } from '../builds/allowed.ts'
import { readBlockedBuilds } from '../builds/blocked.ts'
import type { createExpectedBuilds } from '../builds/expected-builds.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { directoryError, unlisted } from '../catalogue/directory.ts'
import type { KnownRecord } from '../catalogue/listings.ts'
import { renderCommand } from '../harness/command-line.ts'
import {
  fetchesPackage,
  isToggle,
  isTried,
  type JobSettings,
  knownCommit,
  type PluginChange,
  UNKNOWN_COMMIT,
} from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { SharedDocuments } from '../inspection/dependencies.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { KeptAnswers } from '../kept-answers.ts'
import type { FitCheck } from '../plugins/fit-check.ts'
import { withTimeout } from '../process/run.ts'
import { readHolds, UNKNOWN_HOLD } from '../profile/holds.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { findLostFolders } from '../profile/lockfile.ts'
import { declaredRepository, declaresLayer, readProfileState } from '../profile/state.ts'
import { PackageReader, publishedVersion } from '../registry/registry.ts'
import { findOtherPlugins, neededLayers } from '../trial/trial-home.ts'
import { FactReader } from './facts.ts'
import { notInstalled, resolveChange } from './listing-change.ts'
import { licenseOf, readTypedSpec } from './unlisted-source.ts'

/** Age of a directory's record that counts as its present one, in ms: one yes makes several reviews. */
const CONFIRMED_MS = 10_000

/** Time limit of the digest of a version whose declaration is known: both are in one document, in ms. */
const BYTES_MS = 1000

/** Time limit of the times of a package's releases, in ms. */
const TIMES_MS = 5000

/** Time that the build scripts that a profile allows are as they were read, in ms. */
const ALLOWED_MS = 1000

/** Scope of the harness's own packages, and the owner of its repositories. */
const HARNESS_OWNER = 'deepseek-ai'

export interface ReviewParts {
  readonly closing: AbortController
  readonly cli: string
  readonly settings: JobSettings
  readonly catalogue: Pick<Catalogue, 'find' | 'confirm'>
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string | undefined
  readonly queue: Pick<JobQueue, 'recovered' | 'hasManager'>
  readonly fitCheck: Pick<FitCheck, 'check' | 'checkManifest' | 'commit' | 'releaseAge'>
  /** Reads the build scripts that an install will need; null when they are unknown. */
  readonly readBuilds: ReturnType<typeof createExpectedBuilds>
  readonly now: () => number
}

/** A change as it was reviewed. It has action, spec and profile, which no page can set. */
export interface ReviewedChange {
  readonly change: PluginChange
  readonly review: Omit<Review, 'token' | 'expiresAt'>
  /** Reads the facts of its package while the user reads the review. */
  readonly reader: FactReader
  /** Returns true if the profile allows build scripts of it by now that the review does not name. */
  readonly allowsMore: () => Promise<boolean>
}

/** The profile of a review, and the reader of everything that it asks registries for. */
interface ReviewedProfile extends Profile {
  readonly directory: string
  /** True if a harness runs from it whose plugin manager changes it. */
  readonly hasManager: boolean
  readonly registry: PackageReader
  /** Reads the keys of the build scripts that its settings allow. */
  readonly readAllowed: () => Promise<readonly string[]>
  readonly readAllowedNow: () => Promise<readonly string[]>
}

/** Facts of a review that depend on where the plugin comes from, while nothing is known of it. */
const NO_SOURCE_FACTS = {
  checkedCommand: '',
  verdict: null,
  checkedAt: null,
  riskFlags: [],
  blockedBuilds: [],
  license: null,
  repoUrl: '',
  cautions: [],
  passedOver: null,
  loadedAs: null,
  commit: null,
  contents: null,
} satisfies Partial<Review>
type SourceFacts = Pick<Review, keyof typeof NO_SOURCE_FACTS>

/** Reviews changes. Refuses those that no job could make. */
export class Reviewer {
  readonly #parts: ReviewParts
  /** Documents of registries that all reviews share. */
  readonly #documents: SharedDocuments
  /** Keys of allowed build scripts by profile, which the reviews of one yes share: to read them starts a process. */
  readonly #allowed = new KeptAnswers<readonly string[]>({ ms: ALLOWED_MS, isKept: () => true })
  /** The reads of these keys that are in progress, which changes that start together share. */
  readonly #allowedNow = new KeptAnswers<readonly string[]>({ ms: 1, isKept: () => false })

  constructor(parts: ReviewParts) {
    this.#parts = parts
    this.#documents = new SharedDocuments(parts.closing.signal)
  }

  // 1. A listing: its record, the change that it makes, and the facts of both

  async ofListing({ id, profile: name, action, version }: CallInput<'review'>): Promise<ReviewedChange | Refusal> {
    const { cli, settings, fitCheck } = this.#parts
    const profile = await this.#openProfile(name)
    if ('ok' in profile) return profile
    const found = await this.#findListing(id, action).catch(directoryError)
    if (found === null) return unlisted()
    if ('ok' in found) return found
    const { listing, isConfirmed } = found
    const { verdict, record } = listing
    const { directory, dependencies, layers, registry } = profile
    const blocked =
      (await readBlockedBuilds(directory, record.fullName)) ??
      (version === undefined ? await this.#expectedBuilds(record, action, profile) : null)
    const lostFolders = await findLostFolders(directory, dependencies)
    const resolve = (action: JobAction) =>
      resolveChange(listing, { cli, profile: name, action, version, blocked, dependencies, layers, lostFolders })
    // One yes covers the scripts too, where they are known.
    const asked = resolve(blocked?.setting && action !== 'approve' && fetchesPackage(action) ? 'approve' : action)
    const resolved =
      'change' in asked && version === undefined && (await isDisabled(asked.change, profile))
        ? resolve('enable')
        : asked
    if ('ok' in resolved) return resolved
    const isOwn = resolved.change.package !== null && resolved.change.package === settings.ownPackage
    // The harness would unload the store in the middle of the job.
    if (isOwn && (isToggle(resolved.change) || profile.hasManager))
      return refuse(
        'own-package',
        'The store does not change itself while the harness runs from this profile. Stop the harness first.',
      )

    const isLess = resolved.change.action === 'remove' || resolved.change.action === 'disable'
    const cautions: Caution[] = []
    if (!isLess && verdict !== 'passed') cautions.push('verdict')
    if (!isLess && !isConfirmed) cautions.push('unconfirmed')
    if (version !== undefined && !(await isCheckedVersion(resolved.change, record.installCheckedAt, registry)))
      cautions.push('other-version')
    if (!isLess && record.riskFlags.length > 0) cautions.push('risk-flags')
    if (resolved.change.approval) cautions.push('build-scripts')
    const { change, passedOver } = await this.#chooseVersion(resolved.change, profile)
    const isChecked = change.action !== 'remove' && !isToggle(change)
    const commit = isChecked ? await this.#readCommit(change.plan) : null
    // Not awaited: it takes a second or more.
    const fit = isChecked ? fitCheck.check(change.plan, change.version ?? knownCommit(commit), registry) : null
    return this.#review(change, profile, fit, {
      checkedCommand: resolved.checkedCommand,
      verdict,
      checkedAt: record.installCheckedAt ?? null,
      riskFlags: [...new Set(record.riskFlags)],
      blockedBuilds: record.blockedBuilds ?? [],
      license: record.license,
      repoUrl: record.repoUrl,
      cautions,
      passedOver,
      loadedAs: change.package === null ? await findLoaded(record.fullName, profile) : null,
      commit,
    })
  }

  /** Finds a listing, asking the directory for its present record before anything of it is fetched. */
  async #findListing(id: string, action: JobAction) {
    const { catalogue } = this.#parts
    let isConfirmed = true
    if (fetchesPackage(action)) {
      try {
        if (!(await catalogue.confirm(id, CONFIRMED_MS))) return null
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        isConfirmed = false
      }
    }
    const listing = await catalogue.find(id)
    return listing && { listing, isConfirmed }
  }

  /** Reads the build scripts of an install or update that the directory saw blocked; null when there are none. */
  async #expectedBuilds(
    record: KnownRecord['record'],
    action: JobAction,
    { name, directory, registry, readAllowed }: ReviewedProfile,
  ) {
    const { cli, settings, readBuilds } = this.#parts
    const bound = bindInstall(record, { cli })
    if (!fetchesPackage(action) || !bound.ok || isDesktop(settings, name)) return null
    const given = { profile: directory, registry, allowed: await readAllowed() }
    return readBuilds(bound.plan, record.blockedBuilds ?? [], given)
  }

  /**
   * Chooses the version of an update, unless the user did: where the newest is known not to fit the harness, the newest
   * that fits and is newer than the installed one.
   */
  async #chooseVersion(
    change: PluginChange,
    { directory, registry }: ReviewedProfile,
  ): Promise<{ change: PluginChange; passedOver: DeclaredFit | null }> {
    const isChosen = change.version !== undefined
    if (change.action !== 'update' || change.plan.spec.kind !== 'npm' || isChosen) return { change, passedOver: null }
    const fit = await this.#parts.fitCheck.check(change.plan, undefined, registry)
    const isUnfit = fit?.state === 'refused' || fit?.state === 'not-enforced'
    const installed = await installedVersion(change, directory)
    if (!isUnfit || fit.fitting === null || installed === null || !isVersion(installed) || !gt(fit.fitting, installed))
      return { change, passedOver: null }
    return { change: { ...change, version: fit.fitting }, passedOver: fit }
  }

  // 2. An installed package, which needs the profile and not the directory

  async ofPackage({ package: name, profile, action }: CallInput<'reviewPackage'>): Promise<ReviewedChange | Refusal> {
    const found = await this.findPackage(name, profile, action)
    if ('ok' in found) return found
    const { change } = found
    if (action !== 'update') return this.#review(change, found.profile, null, {})
    const commit = await this.#readCommit(change.plan)
    const fit = this.#parts.fitCheck.check(change.plan, knownCommit(commit), found.profile.registry)
    return this.#review(change, found.profile, fit, { commit })
  }

  /** Finds an installed package that may be changed by this action. */
  async findPackage(
    name: string,
    profileName: string,
    action: JobAction,
  ): Promise<{ readonly change: PluginChange; readonly profile: ReviewedProfile } | Refusal> {
    const { cli, settings } = this.#parts
    const profile = await this.#openProfile(profileName)
    if ('ok' in profile) return profile
    const source = Object.hasOwn(profile.dependencies, name) ? profile.dependencies[name] : undefined
    if (source === undefined || !isPackageName(name)) return notInstalled()
    const isOwn = name === settings.ownPackage
    if (isOwn && action !== 'update')
      return refuse('own-package', 'The store cannot remove or disable itself. Use the command line of the harness.')
    if (!isOwn && action === 'update')
      return refuse(
        'unlisted-package',
        'The directory does not list this package, so the store cannot update it. Install it again from its source.',
      )
    // The app's plugin manager would unload the store in the middle of the job.
    if (isDesktop(settings, profileName) && action === 'update') return noDesktop()
    const plan = { cli, profile: profileName, spec: parseDependency(name, source) ?? ({ kind: 'npm', name } as const) }
    return { change: { action, listing: name, plan, package: name, approval: null }, profile }
  }

  // 3. A source that the directory does not list

  async ofSpec({ spec: text, profile: profileName }: CallInput<'reviewSpec'>): Promise<ReviewedChange | Refusal> {
    const { cli, settings, fitCheck, rawUrl, now } = this.#parts
    const profile = await this.#openProfile(profileName)
    if ('ok' in profile) return profile
    const { directory, dependencies, registry } = profile
    const readAge = () => fitCheck.releaseAge(profileName)
    const access = { directory, env: settings.env, signal: registry.signal, registry }
    const found = await readTypedSpec(text, { ...access, rawUrl, readAge, now })
    if ('ok' in found) return found
    const { source, manifest, commit, contents } = found
    const { name, version } = manifest
    if (name === settings.ownPackage)
      return refuse('own-package', 'The store does not install itself. Update it by its name.')

    const id = renderSpec(source)
    const blocked = await readBlockedBuilds(directory, id)
    const approval = blocked && blocked.setting !== null ? { setting: blocked.setting, builds: blocked.builds } : null
    const plan = { cli, profile: profileName, spec: { kind: 'npm', name } } as const
    const change: PluginChange = {
      action: approval ? 'approve' : 'install',
      listing: id,
      plan,
      package: Object.hasOwn(dependencies, name) ? name : null,
      approval,
      source: id,
      ...(version === undefined ? {} : { agreedVersion: version }),
    }
    const fit =
      source.kind === 'npm'
        ? fitCheck.check(plan, source.range === null ? undefined : version, registry)
        : fitCheck.checkManifest(plan, manifest)
    const facts: Partial<SourceFacts> = {
      license: licenseOf(manifest),
      repoUrl: source.kind === 'github' ? `https://github.com/${source.owner}/${source.repo}` : '',
      commit: source.kind === 'github' ? (commit ?? UNKNOWN_COMMIT) : null,
      contents,
      cautions: ['unlisted', ...(approval ? (['build-scripts'] as const) : [])],
    }
    return this.#review(change, profile, fit, facts, manifest)
  }

  // 4. What all three have: the profile before, and everything that depends on it after

  /** Opens a profile that its jobs can change now. */
  async #openProfile(name: string): Promise<ReviewedProfile | Refusal> {
    const { settings, queue, closing } = this.#parts
    await queue.recovered()
    const known = await readProfile(settings.home, name)
    if (known === null) return unknownProfile(name)
    const hasManager = await queue.hasManager(name)
    if (isDesktop(settings, name) && !hasManager) return noDesktop()
    const directory = profileDirectory(settings.home, name)
    const registry = this.#openRegistry(directory)
    const limits = { cwd: directory, env: settings.env, signal: closing.signal }
    const readAllowedNow = () => this.#allowedNow.read(directory, () => readAllowedBuilds(limits))
    const readAllowed = () => this.#allowed.read(directory, readAllowedNow)
    return { ...known, directory, hasManager, registry, readAllowed, readAllowedNow }
  }

  #openRegistry(directory: string): PackageReader {
    const { settings, closing } = this.#parts
    return new PackageReader({ directory, env: settings.env, signal: closing.signal })
  }

  /** Reads the commit that a plan would install now. Everything else of the repository is read at that commit. */
  async #readCommit(plan: InstallPlan): Promise<Review['commit']> {
    return plan.spec.kind === 'github' ? ((await this.#parts.fitCheck.commit(plan)) ?? UNKNOWN_COMMIT) : null
  }

  /**
   * Reviews a change that is known exactly.
   *
   * @param declared fit of its package
   * @param known facts that depend on where the plugin comes from
   * @param manifest package.json of a source
   */
  async #review(
    change: PluginChange,
    profile: ReviewedProfile,
    declared: Promise<DeclaredFit | null> | null,
    known: Partial<SourceFacts>,
    manifest: unknown = null,
  ): Promise<ReviewedChange | Refusal> {
    const { settings } = this.#parts
    const { action, listing: id, plan, approval, version = null } = change
    const { directory, registry } = profile
    const { commit, repoUrl, cautions, blockedBuilds, ...others } = { ...NO_SOURCE_FACTS, ...known }
    const isFetched = fetchesPackage(action)

    // 1. Begin to read the facts of its package, each at its own speed, and what the profile allows.
    const installed = await installedVersion(change, directory)
    const fit = Promise.resolve(declared).then((fit) => fit && readBytes(withOwner(fit, change), change, registry))
    const about = { change, fit, installed, commit, repoUrl, manifest }
    const openReader = (registry: PackageReader) =>
      new FactReader({ ...this.#parts, documents: this.#documents }, { ...about, registry })
    const reader = openReader(registry)
    const allowed = isFetched || action === 'remove' ? profile.readAllowed() : Promise.resolve([])

    // 2. It must continue what it replaces.
    const { past, other } = await reader.past()
    if (other !== null) return holdsAnother(other, change)

    // 3. Find the build scripts that run without asking.
    const keys = await allowed
    const allowedBuilds = await reader.allowedBuilds(keys)
    const allowsMore = async () => {
      if (!isFetched || keys.includes(ANY_BUILD)) return false
      const named = [...keys, ...(approval?.builds.map(({ key }) => key) ?? [])]
      const more = (await profile.readAllowedNow()).filter((key) => !named.includes(key))
      // What the review reads ends with it, before its job begins.
      return more.length > 0 && (await openReader(this.#openRegistry(directory)).allowedBuilds(more)).length > 0
    }
    const isBlocked = (name: string) => keysOfPackages(allowedBuilds, new Set([splitPackageId(name).name])).length === 0
    // Nothing is left to approve.
    const isAllowed = others.verdict === 'needs-approval' && approval === null && allowedBuilds.length > 0

    // 4. Say all of it.
    const trial = isTried(settings, { action, profile: plan.profile })
    const isOwnUpdate = action === 'update' && change.package === settings.ownPackage
    const review: ReviewedChange['review'] = {
      ...others,
      commit,
      repoUrl,
      cautions: [
        ...cautions.filter((one) => one !== 'verdict' || !isAllowed),
        ...(past !== null && past.breaks.length > 0 ? (['past'] as const) : []),
      ],
      past,
      held: isFetched ? await readHold(change, directory) : null,
      id,
      profile: plan.profile,
      action,
      version,
      installed,
      command: renderCommand(change),
      approval,
      blockedBuilds: isFetched && approval === null ? blockedBuilds.filter(isBlocked) : [],
      allowedBuilds,
      trial,
      otherPlugins: trial ? await this.#otherPlugins(change, directory) : null,
      desktop: isDesktop(settings, plan.profile),
      wayBack: isOwnUpdate ? renderWayBack(change, installed) : null,
    }
    return { change: { ...change, agreedCommit: knownCommit(commit) ?? null }, review, reader, allowsMore }
  }

  /** Returns how the trial of a change treats the profile's other plugins, except the store itself. */
  async #otherPlugins(
    { action, package: name, plan }: PluginChange,
    directory: string,
  ): Promise<Review['otherPlugins']> {
    const { home, ownPackage } = this.#parts.settings
    const own = [name, ownPackage].filter((name) => name !== null)
    const others = await findOtherPlugins(home, plan.profile, await neededLayers(directory, own))
    return others.length === 0 ? null : action === 'remove' ? 'started' : 'off'
  }
}

/** Finds a package that a profile loads from the repository of a listing, such as one whose name has changed. */
async function findLoaded(fullName: string, profile: ReviewedProfile): Promise<string | null> {
  const { directory, layers, dependencies } = profile
  for (const name of layers.filter((name) => Object.hasOwn(dependencies, name))) {
    const repository = await declaredRepository(directory, name)
    // A listing of a part of a repository has a name that no repository has.
    if (repository && specText(repository) === `github:${fullName.toLowerCase()}`) return name
  }
  return null
}

/** Returns true if an install is for an installed but disabled plugin, which the plugin manager enables. */
async function isDisabled({ action, package: name }: PluginChange, profile: ReviewedProfile): Promise<boolean> {
  if (action !== 'install' || name === null || profile.layers.includes(name)) return false
  return profile.hasManager && declaresLayer(profile.directory, name)
}

async function installedVersion({ package: name }: PluginChange, directory: string): Promise<string | null> {
  return name === null ? null : ((await readProfileState(directory))?.versions.get(name) ?? null)
}

/** Returns true if the install check ran the chosen version: it takes the newest, which that was then and still is. */
async function isCheckedVersion(
  { plan, version }: PluginChange,
  checkedAt: string | null | undefined,
  registry: PackageReader,
): Promise<boolean> {
  if (plan.spec.kind !== 'npm' || version === undefined || !checkedAt) return false
  const signal = withTimeout(registry.signal, TIMES_MS)
  const answer = await registry.package(plan.spec.name, { signal })
  if (answer.state !== 'read') return false
  const { latest, times } = answer.document
  return latest === version && Date.parse(times[version] ?? '') <= Date.parse(checkedAt)
}

/** Reads the hold of the package that a change replaces. */
async function readHold({ package: name }: PluginChange, directory: string): Promise<Hold | null> {
  const holds = name === null ? {} : await readHolds(directory)
  return holds === null ? UNKNOWN_HOLD : (holds[name ?? ''] ?? null)
}

/** Notes that a package has a name in the harness's own scope although its repository belongs to somebody else. */
function withOwner(fit: DeclaredFit, { listing }: PluginChange): DeclaredFit {
  const { owner } = nameParts(listing.replace(/^github:/, ''))
  const isNamedSo = fit.plugin.startsWith(`@${HARNESS_OWNER}/`)
  return { ...fit, foreignScope: isNamedSo && !listing.startsWith('@') && owner.toLowerCase() !== HARNESS_OWNER }
}

/** Adds where the bytes of a version come from, and their digest. The registry has answered for it before. */
async function readBytes(fit: DeclaredFit, { source, plan }: PluginChange, registry: PackageReader) {
  const isPublished = (source === undefined ? plan.spec : parseSpec(source))?.kind === 'npm'
  const { name, version } = splitPackageId(fit.plugin)
  if (!isPublished || version === null) return fit
  const address = await registry.addressOf(name)
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: null, pathname: '' }
  const answer = await registry.package(name, { signal: withTimeout(registry.signal, BYTES_MS) })
  const published = answer.state === 'read' ? publishedVersion(answer.document, version) : null
  return { ...fit, registry: origin && origin + pathname, integrity: published?.dist.integrity ?? null }
}

/** Returns the command that installs the present version of a package again; null when that is unknown. */
const renderWayBack = ({ plan, package: name }: PluginChange, installed: string | null): string | null =>
  installed !== null && isVersion(installed) && isProgramName(plan.cli)
    ? `${plan.cli} plugin --profile ${plan.profile} add ${name}@${installed}`
    : null

// Refusals

/** Refuses to change the profile of a Desktop app that does not run. */
const noDesktop = () => refuse('no-plugin-manager', 'Only the Desktop app changes this profile, while it is running.')

const holdsAnother = (other: string, { package: name }: PluginChange): Refusal => ({
  ...refuse('other-package', `The repository now holds ${other}, not ${name}. Remove ${name} first to install that.`),
  names: [name ?? '', other],
})
