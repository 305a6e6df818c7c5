import { isVerdict } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { lexicon } from '../../messages/index.ts'
import type { DataOf, ReviewData } from '../documents.ts'
import { factLines, type Page } from './page.ts'

/** Everything that a person must see before they agree, on one screen. */
export function reviewLines(data: DataOf<'check'>, page: Page): string[] {
  const { words, style } = page
  const lines = [style.bold(words.consentTitle(data.reviews.length, data.profile))]
  for (const review of data.reviews)
    lines.push('', titleOf(review, page), ...factLines(factsOf(review, page, data.reviews.length === 1), page))
  if (data.skipped.length > 0)
    lines.push('', ...data.skipped.map(({ id, reason, message }) => `${id}: ${words.skipped[reason]}. ${message}`))
  const { store, ids } = lexicon(page.locale)
  const [first] = data.reviews
  const isRemoval = first?.action === 'remove'
  const trial = first?.trial ? (isRemoval ? store.review.trialWithout : store.review.trial) : store.review.noTrial
  const closing = isRemoval ? trial : `${store.review.rights} ${trial} ${ids.notAReview}`
  return [...lines, '', closing]
}

function factsOf(review: ReviewData, page: Page, isOnly: boolean): [string, string][] {
  const { words, style, locale } = page
  const { store, date } = lexicon(locale)
  const messages = contractMessages(locale)
  const command: [string, string] = [store.review.command, review.command ?? '']
  if (review.action === 'remove') return [command, ['', store.review.does.remove ?? '']]
  const verdict = messages.verdict(isVerdict(review.verdict) ? review.verdict : null)
  const mark = review.verdict === 'passed' ? style.good : review.verdict === null ? style.dim : style.warn
  const fit = review.compatibility
  return [
    command,
    [store.check, `${mark(store.checkedOn(verdict.name, date(review.checkedAt)))}. ${verdict.sentence}`],
    ...(isOnly && review.verdict !== null && review.command !== review.checkedCommand
      ? [['', store.review.checkedAs(review.checkedCommand)] as [string, string]]
      : []),
    ...review.risks.map((flag): [string, string] => {
      const { name, sentence } = messages.riskFlag(flag)
      return [words.risk, `${style.warn(name)}. ${sentence}`]
    }),
    ...(review.risks.length === 0 ? [[store.risks, store.noRisks] as [string, string]] : []),
    [
      store.review.compatibility.title,
      fit === null ? store.review.compatibility.unknown : store.review.compatibility.sentence(fit),
    ],
    ...review.builds.flatMap(({ package: name, version, key, scripts }): [string, string][] => [
      [words.builds, style.warn(`${name}${version === null ? '' : ` ${version}`}`)],
      ...(Object.keys(scripts).length === 0
        ? [['', store.review.approval.unknownScripts] as [string, string]]
        : Object.entries(scripts).map(([script, text]): [string, string] => ['', `${script}: ${text}`])),
      ['', `--allow-build ${key}`],
    ]),
    [store.license, review.license ?? store.noLicense],
    [store.source, review.source],
    ...(review.refusal === null ? [] : [[words.wouldBeRefused, style.bad(review.refusal.message)] as [string, string]]),
  ]
}

const titleOf = ({ action, id }: ReviewData, { style, locale }: Page): string =>
  lexicon(locale).store.review.title[action](style.bold(id))
