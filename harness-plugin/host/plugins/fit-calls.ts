import { bindInstall, specKey } from '@plugmark/shared/install'
import { type Fits, fits, type Misfit, misfitOf } from '../../protocol/fit.ts'
import type { Fit, StoreCalls, StoreEvent, StoreListing } from '../../protocol/index.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { answer, directoryError, refuse } from '../guard/serve.ts'
import { profileDirectory } from '../profile/home.ts'
import type { CompatibilityCheck } from './compatibility.ts'
import type { Declarations } from './declarations.ts'
import type { Evidence } from './evidence.ts'
import { createSurvey } from './survey.ts'
import { toFit } from './verdict.ts'

/** Time limit of what the details of one plugin read, in ms. */
const LIMIT_MS = 10_000
/** Age of an answer that is good enough for details, in ms. */
const DETAILS_MS = 24 * 60 * 60_000

type FitCalls = Pick<StoreCalls, 'fit' | 'fits' | 'surveyFits' | 'stopSurvey'>

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
}): FitCalls & {
  /** Sends pages the compatibility of a listing after a trial of it. */
  refreshFit(id: string): Promise<void>
  close(): Promise<void>
} {
  const { cli, home, catalogue, declarations, evidence, version, signal, emit } = given
  /** Answers that pages have, by listing. */
  let sent = new Map<string, KnownFit>()
  /** A person stopped the run. */
  let isStopped = false
  const survey = createSurvey({ declarations, now: given.now, onProgress: () => void sendChanges().catch(() => {}) })

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

  async function readFits(): Promise<{ readonly known: Map<string, KnownFit>; readonly answer: Fits }> {
    await Promise.all([declarations.opened, evidence.refresh()])
    const [listings, harnessVersion] = await Promise.all([allListings(), version()])
    const known = new Map<string, KnownFit>()
    for (const { id, specKey } of listings) {
      const found = toKnown(toFit(declarations.known(specKey), harnessVersion, evidence))
      if (found !== null) known.set(id, found)
    }
    const keys = new Set(listings.map(({ specKey }) => specKey))
    return { known, answer: { harnessVersion, ...toPairs([...known]), survey: survey.status(keys) } }
  }

  async function sendChanges(): Promise<void> {
    const { known, answer } = await readFits()
    const changed = toPairs([...known].filter(([id, fit]) => !isSame(sent.get(id), fit)))
    sent = known
    emit({ type: 'fits', survey: answer.survey, changed: changed.fits, misfits: changed.misfits })
  }

  /** Tells pages about one listing, if they do not know. */
  function sendFit(id: string, fit: Fit): void {
    const found = toKnown(fit)
    if (found === null || isSame(sent.get(id), found)) return
    sent.set(id, found)
    const { fits, misfits } = toPairs([[id, found]])
    emit({ type: 'fits', survey: null, changed: fits, misfits })
  }

  async function start(profile: string): Promise<void> {
    const listings = await allListings()
    void survey.start(
      listings.map(({ specKey }) => specKey),
      profileDirectory(home, profile),
    )
  }

  async function current() {
    const { known, answer: value } = await readFits()
    sent = known
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
      sendFit(listing.record.fullName, fit)
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
    async refreshFit(id) {
      const listing = await catalogue.find(id)
      const bound = listing && bindInstall(listing.record, { cli })
      if (bound?.ok)
        sendFit(
          listing!.record.fullName,
          toFit(declarations.known(specKey(bound.plan.spec)), await version(), evidence),
        )
    },
    async close() {
      await survey.stop()
    },
  }
}
