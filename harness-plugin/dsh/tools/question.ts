import type { Locale } from '@plugmark/shared/i18n'
import type { Reviewed } from '../../agents/review.ts'
import { messagesFor } from '../../messages/index.ts'
import { reviewFacts } from '../../messages/review-facts.ts'
import { compatibilityCautions } from '../../protocol/compatibility-cautions.ts'
import type { JobAction } from '../../protocol/index.ts'
import { plainName, plainText } from '../../protocol/text.ts'

const en = {
  asks: {
    install: (id, profile) => `Install ${id} into profile ${profile}?`,
    update: (id, profile) => `Update ${id} in profile ${profile}?`,
    remove: (id, profile) => `Remove ${id} from profile ${profile}?`,
    enable: (id, profile) => `Enable ${id} in profile ${profile}? It is already installed there.`,
    disable: (id, profile) => `Disable ${id} in profile ${profile}?`,
    approve: (id, profile) => `Install ${id} into profile ${profile} with its build scripts?`,
  } satisfies Readonly<Record<JobAction, (id: string, profile: string) => string>>,
  runs: (command: string) => `This will run: “${command}”.`,
  checked: (verdict: string) => `${verdict}.`,
  risk: (name: string, sentence: string) => `Risk: ${name}. ${sentence}`,
  versions: (plugin: string, now: string | null) =>
    `It takes ${plugin}${now === null ? '' : `; ${now} is installed now`}.`,
  from: (source: string, license: string) => `From ${source} (licence: ${license}).`,
}

const zh: typeof en = {
  asks: {
    install: (id, profile) => `要将 ${id} 安装到配置档 ${profile} 吗？`,
    update: (id, profile) => `要更新配置档 ${profile} 中的 ${id} 吗？`,
    remove: (id, profile) => `要从配置档 ${profile} 中移除 ${id} 吗？`,
    enable: (id, profile) => `要启用配置档 ${profile} 中已安装的 ${id} 吗？`,
    disable: (id, profile) => `要停用配置档 ${profile} 中的 ${id} 吗？`,
    approve: (id, profile) => `要将 ${id} 安装到配置档 ${profile} 并允许其构建脚本吗？`,
  },
  runs: (command) => `将运行命令“${command}”。`,
  checked: (verdict) => `${verdict}。`,
  risk: (name, sentence) => `风险：${name}。${sentence}`,
  versions: (plugin, now) => `将使用 ${plugin}${now === null ? '' : `；当前已安装 ${now}`}。`,
  from: (source, license) => `来自 ${source}（许可证：${license}）。`,
}

/** Length of a text of the directory or of a package in the question. */
const MOST_TEXT = 400

/**
 * Writes the question that a person answers before a job, one fact a line. It asks about the action of the review, which
 * may be another than the one that was called for. The harness's page shows the lines as one paragraph, so each is a
 * sentence of its own. Texts of the directory are made plain.
 */
export function questionOf({ review, fit: compatibility, installed }: Reviewed, locale: Locale): string {
  const { action } = review
  const t = messagesFor(locale)
  const { rights, trial, trialWithout, noTrial, desktop, does, checkedAs, compatibility: harness } = t.review
  const { asks, runs, checked, risk, from, versions } = { en, zh }[locale]
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
    t.sentences(checked(t.contract.verdictLabel(review.verdict, review.checkedAt).text), verdict.sentence),
    ...(isAnother ? [checkedAs(review.checkedCommand)] : []),
    ...(compatibility ? [versions(plainText(compatibility.plugin, 200), installed?.version ?? null)] : []),
    compatibility ? harness.sentence(compatibility) : harness.unknown,
    ...(compatibility
      ? compatibilityCautions(compatibility).map((caution) =>
          plainText(harness.cautions[caution](compatibility), MOST_TEXT),
        )
      : []),
    ...review.riskFlags.map((flag) => {
      const { name, sentence } = t.contract.riskFlag(flag)
      return risk(plainName(name), sentence)
    }),
    ...reviewFacts(review, t.review.facts).map(({ text }) => plainText(text, MOST_TEXT)),
    from(plainText(review.repoUrl, 200), plainName(review.license ?? t.facets.license.values.none)),
    t.sentences(rights, review.trial ? trial : review.desktop ? desktop : noTrial, ...others, t.contract.notAReview),
  ].join('\n')
}
