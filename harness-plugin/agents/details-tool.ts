import { contractMessages } from '@plugmark/shared/i18n'
import * as v from 'valibot'
import { unwrap } from '../client/client-error.ts'
import { checkOf, factsOf, QUOTED } from './facts.ts'
import { IdSchema } from './id.ts'
import type { Tool } from './tool.ts'
import { DECLARATIONS } from './tool-declarations.ts'

const MOST_NAMES = 10

const input = v.strictObject({ id: IdSchema })

/** Tells all that is known of one listing. */
export const detailsTool: Tool<typeof input> = {
  input,
  async run({ id: text }, { client, profile }) {
    const { id } = await client.resolve(text, await client.listings({ stale: 'use' }), { byName: true })
    const known = unwrap(await client.host.calls.details({ id, profile }))
    const messages = contractMessages('en')
    const { facts, quoted } = factsOf(known)
    return {
      ok: true,
      id: known.id,
      package: facts.package,
      category: facts.category,
      stars: known.stars,
      license: facts.license,
      language: facts.language,
      source: facts.source,
      page: known.page,
      pushedAt: known.pushedAt,
      installable: known.installable,
      command: known.command,
      whyNot: known.reason && messages.reason(known.reason),
      check: checkOf(known.verdict, known.checkedAt),
      checkMeans: messages.verdict(known.verdict).sentence,
      risks: facts.risks.map((flag) => ({ flag, means: messages.riskFlag(flag).sentence })),
      builds: facts.builds.length > 0 ? facts.builds : null,
      sameRepository: known.siblings.length > 0 ? known.siblings.slice(0, MOST_NAMES) : null,
      quoted: { ...quoted, summary: known.summary, summaryZh: known.summaryZh },
      notes: [QUOTED, messages.notAReview],
      next: known.command === null ? null : `To install it, call ${DECLARATIONS.check.name} first.`,
    }
  },
}
