import { createInterface } from 'node:readline/promises'
import type { ReviewData } from '../../client/published.ts'
import { messagesFor } from '../../messages/index.ts'
import { flagsWithCode, type InspectionLine, inspectionLines } from '../../messages/inspection-lines.ts'
import { shownFacts } from '../../messages/shown-facts.ts'
import { agreedVersion, compatibilityCautions } from '../../protocol/fit.ts'
import type { DataOf } from '../documents.ts'
import type { Session } from '../session.ts'
import { safeText } from '../writer.ts'
import { wrapped } from './columns.ts'
import { Facts, factLines, hasCursor, type Page, pageFor, TONES } from './page.ts'

/** Renders everything that a person must see before they agree, on one screen. */
export function reviewLines(data: DataOf<'check'>, page: Page): string[] {
  const { words, style } = page
  const lines = [style.bold(words.consentTitle(data.reviews.length, data.profile))]
  for (const review of data.reviews)
    lines.push('', titleOf(review, page), ...factLines(factsOf(review, page, data.reviews.length === 1), page))
  if (data.skipped.length > 0) lines.push('', ...data.skipped.flatMap((one) => skippedLines(one, page)))
  const t = messagesFor(page.locale)
  const [first] = data.reviews
  const isRemoval = first?.action === 'remove'
  const trial = first?.trial ? (isRemoval ? t.review.trialWithout : t.review.trial) : t.review.noTrial
  const others = data.reviews.map(({ otherPlugins }) => otherPlugins)
  const [other] = (['started', 'off'] as const).filter((state) => others.includes(state))
  const closing = t.sentences(
    ...(first && !isRemoval ? [t.review.does[first.action] ?? [], t.review.rights].flat() : []),
    trial,
    ...(other ? [t.review.otherPlugins[other]] : []),
    ...(isRemoval ? [] : [t.contract.notAReview]),
  )
  const missing = [...new Set(data.reviews.flatMap(({ missing }) => missing))]
  const unread = missing.length > 0 ? wrapped(style.warn(t.review.missing(missing)), page.columns) : []
  return [...lines, '', ...wrapped(closing, page.columns), ...unread]
}

/** Lists what it is, where it comes from and whether it runs here; then only what is special about it. */
function factsOf(review: ReviewData, page: Page, isOnly: boolean): Facts {
  const { words, style, locale } = page
  const t = messagesFor(locale)
  const facts = new Facts()
  if (review.action === 'remove') {
    facts.add(t.review.command, review.command ?? '', t.review.does.remove ?? null)
    return facts
  }
  const { compatibility: fit, passedOver, installed, cautions } = review
  const { compatibility } = t.review
  const version = agreedVersion(fit)
  const untested = t.fit.untested(fit?.harnessVersion ?? null)
  if (version !== null) {
    const reason = passedOver && t.review.passedOver(compatibility.sentence(passedOver), version)
    facts.add(t.review.version, t.review.versions(installed, version), reason)
  }
  facts.add(t.source, review.source || null)
  facts.add(
    compatibility.title,
    fit === null ? compatibility.unknown : compatibility.sentence(fit),
    ...compatibilityCautions(fit).map((caution) => fit && style.warn(compatibility.cautions[caution](fit))),
    untested === '' ? null : style.dim(untested),
  )
  facts.add(t.review.command, review.command ?? '')
  if (cautions.includes('unlisted')) facts.add(words.directory, style.warn(t.review.cautions.unlisted))
  else {
    const isOther =
      isOnly && review.verdict !== null && review.command !== review.checkedCommand && review.action !== 'update'
    facts.add(words.directory, verdictText(review, page), isOther ? t.review.checkedAs(review.checkedCommand) : null)
  }
  const withCode = flagsWithCode(review.risks, review.inspection)
  addRisks(
    facts,
    review.risks.filter((flag) => !withCode.includes(flag)),
    page,
  )
  for (const { package: name, version, key, scripts } of review.builds) {
    const lines = Object.entries(scripts).map(([script, text]) => `${script}: ${text}`)
    facts.add(
      words.builds,
      style.warn(`${name}${version === null ? '' : ` ${version}`}`),
      ...(lines.length === 0 ? [t.review.approval.unknownScripts] : lines),
      `--allow-build ${key}`,
    )
  }
  facts.push(...buildNotes(review, page))
  for (const { title, text } of shownFacts(review, t.review.facts)) facts.add(title, text)
  if (cautions.includes('past')) facts.add('', style.warn(t.review.cautions.past))
  facts.push(...inspectionFacts(review, page, isOnly))
  if (isOnly && review.action !== 'enable' && installed !== null && version !== installed) {
    const versions = review.commit === null && version !== null ? [installed, version] : []
    facts.add(t.changes.read, ['plugmark diff', review.id, ...versions].join(' '))
  }
  facts.add(t.facets.license.title, review.license ?? t.facets.license.values.none)
  return facts
}

/** Returns the verdict of the install check with its meaning. */
export function verdictText(
  { verdict, checkedAt }: Pick<ReviewData, 'verdict' | 'checkedAt'>,
  { words, style, locale }: Page,
): string {
  const { contract } = messagesFor(locale)
  const { text, tone } = contract.verdictLabel(verdict, checkedAt)
  return words.explained(style[TONES[tone]](text), contract.verdict(verdict).sentence)
}

export function addRisks(facts: Facts, flags: readonly string[], { words, style, locale }: Page): void {
  for (const flag of flags) {
    const { name, sentence } = messagesFor(locale).contract.riskFlag(flag)
    facts.add(words.risk, words.explained(style.warn(name), sentence))
  }
}

/** Returns what was read of the package; among several changes only what it can do, and what to be careful about. */
function inspectionFacts(
  { inspection, risks }: ReviewData,
  { style, locale }: Page,
  isOnly: boolean,
): [string, string][] {
  if (inspection === null) return []
  const flags = flagsWithCode(risks, inspection)
  const styled = ({ text, isCaution, weight }: InspectionLine) =>
    isCaution ? style.warn(text) : weight === 'strong' ? style.bold(text) : weight === 'minor' ? style.dim(text) : text
  return inspectionLines(inspection, messagesFor(locale), { flags }).flatMap(({ kind, title, lines }) =>
    lines
      .filter(({ isCaution, isDetail }) => isOnly || (kind === 'code' && !isDetail) || isCaution)
      .flatMap((line, index): [string, string][] => {
        const { places, code = [] } = line
        const at = places.length > 0 ? [style.dim(places.join(', '))] : []
        return [
          [index === 0 ? title : '', [styled(line), ...at].join('  ')],
          ...code.map((text): [string, string] => ['', style.dim(`  ${text}`)]),
        ]
      }),
  )
}

/** Explains the effect of allowing build scripts. */
function buildNotes({ builds, buildSetting, cautions }: ReviewData, { style, locale }: Page): [string, string][] {
  const t = messagesFor(locale)
  const { approval } = t.review
  if (buildSetting === null) return []
  const scope = builds.some(({ key, package: name }) => key === name) ? approval.everyVersion : approval.otherVersion
  const before = cautions.includes('build-scripts') ? [style.warn(t.review.cautions['build-scripts'])] : []
  return [['', t.sentences(approval.keys(buildSetting), scope, ...before)]]
}

const titleOf = ({ action, id }: ReviewData, { style, locale }: Page): string =>
  messagesFor(locale).review.title(action, style.bold(id))

export const skippedLines = (
  { id, reason, message }: DataOf<'check'>['skipped'][number],
  { words, columns }: Page,
): string[] => {
  const name = words.skipped[reason]
  return wrapped(words.labelled(id, name === undefined ? message : words.explained(name, message)), columns)
}

/**
 * Shows a review to a person, and asks for consent.
 *
 * @returns true if the person agreed
 */
export async function ask(
  session: Session,
  question: string,
  toLines: (page: Page) => readonly string[],
): Promise<boolean> {
  const { stdin, stderr, words, signal, errors } = session
  const page = pageFor(stderr, session)
  session.progress.end()
  errors.text(`${toLines(page).join('\n')}\n\n`)
  await errors.flushed()
  // Let readline write to the stream itself: it moves the cursor by escape sequences.
  const lines = createInterface({ input: stdin, output: stderr, terminal: hasCursor(stderr, session.env) })
  // Readline handles Ctrl+C itself, so pass it on to the listeners. On Windows a real signal would end the process at once.
  lines.on('SIGINT', () => process.emit('SIGINT'))
  try {
    const answer = await lines.question(safeText(`${page.style.bold(question)} ${words.answers} `), { signal })
    return words.yes.includes(answer.trim().toLowerCase())
  } catch {
    // Ctrl+D leaves the cursor at the end of the question.
    errors.text('\n')
    return false
  } finally {
    lines.close()
  }
}
