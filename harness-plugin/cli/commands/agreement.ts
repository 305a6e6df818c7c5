/** A review as the user reads it, and the yes to it, by the user or by a digest. */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import type { ReviewData } from '../../client/published.ts'
import { knownAgainst } from '../../client/store-client.ts'
import { messagesFor } from '../../messages/index.ts'
import { flagsOf, type InspectionGroup, type InspectionLine, inspectionLines } from '../../messages/inspection-lines.ts'
import { shownFacts } from '../../messages/shown-facts.ts'
import { agreedVersion, fitCautions, hasAllRequired, hasFailedHere } from '../../protocol/fit.ts'
import type { Inspection } from '../../protocol/inspection.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import type { SyncWarning } from '../../protocol/profile-lock.ts'
import { areScriptsAllowed, runsBuilds } from '../../protocol/review-facts.ts'
import type { DataOf, Skipped } from '../documents.ts'
import { Failure, type FailureCode } from '../failure.ts'
import type { Session } from '../session.ts'
import { wrapped } from '../text/columns.ts'
import { Facts, factLines, hasCursor, type Page, pageFor, TONES } from '../text/terminal.ts'
import type { LocalizedText } from '../words/index.ts'
import { safeText } from '../writer.ts'

// The yes

/** Asks the user. @throws Failure unless the user agreed to these reviews */
export async function agree(
  session: Session,
  data: DataOf<'check'>,
  given: {
    readonly action: 'install' | 'update' | 'remove' | 'sync'
    readonly scope: ConsentScope
    /** Digest that agrees, and keys of the build scripts that may run. */
    readonly accept?: string | undefined
    readonly allowBuild?: readonly string[] | undefined
    /** Command that agrees to these reviews. */
    readonly accepting: string
  },
): Promise<void> {
  const { action, scope, accept, allowBuild = [], accepting } = given
  const needed = buildKeysOf(data.reviews)
  if (accept !== undefined && !agreesTo(accept, data.reviews, scope))
    throw unagreed('consent-changed', ({ failures }) => failures.reviewChanged, accepting)
  const extra = allowBuild.find((key) => !needed.includes(key))
  if (extra !== undefined) throw unagreed('nothing-blocked', ({ failures }) => failures.noBuildOfKey(extra), accepting)
  const missing = needed.filter((key) => !allowBuild.includes(key))
  if (accept !== undefined) {
    if (missing.length === 0) return
    throw unagreed('builds-need-approval', ({ failures }) => failures.buildKeys(missing), accepting)
  }
  if (!session.canAsk) throw unagreed('consent-needed', ({ failures }) => failures.consent, accepting)
  const question = questionOf(data.reviews, action, session.words)
  if (await ask(session, question, (page) => reviewLines(data, page, true))) return
  throw new Failure('cancelled', ({ declined }) => declined)
}

/** Asks for build scripts where some are to be allowed, and names them where they run because they were allowed before. */
export function questionOf(
  reviews: readonly ReviewData[],
  action: 'install' | 'update' | 'remove' | 'sync',
  { question }: Session['words'],
): string {
  if (buildKeysOf(reviews).length > 0) return question.builds
  const runsScripts = reviews.some((one) => areScriptsAllowed(one, one.compatibility))
  return runsScripts && action !== 'remove' ? question.allowedBuilds[action] : question[action]
}

/** Returns the keys of the build scripts that wait for a yes. */
export const buildKeysOf = (reviews: readonly ReviewData[]): string[] => [
  ...new Set(reviews.flatMap(({ builds }) => builds.map(({ key }) => key))),
]

/**
 * Returns a failure that the user's yes resolves. The command that passes it on is in the data and not the next step: a
 * program that runs the next step must not consent.
 */
const unagreed = (code: FailureCode, text: LocalizedText, accept: string): Failure =>
  new Failure(code, text, { next: ({ failures }) => failures.showReview, data: { accept } })

/**
 * Shows a review to the user, and asks for consent. Shows all of it where the user asks for the details.
 *
 * @returns true if the user agreed
 */
export async function ask(
  session: Session,
  question: string,
  toLines: (page: Page) => readonly string[],
): Promise<boolean> {
  const { stdin, stderr, words, signal, errors } = session
  const page = pageFor(stderr, session)
  const show = async (at: Page) => {
    errors.text(`${toLines(at).join('\n')}\n\n`)
    await errors.flushed()
  }
  session.progress.end()
  await show(page)
  // Let readline write to the stream itself: it moves the cursor by escape sequences.
  const lines = createInterface({ input: stdin, output: stderr, terminal: hasCursor(stderr, session.env) })
  // Readline handles Ctrl+C itself, so pass it on to the listeners. On Windows a real signal would end the process at once.
  lines.on('SIGINT', () => process.emit('SIGINT'))
  try {
    const prompt = safeText(`${page.style.bold(question)}${words.answers}`)
    const read = async () => (await lines.question(prompt, { signal })).trim().toLowerCase()
    let answer = await read()
    if (words.details.includes(answer)) {
      await show({ ...page, isWhole: true })
      answer = await read()
    }
    return words.yes.includes(answer)
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    if (name !== 'AbortError' && code !== 'ERR_USE_AFTER_CLOSE') throw error
    // Ctrl+D leaves the cursor at the end of the question.
    errors.text('\n')
    return false
  } finally {
    lines.close()
  }
}

// Digests of what was reviewed

/** What a yes is bound to beside the reviews. */
export interface ConsentScope {
  readonly profile: string
  readonly home: string
  readonly directory: string | null
  /** Lock that a sync makes the profile like, whole: it has patches and packages that no review shows. */
  readonly file?: { readonly text: string; readonly warnings: readonly SyncWarning[] } | undefined
}

/** Returns the digest of reviews and their scope: another review or another profile has another digest. */
export function digestOf(reviews: readonly ReviewData[], { profile, home, directory, file }: ConsentScope): string {
  // What was read of a package is about its version, which the digest has. What is known against it changes.
  const digests = reviews.map(({ compatibility, inspection, missing: _, ...review }) =>
    sha256([review, packageFacts(compatibility), knownAgainst(inspection)]),
  )
  return sha256([directory, home, profile, digests, ...(file === undefined ? [] : [file])])
}

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/**
 * Returns true if a digest agrees to these reviews. Accepts a digest from a time when the version of the harness could not be
 * read, unless there is a warning now: a slow machine does not change the facts.
 */
export function agreesTo(digest: string, reviews: readonly ReviewData[], scope: ConsentScope): boolean {
  if (digest === digestOf(reviews, scope)) return true
  if (reviews.some(({ compatibility }) => fitCautions(compatibility).length > 0)) return false
  const early = reviews.map(({ compatibility: fit, ...review }): ReviewData => {
    const compatibility = fit && { ...fit, state: 'unknown' as const, harnessVersion: null }
    return { ...review, compatibility }
  })
  return digest === digestOf(early, scope)
}

type Compatibility = ReviewData['compatibility']

/** Returns what was read of a package and the harness; null for an unread package. A trial that ended is no other fact. */
const packageFacts = (fit: Compatibility) => (agreedVersion(fit) === null ? null : { ...fit, trial: null })

// The question

/**
 * Renders everything that the user must see before they agree, on one screen. What few need to read is left to
 * `--verbose`; a warning, a refusal and what is unknown never is.
 *
 * @param isAsked true where a key shows the rest, too
 */
export function reviewLines(data: DataOf<'check'>, page: Page, isAsked = false): string[] {
  const { words, style } = page
  const lines = [style.bold(words.consentTitle(data.reviews.length, data.profile))]
  const isOnly = page.isWhole || data.reviews.length === 1
  // Of these it is unknown which of the plugins comes with them.
  const isShared = ({ key }: ReviewData['builds'][number]) =>
    data.reviews.filter(({ builds }) => builds.some((one) => one.key === key)).length > 1
  for (const review of data.reviews) {
    const builds = review.builds.filter((one) => !isShared(one))
    const own = { ...review, ...(builds.length === 0 && withoutBuilds(review)), builds }
    lines.push('', titleOf(own, page), ...factLines(factsOf(own, page, isOnly), page))
  }
  const shared = data.reviews.find(({ builds }) => builds.some(isShared))
  if (shared) {
    const facts = new Facts(...buildFacts({ ...shared, builds: shared.builds.filter(isShared) }, page))
    lines.push('', ...factLines(facts, page), ...wrapped(words.several.builds, page.columns))
  }
  const { drift, made, warnings } = messagesFor(page.locale).profileLock
  for (const one of data.made ?? []) lines.push(...wrapped(made(drift(one)), page.columns))
  for (const { kind, names } of data.warnings ?? [])
    lines.push(...wrapped(page.style.warn(warnings[kind](names)), page.columns))
  if (data.skipped.length > 0) lines.push('', ...skippedLines(data.skipped, page))
  if (data.reviews.length === 0) return lines
  const t = messagesFor(page.locale)
  const [first] = data.reviews
  const isRemoval = first?.action === 'remove'
  // Only the app itself undoes a change of its profile, or starts it.
  const isDesktop = first?.desktop === true
  const untried = isDesktop ? (isRemoval ? [] : [t.review.desktop]) : [t.review.noTrial]
  const others = data.reviews.map(({ otherPlugins }) => otherPlugins)
  const [other] = (['started', 'off'] as const).filter((state) => others.includes(state))
  const effect = first && (page.isWhole || first.action !== 'update') ? t.review.does[first.action] : null
  const does = effect ? [effect] : []
  const back = isRemoval && !isDesktop ? [t.review.undoable] : []
  const runsScripts = data.reviews.some((one) => runsBuilds({ ...one, approval: one.buildSetting }))
  const isSeveral = data.reviews.length > 1
  const rights = isSeveral ? words.several.rights : t.review.rights
  const running = first && !isRemoval && first.action !== 'disable' ? [rights] : []
  const tried = isSeveral ? words.several.tried : t.review.tried
  const short = t.sentences(
    ...does,
    ...running,
    ...(first?.trial ? [runsScripts ? t.review.triedBuilt : tried] : [...back, ...untried]),
  )
  const whole = t.sentences(
    ...does,
    ...back,
    ...running,
    ...(first?.trial ? [isRemoval ? t.review.trialWithout : t.review.trial] : untried),
    ...(other ? [t.review.otherPlugins[other]] : []),
    ...(isRemoval ? [] : [t.contract.notAReview]),
  )
  const missing = [...new Set(data.reviews.flatMap(({ missing }) => missing))]
  const unread = missing.length > 0 ? wrapped(style.warn(words.notKnownYet(missing)), page.columns) : []
  const rest = words.rest(isAsked ? 'd' : '--verbose', isRemoval)
  const closing = page.isWhole ? [whole] : [short, style.dim(rest)]
  return [...lines, '', ...closing.flatMap((line) => wrapped(line, page.columns)), ...unread]
}

/** Lists what it is, where it comes from and whether it runs here; then only what is special about it. */
function factsOf(review: ReviewData, page: Page, isOnly: boolean): Facts {
  const { words, style, locale } = page
  const t = messagesFor(locale)
  const facts = new Facts()
  const shown = shownFacts(review, t.review.facts)
  if (review.action === 'remove') {
    if (page.isWhole) facts.add(words.factTitles.willRun, review.command)
    for (const { title, text } of shown) facts.add(title, text)
    return facts
  }
  const { compatibility: fit, passedOver, installed, cautions } = review
  const { fit: harness } = t.review
  const untested = t.fit.untested(fit?.harnessVersion ?? null)
  const harnessCautions = fitCautions(fit)
  const didNotRun = hasFailedHere(fit)
  if (page.isWhole || fit === null || !hasAllRequired(fit) || didNotRun || harnessCautions.length > 0) {
    const sentence = fit === null ? harness.unknown : harness.sentence(fit)
    facts.add(
      harness.title,
      didNotRun ? style.warn(sentence) : sentence,
      ...harnessCautions.map((caution) => fit && style.warn(harness.cautions[caution](fit))),
      untested === '' ? null : style.dim(untested),
    )
  }
  const version = agreedVersion(fit)
  if (!page.isWhole) facts.add(words.factTitles.package, packageText(review, page))
  if (version !== null) {
    const reason = passedOver && t.review.passedOver(harness.sentence(passedOver), version)
    facts.add(words.factTitles.version, page.isWhole ? t.review.versions(installed, version) : null, reason)
  }
  if (page.isWhole) {
    facts.add(t.source, review.source || null)
    facts.add(words.factTitles.willRun, review.command ?? '')
  }
  if (cautions.includes('unlisted')) facts.add(words.directory, style.warn(t.review.cautions.unlisted))
  else {
    const isKnown = isOnly && review.verdict !== null && review.action !== 'update'
    const isOther = isKnown && inAnyProfile(review.command ?? '') !== inAnyProfile(review.checkedCommand)
    const isExpected = !isOther && t.contract.verdictLabel(review.verdict, review.checkedAt).tone === 'good'
    // Nothing is left to allow.
    const isAllowed =
      review.verdict === 'needs-approval' && review.builds.length === 0 && review.allowedBuilds.length > 0
    if (page.isWhole || !isExpected)
      facts.add(
        words.directory,
        verdictText(review, page, isAllowed),
        isOther ? t.review.checkedAs(review.checkedCommand) : null,
      )
  }
  facts.push(...buildFacts(review, page))
  for (const { title, text } of shown) facts.add(title, text)
  if (cautions.includes('past')) facts.add('', style.warn(t.review.cautions.past))
  facts.push(...inspectionFacts(review, page))
  if (isOnly && review.action !== 'enable' && installed !== null && version !== installed) {
    const versions = review.commit === null && version !== null ? [installed, version] : []
    facts.add(t.diff.read, ['plugmark diff', review.id, ...versions].join(' '))
  }
  if (page.isWhole || review.license === null)
    facts.add(t.facets.license.title, review.license ?? t.facets.license.values.none)
  return facts
}

/** Leaves the profile out of a command of the harness: the check had one of its own. */
const inAnyProfile = (command: string): string => command.replace(/ --profile \S+/, '')

/** Says in one line what is installed: its package or source, its licence, and who published it when. */
function packageText({ compatibility: fit, package: name, source, license, inspection }: ReviewData, { locale }: Page) {
  const { ago, inspection: words } = messagesFor(locale)
  const { publishedAt = null, publisher = null } = inspection?.origin ?? {}
  const published = publishedAt && words.origin.published(ago(Date.parse(publishedAt), Date.now()), publisher)
  const installed = agreedVersion(fit) === null ? name : splitPackageId(fit!.plugin).name
  return [installed ?? source, license, published].filter(Boolean).join(' · ') || null
}

/** Returns the verdict of the install check with its meaning. @param isAllowed true if that is done already */
export function verdictText(
  { verdict, checkedAt }: Pick<ReviewData, 'verdict' | 'checkedAt'>,
  { words, style, locale }: Page,
  isAllowed = false,
): string {
  const { contract } = messagesFor(locale)
  const { text, tone } = contract.verdictLabel(verdict, checkedAt)
  const label = style[TONES[tone]](text)
  return isAllowed ? label : words.explained(label, contract.verdict(verdict).sentence)
}

/** Returns what was read of the package; on a page that is not whole only what it can do, and what to be careful about. */
function inspectionFacts(
  { inspection, risks, cautions, builds, ...review }: ReviewData,
  { style, locale, isWhole }: Page,
): [string, string][] {
  const unread = new Set(inspection === null ? [] : unreadGroups(inspection))
  const flags = flagsOf(risks, { cautions, hasScripts: builds.length > 0 })
  const styled = ({ text, isCaution, weight }: InspectionLine) =>
    isCaution ? style.warn(text) : weight === 'strong' ? style.bold(text) : weight === 'minor' ? style.dim(text) : text
  const isShown = (kind: InspectionGroup['kind'], { isCaution, isDetail }: InspectionLine) => {
    if (isCaution || isWhole) return true
    return (kind === 'code' || unread.has(kind)) && !isDetail
  }
  return inspectionLines(inspection, messagesFor(locale), {
    flags,
    areScriptsAllowed: areScriptsAllowed(review, review.compatibility),
  }).flatMap(({ kind, title, lines }) =>
    lines
      .filter((line) => isShown(kind, line))
      .flatMap((line, index): [string, string][] => {
        const { places, code = [] } = line
        const at = places.length > 0 && (isWhole || line.isCaution) ? [style.dim(places.join(', '))] : []
        return [
          [index === 0 ? title : '', [styled(line), ...at].join('  ')],
          ...code.map((text): [string, string] => ['', style.dim(`  ${text}`)]),
        ]
      }),
  )
}

/** Names what could not be looked up, although there is an answer somewhere. */
function unreadGroups({ origin, advisories }: Inspection): InspectionGroup['kind'][] {
  const isOriginUnread =
    origin !== null &&
    ((origin.signature.state === 'unknown' && !['no-signature', 'no-keys'].includes(origin.signature.reason)) ||
      (origin.build.state === 'unknown' && origin.build.reason !== 'none'))
  const areAdvisoriesUnread = advisories === null || advisories.unknown.length > 0
  return [...(isOriginUnread ? (['origin'] as const) : []), ...(areAdvisoriesUnread ? (['advisories'] as const) : [])]
}

/** Names the build scripts to allow, and explains the effect. */
function buildFacts({ builds, buildSetting, cautions }: ReviewData, { words, style, locale }: Page): Facts {
  const t = messagesFor(locale)
  const { approval } = t.review
  const facts = new Facts()
  for (const { package: name, version, key, scripts } of builds) {
    const lines = Object.entries(scripts).map(([script, text]) => `${script}: ${text}`)
    facts.add(
      words.builds,
      style.warn(`${name}${version === null ? '' : ` ${version}`}`),
      ...(lines.length === 0 ? [approval.unknownScripts] : lines),
      `--allow-build ${key}`,
    )
  }
  if (buildSetting === null) return facts
  const scope = builds.some(({ key, package: name }) => key === name) ? [approval.everyVersion] : []
  const before = cautions.includes('build-scripts') ? [style.warn(t.review.cautions['build-scripts'])] : []
  facts.add('', t.sentences(...scope, ...before) || null)
  return facts
}

/** Returns what a review says where its build scripts are named below all reviews. */
const withoutBuilds = ({ action, builds }: ReviewData) => ({
  action: action === 'approve' && builds.length > 0 ? ('install' as const) : action,
  buildSetting: null,
})

function titleOf({ action, id, installed, compatibility }: ReviewData, { style, locale }: Page): string {
  const { review } = messagesFor(locale)
  const version = action === 'remove' ? null : agreedVersion(compatibility)
  const versions = version === null ? '' : ` ${review.versions(installed, version)}`
  return review.title(action, `${style.bold(id)}${versions}`)
}

/** Names what is left out, and why. */
export function skippedLines(skipped: readonly Skipped[], { words, columns }: Page): string[] {
  // What is so already, or would be, was not left out.
  const isLeft = skipped.some(({ reason }) => reason !== 'installed' && reason !== 'dry-run')
  const lines = skipped.map(({ id, reason, message }) => {
    const name = words.skipped[reason]
    return words.labelled(id, name === undefined ? message : words.explained(name, message))
  })
  return [...(isLeft ? [words.skippedTitle] : []), ...lines].flatMap((line) => wrapped(line, columns))
}
