import { bindInstall, specKey } from '@plugmark/shared/install'
import { type Fits, fits, type Misfit, misfitOf } from '../../protocol/fit.ts'
import type { Fit, StoreCalls, StoreEvent } from '../../protocol/index.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { directoryError } from '../catalogue/directory.ts'
import { type CompatibilityCheck, readExemptions, toFit } from '../plugins/compatibility.ts'
import type { Declarations } from '../plugins/declarations.ts'
import type { Evidence } from '../plugins/evidence.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'

/** Time limit of what the details of one plugin read, in ms. */
const DETAILS_TIMEOUT_MS = 10_000
/** Age of an answer that is good enough for details, in ms. */
const DETAILS_MS = 24 * 60 * 60_000

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

/** Implements the calls about fit: of one listing, and of all that were looked at. */
export function fitCalls(given: {
  readonly cli: string
  readonly home: string
  readonly catalogue: Pick<Catalogue, 'page' | 'find'>
  readonly declarations: Declarations
  readonly evidence: Evidence
  readonly version: CompatibilityCheck['version']
  readonly signal: AbortSignal
  readonly emit: (event: StoreEvent) => void
}): Pick<StoreCalls, 'fit' | 'fits'> & {
  /** Sends pages the compatibility of a listing after a trial of it. */
  refreshFit(id: string, profile: string): Promise<void>
} {
  const { cli, home, catalogue, declarations, evidence, version, signal, emit } = given
  /** Answers that pages have, by listing. */
  let sent = new Map<string, KnownFit>()

  /** Tells pages about one listing, if they do not know. */
  function sendFit(id: string, fit: Fit): void {
    const found = toKnown(fit)
    if (found === null || isSame(sent.get(id), found)) return
    sent.set(id, found)
    const { fits, misfits } = toPairs([[id, found]])
    emit({ type: 'fits', changed: fits, misfits })
  }

  return {
    async fit({ id, profile }) {
      const listing = await catalogue.find(id).catch(directoryError)
      if (listing === null) return refuse('unknown-listing', 'The directory does not list this plugin.')
      if ('ok' in listing) return listing
      const harnessVersion = await version()
      const bound = bindInstall(listing.record, { cli })
      if (!bound.ok) return answer(toFit(null, harnessVersion, evidence, {}))
      const directory = profileDirectory(home, profile)
      const limits = { directory, signal: withTimeout(signal, DETAILS_TIMEOUT_MS), maxAgeMs: DETAILS_MS }
      const read = await declarations.read(bound.plan.spec, limits)
      const fit = toFit(read, harnessVersion, evidence, await readExemptions(directory))
      sendFit(listing.record.fullName, fit)
      void declarations.save()
      return answer(fit)
    },
    async fits({ profile }) {
      const directory = profileDirectory(home, profile)
      const [harnessVersion, exemptions, kept] = await Promise.all([
        version(),
        readExemptions(directory),
        declarations.kept(directory),
        declarations.opened,
        evidence.refresh(),
      ])
      const known = new Map<string, KnownFit>()
      let total = 0
      for (let from = 0; ; ) {
        const { rows, next, status } = await catalogue.page(from)
        for (const { id, specKey } of rows) {
          if (specKey === null) continue
          total++
          const found = toKnown(toFit(kept(specKey), harnessVersion, evidence, exemptions))
          if (found !== null) known.set(id, found)
        }
        if (next >= status.end || next === from) break
        from = next
      }
      sent = known
      const value: Fits = { harnessVersion, ...toPairs([...known]), total }
      return answer(value)
    },
    async refreshFit(id, profile) {
      const listing = await catalogue.find(id)
      const bound = listing && bindInstall(listing.record, { cli })
      if (!bound?.ok) return
      const directory = profileDirectory(home, profile)
      const exemptions = await readExemptions(directory)
      const known = (await declarations.kept(directory))(specKey(bound.plan.spec))
      sendFit(listing!.record.fullName, toFit(known, await version(), evidence, exemptions))
    },
  }
}
