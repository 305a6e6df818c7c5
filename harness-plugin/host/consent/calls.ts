import { words } from '@plugmark/shared/locale'
import type { Compatibility, Review } from '../../bridge/index.ts'
import { answer, directoryError, refuse } from '../answer.ts'
import type { StoreCalls } from '../calls.ts'
import type { ListingLookup } from '../catalogue/lookup.ts'
import type { Gate } from '../gate/gate.ts'
import { isSwitch, type Order } from '../jobs/order.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { isDesktop, isTried, type JobSettings } from '../jobs/running.ts'
import { profileDirectory, readProfile } from '../profiles/home.ts'
import { findOthers, neededBundles } from '../trial/others.ts'
import { type Reviewed, reviewListing } from './review.ts'
import type { ConsentTokens } from './tokens.ts'

/** What a person is asked, and what their yes starts. */
export function consentCalls(given: {
  readonly cli: string
  readonly settings: JobSettings
  /** Package that the store itself is; null where it is none of a profile. */
  readonly ownPackage: string | null
  readonly listings: Pick<ListingLookup, 'find'>
  readonly tokens: ConsentTokens
  readonly queue: JobQueue
  readonly gate: Pick<Gate, 'compatibility'>
}): Pick<StoreCalls, 'review' | 'compatibility' | 'start' | 'cancel'> {
  const { cli, settings, ownPackage, listings, tokens, queue, gate } = given
  /** What becomes of the profile's other plugins in the trial of an order; the store itself is none of them. */
  async function othersIn({ action, package: name, plan }: Order): Promise<Review['others']> {
    const own = [name, ownPackage].filter((name) => name !== null)
    const needed = await neededBundles(profileDirectory(settings.home, plan.profile), own)
    const others = await findOthers(settings.home, plan.profile, needed)
    return others.length === 0 ? null : action === 'remove' ? 'started' : 'off'
  }
  return {
    async review({ id, profile, action }) {
      const known = await readProfile(settings.home, profile)
      if (known === null)
        return refuse('unknown-profile', `There is no profile "${profile}". Start the harness with it once.`)
      const listing = await listings.find(id).catch(directoryError)
      if (listing === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      if ('ok' in listing) return listing
      const desktop = isDesktop(settings, profile)
      if ((desktop || isSwitch({ action })) && !(await queue.hasManager(profile)))
        return refuse('no-plugin-manager', 'Only the plugin manager of the harness that runs from it can do this.')
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
      const { review, order } = reviewed
      if (isSwitch(order) && order.package === ownPackage)
        return refuse('not-installable', 'The store does not turn itself on or off.')
      // It takes a second or more, and what is known is shown at once.
      const compatibility =
        action === 'remove' || isSwitch(order) ? Promise.resolve(null) : gate.compatibility(order.plan)
      const others = review.trial ? await othersIn(order) : null
      return answer({
        ...review,
        others,
        ...tokens.issue({ order, cautious: review.cautions.length > 0, compatibility }),
      })
    },
    async compatibility({ id, token }) {
      const consent = tokens.read(token, id)
      return consent === null ? badToken() : answer(await consent.compatibility)
    },
    async start({ id, token, acknowledged }) {
      const fit = await tokens.read(token, id)?.compatibility
      // It may have been spent meanwhile.
      const consent = tokens.read(token, id)
      if (consent === null) return badToken()
      if (fit?.state === 'refused') return refuse('incompatible', refusedBy(fit))
      if ((consent.cautious || isUnmet(fit)) && !acknowledged)
        return refuse('not-acknowledged', 'Confirm that you have read the warnings first.')
      tokens.spend(token)
      if (queue.unfinished(consent.order.listing, consent.order.plan.profile))
        return refuse('already-running', 'A job of this plugin and profile is going on already.')
      return answer(await queue.add(consent.order))
    },
    async cancel({ job: id }) {
      queue.cancel(id)
      const job = queue.job(id)
      return job === null ? refuse('unknown-job', 'There is no such job.') : answer(job)
    },
  }
}

const badToken = () => refuse('bad-token', 'This confirmation was used or ran out. Open the review again.')
const isUnmet = (fit: Compatibility | null | undefined) => fit?.state === 'allowed' || fit?.state === 'not-enforced'

const refusedBy = ({ plugin, asks, harness }: Compatibility) =>
  `${plugin} asks for ${asks.join(', ')}, and this harness is ${harness}: the harness would refuse it.`

function refusal(reason: (Reviewed & { ok: false })['reason']) {
  if (reason === 'not-installed') return refuse(reason, 'The profile does not have this plugin.')
  if (reason === 'nothing-blocked') return refuse(reason, 'No build script of it is known to be blocked. Install it.')
  if (reason === 'unknown-package-manager')
    return refuse(reason, 'pnpm did not say its version, so it is not known how to allow the scripts. Install again.')
  if (reason === 'other-source')
    return refuse(reason, 'The profile has a package of this name from elsewhere, which the store leaves alone.')
  return refuse('not-installable', words('en').reason(reason))
}
