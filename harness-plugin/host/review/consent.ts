/** Reviews a listing, an installed package or a source before a job, and starts the job with the user's one-time yes. */

import { randomBytes } from 'node:crypto'
import { DirectoryError } from '@plugmark/shared/client'
import { nameParts } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import {
  bindInstall,
  findDependency,
  findListedDependency,
  type InstallPlan,
  isPackageName,
  isProfileName,
  isProgramName,
  type NotInstallableReason,
  parseDependency,
  parseSource,
  renderInstall,
  renderSource,
  specKey,
  specText,
} from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import { agreedVersion, compatibilityCautions } from '../../protocol/fit.ts'
import type {
  Advisories,
  Answer,
  CallInput,
  Caution,
  Compatibility,
  Hold,
  Job,
  JobAction,
  Past,
  Refusal,
  RefusalCode,
  Review,
  StoreCalls,
} from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { answer, MAX_REVIEWS, refuse, unknownProfile } from '../../protocol/protocol.ts'
import { malwareIn, type ReviewFacts, refusalOf } from '../../protocol/review-facts.ts'
import { type Approval, type Blocked, readBlockedBuilds } from '../builds/blocked.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { directoryError } from '../catalogue/directory.ts'
import type { KnownRecord } from '../catalogue/rows.ts'
import { renderCommand } from '../harness/command.ts'
import {
  fetchesPackage,
  isToggle,
  isTried,
  type JobSettings,
  knownCommit,
  type PluginChange,
  toRequest,
  UNKNOWN_COMMIT,
} from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { SharedDocuments } from '../inspection/dependencies.ts'
import { readPast } from '../inspection/past.ts'
import type { JobQueue } from '../jobs/queue.ts'
import type { CompatibilityCheck } from '../plugins/compatibility.ts'
import { readHolds, UNKNOWN_HOLD } from '../plugins/updates.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { findLostFolders } from '../profile/lockfile.ts'
import { declaredRepository, declaresLayer, readProfileState } from '../profile/state.ts'
import { PackageReader } from '../registry/package-reader.ts'
import { findOtherPlugins, neededBundles } from '../trial/home.ts'
import { FactsOfReview } from './facts.ts'
import { licenseOf, readSource } from './source.ts'

/** Time that a review stays valid, in ms. */
const REVIEW_VALID_MS = 10 * 60_000
/** Most reviews open at once; the oldest are dropped. Several pages can each review all updates. */
const MAX_OPEN_REVIEWS = 4 * MAX_REVIEWS
/** Age of a directory's record that counts as its present one, in ms: one yes makes several reviews. */
const CONFIRMED_MS = 10_000

/** Scope of the harness's own packages, and the owner of its repositories. */
const HARNESS_OWNER = 'deepseek-ai'

type ConsentCalls = Pick<
  StoreCalls,
  'review' | 'reviewSource' | 'reviewPackage' | 'switchPlugin' | 'facts' | 'changes' | 'start' | 'startAll' | 'cancel'
>

interface ConsentParts {
  readonly closing: AbortController
  readonly cli: string
  readonly settings: JobSettings
  readonly listings: Pick<Catalogue, 'find' | 'confirm'>
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string | undefined
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'check' | 'checkManifest' | 'commit' | 'releaseAge'>
  /** Reads the build scripts that an install will need; null when they are unknown. */
  readonly readBuilds: (plan: InstallPlan, names: readonly string[], directory: string) => Promise<Approval | null>
  readonly now: () => number
}

/** A review that waits for a yes. The change has action, spec and profile, which no page can set. */
interface OpenReview {
  readonly change: PluginChange
  /** True if it needs a deliberate step. */
  readonly isCautious: boolean
  readonly facts: FactsOfReview
  readonly expiresAt: number
}

/** Facts of a review that depend on where the plugin comes from, while nothing is known of it. */
const NO_FACTS = {
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
  past: null,
  held: null,
} satisfies Partial<Review>
type Facts = Pick<Review, keyof typeof NO_FACTS>

/** Reviews, starts and cancels jobs. */
export class Consent {
  readonly #parts: ConsentParts
  readonly #open = new Map<string, OpenReview>()
  /** Documents of registries that all reviews share. */
  readonly #documents: SharedDocuments

  constructor(parts: ConsentParts) {
    this.#parts = parts
    this.#documents = new SharedDocuments(parts.closing.signal)
  }

  get calls(): ConsentCalls {
    return {
      review: (input) => this.#reviewListing(input),
      reviewPackage: (input) => this.#reviewPackage(input),
      reviewSource: (input) => this.#reviewSource(input),
      switchPlugin: (input) => this.#switchPlugin(input),
      facts: ({ wanted, ...review }) => this.#tell(review, (facts) => facts.next(wanted)),
      changes: (input) => this.#tell(input, (facts) => facts.compare()),
      start: ({ byAgent, ...reviewed }) => this.#start([reviewed], byAgent),
      startAll: ({ reviews }) => this.#start(reviews),
      cancel: async ({ job: id }) => {
        const { queue } = this.#parts
        queue.cancel(id)
        const job = queue.job(id)
        return job === null ? refuse('unknown-job', 'This job is no longer known.') : answer(job)
      },
    }
  }

  // 1. A listing is reviewed: its record, the change that it makes, and the facts of both.

  async #reviewListing({ id, profile, action, version }: CallInput<'review'>): Promise<Answer<Review>> {
    const { cli, settings, queue, compatibility } = this.#parts
    await queue.recovered()
    const known = await readProfile(settings.home, profile)
    if (known === null) return unknownProfile(profile)
    const found = await this.#findListing(id, action).catch(directoryError)
    if (found === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
    if ('ok' in found) return found
    const { listing, isConfirmed } = found
    const blocked =
      (await readBlockedBuilds(profileDirectory(settings.home, profile), listing.record.fullName)) ??
      (version === undefined ? await this.#expectedBuilds(listing, action, profile) : null)
    if (isDesktop(settings, profile) && !(await queue.hasManager(profile))) return noDesktop()
    const { dependencies, bundles } = known
    const lostFolders = await findLostFolders(profileDirectory(settings.home, profile), dependencies)
    const plan = (action: JobAction) =>
      planChange(listing, { cli, profile, action, version, blocked, dependencies, bundles, lostFolders })
    // One yes covers the scripts too, where they are known.
    const asked = plan(blocked?.setting && action !== 'approve' && fetchesPackage(action) ? 'approve' : action)
    const planned =
      asked.ok && version === undefined && (await this.#isDisabled(asked.change, bundles)) ? plan('enable') : asked
    if (!planned.ok) return planRefusal(planned.reason)
    const { ownPackage } = settings
    const isOwn = planned.change.package !== null && planned.change.package === ownPackage
    // The harness would unload the store in the middle of the job.
    if (isOwn && (isToggle(planned.change) || (await queue.hasManager(profile))))
      return refuse('not-installable', 'The store does not change itself while the harness runs from this profile.')

    const isLess = planned.change.action === 'remove' || planned.change.action === 'disable'
    const { verdict, record } = listing
    const cautions: Caution[] = []
    if (!isLess && verdict !== 'passed') cautions.push('verdict')
    if (!isLess && !isConfirmed) cautions.push('unconfirmed')
    if (version !== undefined) cautions.push('other-version')
    if (!isLess && record.riskFlags.length > 0) cautions.push('risk-flags')
    if (planned.change.approval) cautions.push('build-scripts')
    const registry = this.#reader(profile)
    const { change, passedOver } = await this.#chooseVersion(planned.change, registry)
    const isChecked = change.action !== 'remove' && !isToggle(change)
    const commit = isChecked ? await this.#readCommit(change.plan) : null
    // Not awaited: it takes a second or more.
    const fit = isChecked ? compatibility.check(change.plan, change.version ?? knownCommit(commit), registry) : null
    return this.#issue(change, registry, fit, {
      checkedCommand: planned.checkedCommand,
      verdict,
      checkedAt: record.installCheckedAt ?? null,
      riskFlags: [...new Set(record.riskFlags)],
      blockedBuilds: record.blockedBuilds ?? [],
      license: record.license,
      repoUrl: record.repoUrl,
      cautions,
      passedOver,
      loadedAs: change.package === null ? await this.#findLoaded(record.fullName, profile) : null,
      commit,
    })
  }

  /** Finds a package that a profile loads from the repository of a listing, such as one whose name has changed. */
  async #findLoaded(fullName: string, profile: string): Promise<string | null> {
    const directory = profileDirectory(this.#parts.settings.home, profile)
    const { bundles = [], dependencies = {} } = (await readProfile(this.#parts.settings.home, profile)) ?? {}
    for (const name of bundles.filter((name) => Object.hasOwn(dependencies, name))) {
      const repository = await declaredRepository(directory, name)
      // A listing of a part of a repository has a name that no repository has.
      if (repository && specText(repository) === `github:${fullName.toLowerCase()}`) return name
    }
    return null
  }

  /** Finds a listing, asking the directory for its present record before anything of it is fetched. */
  async #findListing(id: string, action: JobAction) {
    const { listings } = this.#parts
    let isConfirmed = true
    if (fetchesPackage(action)) {
      try {
        if (!(await listings.confirm(id, CONFIRMED_MS))) return null
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        isConfirmed = false
      }
    }
    const listing = await listings.find(id)
    return listing && { listing, isConfirmed }
  }

  /** Reads the build scripts of an install or update that the directory saw blocked; null when there are none. */
  async #expectedBuilds({ record }: KnownRecord, action: JobAction, profile: string) {
    const { cli, settings, readBuilds } = this.#parts
    const bound = bindInstall(record, { cli })
    if (!fetchesPackage(action) || !bound.ok || isDesktop(settings, profile)) return null
    return readBuilds(bound.plan, record.blockedBuilds ?? [], profileDirectory(settings.home, profile))
  }

  /** Returns true if an install is for an installed but disabled plugin, which the plugin manager enables. */
  async #isDisabled({ action, package: name, plan: { profile } }: PluginChange, bundles: readonly string[]) {
    const { settings, queue } = this.#parts
    if (action !== 'install' || name === null || bundles.includes(name)) return false
    return (await queue.hasManager(profile)) && declaresLayer(profileDirectory(settings.home, profile), name)
  }

  /**
   * Chooses the version of an update, unless a person did: where the newest is known not to fit the harness, the newest
   * that fits and is newer than the installed one.
   */
  async #chooseVersion(
    change: PluginChange,
    registry: PackageReader,
  ): Promise<{ change: PluginChange; passedOver: Compatibility | null }> {
    const isChosen = change.version !== undefined
    if (change.action !== 'update' || change.plan.spec.kind !== 'npm' || isChosen) return { change, passedOver: null }
    const fit = await this.#parts.compatibility.check(change.plan, undefined, registry)
    const isUnfit = fit?.state === 'refused' || fit?.state === 'not-enforced'
    const installed = await this.#installedVersion(change)
    if (!isUnfit || fit.fitting === null || installed === null || !isVersion(installed) || !gt(fit.fitting, installed))
      return { change, passedOver: null }
    return { change: { ...change, version: fit.fitting }, passedOver: fit }
  }

  /** Reads the commit that a plan would install now. Everything else of the repository is read at that commit. */
  async #readCommit(plan: InstallPlan): Promise<Review['commit']> {
    return plan.spec.kind === 'github' ? ((await this.#parts.compatibility.commit(plan)) ?? UNKNOWN_COMMIT) : null
  }

  // 2. The review gets a token. Everything else that depends on the profile is read here.

  /** Creates a review with the token that starts it. @param manifest package.json of a source */
  async #issue(
    change: PluginChange,
    registry: PackageReader,
    compatibility: Promise<Compatibility | null> | null,
    facts: Partial<Facts>,
    manifest: unknown = null,
  ): Promise<Answer<Review>> {
    const { settings, now } = this.#parts
    const { action, listing: id, plan, approval, version = null } = change
    const { profile } = plan
    const trial = isTried(settings, { action, profile })
    const installed = await this.#installedVersion(change)
    const { past, other } = await this.#readPast(change, registry, compatibility, { ...facts, installed })
    if (other !== null) return holdsAnother(other, change)
    const isOwnUpdate = action === 'update' && change.package === settings.ownPackage
    const review: Omit<Review, 'token' | 'expiresAt'> = {
      ...NO_FACTS,
      ...facts,
      cautions: [...(facts.cautions ?? []), ...(past !== null && past.breaks.length > 0 ? (['past'] as const) : [])],
      past,
      held: fetchesPackage(action) ? await this.#readHold(change) : null,
      id,
      profile,
      action,
      version,
      installed,
      command: renderCommand(change),
      approval,
      trial,
      otherPlugins: trial ? await this.#otherPlugins(change) : null,
      desktop: isDesktop(settings, profile),
      wayBack: isOwnUpdate ? renderWayBack(change, installed) : null,
    }
    const token = randomBytes(32).toString('base64url')
    const expiresAt = now() + REVIEW_VALID_MS
    const fit = Promise.resolve(compatibility).then((fit) => fit && withOwner(fit, change))
    const about = { change, compatibility: fit, review, registry, manifest }
    this.#open.set(token, {
      change: { ...change, agreedCommit: knownCommit(review.commit) ?? null },
      isCautious: review.cautions.length > 0,
      facts: new FactsOfReview({ ...this.#parts, documents: this.#documents }, about),
      expiresAt,
    })
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN_REVIEWS && oldest !== undefined) this.#end(oldest)
    return answer({ ...review, token, expiresAt })
  }

  /** Reads the hold of the package that a change replaces. */
  async #readHold({ package: name, plan: { profile } }: PluginChange): Promise<Hold | null> {
    const holds = name === null ? {} : await readHolds(profileDirectory(this.#parts.settings.home, profile))
    return holds === null ? UNKNOWN_HOLD : (holds[name ?? ''] ?? null)
  }

  /**
   * Reads whether what a change fetches continues what it replaces.
   *
   * @returns the name of another package that its repository now holds as `other`; null for none
   */
  async #readPast(
    change: PluginChange,
    registry: PackageReader,
    compatibility: Promise<Compatibility | null> | null,
    { installed, commit = null, repoUrl = '' }: Partial<Facts> & { readonly installed: string | null },
  ): Promise<{ readonly past: Past | null; readonly other: string | null }> {
    const { action, plan, package: name, source: text, version, agreed = null } = change
    if (!fetchesPackage(action) || name === null) return { past: null, other: null }
    const source = text === undefined ? plan.spec : parseSource(text)
    const fit = await compatibility
    const { settings } = this.#parts
    const directory = profileDirectory(settings.home, plan.profile)
    const given = { directory, env: settings.env, signal: registry.signal, registry, repoUrl }
    if (source?.kind === 'npm') {
      const after = version ?? agreedVersion(fit) ?? agreed
      return {
        past: await readPast({ kind: 'npm', name: source.name }, { before: installed, after }, given),
        other: null,
      }
    }
    if (source?.kind !== 'github') return { past: null, other: null }
    const plugin = agreedVersion(fit) === null ? null : splitPackageId(fit!.plugin).name
    if (plugin !== null && plugin !== name) return { past: null, other: plugin }
    const state = await readProfileState(directory)
    const commits = { before: state?.commits.get(name) ?? null, after: knownCommit(commit) ?? null }
    return { past: await readPast(source, commits, given), other: null }
  }

  /** Creates the reader of everything that one review of a profile asks registries for. */
  #reader(profile: string): PackageReader {
    const { settings, closing } = this.#parts
    const directory = profileDirectory(settings.home, profile)
    return new PackageReader({ directory, env: settings.env, signal: closing.signal })
  }

  async #installedVersion({ plan, package: name }: PluginChange): Promise<string | null> {
    if (name === null) return null
    const state = await readProfileState(profileDirectory(this.#parts.settings.home, plan.profile))
    return state?.versions.get(name) ?? null
  }

  /** Returns how the trial of a change treats the profile's other plugins, except the store itself. */
  async #otherPlugins({ action, package: name, plan }: PluginChange): Promise<Review['otherPlugins']> {
    const { home, ownPackage } = this.#parts.settings
    const own = [name, ownPackage].filter((name) => name !== null)
    const needed = await neededBundles(profileDirectory(home, plan.profile), own)
    const others = await findOtherPlugins(home, plan.profile, needed)
    return others.length === 0 ? null : action === 'remove' ? 'started' : 'off'
  }

  // 3. The yes.

  /** Ends a review: nobody reads any more what is read of its package. */
  #end(token: string): void {
    this.#open.get(token)?.facts.end()
    this.#open.delete(token)
  }

  /** Answers with what is read for an open review. */
  async #tell<T>(
    { id, token }: { readonly id: string; readonly token: string },
    read: (facts: FactsOfReview) => Promise<T>,
  ): Promise<Answer<T>> {
    const review = this.#read(token, id)
    return review === null ? badToken() : answer(await read(review.facts))
  }

  /** Returns the review of a token; null when it is unknown, used, expired, or of another listing. */
  #read(token: string, id: string): OpenReview | null {
    const review = this.#open.get(token)
    if (review === undefined) return null
    if (review.expiresAt > this.#parts.now()) return review.change.listing === id ? review : null
    this.#end(token)
    return null
  }

  async #start(reviewed: readonly CallInput<'start'>[], byAgent = false): Promise<Answer<Job>> {
    const { queue } = this.#parts
    const open = reviewed.map(({ id, token }) => this.#read(token, id))
    const read = await Promise.all(open.map((review) => review?.facts.deciding()))
    const changes: PluginChange[] = []
    const notes: string[] = []
    for (const [index, { id, token, acknowledged, hold = null }] of reviewed.entries()) {
      const { fit, advisories } = read[index] ?? { fit: null, advisories: null }
      // Read again: the token may have been used meanwhile.
      const review = this.#read(token, id)
      if (review === null) return badToken()
      const reason = refusalOf({ fit, advisories })
      // That something is not there, only the package manager knows for sure.
      if (reason !== null && reason !== 'not-installable') return refuse(reason, REFUSALS[reason]({ fit, advisories }))
      if ((review.isCautious || compatibilityCautions(fit).length > 0) && !acknowledged)
        return refuse('not-acknowledged', 'First confirm that you have read the warnings.')
      // The yes is for the version that the review names, or its commit, whatever the source says later.
      const { version = null, agreed = version } = review.change
      changes.push({ ...review.change, agreed: agreedVersion(fit) ?? agreed, hold })
      notes.push(...notLookedUp(advisories))
    }
    const [first, ...others] = changes
    if (first === undefined || !isOneJob(changes)) return refuse('malformed', 'These reviews cannot be one job.')
    if (changes.some(({ listing, plan }) => queue.unfinished(listing, plan.profile))) return alreadyRunning()
    for (const { token } of reviewed) this.#end(token)
    return answer(await queue.add({ ...toRequest([first, ...others]), byAgent, notes }))
  }

  // Changes without a listing: of an installed package, and from a source.

  /** Reviews a change of an installed plugin by its package, which needs the profile and not the directory. */
  async #reviewPackage({ package: name, profile, action }: CallInput<'reviewPackage'>): Promise<Answer<Review>> {
    const found = await this.#findPackage(name, profile, action)
    if ('ok' in found) return found
    const change: PluginChange = { action, listing: name, plan: found.plan, package: name, approval: null }
    const registry = this.#reader(profile)
    if (action !== 'update') return this.#issue(change, registry, null, {})
    const commit = await this.#readCommit(found.plan)
    const fit = this.#parts.compatibility.check(found.plan, knownCommit(commit), registry)
    return this.#issue(change, registry, fit, { commit })
  }

  /** Enables or disables an installed plugin, without a review: it can be reversed at once. */
  async #switchPlugin(input: CallInput<'switchPlugin'>): Promise<Answer<Job>> {
    const { settings, queue } = this.#parts
    const { package: name, profile, enabled } = input
    const listing = input.listing ?? name
    const action = enabled ? 'enable' : 'disable'
    const found = await this.#findPackage(name, profile, action)
    if ('ok' in found) return found
    if (!(await declaresLayer(profileDirectory(settings.home, profile), name)))
      return refuse('not-installable', 'This package is not a plugin that can be enabled or disabled.')
    if (queue.unfinished(listing, profile)) return alreadyRunning()
    return answer(await queue.add(toRequest([{ action, listing, plan: found.plan, package: name, approval: null }])))
  }

  /** Finds an installed package that may be changed by this action. */
  async #findPackage(name: string, profile: string, action: JobAction): Promise<{ plan: InstallPlan } | Refusal> {
    const { cli, settings, queue } = this.#parts
    await queue.recovered()
    const known = await readProfile(settings.home, profile)
    if (known === null) return unknownProfile(profile)
    const source = known.dependencies[name]
    if (source === undefined || !isPackageName(name))
      return refuse('not-installed', 'This plugin is not installed in the profile.')
    if ((name === settings.ownPackage) !== (action === 'update'))
      return refuse('not-installable', 'The store updates itself, and cannot remove or disable itself.')
    // The app's plugin manager would unload the store in the middle of the job.
    if (isDesktop(settings, profile) && (action === 'update' || !(await queue.hasManager(profile)))) return noDesktop()
    return { plan: { cli, profile, spec: parseDependency(name, source) ?? { kind: 'npm', name } } }
  }

  /** Reviews the install of a source that the directory does not list. */
  async #reviewSource({ source: text, profile }: CallInput<'reviewSource'>): Promise<Answer<Review>> {
    const { cli, settings, queue, compatibility, rawUrl, now } = this.#parts
    await queue.recovered()
    const known = await readProfile(settings.home, profile)
    if (known === null) return unknownProfile(profile)
    if (isDesktop(settings, profile) && !(await queue.hasManager(profile))) return noDesktop()
    const directory = profileDirectory(settings.home, profile)
    const readAge = () => compatibility.releaseAge(profile)
    const registry = this.#reader(profile)
    const { signal } = registry
    const found = await readSource(text, { directory, env: settings.env, signal, registry, rawUrl, readAge, now })
    if ('ok' in found) return found
    const { source, manifest, commit } = found
    const { name, version } = manifest
    if (name === settings.ownPackage) return refuse('not-installable', 'The store does not install itself.')

    const id = renderSource(source)
    const blocked = await readBlockedBuilds(directory, id)
    const approval = blocked && blocked.setting !== null ? { setting: blocked.setting, builds: blocked.builds } : null
    const plan = { cli, profile, spec: { kind: 'npm', name } } as const
    const change: PluginChange = {
      action: approval ? 'approve' : 'install',
      listing: id,
      plan,
      package: Object.hasOwn(known.dependencies, name) ? name : null,
      approval,
      source: id,
      ...(version === undefined ? {} : { agreed: version }),
    }
    const fit =
      source.kind === 'npm'
        ? compatibility.check(plan, source.range === null ? undefined : version, registry)
        : compatibility.checkManifest(plan, manifest)
    return this.#issue(
      change,
      registry,
      fit,
      {
        license: licenseOf(manifest),
        repoUrl: source.kind === 'github' ? `https://github.com/${source.owner}/${source.repo}` : '',
        commit: source.kind === 'github' ? (commit ?? UNKNOWN_COMMIT) : null,
        cautions: ['unlisted', ...(approval ? (['build-scripts'] as const) : [])],
      },
      manifest,
    )
  }
}

/** Returns true if the changes are for one profile and different listings, and no toggle is among several. */
function isOneJob(changes: readonly PluginChange[]): boolean {
  const listings = new Set(changes.map(({ listing }) => listing))
  const profiles = new Set(changes.map(({ plan }) => plan.profile))
  return listings.size === changes.length && profiles.size === 1 && (changes.length === 1 || !changes.some(isToggle))
}

/** Notes that a package has a name in the harness's own scope although its repository belongs to somebody else. */
function withOwner(fit: Compatibility, { listing }: PluginChange): Compatibility {
  const { owner } = nameParts(listing.replace(/^github:/, ''))
  const isNamedSo = fit.plugin.startsWith(`@${HARNESS_OWNER}/`)
  return { ...fit, foreignScope: isNamedSo && !listing.startsWith('@') && owner.toLowerCase() !== HARNESS_OWNER }
}

/** Returns the command that installs the present version of a package again; null when that is unknown. */
const renderWayBack = ({ plan, package: name }: PluginChange, installed: string | null): string | null =>
  installed !== null && isVersion(installed) && isProgramName(plan.cli)
    ? `${plan.cli} plugin --profile ${plan.profile} add ${name}@${installed}`
    : null

// The change of a listing

type PlannedChange =
  | { readonly ok: true; readonly change: PluginChange; readonly checkedCommand: string }
  | {
      readonly ok: false
      readonly reason:
        | NotInstallableReason
        | 'not-installed'
        | 'other-source'
        | 'no-versions'
        | 'nothing-blocked'
        | 'unknown-package-manager'
    }

/** Works out the exact change of a profile that an action on a listing makes. */
export function planChange(
  { record }: Pick<KnownRecord, 'record'>,
  given: {
    readonly cli: string
    readonly profile: string
    readonly action: JobAction
    /** Version to install instead of the newest. */
    readonly version?: string | undefined
    /** Build scripts that were blocked when it was installed last. */
    readonly blocked: Blocked | null
    /** Names and specs of the profile's dependencies. */
    readonly dependencies: Readonly<Record<string, string>>
    /** Names of the profile's layers. */
    readonly bundles: readonly string[]
    /** Dependencies whose folder package.json does not have: an update by name would take the root of the repository. */
    readonly lostFolders?: ReadonlySet<string>
  },
): PlannedChange {
  const { cli, profile, action, version, blocked, dependencies, bundles, lostFolders } = given
  const bound = bindInstall(record, { cli })
  const isInstall = action === 'install' || action === 'approve'
  const { fullName, npmPackage } = record
  const key = bound.ok ? specKey(bound.plan.spec) : null
  const listed = findListedDependency({ fullName, npmPackage, specKey: key }, dependencies)
  // What is installed can be changed although the directory has no command for it.
  if (!bound.ok && (isInstall || listed === null)) return bound
  const checkedCommand = bound.ok ? renderInstall(bound.plan) : ''
  // Change an installed plugin by its name and its own source: the directory may list another source now.
  const spec = isInstall || listed === null ? bound.ok && bound.plan.spec : listed.spec
  if (!spec || checkedCommand === null || !isProfileName(profile)) return { ok: false, reason: 'bad-profile' }
  const plan: InstallPlan = { cli, profile, spec }
  const isOther = listed !== null && specKey(listed.spec) !== specKey(plan.spec)
  if (isOther || findDependency(plan.spec, dependencies) === 'other-source')
    return { ok: false, reason: 'other-source' }
  if (listed === null && !isInstall) return { ok: false, reason: 'not-installed' }
  if (version !== undefined && (!isInstall || plan.spec.kind !== 'npm' || !isVersion(version)))
    return { ok: false, reason: 'no-versions' }
  let approval: PluginChange['approval'] = null
  if (action === 'approve') {
    if (blocked === null) return { ok: false, reason: 'nothing-blocked' }
    const { setting, builds } = blocked
    if (setting === null) return { ok: false, reason: 'unknown-package-manager' }
    approval = { setting, builds }
  }
  // The install command would not fetch a newer version: for an installed plugin the blocked job was its update.
  const name = listed?.name ?? null
  const isFolderLost = name !== null && lostFolders?.has(name) === true
  const isUpdate = action === 'approve' && name !== null && bundles.includes(name)
  const change: PluginChange = {
    action: isUpdate ? 'update' : action,
    listing: fullName,
    plan,
    package: name,
    approval,
    ...(version === undefined ? {} : { version }),
    ...(action === 'update' && isFolderLost ? { source: specText(spec) } : {}),
  }
  return { ok: true, change, checkedCommand }
}

// Refusals

const badToken = () => refuse('bad-token', 'This review has expired or was already used. Open the review again.')
const alreadyRunning = () => refuse('already-running', 'This plugin already has a job in progress.')
/** Refuses to change the profile of a Desktop app that does not run. */
const noDesktop = () => refuse('no-plugin-manager', 'Only the Desktop app changes this profile, while it is running.')

const REFUSALS: Readonly<
  Record<'malware' | 'incompatible', (facts: Pick<ReviewFacts, 'fit' | 'advisories'>) => string>
> = {
  malware: ({ advisories }) =>
    `${malwareIn(advisories)?.package} is known as malware. The store does not install it. Remove it where you have it.`,
  incompatible: ({ fit }) =>
    `${fit?.plugin} requires ${fit?.requirements.join(', ')}; this harness is ${fit?.harnessVersion}. The harness would refuse it.`,
}

const holdsAnother = (other: string, { package: name }: PluginChange): Refusal => ({
  ...refuse('other-package', `The repository now holds ${other}, not ${name}. Remove ${name} first to install that.`),
  names: [name ?? '', other],
})

/** Says in the output of a job what could not be looked up before it. */
const notLookedUp = (advisories: Advisories | null): string[] =>
  (advisories?.unknown ?? []).map(
    ({ names, packages, host, reason }) =>
      `Known problems of ${names.join(', ')}${packages > names.length ? ' and others' : ''} could not be looked up${
        host === null ? '' : ` at ${host}`
      }: ${reason}.`,
  )

const PLAN_REFUSALS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  'not-installed': ['not-installed', 'This plugin is not installed in the profile.'],
  'nothing-blocked': ['nothing-blocked', 'None of its build scripts are known to be blocked. Install it.'],
  'unknown-package-manager': [
    'unknown-package-manager',
    'The version of pnpm is unknown, so these scripts cannot be allowed. Install it again.',
  ],
  'other-source': ['other-source', 'The profile has this plugin from another source. Remove that one first.'],
  'no-versions': ['not-installable', 'Only a package of the registry has versions to choose.'],
}

function planRefusal(reason: (PlannedChange & { ok: false })['reason']): Refusal {
  const known = PLAN_REFUSALS[reason]
  if (known) return refuse(...known)
  return refuse('not-installable', contractMessages('en').reason(reason as NotInstallableReason))
}
