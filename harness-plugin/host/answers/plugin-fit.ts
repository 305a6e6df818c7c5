import { isDeepStrictEqual } from 'node:util'
import { bindInstall, specOfId } from '@plugmark/shared/install'
import { type Fits, fits, misfitOf } from '../../protocol/fit.ts'
import type { Answer, Fit, OutcomeKind, StoreCalls } from '../../protocol/index.ts'
import { answer } from '../../protocol/protocol.ts'
import type { Parts } from '../parts.ts'
import { readExemptions, toFit } from '../plugins/fit-check.ts'
import { type RunRecords, runRecordsOf } from '../plugins/run-records.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'

/** Time limit of what the details of one plugin read, in ms. */
const DETAILS_TIMEOUT_MS = 10_000
/** Age of an answer that is good enough for details, in ms. */
const DETAILS_MS = 24 * 60 * 60_000

/** Ends of jobs that change what is known of a listing's fit, besides a trial that passed. */
const TELLING: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen', 'not-found']

/** Returns what a row shows of a fit. */
const toKnown = (fit: Fit) => ({ fits: fits(fit), misfit: misfitOf(fit) })
type KnownFit = ReturnType<typeof toKnown>

/** Answers whether listings run in the harness: one of them, and all that were looked at. */
export class PluginFit {
  readonly #parts: Parts
  /** Answers that pages have, by profile and listing. */
  readonly #sent = new Map<string, Map<string, KnownFit>>()
  /** Run records of listings' repositories at their newest commit, as it was read last. */
  readonly #commitRecords = new Map<string, Pick<RunRecords, 'find'>>()

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

  get calls() {
    return {
      fit: ({ id, profile }) => this.#one(id, profile),
      fits: async ({ profile }) => answer(await this.#all(profile)),
    } satisfies Partial<StoreCalls>
  }

  /** Returns the fit of one listing, and tells pages that do not know it. */
  async #one(id: string, profile: string): Promise<Answer<Fit>> {
    const { cli, settings, catalogue, fitCheck, declarations, runRecords } = this.#parts
    const listing = await catalogue.listed(id)
    if (!listing.ok) return listing
    const { record } = listing.value
    const [harnessVersion] = await Promise.all([fitCheck.version(), runRecords.refresh()])
    const bound = bindInstall(record, { cli })
    if (!bound.ok) return answer(toFit(null, harnessVersion, null, {}))
    const { spec } = bound.plan
    const directory = profileDirectory(settings.home, profile)
    const signal = withTimeout(this.#parts.signal, DETAILS_TIMEOUT_MS)
    const isTried = spec.kind === 'github' && runRecords.hasRecordOf(spec)
    const [read, commit, exemptions] = await Promise.all([
      declarations.read(spec, { directory, signal, maxAgeMs: DETAILS_MS }),
      isTried ? fitCheck.commit(bound.plan) : null,
      readExemptions(directory),
    ])
    const records = runRecordsOf(runRecords, spec, commit ?? undefined)
    if (commit !== null) this.#commitRecords.set(record.fullName, records)
    const fit = toFit(read, harnessVersion, records, exemptions)
    this.#send(profile, record.fullName, toKnown(fit))
    void declarations.save()
    return answer(fit)
  }

  async #all(profile: string): Promise<Fits> {
    const { settings, catalogue, fitCheck, declarations, runRecords } = this.#parts
    const directory = profileDirectory(settings.home, profile)
    const [harnessVersion, exemptions, kept] = await Promise.all([
      fitCheck.version(),
      readExemptions(directory),
      declarations.kept(directory),
      declarations.opened,
      runRecords.refresh(),
    ])
    const { rows } = await catalogue.all()
    // Nothing is awaited from here on: a trial that ends meanwhile would be missing in the answer.
    // No request is made for the commit of a repository.
    const recordsOf = (id: string, key: string) =>
      key.includes(':') ? (this.#commitRecords.get(id) ?? null) : runRecords
    const known = new Map<string, KnownFit>()
    let total = 0
    for (const { id, specKey } of rows) {
      if (specKey === null) continue
      total++
      const found = toKnown(toFit(kept(specKey), harnessVersion, recordsOf(id, specKey), exemptions))
      if (found.fits !== null) known.set(id, found)
    }
    this.#sent.set(profile, known)
    return {
      harnessVersion,
      fits: [...known].flatMap(([id, { fits }]) => (fits === null ? [] : [[id, fits]])),
      misfits: [...known].flatMap(([id, { misfit }]) => (misfit === null ? [] : [[id, misfit]])),
      total,
    }
  }

  /** Tells pages about one listing, if they do not know. */
  #send(profile: string, id: string, known: KnownFit): void {
    const sent = this.#sent.get(profile) ?? new Map<string, KnownFit>()
    if (isDeepStrictEqual(sent.get(id) ?? { fits: null, misfit: null }, known)) return
    this.#sent.set(profile, sent.set(id, known))
    this.#parts.events.emit({ type: 'fits', profile, id, ...known })
  }
}
