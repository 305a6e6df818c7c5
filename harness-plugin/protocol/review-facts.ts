/** Facts about the package of a review, each known at its own time. Pages load this file, so it has no schemas. */
import type { Ability, Advisories, Advisory, CodeReading, Inspection, Origin, UnreadFile } from './inspection.ts'
import { splitPackageId } from './package-id.ts'
import type { DeclaredFit, Past, Review } from './review.ts'

export const REVIEW_FACTS = ['fit', 'advisories', 'code', 'origin'] as const
export type FactName = (typeof REVIEW_FACTS)[number]
/** Facts that decide whether a change may start: the host waits for them. Each has a time limit of its own. */
export const DECIDING = ['fit', 'advisories'] as const satisfies readonly FactName[]
/** Facts that a client waits for before a user can agree: also what the package can do, which decides nothing. */
export const AWAITED: readonly FactName[] = [...DECIDING, 'code']

/** Everything that is read for a review. Null for what a change does not need, such as the code of a removal. */
export interface ReviewFacts {
  /** Null also when it cannot be known beforehand. */
  readonly fit: DeclaredFit | null
  readonly advisories: Advisories | null
  /** Abilities, or those that it has beyond the installed version. */
  readonly code: (Pick<Inspection, 'plugin' | 'before'> & { readonly code: CodeReading }) | null
  /** Null also for what no registry published, and when the registry did not answer. */
  readonly origin: Origin | null
}

/** The facts that are known so far. One that is missing may still come. */
export type KnownFacts = Partial<ReviewFacts>

/**
 * Asks for the facts of a review until all are known, and hands on each as soon as it is.
 *
 * @param ask the call `facts`, which answers when one of the wanted facts is known
 * @param onFacts called with all that are known, after each answer; returns false to stop asking
 * @returns the facts that are known in the end
 */
export async function followFacts(
  ask: (
    wanted: readonly FactName[],
  ) => Promise<{ readonly ok: true; readonly value: KnownFacts } | { readonly ok: false }>,
  onFacts: (known: KnownFacts) => boolean,
  wanted: readonly FactName[] = REVIEW_FACTS,
): Promise<KnownFacts> {
  let known: KnownFacts = {}
  for (;;) {
    const missing = wanted.filter((name) => known[name] === undefined)
    if (missing.length === 0) return known
    const answer = await ask(missing)
    // The review has ended, and nothing more comes.
    if (!answer.ok) return known
    known = { ...known, ...answer.value }
    if (!onFacts(known)) return known
  }
}

/** Returns what was read of the package itself; null for a change that fetches none. Parts that may still come are null. */
export function inspectionOf({ code, origin, advisories }: KnownFacts, name = ''): Inspection | null {
  if (code === null && advisories === null) return null
  const { plugin = name, before = null, code: reading = null } = code ?? {}
  return { plugin, before, code: reading, origin: origin ?? null, advisories: advisories ?? null }
}

/** Stands among the keys of allowed build scripts for every package. */
export const ANY_BUILD = '*'
/** Finds it where it stands alone. */
export const ANY_BUILDS = /^\*$/

/** Returns true if one of these keys allows the build scripts of exactly this version, or of this commit of a repository. */
export const isBuildAllowed = (
  keys: readonly string[],
  { name, version, commit = null }: { name: string; version: string | null; commit?: string | null },
): boolean =>
  keys.some((key) => {
    const { name: named, version: versions } = splitPackageId(key)
    const isOf = (one: string) => one === version || (commit !== null && one.endsWith(commit))
    return key === ANY_BUILD || (named === name && (versions?.split('||').some((one) => isOf(one.trim())) ?? true))
  })

/** Returns true if the plugin's own build scripts run without asking: the profile has allowed them before. */
export const areScriptsAllowed = (
  { action, allowedBuilds, commit }: Pick<Review, 'action' | 'allowedBuilds' | 'commit'>,
  fit: Pick<DeclaredFit, 'plugin'> | null | undefined,
): boolean => action !== 'remove' && isBuildAllowed(allowedBuilds, { ...splitPackageId(fit?.plugin ?? ''), commit })

/** Returns true for a change that runs, or may run, build scripts, which only the user lets run. */
export const runsBuilds = ({
  action,
  approval,
  allowedBuilds,
}: Pick<Review, 'action' | 'allowedBuilds'> & { readonly approval: unknown }) =>
  approval !== null || (action !== 'remove' && allowedBuilds.length > 0)

/** Returns the packages that are known as malware, among what a change would install or what is installed. */
export const malwareIn = (found: readonly Advisory[] = []): readonly Advisory[] =>
  found.filter(({ isMalware }) => isMalware)

/** Reason why a change cannot be made, by its facts. */
export type FactRefusal = 'malware' | 'incompatible' | 'not-installable'

/** Returns why a change cannot be made, for every client and the host alike; null where nothing is known against it. */
export function refusalOf({ fit, advisories }: KnownFacts): FactRefusal | null {
  if (malwareIn(advisories?.found).length > 0) return 'malware'
  if (fit?.state === 'refused') return 'incompatible'
  return fit?.state === 'not-found' ? 'not-installable' : null
}

// Gains of an update

/** Abilities of an update that the installed version lacks, as far as the files of both tell. */
type Gains =
  | { readonly state: 'gains'; readonly abilities: readonly Ability[] }
  /** All of it was read, and nothing new was recognised. */
  | { readonly state: 'nothing' }
  /** Nothing new was recognised, but these files that differ could not be read whole. */
  | { readonly state: 'nothing-seen'; readonly unread: readonly UnreadFile[] }
  /** One of both versions was not read: `before` for the installed one, `none` where nothing was asked or answered. */
  | {
      readonly state: 'unknown'
      readonly reason: (CodeReading & { readonly state: 'unknown' })['reason'] | 'before' | 'none'
    }

/** Returns true for a change that does not continue what it replaces, or of which that is unknown. */
export const breaksWithPast = (past: Past | null): boolean =>
  past !== null && (past.breaks.length > 0 || past.unknown.some((part) => part !== 'publisher'))

/** Returns true for an update that nobody should make unseen: it gains something, or it was not read whole. */
export const isSetAside = (gains: Gains, past: Past | null): boolean =>
  breaksWithPast(past) || gains.state !== 'nothing'

/** Returns what an update gains. @param inspection null when there is none */
export function gainsOf(inspection: Pick<Inspection, 'code' | 'before'> | null): Gains {
  if (inspection?.code == null) return { state: 'unknown', reason: 'none' }
  const { code, before } = inspection
  if (code.state === 'unknown') return code
  if (before === null) return { state: 'unknown', reason: 'before' }
  const { abilities, unread } = code
  if (abilities.length > 0) return { state: 'gains', abilities }
  return unread.length > 0 ? { state: 'nothing-seen', unread } : { state: 'nothing' }
}
