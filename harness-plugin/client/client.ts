import { renderSpec, specOfId } from '@plugmark/shared/install'
import { agreedVersion, type YesNoUnknown } from '../protocol/fit.ts'
import type {
  Answer,
  CallInput,
  DeclaredFit,
  InstalledPlugin,
  Job,
  JobAction,
  KnownFacts,
  LockProblem,
  PlannedChange,
  ProfileLock,
  Review,
  StoreBridge,
  SyncPlan,
  VersionDiff,
} from '../protocol/index.ts'
import { MAX_FILE_BYTES } from '../protocol/limits.ts'
import { type FactName, followFacts } from '../protocol/review-facts.ts'

/** Name of the file that a profile's lock is stored in. */
export const LOCK_FILE = 'plugmark.lock.json'
/** Returns the text of a lock: one value a line, so that a change of one is a change of one line. */
export const renderLock = (lock: ProfileLock): string => `${JSON.stringify(lock, null, 2)}\n`

/** A change of a plugin that a user wants. */
export interface Intent {
  /** The listing's `fullName`, or the spec of an install without a listing. */
  readonly id: string
  readonly action: JobAction
  /** Package to remove, or of the store to update, without a listing; then `id` is its name. */
  readonly package?: string
  /** True if `id` is a spec. An id of the directory or of a file never is one, whatever it looks like. */
  readonly isSpec?: boolean
  readonly version?: string
  /** Commit that a lock has, which its branch may leave meanwhile. */
  readonly commit?: string | null
  /** @default the profile that is chosen */
  readonly profile?: string
}

/** Returns a change of an installed plugin: by its listing, or by its package where the directory has none. */
export const intentFor = (plugin: InstalledPlugin, action: JobAction): Intent =>
  isManaged(plugin) && plugin.listing !== null
    ? { id: plugin.listing, action }
    : { id: plugin.name, action, package: plugin.name }

/**
 * Returns the change of a job again; null where it was of several plugins or of none, and for the switch of a plugin that is
 * not listed: no review is of that, and its name is not a spec.
 */
export function intentOf(
  { listing, more, action, profile }: Pick<Job, 'listing' | 'more' | 'action' | 'profile'>,
  isListed: (id: string) => boolean,
): Intent | null {
  if (listing === null || more.length > 0) return null
  const intent = { id: listing, profile }
  const isOnlyHere = specOfId(listing) !== null && !isListed(listing)
  switch (action) {
    case 'install':
    case 'approve':
      return { ...intent, action, ...(isOnlyHere && { isSpec: true }) }
    case 'update':
    case 'remove':
      return { ...intent, action, ...(isOnlyHere && { package: listing }) }
    case 'enable':
    case 'disable':
      return isOnlyHere ? null : { ...intent, action }
    case 'undo':
    case 'redo':
    case 'repair':
    case 'sync':
      return null
  }
}

/** Returns a change of a planned sync. */
export const intentOfPlanned = ({ id, action, isSpec, version, commit }: PlannedChange): Intent => ({
  ...{ id, action, isSpec, commit },
  ...(version !== null && { version }),
  ...(action === 'remove' && { package: id }),
})

/** Returns a spec with a version in place of its range, where it can have one. */
function inVersion(id: string, version: string | undefined): string {
  const spec = specOfId(id)
  return spec?.kind === 'npm' && version !== undefined ? renderSpec({ ...spec, range: version }) : id
}

/** Returns true if the directory must list what an intent fetches. */
export const needsListing = ({ action, package: name, isSpec = false }: Intent): boolean =>
  name === undefined && action !== 'remove' && !isSpec

/**
 * The calls of a host, for the screen, the command line and agents alike, and every choice between them. A refusal is a
 * value. Pages load this file.
 */
export class Client {
  readonly call: StoreBridge['call']

  constructor({ call }: Pick<StoreBridge, 'call'>) {
    this.call = call
  }

  /** Reviews a change of a profile. */
  async requestReview(intent: Intent, profile: string): Promise<Answer<Review>> {
    const review = await this.#requestReview(intent, profile)
    const { commit = null } = intent
    if (commit === null || !review.ok || review.value.commit === commit) return review
    return review.value.commit === 'unknown'
      ? { ok: false, code: 'source-unreachable', message: 'Its code host did not answer.' }
      : { ok: false, code: 'branch-moved', message: 'Its branch has another commit now than the planned one.' }
  }

  #requestReview({ id, action, version, package: name, isSpec = false }: Intent, profile: string) {
    if (name !== undefined)
      return this.call('reviewPackage', { package: name, profile, action: action === 'update' ? 'update' : 'remove' })
    if (isSpec) return this.call('reviewSpec', { spec: inVersion(id, version), profile })
    return this.call('review', { id, profile, action, ...(version !== undefined && { version }) })
  }

  /**
   * Reads the facts of a review, and hands on each as soon as it is known.
   *
   * @param onFacts called with all that are known; returns false to stop reading
   */
  followFacts(
    { id, token }: Pick<Review, 'id' | 'token'>,
    onFacts: (known: KnownFacts) => boolean,
    wanted?: readonly FactName[],
  ): Promise<KnownFacts> {
    return followFacts((wanted) => this.call('facts', { id, token, wanted }), onFacts, wanted)
  }

  /** Starts one job of all these reviews, which is kept or rolled back as a whole. */
  startJob(
    reviews: CallInput<'startAll'>['reviews'],
    { byAgent = false, sync }: { readonly byAgent?: boolean; readonly sync?: string | null | undefined } = {},
  ): Promise<Answer<Job>> {
    const [only, ...more] = reviews
    const agent = byAgent && { byAgent }
    return only && more.length === 0 && !sync
      ? this.call('start', { ...only, ...agent })
      : this.call('startAll', { reviews, ...agent, ...(sync && { sync }) })
  }

  /** Returns what makes a profile as the text of a file says. */
  async requestPlan(text: string, profile: string): Promise<Answer<SyncPlan | LockProblem>> {
    // A host ends the connection of a larger call, which tells a page nothing.
    if (new TextEncoder().encode(JSON.stringify(text)).length > MAX_FILE_BYTES)
      return { ok: true, value: { problem: 'too-big', where: '' } }
    return this.call('planSync', { profile, text })
  }

  /** Enables or disables an installed plugin. */
  requestSwitch({ name, listing }: InstalledPlugin, profile: string, enabled: boolean): Promise<Answer<Job>> {
    return this.call('switchPlugin', { package: name, profile, enabled, listing })
  }

  /** Holds an installed plugin at its version; null ends that. */
  requestHold(
    { name }: InstalledPlugin,
    profile: string,
    hold: Pick<CallInput<'hold'>, 'reason' | 'skips'> | null,
  ): Promise<Answer<null>> {
    const target = { package: name, profile }
    return hold === null ? this.call('unhold', target) : this.call('hold', { ...target, ...hold })
  }

  /** Compares the files of an installed plugin with those of its update. */
  requestUpdateDiff({ name, latest }: InstalledPlugin, profile: string): Promise<Answer<VersionDiff>> {
    // Of a repository it is the beginning of a commit.
    const after = latest !== null && /^\d+\./.test(latest) ? latest : null
    return this.call('updateDiff', { package: name, profile, after })
  }
}

// Rules about the plugins that are installed

/** Returns true if the directory has a listing by which a plugin is updated. */
export const isManaged = ({ listing, removable }: Pick<InstalledPlugin, 'listing' | 'removable'>): boolean =>
  listing !== null && removable

/** Returns true if a newer version of a plugin can be installed and nobody holds or disabled it. */
export const isUpdatable = ({ latest, hold, enabled, ...plugin }: InstalledPlugin): boolean =>
  latest !== null && hold === null && enabled !== false && (isManaged(plugin) || plugin.unmanagedReason === 'store')

/** Returns whether an update installs the version that is there. A newer commit can have the same version. */
export function isAtNewest(
  { action, installed, commit }: Pick<Review, 'action' | 'installed' | 'commit'>,
  fit: DeclaredFit | null,
): YesNoUnknown {
  if (action !== 'update' || installed === null || agreedVersion(fit) !== installed) return 'no'
  return commit === null ? 'yes' : 'unknown'
}

/**
 * Returns which of the plugins that are managed here are updated together, and which are left out: the user held or disabled
 * them, or it is unknown whether they have an update. The store updates itself by a job of its own.
 */
export function updatesOf(plugins: readonly InstalledPlugin[]) {
  const managed = plugins.filter(isManaged)
  const left = managed.filter((plugin) => plugin.latest !== null && !isUpdatable(plugin))
  return {
    updated: managed.filter(isUpdatable),
    held: left.filter(({ hold }) => hold !== null),
    off: left.filter(({ hold }) => hold === null),
    unread: managed.filter(({ updateProblem }) => updateProblem !== null),
  }
}
