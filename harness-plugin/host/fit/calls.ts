import { bindInstall } from '@plugmark/shared/install'
import { type Fits, fits } from '../../protocol/fit.ts'
import type { StoreCalls, StoreEvent, StoreListing } from '../../protocol/index.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { answer, directoryError, refuse } from '../guard/answer.ts'
import { profileDirectory } from '../profile/home.ts'
import type { CompatibilityCheck } from './compatibility.ts'
import type { Declarations } from './declarations.ts'
import type { Evidence } from './evidence.ts'
import { toFit } from './fit.ts'
import { createSurvey } from './survey.ts'

/** Time limit of what the details of one plugin read, in ms. */
const LIMIT_MS = 10_000
/** Age of an answer that is good enough for details, in ms. */
const DETAILS_MS = 24 * 60 * 60_000

type FitCalls = Pick<StoreCalls, 'fit' | 'fits' | 'surveyFits' | 'stopSurvey'>

/** Implements the calls about fit: of one listing, and of all of them. */
export function fitCalls(given: {
  readonly cli: string
  readonly home: string
  readonly catalogue: Pick<Catalogue, 'page' | 'find'>
  readonly declarations: Declarations
  readonly evidence: Evidence
  readonly version: CompatibilityCheck['version']
  readonly now: () => number
  readonly signal: AbortSignal
  readonly emit: (event: StoreEvent) => void
}): FitCalls & { close(): Promise<void> } {
  const { cli, home, catalogue, declarations, evidence, version, signal, emit } = given
  /** Answers that pages have, by listing. */
  let told = new Map<string, boolean>()
  /** A person stopped the run. */
  let isStopped = false
  const survey = createSurvey({ declarations, now: given.now, onProgress: () => void tell().catch(() => {}) })

  async function allListings(): Promise<(StoreListing & { readonly specKey: string })[]> {
    const listings: StoreListing[] = []
    for (let from = 0; ; ) {
      const { rows, next, status } = await catalogue.page(from)
      listings.push(...rows)
      if (next >= status.end || next === from) break
      from = next
    }
    return listings.flatMap((listing) => (listing.specKey === null ? [] : { ...listing, specKey: listing.specKey }))
  }

  async function readFits(): Promise<{ readonly fits: Map<string, boolean>; readonly answer: Fits }> {
    await Promise.all([declarations.opened, evidence.opened])
    const [listings, harnessVersion] = await Promise.all([allListings(), version()])
    const known = new Map<string, boolean>()
    for (const { id, specKey } of listings) {
      const isFitting = fits(toFit(declarations.known(specKey), harnessVersion, evidence))
      if (isFitting !== null) known.set(id, isFitting)
    }
    const keys = new Set(listings.map(({ specKey }) => specKey))
    return { fits: known, answer: { harnessVersion, fits: [...known], survey: survey.status(keys) } }
  }

  async function tell(): Promise<void> {
    const { fits: now, answer } = await readFits()
    const changed = answer.fits.filter(([id, isFitting]) => told.get(id) !== isFitting)
    told = now
    emit({ type: 'fits', survey: answer.survey, changed })
  }

  async function start(profile: string): Promise<void> {
    const listings = await allListings()
    void survey.start(
      listings.map(({ specKey }) => specKey),
      profileDirectory(home, profile),
    )
  }

  async function current() {
    const { fits, answer: value } = await readFits()
    told = fits
    return answer(value)
  }

  return {
    async fit({ id, profile }) {
      const listing = await catalogue.find(id).catch(directoryError)
      if (listing === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      if ('ok' in listing) return listing
      const harnessVersion = await version()
      const bound = bindInstall(listing.record, { cli })
      if (!bound.ok) return answer(toFit(null, harnessVersion, evidence))
      const directory = profileDirectory(home, profile)
      const deadline = performance.now() + LIMIT_MS
      const read = await declarations.read(bound.plan.spec, { directory, signal, deadline, maxAgeMs: DETAILS_MS })
      const fit = toFit(read, harnessVersion, evidence)
      const isFitting = fits(fit)
      const { fullName } = listing.record
      if (isFitting !== null && told.get(fullName) !== isFitting) {
        told.set(fullName, isFitting)
        emit({ type: 'fits', survey: null, changed: [[fullName, isFitting]] })
      }
      void declarations.save()
      return answer(fit)
    },
    async fits({ profile }) {
      await declarations.opened
      // A run that this process, or an earlier one, did not end goes on where it stopped.
      if (declarations.isUnfinished && !isStopped) await start(profile)
      return current()
    },
    async surveyFits({ profile }) {
      isStopped = false
      await start(profile)
      return current()
    },
    async stopSurvey() {
      isStopped = true
      await survey.stop()
      return current()
    },
    async close() {
      await survey.stop()
    },
  }
}
