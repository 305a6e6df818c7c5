import { bindInstall, specOfId } from '@plugmark/shared/install'
import { type Fits, fits, type Misfit, misfitOf } from '../../protocol/fit.ts'
import type { Answer, Fit, OutcomeKind, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import type { Parts } from '../parts.ts'
import { startsOf } from '../plugins/evidence.ts'
import { readExemptions, toFit } from '../plugins/fit-check.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'

/** Time limit of what the details of one plugin read, in ms. */
const DETAILS_TIMEOUT_MS = 10_000
/** Age of an answer that is good enough for details, in ms. */
const DETAILS_MS = 24 * 60 * 60_000

/** Ends of jobs that change what is known of a listing's fit, besides a trial that passed. */
const TELLING: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen', 'not-found']

interface KnownFit {
  readonly fits: boolean
  readonly misfit: Misfit | null
}
/** Returns what a row shows of a fit; null when it is unknown. */
function toKnown(fit: Fit): KnownFit | null {
  const isFitting = fits(fit)
  return isFitting === null ? null : { fits: isFitting, misfit: misfitOf(fit) }
}
const isSame = (one: KnownFit | undefined, other: KnownFit) =>
  one?.fits === other.fits &&
  one.misfit?.reason === other.misfit?.reason &&
  one.misfit?.triedAt === other.misfit?.triedAt
const toPairs = (known: readonly (readonly [string, KnownFit])[]) => ({
  fits: known.map(([id, { fits }]) => [id, fits] as const),
  misfits: known.flatMap(([id, { misfit }]) => (misfit === null ? [] : [[id, misfit] as const])),
})

/** Answers whether listings run in the harness: one of them, and all that were looked at. */
export class PluginFit {
  readonly #parts: Parts
  /** Answers that pages have, by listing. */
  #sent = new Map<string, KnownFit>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { events, background, queue } = parts
    // Shows the result of each trial on the listing's row.
    events.subscribe((event) => {
      const job = event.type === 'job' && event.job.state === 'done' ? queue.job(event.job.id) : null
      if (!job?.outcome || (job.outcome.trial === null && !TELLING.includes(job.outcome.kind))) return
      for (const listing of job.listing === null ? [] : [job.listing, ...job.more])
        if (specOfId(listing) === null) background.add(this.#one(listing, job.profile))
    })
  }

  get calls(): Pick<StoreCalls, 'fit' | 'fits'> {
    return {
      fit: ({ id, profile }) => this.#one(id, profile),
      fits: async ({ profile }) => answer(await this.#all(profile)),
    }
  }

  /** Returns the fit of one listing, and tells pages that do not know it. */
  async #one(id: string, profile: string): Promise<Answer<Fit>> {
    const { cli, settings, catalogue, fitCheck, declarations, evidence } = this.#parts
    const listing = await catalogue.listed(id)
    if (!listing.ok) return listing
    const { record } = listing.value
    const [harnessVersion] = await Promise.all([fitCheck.version(), evidence.refresh()])
    const bound = bindInstall(record, { cli })
    if (!bound.ok) return answer(toFit(null, harnessVersion, null, {}))
    const { spec } = bound.plan
    const directory = profileDirectory(settings.home, profile)
    const signal = withTimeout(this.#parts.signal, DETAILS_TIMEOUT_MS)
    const isTried = spec.kind === 'github' && evidence.hasStarted(spec)
    const [read, commit, exemptions] = await Promise.all([
      declarations.read(spec, { directory, signal, maxAgeMs: DETAILS_MS }),
      isTried ? fitCheck.commit(bound.plan) : null,
      readExemptions(directory),
    ])
    const fit = toFit(read, harnessVersion, startsOf(evidence, spec, commit ?? undefined), exemptions)
    this.#send(record.fullName, fit)
    void declarations.save()
    return answer(fit)
  }

  async #all(profile: string): Promise<Fits> {
    const { settings, catalogue, fitCheck, declarations, evidence } = this.#parts
    const directory = profileDirectory(settings.home, profile)
    const [harnessVersion, exemptions, kept] = await Promise.all([
      fitCheck.version(),
      readExemptions(directory),
      declarations.kept(directory),
      declarations.opened,
      evidence.refresh(),
    ])
    const { rows } = await catalogue.all()
    // Nothing is awaited from here on: a trial that ends meanwhile would be missing in the answer.
    // No request is made for the commit of a repository.
    const startsAt = (key: string) => (key.includes(':') ? null : evidence)
    const known = new Map<string, KnownFit>()
    let total = 0
    for (const { id, specKey } of rows) {
      if (specKey === null) continue
      total++
      const found = toKnown(toFit(kept(specKey), harnessVersion, startsAt(specKey), exemptions))
      if (found !== null) known.set(id, found)
    }
    this.#sent = known
    return { harnessVersion, ...toPairs([...known]), total }
  }

  /** Tells pages about one listing, if they do not know. */
  #send(id: string, fit: Fit): void {
    const found = toKnown(fit)
    if (found === null || isSame(this.#sent.get(id), found)) return
    this.#sent.set(id, found)
    const { fits, misfits } = toPairs([[id, found]])
    this.#parts.events.emit({ type: 'fits', changed: fits, misfits })
  }
}
