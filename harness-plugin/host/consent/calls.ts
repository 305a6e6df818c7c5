import { contractMessages } from '@plugmark/shared/i18n'
import type { Compatibility, Review, StoreCalls } from '../../protocol/index.ts'
import type { ListingLookup } from '../catalogue/lookup.ts'
import { answer, directoryError, refuse } from '../guard/answer.ts'
import type { CompatibilityCheck } from '../harness/compatibility.ts'
import { isDesktop } from '../harness/harness.ts'
import { isTried, type JobSettings } from '../job/context.ts'
import { isToggle, type JobRequest } from '../job/request.ts'
import { profileDirectory, readProfile } from '../profile/home.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import { findOtherPlugins, neededBundles } from '../trial/other-plugins.ts'
import { type Reviewed, reviewListing } from './review.ts'
import type { ConsentTokens } from './tokens.ts'

/** The review of a job, and what starts and cancels it. */
export function consentCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  /** Package that the store itself is; null where it is none of a profile. */
  readonly ownPackage: string | null
  readonly listings: Pick<ListingLookup, 'find'>
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly compatibility: Pick<CompatibilityCheck, 'check'>
}) {
  const { cli, settings, ownPackage, listings, tokens, queue, compatibility } = given
  /** Whether the profile's other plugins are started in the trial of a request; the store itself is none of them. */
  async function othersIn({ action, package: name, plan }: JobRequest): Promise<Review['otherPlugins']> {
    const own = [name, ownPackage].filter((name) => name !== null)
    const needed = await neededBundles(profileDirectory(settings.home, plan.profile), own)
    const others = await findOtherPlugins(settings.home, plan.profile, needed)
    return others.length === 0 ? null : action === 'remove' ? 'started' : 'off'
  }
  return {
    async review({ id, profile, action }) {
      const known = await readProfile(settings.home, profile)
      if (known === null)
        return refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)
      const listing = await listings.find(id).catch(directoryError)
      if (listing === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      if ('ok' in listing) return listing
      const desktop = isDesktop(settings, profile)
      if ((desktop || isToggle({ action })) && !(await queue.hasManager(profile)))
        return refuse('no-plugin-manager', 'Only a harness that is running with this profile can do this.')
      const reviewed = reviewListing(listing, {
        cli,
        profile,
        action,
        trial: isTried(settings, { action, profile }),
        blocked: queue.blocked(listing.record.fullName, profile),
        desktop,
        dependencies: known.dependencies,
      })
      if (!reviewed.ok) return refusal(reviewed.reason)
      const { review, request } = reviewed
      if (isToggle(request) && request.package === ownPackage)
        return refuse('not-installable', 'The store does not turn itself on or off.')
      // Not awaited: it takes a second or more.
      const compatible = action === 'remove' || isToggle(request) ? null : compatibility.check(request.plan)
      const otherPlugins = review.trial ? await othersIn(request) : null
      return answer({
        ...review,
        otherPlugins,
        ...tokens.issue({ request, cautious: review.cautions.length > 0, compatibility: Promise.resolve(compatible) }),
      })
    },
    async compatibility({ id, token }) {
      const consent = tokens.read(token, id)
      return consent === null ? badToken() : answer(await consent.compatibility)
    },
    async start({ id, token, acknowledged }) {
      const fit = await tokens.read(token, id)?.compatibility
      // Again: the token may have been used meanwhile.
      const consent = tokens.read(token, id)
      if (consent === null) return badToken()
      if (fit?.state === 'refused') return refuse('incompatible', refusedBy(fit))
      if ((consent.cautious || isUnmet(fit)) && !acknowledged)
        return refuse('not-acknowledged', 'First confirm that you have read the warnings.')
      tokens.spend(token)
      if (queue.unfinished(consent.request.listing, consent.request.plan.profile))
        return refuse('already-running', 'This plugin already has a job in progress.')
      return answer(await queue.add(consent.request))
    },
    async cancel({ job: id }) {
      queue.cancel(id)
      const job = queue.job(id)
      return job === null ? refuse('unknown-job', 'This job is no longer known.') : answer(job)
    },
  } satisfies Partial<StoreCalls>
}

const badToken = () => refuse('bad-token', 'This review has expired or was already used. Open the review again.')
const isUnmet = (fit: Compatibility | null | undefined) => fit?.state === 'allowed' || fit?.state === 'not-enforced'

const refusedBy = ({ plugin, requirements, harnessVersion }: Compatibility) =>
  `${plugin} requires ${requirements.join(', ')}; this harness is ${harnessVersion}. The harness would refuse it.`

function refusal(reason: (Reviewed & { ok: false })['reason']) {
  if (reason === 'not-installed') return refuse(reason, 'This plugin is not installed in the profile.')
  if (reason === 'nothing-blocked')
    return refuse(reason, 'None of its build scripts are known to be blocked. Install it.')
  if (reason === 'unknown-package-manager')
    return refuse(reason, 'The version of pnpm is unknown, so these scripts cannot be allowed. Install it again.')
  if (reason === 'other-source')
    return refuse(reason, 'The profile has a package with this name from another source. The store does not change it.')
  return refuse('not-installable', contractMessages('en').reason(reason))
}
