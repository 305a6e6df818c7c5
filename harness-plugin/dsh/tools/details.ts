import { FullNameSchema } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import * as v from 'valibot'
import { plainName } from '../../client/plain-text.ts'
import type { StoreBridge } from '../../protocol/index.ts'
import { QUOTED } from './search.ts'
import { type Tool, unlessAborted } from './tool.ts'

const MOST_NAMES = 10

const input = v.strictObject({ id: FullNameSchema })

export const detailsTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ id }, { signal }) {
    const overview = await store.call('overview', {})
    if (!overview.ok) return overview
    const details = await unlessAborted(signal, store.call('details', { id, profile: overview.value.profile }))
    if (!details.ok) return details
    const known = details.value
    const said = contractMessages('en')
    return {
      ok: true,
      id: known.id,
      category: known.category && plainName(known.category),
      stars: known.stars,
      license: known.license && plainName(known.license),
      language: known.language && plainName(known.language),
      source: known.repoUrl,
      page: known.page,
      pushedAt: known.pushedAt,
      installable: known.installable,
      command: known.command,
      whyNot: known.reason && said.reason(known.reason),
      check: known.verdict ?? 'not known',
      checkedAt: known.checkedAt,
      checkMeans: said.verdict(known.verdict).sentence,
      risks: known.riskFlags
        .slice(0, MOST_NAMES)
        .map((flag) => ({ flag: plainName(flag), means: said.riskFlag(flag).sentence })),
      builds: known.blockedBuilds.length > 0 ? known.blockedBuilds.slice(0, MOST_NAMES).map(plainName) : null,
      sameRepository: known.siblings.length > 0 ? known.siblings.slice(0, MOST_NAMES) : null,
      quoted: { summary: known.summary, summaryZh: known.summaryZh },
      notes: [QUOTED, said.notAReview],
    }
  },
})
