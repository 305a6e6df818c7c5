import * as v from 'valibot'
import { messagesFor } from '../messages/index.ts'
import { factsOf, QUOTED } from './facts.ts'
import { IdSchema } from './id.ts'
import { CHANGES, reviewChange, shownOf } from './reviewed.ts'
import type { Tool } from './tool.ts'
import { DECLARATIONS } from './tool-declarations.ts'

const input = v.strictObject({ id: IdSchema, action: v.optional(v.picklist(CHANGES), 'install') })

/** Reviews a change without asking anybody and without making it. */
export const checkTool: Tool<typeof input> = {
  input,
  async run({ id, action }, given) {
    const reviewed = await reviewChange(id, action, given)
    if ('ok' in reviewed) return reviewed
    const { review, fit } = reviewed
    const { profile } = given
    const { contract, review: words } = messagesFor('en')
    const { facts, quoted } = factsOf(review)
    return {
      ok: true,
      id: review.id,
      action: review.action,
      profile,
      ...shownOf(reviewed),
      checkMeans: contract.verdict(review.verdict).sentence,
      fits: fit ? words.compatibility.sentence(fit) : words.compatibility.unknown,
      license: facts.license,
      builds: facts.builds.length > 0 ? facts.builds : null,
      source: facts.source,
      quoted: { ...quoted, deprecated: fit?.deprecated },
      notes: [QUOTED, contract.notAReview],
      next: `Tell the person all of this. If they want it, call ${DECLARATIONS[action].name} with id, command, check and risks as they are here.`,
    }
  },
}
