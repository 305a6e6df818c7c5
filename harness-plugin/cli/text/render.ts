import { isDoubtful, verdictTone } from '@plugmark/shared/contract'
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import type { ListingData } from '../../client/listing-data.ts'
import { type InstalledData, isDone } from '../../client/published.ts'
import { messagesFor } from '../../messages/index.ts'
import { advisoryLine, advisoryLines } from '../../messages/inspection-lines.ts'
import { isDrift } from '../../protocol/profile-lock.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { summaryOf } from '../../search/listings.ts'
import { commandLine, OWN_PACKAGE } from '../cli-settings.ts'
import { buildKeysOf, reviewLines, skippedLines, verdictText } from '../commands/agreement.ts'
import type { DataOf, DirectoryInfo } from '../documents.ts'
import type { Failure } from '../failure.ts'
import type { Answering } from '../program.ts'
import { textIn } from '../words/index.ts'
import { oneLine } from '../writer.ts'
import { type Cell, table, wrapped } from './columns.ts'
import {
  auditText,
  diffLines,
  doctorLines,
  historyLines,
  historyRow,
  tryLines,
  undoLines,
  upgradeLines,
} from './profile-lines.ts'
import { Facts, factLines, type Page, type PageOptions, pageFor, type Style, TONES } from './terminal.ts'

/** Text for standard output, and notes that go beside it: below it at a terminal, to standard error in a pipe. */
interface Rendered {
  readonly text: string
  readonly notes: readonly string[]
}

/** Renders the result of a command for the user. */
export function render<K extends Answering>(
  name: K,
  data: DataOf<K>,
  options: PageOptions & { readonly directory: DirectoryInfo },
): Rendered {
  const page = pageFor(options.stdout, options)
  const { lines, notes = [] } = RENDERERS[name](data, page, options.directory)
  const shown = page.isPipe
    ? lines
    : [...lines, ...notes.flatMap((note) => wrapped(note, page.columns)).map(page.style.dim)]
  return { text: shown.map((line) => `${line}\n`).join(''), notes: page.isPipe ? notes : [] }
}

/** What a failure has as data: parts of the documents that commands write. */
type FailureData = Partial<
  DataOf<'install'> & DataOf<'doctor'> & DataOf<'try'> & DataOf<'audit'> & DataOf<'lock'> & DataOf<'upgrade-check'>
> & { readonly suggestions?: readonly string[] }

/** Renders the reason of a failure and the next step. */
export function renderFailure(failure: Failure, options: PageOptions): string {
  const page = { ...pageFor(options.stderr, options), isPipe: false }
  const data = (failure.data ?? {}) as FailureData
  // Somebody at a terminal, or behind a pipe, has read the review above.
  const advice = data.accept ?? failure.next
  const next = advice === null ? null : oneLine(textIn(page.locale, advice))
  const lines = data.findings
    ? doctorLines(data as DataOf<'doctor'>, page, next)
    : [
        ...reasonLines(failure, data, page),
        ...foundLines(failure, data, page),
        ...(next === null ? [] : [page.words.next(next)]),
        ...allowLines(failure, data, page),
      ]
  return `${lines.join('\n')}\n`
}

const outcomeOf = ({ code }: Failure, { jobs = [] }: FailureData) =>
  jobs.map(({ outcome }) => outcome).find(({ kind }) => kind === code)

/** Says why, and what was probably meant. What is known against packages needs no title. */
function reasonLines(failure: Failure, data: FailureData, { words, style, columns, locale }: Page): string[] {
  const { audit, suggestions = [] } = data
  const [text, quote] = splitQuote(oneLine(textIn(locale, failure.text)), outcomeOf(failure, data)?.subjects[0])
  // A cancelled run is not an error.
  // The reason may name all that there are.
  const isNamed = suggestions.length > 1 && suggestions.every((one) => text.includes(one))
  const title = failure.code === 'cancelled' ? text : `${style.bad(words.failed)}${text}`
  return [
    ...(audit ? [] : wrapped(title, columns)),
    ...(quote === null ? [] : wrapped(`“${quote}”`, columns, '  ')),
    ...(suggestions.length === 0 || isNamed
      ? []
      : [words.suggestions, ...suggestions.map((suggestion) => `  ${oneLine(suggestion)}`)]),
  ]
}

/** Shows what the command has read or done. */
function foundLines({ code, exit }: Failure, data: FailureData, page: Page): string[] {
  const { reviews = [], jobs, skipped = [], drift, audit, result, harnessVersion } = data
  // What is refused has been said, and there is nothing to agree to.
  if (exit === 'consent' && reviews.length > 0) return ['', ...reviewLines(data as DataOf<'check'>, page), '']
  // One job or one plugin is what the failure is about, unless it only counts them.
  if (jobs) {
    const isMore = code === 'skipped' || jobs.length + skipped.length > 1
    return isMore ? changeLines(data as DataOf<'install'>, page) : []
  }
  if (drift) return driftLines(drift, page)
  if (audit) return auditText(audit, data.profile ?? '', page)
  if (result) return tryLines(data as DataOf<'try'>, page)
  return harnessVersion ? upgradeLines(data as DataOf<'upgrade-check'>, page) : []
}

/** Names the command by which the user accepts a plugin that the harness refuses. */
function allowLines(failure: Failure, data: FailureData, { columns, locale }: Page): string[] {
  const refused = data.reviews?.find(({ refusal }) => refusal?.code === failure.code)
  const allow = (outcomeOf(failure, data) ?? refused?.compatibility)?.allowCommand
  return failure.code === 'incompatible' && allow
    ? [...wrapped(messagesFor(locale).allowCommand, columns), `  ${allow}`]
    : []
}

/** Takes what another program said out of a sentence, where it is long enough to need lines of its own. */
function splitQuote(text: string, said = ''): readonly [text: string, quote: string | null] {
  const [before = '', after] = said.length > 40 ? text.split(`“${said}”`) : []
  return after === undefined ? [text, null] : [before.replace(/[:：] ?$/, '') + after, said]
}

/** Says that a plugin is held. Without a time, nobody knows which are, and the reason is the whole sentence. */
const heldText = (held: NonNullable<InstalledData['held']>, locale: Locale): string =>
  held.since === null && held.reason !== null ? held.reason : messagesFor(locale).updates.held(held)

type Renderers = {
  readonly [K in Answering]: (
    data: DataOf<K>,
    page: Page,
    directory: DirectoryInfo,
  ) => { readonly lines: readonly string[]; readonly notes?: readonly string[] }
}

const RENDERERS: Renderers = {
  search(data, page) {
    const { words, locale } = page
    const { number, finding } = messagesFor(locale)
    const complete = data.listings.filter(({ found }) => found === null)
    const shown = page.isPipe ? [] : data.listings.map(({ verdict }) => markOf(verdict))
    const marks = Object.entries(words.marks).filter(([mark]) => shown.includes(mark as keyof typeof words.marks))
    const legend = marks.length > 0 ? [marks.map((mark) => mark.join(' ')).join(' · ')] : []
    const notes = [
      ...legend,
      ...(complete.length < data.listings.length ? [finding.partial(complete.length)] : []),
      ...(data.meant === null ? [] : [words.meant(data.meant)]),
      ...(data.missing.length === 0 || data.total === 0 ? [] : [finding.missing(data.missing.join(', '))]),
      words.found(data.listings.length, data.total, data.hidden),
      ...(page.isPipe || data.total === 0 ? [] : [words.showOne]),
      ...(data.hidden > 0 ? [words.hidden(number(data.hidden))] : []),
      ...(data.verdictsKnown ? [] : [finding.unverifiable.title]),
      // Last, where the user at a terminal looks first.
      ...(data.offered === null ? [] : [words.offered(data.offered)]),
    ]
    return { lines: listingTable(data.listings, page), notes }
  },
  show: showPlugin,
  open: ({ url, opened }, { words, isPipe }) => ({
    lines: [isPipe ? url : opened ? words.opened(url) : words.notOpened(url)],
  }),
  config: ({ settings, file }, page) => ({
    lines: factLines(
      settings.map(({ key, value, inEffect }) => {
        if (page.isPipe) return [key, value ?? '']
        if (inEffect === null) return [key, page.style.dim(page.words.notSet[key as keyof typeof page.words.notSet])]
        return [key, value === inEffect.value ? value : page.words.setBy(inEffect.value, inEffect.from)]
      }),
      page,
    ),
    notes: [file],
  }),
  index(data, page, { readAt, generated }) {
    const { words, locale } = page
    const { number, time, ago, finding } = messagesFor(locale)
    const at = readAt === null ? null : Date.parse(readAt)
    const made = generated === null ? null : Date.parse(generated)
    const { index } = words
    const facts = new Facts()
    facts.add(finding.plugins, number(data.count))
    facts.add(index.described, number(data.described))
    facts.add(index.readAt, at === null ? null : index.when(time(at), ago(at, Date.now())))
    facts.add(index.madeAt, made === null ? null : time(made))
    facts.add(index.folder, data.folder)
    return { lines: factLines(facts, page) }
  },
  list: (data, page) => renderList(data, page, page.words.profileHas(data.profile, 0)),
  outdated: (data, page) => renderList(data, page, page.words.noUpdates(data.profile)),
  check: (data, page) => ({
    lines: [...reviewLines(data, page), '', ...factLines(codeFacts(data, page), page)],
  }),
  install: renderChange,
  update: renderChange,
  remove: renderChange,
  enable: renderChange,
  hold: renderHold,
  unhold: renderHold,
  disable: renderChange,
  doctor: (data, page) => {
    const lines = doctorLines(data, page, commandLine('plugmark', 'doctor', '--fix', '--profile', data.profile))
    const { subjects = [], parts = [] } = data.repair?.outcome ?? {}
    // Files that were moved aside are no change of the profile.
    const isUndoable = !page.isPipe && subjects.length + parts.length > 0
    const undo = commandLine('plugmark', 'undo', '--profile', data.profile)
    return { lines, notes: isUndoable ? [page.words.undoneBy(undo)] : [] }
  },
  undo: renderUndo,
  redo: renderUndo,
  history: (data, page) => {
    const isOne = data.jobs.length === 1 && data.jobs[0]!.output.length > 0
    if (page.isPipe && !isOne) return { lines: data.jobs.map((job) => row(...historyRow(job, page))) }
    const rest = data.total - data.jobs.length
    return { lines: historyLines(data, page, isOne), notes: rest > 0 ? [page.words.olderJobs(rest)] : [] }
  },
  diff: (data, page) => ({ lines: diffLines(data, page) }),
  audit: ({ audit, profile }, page) => ({ lines: auditText(audit, profile, page) }),
  try: (data, page) => ({ lines: tryLines(data, page) }),
  'upgrade-check': (data, page) => ({ lines: upgradeLines(data, page) }),
  lock: renderLock,
  sync(data, page) {
    const isNothing = [data.jobs, data.reviews, data.skipped, data.made ?? []].every(({ length }) => length === 0)
    const { left = [], unread = [] } = data
    const isSame = unread.length === 0 && !left.some(isDrift)
    const nothing = isSame ? page.words.asFile(data.profile) : page.words.dryRun
    const { lines, notes } = isNothing ? { lines: [], notes: [nothing] } : renderChange(data, page)
    return { lines: [...lines, ...driftLines(left.filter(isDrift), page)], notes }
  },
  capabilities: (data) => ({ lines: [JSON.stringify(data, null, 2)] }),
  completions: ({ script }) => ({ lines: [script.trimEnd()] }),
}

/** Renders plugins of a profile. @param none says that there are none */
function renderList(data: DataOf<'list'>, page: Page, none: string) {
  const { words, style, locale } = page
  if (data.plugins.length === 0) return { lines: [], notes: [none] }
  const title = words.profileHas(data.profile, data.plugins.length)
  const notes = [title, ...(data.checkedAt === null ? [words.neverChecked] : [])]
  if (page.isPipe) return { lines: data.plugins.map((plugin) => installedRow(plugin, page)), notes }
  const rows = data.plugins.map((plugin): Cell[] => [
    [plugin.package, style.bold] as const,
    plugin.version ?? '',
    plugin.loaded ? words.on : words.off,
    [plugin.latest === null ? '' : words.newer(plugin.latest), style.good] as const,
    [
      ...(plugin.package === OWN_PACKAGE
        ? [words.isPlugmark]
        : plugin.managed
          ? [plugin.id ?? '']
          : [plugin.why ?? '']),
      ...malwareIn(plugin.advisories).map((advisory) =>
        page.style.bad(advisoryLine(advisory, messagesFor(locale)).text),
      ),
      ...plugin.newsText.map(page.style.warn),
      ...(plugin.waiting === null ? [] : [plugin.waiting.message]),
      ...(plugin.updateProblem === null ? [] : [messagesFor(locale).installedView.updateProblem[plugin.updateProblem]]),
      ...(plugin.needsRestart
        ? [page.style.warn(plugin.doing)]
        : // That it is off has a column of its own.
          ['running', 'loaded', 'off'].includes(plugin.state)
          ? []
          : [plugin.doing, ...plugin.next.slice(0, 1)]),
      ...(plugin.held ? [heldText(plugin.held, locale)] : []),
    ].join(' · '),
  ])
  const lines = [...wrapped(title, page.columns), ...table(rows, page.columns, { wraps: true })]
  return { lines, notes: notes.slice(1) }
}

/** Names the code of a review; at a terminal also what it is for. */
function codeFacts({ digest, reviews, profile, skipped }: DataOf<'check'>, { words, isPipe, locale }: Page): Facts {
  const facts = new Facts()
  const keys = buildKeysOf(reviews).flatMap((key) => ['--allow-build', key])
  const ids = reviews.map(({ id }) => id)
  const command = commandLine('plugmark', 'install', ...ids, '--profile', profile, ...keys, '--accept', 'CODE')
  // An install would leave it alone.
  const there = skipped.find(({ reason }) => reason === 'installed')
  facts.add(words.digest, digest, ...(isPipe || there ? [] : [words.codeMeans(command)]))
  if (there && !isPipe) facts.add(messagesFor(locale).installed, there.message)
  return facts
}

const row = (...cells: readonly (string | number | null)[]) =>
  cells.map((cell) => String(cell ?? '').replace(/\s+/g, ' ')).join('\t')

/** A row of a plugin for a program; behind its six columns each thing that matters for an update has two, a name and why. */
const installedRow = (plugin: DataOf<'list'>['plugins'][number], { locale }: Page) =>
  row(
    ...[plugin.package, plugin.version, plugin.latest, plugin.state, plugin.verdict, plugin.id],
    ...(plugin.held ? ['held', plugin.held.reason] : []),
    ...(plugin.waiting ? ['waiting', plugin.waiting.message] : []),
    ...(plugin.updateProblem ? ['unknown', messagesFor(locale).installedView.updateProblem[plugin.updateProblem]] : []),
    ...malwareIn(plugin.advisories).flatMap((one) => ['malware', advisoryLine(one, messagesFor(locale)).text]),
    ...plugin.newsText.flatMap((text) => ['news', text]),
    ...(plugin.needsRestart ? ['restart', plugin.doing] : []),
  )

function renderChange(data: DataOf<'install'>, page: Page) {
  if (data.skipped.some(({ reason }) => reason === 'dry-run'))
    return { lines: changeLines(data, page), notes: [page.words.dryRun] }
  const isDryRun = data.jobs.length === 0 && data.reviews.length + (data.made?.length ?? 0) > 0
  if (data.checked && data.jobs.length === 0 && !isDryRun)
    return {
      lines: data.skipped.length > 0 ? changeLines(data, page) : [],
      notes: [page.words.nothingToUpdate({ ...data.checked, profile: data.profile, skipped: data.skipped.length })],
    }
  if (!isDryRun) {
    const isReviewed = data.reviews.length > 0 || 'left' in data
    const isUndoable =
      !page.isPipe && isReviewed && data.jobs.length > 0 && !data.reviews.some(({ desktop }) => desktop)
    const undo = commandLine('plugmark', 'undo', '--profile', data.profile)
    return { lines: changeLines(data, page), notes: isUndoable ? [page.words.undoneBy(undo)] : [] }
  }
  return { lines: reviewLines(data, page), notes: [page.words.dryRun] }
}

function renderUndo(data: DataOf<'undo'>, page: Page) {
  if (data.job === null) return { lines: undoLines(data, page), notes: [page.words.dryRun] }
  const { title, message } = data.job.outcome
  const isRedo = data.change.action === 'undo'
  const back = commandLine('plugmark', isRedo ? 'undo' : 'redo', '--profile', data.profile)
  return {
    lines: wrapped(`${page.style.good('✓')} ${page.words.explained(title, message)}`, page.columns),
    notes: page.isPipe ? [] : [isRedo ? page.words.undoneBy(back) : page.words.redoneBy(back)],
  }
}

function renderLock({ file, lock, drift, profile }: DataOf<'lock'>, page: Page) {
  if (lock === null)
    return { lines: driftLines(drift, page), notes: drift.length > 0 ? [] : [page.words.same(profile, file)] }
  if (file === '-') return { lines: [JSON.stringify(lock, null, 2)] }
  return { lines: page.isPipe ? [file] : wrapped(page.words.lockWritten(file, lock.plugins.length), page.columns) }
}

/** Renders how a profile differs from a lock, one difference a line. */
function driftLines(drift: DataOf<'lock'>['drift'], page: Page): string[] {
  const { profileLock } = messagesFor(page.locale)
  return drift.flatMap((one) =>
    page.isPipe ? row(one.kind, one.name, one.wanted, one.found) : wrapped(`! ${profileLock.drift(one)}`, page.columns),
  )
}

function renderHold(data: DataOf<'hold'>, { isPipe, words, columns }: Page) {
  const { package: name, version, held, reason, dryRun } = data
  const line = isPipe ? row(name, version, held ? 'held' : 'not-held', reason) : words.holds(data)
  return { lines: wrapped(line, columns), notes: dryRun ? [words.dryRun] : [] }
}

function listingTable(listings: DataOf<'search'>['listings'], page: Page): string[] {
  const { style, locale, columns } = page
  const messages = contractMessages(locale)
  const { number } = messagesFor(locale)
  if (page.isPipe)
    return listings.map((one) =>
      row(one.id, one.verdict, one.stars, one.category, summaryOf(one, locale), dayOf(one.pushedAt)),
    )
  const rows = listings.map((listing) => [
    mark(listing, style),
    [listing.id, style.bold] as const,
    listing.stars === null ? '' : `★ ${number(listing.stars)}`,
    messages.category(listing.category),
    [dayOf(listing.pushedAt), style.dim] as const,
    [
      ...(listing.installed ? [messagesFor(locale).installed] : []),
      ...(listing.found ? [messagesFor(locale).finding.has(listing.found.join(', '))] : []),
      summaryOf(listing, locale) ?? '',
    ].reduce((before, text) => (text === '' ? before : page.words.explained(before, text))),
  ])
  return table(rows, columns)
}

/** Returns the day of a time, the same in every language and zone, so that columns and programs can compare it. */
const dayOf = (time: string | null): string => time?.slice(0, 10) ?? ''

const MARKS = { passed: '✓', 'needs-approval': '!', failed: '✗', timeout: '✗', 'not-a-layer': '✗' } as const

const markOf = (verdict: ListingData['verdict']) => (verdict === null ? '?' : MARKS[verdict])

const mark = ({ verdict, checkedAt }: Pick<ListingData, 'verdict' | 'checkedAt'>, style: Style): string =>
  style[TONES[verdictTone(verdict, checkedAt)]](markOf(verdict))

function showPlugin(data: DataOf<'show'>, page: Page) {
  const { words, style, columns, locale } = page
  const t = messagesFor(locale)
  if (data.notes) return showNotes(data.id, data.notes, page)
  const messages = contractMessages(locale)
  // What is refused is not offered in another way either.
  const isListed = page.isWhole || !isDoubtful(data.verdict)
  const otherWays = data.options.filter(({ command }) => isListed && command !== null && command !== data.command)
  const { release, installed } = data
  const facts = new Facts()
  /** In a pipe, a name is the same in every language. */
  const name = (key: string, title: string) => (page.isPipe ? key : title)
  const isGone = data.fit?.state === 'not-found' || data.releaseProblem === 'not-found'
  const didNotRun = data.fit?.state === 'does-not-run'
  if (didNotRun) facts.add(name('fit', t.review.fit.title), style.warn(data.fit?.sentence ?? ''))
  const update = commandLine('plugmark', 'update', installed?.package ?? '', '--profile', data.profile)
  if (installed)
    facts.add(
      name('installed', t.installed),
      words.explained(words.installedIn(installed.version, data.profile), installed.doing),
      ...(installed.latest === null ? [] : [words.labelled(words.newer(installed.latest), update)]),
      ...installed.newsText.map(style.warn),
    )
  facts.add(
    name('version', words.factTitles.version),
    release
      ? page.isPipe
        ? release.version
        : releaseText(release, locale)
      : data.fit?.state === 'not-found'
        ? data.fit.sentence
        : data.releaseProblem && t.details.problems[data.releaseProblem](words.packageRegistry),
  )
  facts.add(
    name('check', words.directory),
    data.listed ? verdictText(data, page) : style.warn(t.review.cautions.unlisted),
  )
  // The version says that it is gone.
  if (!didNotRun && data.fit?.state !== 'not-found')
    facts.add(name('fit', t.review.fit.title), data.fit?.sentence ?? null)
  for (const { name: flag, sentence } of data.risks.map(t.contract.riskFlag))
    facts.add(name('risk', words.risk), words.explained(style.warn(flag), sentence))
  const { risk, license, category, language } = t.facets
  if (data.risks.length === 0 && data.described) facts.add(name('risk', risk.title), risk.values.none)
  const { title: problems, notLookedUp } = t.inspection.advisories
  const known = data.advisories && advisoryLines(data.advisories, t)
  facts.add(
    name('problems', problems),
    ...(known?.map(({ text, isCaution }) => (isCaution ? style.warn(text) : text)) ?? [style.dim(notLookedUp)]),
  )
  facts.add(name('builds', t.review.facts.blockedBuilds.title), data.blockedBuilds.join(', ') || null)
  facts.add(name('license', license.title), data.license ?? (data.described ? license.values.none : null))
  if (data.command !== null && installed === null && !isGone) {
    const install = commandLine('plugmark', 'install', data.id, '--profile', data.profile)
    facts.add(name('install', words.install), isDoubtful(data.verdict) ? style.warn(words.refusedInstall) : install)
  }
  if (page.isWhole || (data.command === null && !isGone && !installed))
    facts.add(
      name('command', data.command === null ? words.noCommand : words.command),
      data.command ?? data.reason ?? '',
    )
  facts.add(name('other', words.otherWays), ...otherWays.map(({ label, command }) => `${command}  (${label})`))
  facts.add(name('category', category.title), messages.category(data.category))
  facts.add(name('language', language.title), data.language)
  facts.add(name('pushed', t.facets.pushed.title), page.isPipe ? data.pushedAt : t.date(data.pushedAt))
  facts.add(name('package', words.factTitles.package), data.package)
  facts.add(name('source', t.source), data.source)
  facts.add(name('page', words.factTitles.page), data.page)
  facts.add(name('siblings', t.finding.details.siblings), data.siblings.join(', ') || null)
  const notes = [...(data.described || !data.listed ? [] : [words.onlyIndex]), messages.notAReview]
  if (page.isPipe) {
    const { publishedAt = null, sizeBytes = null, weeklyDownloads = null } = release ?? {}
    const numbers = { stars: data.stars, released: publishedAt, bytes: sizeBytes, downloads: weeklyDownloads }
    for (const [key, value] of Object.entries(numbers)) facts.add(key, value === null ? null : String(value))
    return { lines: factLines([['id', data.id], ['summary', summaryOf(data, locale) ?? ''], ...facts], page), notes }
  }
  const stars = data.stars === null ? '' : `  ★ ${messagesFor(locale).number(data.stars)}`
  return {
    lines: [
      `${style.bold(data.id)}${style.dim(stars)}`,
      ...wrapped(summaryOf(data, locale) ?? '', columns),
      '',
      ...factLines(facts, page),
      '',
    ],
    notes,
  }
}

/** Writes release notes as their author did: in Markdown. */
function showNotes(id: string, { state, text }: NonNullable<DataOf<'show'>['notes']>, page: Page) {
  const { source, problems } = messagesFor(page.locale).details
  if (state !== 'read')
    return { lines: [], notes: [state === 'not-found' ? source.none.changes : problems[state](null)] }
  const lines = (text ?? '')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      // The indentation of a list or of code says what belongs together.
      const indent = /^[ \t]*/.exec(line)![0]
      return wrapped(line.slice(indent.length), page.columns - indent.length).map((part) => indent + part)
    })
  return { lines: page.isPipe ? lines : [page.style.bold(`${id} · ${source.kinds.changes}`), '', ...lines], notes: [] }
}

/** Describes a version by its date, its size and its downloads, as far as they are known. */
function releaseText(release: NonNullable<DataOf<'show'>['release']>, locale: Locale): string {
  const { number, date, bytes, details } = messagesFor(locale)
  const { version, publishedAt, sizeBytes, weeklyDownloads: downloads } = release
  return [
    details.facts.newest(version, date(publishedAt)),
    ...(sizeBytes === null ? [] : [bytes(sizeBytes)]),
    ...(downloads === null ? [] : [details.facts.downloads(number(downloads), downloads)]),
  ].join(' · ')
}

/** Renders the outcomes of jobs, and the skipped plugins. */
function changeLines({ jobs, skipped, profile }: DataOf<'install'>, page: Page): string[] {
  const { words, style, columns } = page
  if (page.isPipe)
    return [
      ...jobs.map(({ ids, outcome }) =>
        row(ids.join(','), outcome.kind, words.explained(outcome.title, outcome.message)),
      ),
      ...skipped.map(({ id, reason, message }) => row(id, reason, message)),
    ]
  if (jobs.length === 0 && skipped.length === 0) return [messagesFor(page.locale).installedView.checked('', 0, false)]
  return [
    ...jobs
      .filter(({ ids }) => !skipped.some(({ id }) => ids.includes(id)))
      .flatMap(({ ids, outcome }) => {
        const sign = isDone(outcome) ? style.good('✓') : style.bad('✗')
        return wrapped(
          `${sign} ${style.bold(ids.join(', ') || profile)}  ${words.explained(outcome.title, outcome.message)}`,
          columns,
        )
      }),
    ...skippedLines(skipped, page),
  ]
}
