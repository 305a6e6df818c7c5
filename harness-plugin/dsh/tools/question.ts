import type { Locale } from '@plugmark/shared/i18n'
import { plainName, plainText } from '../../client/plain-text.ts'
import { messagesFor } from '../../messages/index.ts'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { Compatibility, JobAction, Review } from '../../protocol/index.ts'

/** What an agent can ask for. To let build scripts run, to enable and to disable is left to the screen. */
export type Change = Extract<JobAction, 'install' | 'update' | 'remove'>

const en = {
  asks: {
    install: (id, profile) => `Install ${id} into profile ${profile}?`,
    update: (id, profile) => `Update ${id} in profile ${profile}?`,
    remove: (id, profile) => `Remove ${id} from profile ${profile}?`,
  } satisfies Readonly<Record<Change, (id: string, profile: string) => string>>,
  runs: (command: string) => `This will run: “${command}”.`,
  checked: (verdict: string) => `${verdict}.`,
  risk: (name: string, sentence: string) => `Risk: ${name}. ${sentence}`,
  from: (source: string, license: string) => `From ${source} (licence: ${license}).`,
}

const zh: typeof en = {
  asks: {
    install: (id, profile) => `要将 ${id} 安装到配置档 ${profile} 吗？`,
    update: (id, profile) => `要更新配置档 ${profile} 中的 ${id} 吗？`,
    remove: (id, profile) => `要从配置档 ${profile} 中移除 ${id} 吗？`,
  },
  runs: (command) => `将运行命令“${command}”。`,
  checked: (verdict) => `${verdict}。`,
  risk: (name, sentence) => `风险：${name}。${sentence}`,
  from: (source, license) => `来自 ${source}（许可证：${license}）。`,
}

/**
 * What a person is asked before a job, one fact a line: the harness shows them nothing else of the call. Its page shows
 * the lines as one paragraph, so each is a sentence of its own. What the directory says is in it as plain text.
 */
export function questionOf(
  review: Review,
  compatibility: Compatibility | null,
  action: Change,
  locale: Locale,
): string {
  const t = messagesFor(locale)
  const { rights, trial, trialWithout, noTrial, desktop, does, checkedAs, compatibility: harness } = t.review
  const { asks, runs, checked, risk, from } = { en, zh }[locale]
  const opening = [
    asks[action](plainText(review.id, 200), review.profile),
    ...(review.command ? [runs(review.command)] : []),
  ]
  const effect = does[action] ?? ''
  const others = review.otherPlugins ? [t.review.otherPlugins[review.otherPlugins]] : []
  if (action === 'remove')
    return [...opening, t.sentences(effect, ...(review.trial ? [trialWithout] : []), ...others)].join('\n')

  const verdict = t.contract.verdict(review.verdict)
  const isAnother = review.verdict !== null && review.checkedCommand !== review.command
  return [
    ...opening,
    ...(effect ? [effect] : []),
    t.sentences(checked(t.checkedOn(verdict.name, t.date(review.checkedAt))), verdict.sentence),
    ...(isAnother ? [checkedAs(review.checkedCommand)] : []),
    compatibility ? harness.sentence(compatibility) : harness.unknown,
    ...(compatibility
      ? compatibilityCautions(compatibility).map((caution) => plainText(harness.cautions[caution](compatibility), 400))
      : []),
    ...review.riskFlags.map((flag) => {
      const { name, sentence } = t.contract.riskFlag(flag)
      return risk(plainName(name), sentence)
    }),
    from(plainText(review.repoUrl, 200), plainName(review.license ?? t.facets.license.values.none)),
    t.sentences(rights, review.trial ? trial : review.desktop ? desktop : noTrial, ...others, t.contract.notAReview),
  ].join('\n')
}
