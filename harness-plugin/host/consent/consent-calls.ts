import { contractMessages } from '@plugmark/shared/i18n'
import { bindInstall, type InstallPlan } from '@plugmark/shared/install'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Answer, CallInput, Compatibility, Job, JobAction, Review, StoreCalls } from '../../protocol/index.ts'
import type { Approval } from '../builds/allow.ts'
import type { KnownRecord } from '../catalogue/directory-record.ts'
import type { ListingLookup } from '../catalogue/lookup.ts'
import type { CompatibilityCheck } from '../fit/compatibility.ts'
import { answer, directoryError, refuse } from '../guard/make-answer.ts'
import { isToggle, isTried, type JobSettings, type PluginChange, toRequest } from '../harness/job.ts'
import { isDesktop } from '../harness/running-harness.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import { declaresLayer } from '../profile/state.ts'
import { findOtherPlugins, neededBundles } from '../trial/other-plugins.ts'
import type { ConsentTokens } from './consent-tokens.ts'
import { createInstalledCalls, noDesktop } from './installed-calls.ts'
import { type ReviewResult, reviewListing } from './review-listing.ts'
import { createSourceCalls } from './source-calls.ts'

/** A review that a person agreed to. */
export type Reviewed = CallInput<'start'>

export type ConsentCalls = Pick<
  StoreCalls,
  'review' | 'reviewSource' | 'reviewPackage' | 'switchPlugin' | 'compatibility' | 'start' | 'startAll' | 'cancel'
>

/** Creates the calls that review, start and cancel a job. */
export function consentCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  readonly listings: Pick<ListingLookup, 'find'>
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string | undefined
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'check' | 'checkManifest'>
  /** Reads the build scripts that an install will need; null when they are unknown. */
  readonly readBuilds: (plan: InstallPlan, names: readonly string[], directory: string) => Promise<Approval | null>
}): ConsentCalls {
  const { cli, settings, listings, tokens, queue, compatibility, readBuilds } = given
  const { ownPackage } = settings
  /** Returns how the trial of a change treats the profile's other plugins, except the store itself. */
  async function othersIn({ action, package: name, plan }: PluginChange): Promise<Review['otherPlugins']> {
    const own = [name, ownPackage].filter((name) => name !== null)
    const needed = await neededBundles(profileDirectory(settings.home, plan.profile), own)
    const others = await findOtherPlugins(settings.home, plan.profile, needed)
    return others.length === 0 ? null : action === 'remove' ? 'started' : 'off'
  }
  /** Returns true if an install is for an installed but disabled plugin, which the plugin manager enables. */
  async function isDisabled({ action, package: name, plan: { profile } }: PluginChange, bundles: readonly string[]) {
    if (action !== 'install' || name === null || bundles.includes(name)) return false
    return (await queue.hasManager(profile)) && declaresLayer(profileDirectory(settings.home, profile), name)
  }
  /** Reads the build scripts of an install or update that the directory saw blocked; null when there are none. */
  async function expectedBuilds({ record }: KnownRecord, action: JobAction, profile: string) {
    const bound = bindInstall(record, { cli })
    if (!bringsCode(action) || !bound.ok || isDesktop(settings, profile)) return null
    return readBuilds(bound.plan, record.blockedBuilds ?? [], profileDirectory(settings.home, profile))
  }
  async function startAll(reviewed: readonly Reviewed[], byAgent = false): Promise<Answer<Job>> {
    const fits = await Promise.all(reviewed.map(({ id, token }) => tokens.read(token, id)?.compatibility))
    const changes: PluginChange[] = []
    for (const [index, { id, token, acknowledged }] of reviewed.entries()) {
      const fit = fits[index]
      // Read again: the token may have been used meanwhile.
      const consent = tokens.read(token, id)
      if (consent === null) return badToken()
      if (fit?.state === 'refused') return refuse('incompatible', refusedBy(fit))
      if ((consent.cautious || compatibilityCautions(fit).length > 0) && !acknowledged)
        return refuse('not-acknowledged', 'First confirm that you have read the warnings.')
      changes.push(consent.change)
    }
    const [first, ...others] = changes
    if (first === undefined || !isOneJob(changes)) return refuse('malformed', 'These reviews cannot be one job.')
    for (const { token } of reviewed) tokens.spend(token)
    if (changes.some(({ listing, plan }) => queue.unfinished(listing, plan.profile)))
      return refuse('already-running', 'This plugin already has a job in progress.')
    return answer(await queue.add({ ...toRequest([first, ...others]), byAgent }))
  }

  return {
    ...createInstalledCalls({ ...given, othersIn }),
    ...createSourceCalls({ ...given, othersIn }),
    async review({ id, profile, action, version }) {
      const known = await readProfile(settings.home, profile)
      if (known === null)
        return refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)
      const listing = await listings.find(id).catch(directoryError)
      if (listing === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      if ('ok' in listing) return listing
      const desktop = isDesktop(settings, profile)
      const blocked =
        (await queue.blocked(listing.record.fullName, profile)) ??
        (version === undefined ? await expectedBuilds(listing, action, profile) : null)
      if (desktop && !(await queue.hasManager(profile))) return noDesktop()
      const look = (action: JobAction) =>
        reviewListing(listing, {
          cli,
          profile,
          action,
          version,
          desktop,
          dependencies: known.dependencies,
          bundles: known.bundles,
          trial: isTried(settings, { action, profile }),
          blocked,
        })
      // One yes covers the scripts too, where they are known.
      const asked = look(blocked?.setting && action !== 'approve' && bringsCode(action) ? 'approve' : action)
      const reviewed =
        asked.ok && version === undefined && (await isDisabled(asked.change, known.bundles)) ? look('enable') : asked
      if (!reviewed.ok) return refusal(reviewed.reason)
      const { review, change } = reviewed
      const isOwn = change.package !== null && change.package === ownPackage
      // The harness would unload the store in the middle of the job.
      if (isOwn && (isToggle(change) || (await queue.hasManager(profile))))
        return refuse('not-installable', 'The store does not change itself while the harness runs from this profile.')
      // Not awaited: it takes a second or more.
      const compatible = action === 'remove' || isToggle(change) ? null : compatibility.check(change.plan, version)
      const otherPlugins = review.trial ? await othersIn(change) : null
      return answer({
        ...review,
        otherPlugins,
        ...tokens.issue({ change, cautious: review.cautions.length > 0, compatibility: Promise.resolve(compatible) }),
      })
    },
    async compatibility({ id, token }) {
      const consent = tokens.read(token, id)
      return consent === null ? badToken() : answer(await consent.compatibility)
    },
    start: ({ byAgent, ...reviewed }) => startAll([reviewed], byAgent),
    startAll: ({ reviews }) => startAll(reviews),
    async cancel({ job: id }) {
      queue.cancel(id)
      const job = queue.job(id)
      return job === null ? refuse('unknown-job', 'This job is no longer known.') : answer(job)
    },
  }
}

/** Returns true for an action that fetches a package. */
const bringsCode = (action: JobAction): boolean => action === 'install' || action === 'approve' || action === 'update'

/** Returns true if the changes are for one profile and different listings, and no toggle is among several. */
function isOneJob(changes: readonly PluginChange[]): boolean {
  const listings = new Set(changes.map(({ listing }) => listing))
  const profiles = new Set(changes.map(({ plan }) => plan.profile))
  return listings.size === changes.length && profiles.size === 1 && (changes.length === 1 || !changes.some(isToggle))
}

const badToken = () => refuse('bad-token', 'This review has expired or was already used. Open the review again.')

const refusedBy = ({ plugin, requirements, harnessVersion }: Compatibility) =>
  `${plugin} requires ${requirements.join(', ')}; this harness is ${harnessVersion}. The harness would refuse it.`

function refusal(reason: (ReviewResult & { ok: false })['reason']) {
  if (reason === 'not-installed') return refuse(reason, 'This plugin is not installed in the profile.')
  if (reason === 'nothing-blocked')
    return refuse(reason, 'None of its build scripts are known to be blocked. Install it.')
  if (reason === 'unknown-package-manager')
    return refuse(reason, 'The version of pnpm is unknown, so these scripts cannot be allowed. Install it again.')
  if (reason === 'other-source')
    return refuse(reason, 'The profile has this plugin from another source. Remove that one first.')
  if (reason === 'no-versions')
    return refuse('not-installable', 'Only a package of the registry has versions to choose.')
  return refuse('not-installable', contractMessages('en').reason(reason))
}
