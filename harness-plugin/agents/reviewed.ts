import { isOnlySource } from '@plugmark/shared/install'
import { ClientError, unwrap } from '../client/client-error.ts'
import { messagesFor } from '../messages/index.ts'
import { type CompatibilityCaution, compatibilityCautions } from '../protocol/compatibility-cautions.ts'
import type { Compatibility, Review } from '../protocol/index.ts'
import { checkOf, factsOf } from './facts.ts'
import { type Asking, type ToolRefusal, unlessAborted } from './tool.ts'

/** Actions that an agent can ask for. To let build scripts run and to disable are left to the screen. */
export const CHANGES = ['install', 'update', 'remove'] as const
export type Change = (typeof CHANGES)[number]

/** A review with what the harness says of the plugin's requirements; null when that is not known beforehand. */
export interface Reviewed {
  readonly review: Review
  readonly fit: Compatibility | null
}

/**
 * Reviews a change of a profile. Changes nothing. Before an install or an update, asks the directory for the plugin itself.
 *
 * @param text names the plugin, as `StoreClient.resolve` takes it
 * @returns a refusal when the harness, or the registry, makes the change impossible
 * @throws ClientError when it cannot be reviewed
 */
export async function reviewChange(
  text: string,
  action: Change,
  { client, profile, signal }: Asking,
): Promise<Reviewed | ToolRefusal> {
  if (action === 'install' && isOnlySource(text)) return onlyListed()
  const { id } =
    action === 'install'
      ? await client.resolve(text, await client.listings({ stale: 'use' }))
      : await client.resolveInstalled(text, { action, profile })
  if (action !== 'remove' && !unwrap(await unlessAborted(signal, client.host.confirm(id))))
    throw new ClientError('unknown-listing', (words) => words.noLongerListed(id))
  const { calls } = client.host
  const review = unwrap(await unlessAborted(signal, calls.review({ id, profile, action })))
  const fit = unwrap(await unlessAborted(signal, calls.compatibility({ id: review.id, token: review.token })))
  return fit && (fit.state === 'refused' || fit.state === 'not-found') ? impossible(fit) : { review, fit }
}

/** Refuses a source that nobody has checked: only a person may install it. */
const onlyListed = (): ToolRefusal => ({
  ok: false,
  code: 'unlisted',
  message:
    'Agents install only what the directory lists, in the version that it checked. A version, a commit, a folder or a tarball is for a person.',
  next: 'Tell the person that they can install it themselves, in a terminal with “plugmark install” or in the store’s search.',
})

function impossible(fit: Compatibility): ToolRefusal {
  const { review, sentences } = messagesFor('en')
  const message = sentences(review.compatibility.sentence(fit), ...toAllow(fit.allowCommand))
  return {
    ok: false,
    code: fit.state === 'refused' ? 'incompatible' : 'not-installable',
    message,
    next: 'Tell the person why, or look for another plugin. Do not look for a way around.',
  }
}

const CAUTIONS: Readonly<Record<CompatibilityCaution, string>> = {
  'not-found': 'the registry or the code host does not have it, so the install will fail',
  unmet: 'made for another version of the harness',
  'foreign-scope': 'named in the harness’s own scope, but of another owner',
  shadows: 'brings its own packages of the harness',
  deprecated: 'deprecated by its author',
}

/** Arguments of a change that every client shows to the person who is asked. */
export interface Shown {
  readonly command: string
  readonly check: string
  readonly risks: readonly string[]
}

/** Returns what a person must see of a review before they agree, as the arguments of the change. */
export function shownOf({ review, fit }: Reviewed): Shown {
  const { action, command, verdict, checkedAt } = review
  const risks = action === 'remove' ? [] : factsOf(review).facts.risks
  return {
    command: command ?? `${action} by the harness’s plugin manager`,
    check: action === 'remove' ? 'not needed' : checkOf(verdict, checkedAt),
    risks: [...risks, ...compatibilityCautions(fit).map((caution) => CAUTIONS[caution])],
  }
}

export const isSame = (a: Shown, b: Shown): boolean =>
  a.command === b.command && a.check === b.check && a.risks.toSorted().join() === b.risks.toSorted().join()

/** Says how a person accepts what the harness refuses; says nothing where there is no such command. */
export const toAllow = (command: string | null): string[] =>
  command === null
    ? []
    : [`This is for a person to decide and to run, not for an agent. ${messagesFor('en').allowCommand} ${command}`]
