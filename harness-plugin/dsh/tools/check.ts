import { FullNameSchema } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { messagesFor } from '../../messages/index.ts'
import type { StoreBridge } from '../../protocol/index.ts'
import { DECLARATIONS } from './declarations.ts'
import { factsOf, QUOTED } from './facts.ts'
import { CHANGES, reviewChange, shownOf } from './reviewed.ts'
import type { Tool } from './tool.ts'

const input = v.strictObject({ id: FullNameSchema, action: v.optional(v.picklist(CHANGES), 'install') })

/** Creates the tool that reviews a change without asking anybody and without making it. */
export const checkTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ id, action }, { signal }) {
    const overview = await store.call('overview', {})
    if (!overview.ok) return overview
    const { profile } = overview.value
    const reviewed = await reviewChange(store, { id, profile, action }, signal)
    if (!reviewed.ok) return reviewed
    const { review, fit } = reviewed.value
    const { contract, review: words } = messagesFor('en')
    const { facts, quoted } = factsOf(review)
    return {
      ok: true,
      id: review.id,
      action: review.action,
      profile,
      ...shownOf(reviewed.value),
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
})
