import { isOnlySpec } from '@plugmark/shared/install'
import { isAtNewest } from '../client/client.ts'
import { findTarget, splitVersion } from '../client/name-lookup.ts'
import type { ChangeAction, Reviewed } from '../client/store-client.ts'
import { messagesFor } from '../messages/index.ts'
import { flagsOf, gainsLine, inspectionLines, refusalLine } from '../messages/inspection-lines.ts'
import { shownFacts } from '../messages/shown-facts.ts'
import { agreedVersion, type FitCaution, fitCautions } from '../protocol/fit.ts'
import type { DeclaredFit, DeclaredFitState, FactRefusal, InstalledPlugin, Review } from '../protocol/index.ts'
import { areScriptsAllowed, breaksWithPast, gainsOf, isSetAside, runsBuilds } from '../protocol/review-facts.ts'
import { type Shown, TOOLS } from './definitions.ts'
import { CHECK_MEANS, checkOf, factsOf, QUOTED } from './listing-facts.ts'
import { type CallContext, type Run, TELL, type ToolRefusal } from './tool.ts'

/** Names the change that the user is asked about. */
export type Proposal = Pick<AgentReview, 'review' | 'fit' | 'installed'>

export interface AgentReview extends Reviewed {
  /** Null when the profile does not have the plugin. */
  readonly installed: InstalledPlugin | null
}

/**
 * Reviews a change of a profile, as `StoreClient.review` does. Changes nothing.
 *
 * @returns a refusal when the harness, or the registry, makes the change impossible
 * @throws ClientError when it cannot be reviewed
 */
export async function reviewChange(
  text: string,
  action: ChangeAction,
  { client, profile }: CallContext,
): Promise<AgentReview | ToolRefusal> {
  if (action === 'install' && (isOnlySpec(text) || splitVersion(text).version !== null)) return onlyListed()
  const listings = action === 'install' ? await client.listings({ stale: 'use' }) : null
  const request = { action, profile }
  const reviewed = await client.review(await findTarget(client, text, request, listings), request)
  const { review, fit, refusal } = reviewed
  if (refusal !== null && refusal !== 'refused-verdict') return impossible(refusal, fit)
  const plugins = await client.installed(profile)
  const installed = plugins.find(({ listing, name }) => listing === review.id || name === review.id) ?? null
  return { ...reviewed, installed }
}

/** Reviews a change without asking anybody and without making it. */
export const check: Run<'check'> = async ({ id: text, action }, given) => {
  const reviewed = await reviewChange(text, action, given)
  if ('ok' in reviewed) return reviewed
  const { review, fit, inspection, installed } = reviewed
  const { id, verdict } = review
  const { profile, command } = given
  const { contract, review: words } = messagesFor('en')
  // The command line leaves an installed version as it is, and a host without the harness's manager reviews an install.
  const isOff = command !== undefined && action === 'install' && installed?.enabled === false
  const change = isOff ? 'enable' : review.action
  if (command && !isOff && reviewed.refusal === 'refused-verdict')
    return { ok: false, code: 'refused-verdict', message: `${id}: ${CHECK_MEANS[verdict!]}`, next: TELL }
  const { facts, quoted } = factsOf(review)
  const isRemoval = action === 'remove'
  const there = nothingToDo(action, reviewed)
  const shown = shownOf(reviewed)
  const flags = flagsOf(review.riskFlags, { cautions: review.cautions, hasScripts: runsBuilds(review) })
  const read = inspectionLines(inspection, messagesFor('en'), {
    flags,
    areScriptsAllowed: areScriptsAllowed(review, reviewed.fit),
  })
  const gains = action === 'update' && there === null ? gainsOf(inspection) : null
  const isApart = gains === null ? breaksWithPast(review.past) : isSetAside(gains, review.past)
  // What an update gains may be the first line of what was read.
  const sentences = new Set([
    ...(gains !== null ? [gainsLine(inspection, messagesFor('en'))] : []),
    ...shownFacts(review, words.facts).map(({ text }) => text),
    ...read.flatMap(({ lines }) => lines.map(({ text, places }) => [text, ...places].join(' · '))),
  ])
  return {
    ok: true as const,
    id,
    action: change,
    profile,
    installed: installed !== null,
    from: installed?.version,
    to: isRemoval ? null : change === 'enable' ? installed?.version : agreedVersion(fit),
    ...shown,
    ...(command
      ? { command: null, run: there !== null ? null : command(runnable(change), id, '--profile', profile) }
      : {}),
    ...(isRemoval
      ? {}
      : {
          checkMeans: CHECK_MEANS[verdict ?? 'unknown'],
          fits: fit ? words.fit.sentence(fit) : words.fit.unknown,
        }),
    gains: gains?.state ?? null,
    license: facts.license,
    builds: facts.builds.length > 0 ? facts.builds : null,
    source: facts.source,
    quoted: { ...quoted, deprecated: fit?.deprecated, facts: sentences.size > 0 ? [...sentences] : null },
    notes: [QUOTED, ...(isRemoval ? [] : [contract.notAReview]), ...(isApart ? [APART] : [])],
    next: there ?? (command ? toRun(change) : runsBuilds(review) ? ALLOW_BUILDS : toCall(action)),
  }
}

/** Says that there is nothing to do; null where there is. */
function nothingToDo(action: ChangeAction, { review, fit, installed }: AgentReview): string | null {
  if (action === 'install' && installed !== null && installed.enabled !== false)
    return 'It is installed already. Tell the person; check action "update" for a newer version.'
  return isAtNewest(review, fit) === 'yes' ? 'It is at its newest version already. Tell the person.' : null
}

const toRun = (action: Review['action']): string =>
  `Tell the person all of this. To go on, they run the command in \`run\`, which ${
    action === 'enable' ? 'enables the installed plugin without asking' : 'reviews again and asks them'
  }.`
const toCall = (action: ChangeAction): string =>
  `Tell the person all of this. If they want it, call ${TOOLS[action].name} with id, command, check, about and risks as they are here.`

/** An update of all plugins leaves such an update to the user. */
const APART =
  'What this update gains, or that it is not known, is under "quoted". Among several updates, ask the person about this one by itself.'

/** Command of the command line that makes a change of a review. */
const runnable = (action: Review['action']): string => (action === 'approve' ? 'install' : action)

const ALLOW_BUILDS =
  'Tell the person. They see its build scripts and let them run in the plugin store of the web UI; it cannot be done from here.'

/** Refuses a change that runs build scripts: its question does not show them. */
export const withBuilds = (): ToolRefusal => ({
  ok: false,
  code: 'builds-need-approval',
  message: 'It runs build scripts that a person must see first, so nobody was asked and nothing was run.',
  next: ALLOW_BUILDS,
})

/** Refuses a source that nobody has checked: only the user may install it. */
const onlyListed = (): ToolRefusal => ({
  ok: false,
  code: 'unlisted',
  message:
    'Agents install only what the directory lists, in the version that it checked. A version, a commit, a folder or a tarball is for a person.',
  next: 'Tell the person that they can install it themselves, in a terminal with “plugmark install” or in the store’s search.',
})

function impossible(refusal: FactRefusal, fit: DeclaredFit | null): ToolRefusal {
  const t = messagesFor('en')
  const allow = refusal === 'incompatible' && fit ? toAllow(fit.allowCommand) : []
  return { ok: false, code: refusal, message: t.sentences(refusalLine(refusal, fit, t), ...allow), next: TELL }
}

const CAUTIONS: Readonly<Record<FitCaution, string>> = {
  unmet: 'made for another version of the harness',
  'foreign-scope': 'named in the harness’s own scope, but of another owner',
  shadows: 'comes with its own packages of the harness',
  deprecated: 'deprecated by its author',
}

const FITS: Readonly<Record<DeclaredFitState, string>> = {
  'declared-to-fit': 'supports this harness',
  'not-declared': 'does not say if it supports this harness',
  refused: 'refused by this harness',
  allowed: 'made for another version of the harness',
  'not-enforced': 'made for another version of the harness',
  unknown: 'unknown if it supports this harness',
  'not-found': 'not found',
}
const fitText = (fit: DeclaredFit | null): string => FITS[fit?.state ?? 'unknown']

/** Returns what the user must see of a review before they agree, as the arguments of the change. */
export function shownOf({ review, fit, installed }: Proposal): Shown {
  const { action, command, verdict, checkedAt, passedOver = null } = review
  const newest = agreedVersion(passedOver)
  const { facts } = factsOf(review)
  const isRemoval = action === 'remove'
  const name = agreedVersion(fit)
  const from = installed?.version
  const about = isRemoval
    ? [`version ${from ?? 'unknown'}`]
    : [
        from ? `version ${from} now` : '',
        `version ${name ?? 'unknown'}`,
        fitText(fit),
        passedOver && newest ? `not the newest, ${newest}, ${fitText(passedOver)}` : '',
        `licence ${facts.license ?? 'none'}`,
        `source ${facts.source || 'unknown'}`,
        'its code runs with your rights',
      ]
  return {
    command: command ?? `${action} by the harness’s plugin manager`,
    check: isRemoval ? 'not needed' : checkOf(verdict, checkedAt),
    about: about.filter(Boolean).join('; '),
    risks: isRemoval ? [] : [...facts.risks, ...fitCautions(fit).map((caution) => CAUTIONS[caution])],
  }
}

export const isSame = (a: Shown, b: Shown): boolean =>
  a.command === b.command &&
  a.check === b.check &&
  a.about === b.about &&
  a.risks.toSorted().join() === b.risks.toSorted().join()

/** Says how the user accepts what the harness refuses; says nothing where there is no such command. */
export const toAllow = (command: string | null): string[] =>
  command === null
    ? []
    : [`This is for a person to decide and to run, not for an agent. ${messagesFor('en').allowCommand} ${command}`]
