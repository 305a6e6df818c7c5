import { isVerdict, type Verdict } from '@plugmark/shared/contract'
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import { isDone } from '../../client/plain-data.ts'
import { plainText } from '../../client/plain-text.ts'
import type { ListingData } from '../../client/plugin-data.ts'
import type { Finding } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import type { Job } from '../../protocol/index.ts'
import { commandLine } from '../command-line.ts'
import type { DataOf, DirectoryInfo } from '../documents.ts'
import type { Failure } from '../failure.ts'
import type { Answering } from '../program.ts'
import { sayIn } from '../words/index.ts'
import { table, wrapped } from './columns.ts'
import { factLines, type Given, type Page, pageFor } from './page.ts'
import { reviewLines, skippedLines } from './review.ts'
import type { Style } from './style.ts'

/** What a command came to, for a person. */
export function render<K extends Answering>(
  name: K,
  data: DataOf<K>,
  given: Given & { readonly directory: DirectoryInfo },
): string {
  const page = pageFor(given.stdout, given)
  const lines = RENDERERS[name](data, page, given.directory)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** Why a command failed, and what to do next. */
export function renderFailure(failure: Failure, given: Given): string {
  const page = pageFor(given.stderr, given)
  const { words, style, columns } = page
  const data = (failure.data ?? {}) as Partial<DataOf<'install'> & DataOf<'doctor'>> & {
    suggestions?: readonly string[]
  }
  const text = sayIn(page.locale, failure.say)
  const next = failure.next === null ? null : sayIn(page.locale, failure.next)
  // Who cancels made no error; and what a doctor found says it all.
  const title = failure.code === 'cancelled' ? text : `${style.bad(words.failed)}${text}`
  const lines = data.findings ? [] : wrapped(title, columns)
  const isReview = failure.exit === 'consent' || failure.exit === 'refused'
  const details = [
    ...(data.suggestions && data.suggestions.length > 0 ? [words.suggestions] : []),
    ...(data.suggestions ?? []).map((suggestion) => `  ${suggestion}`),
    ...(isReview && data.reviews?.length ? ['', ...reviewLines(data as DataOf<'check'>, page), ''] : []),
    ...(data.jobs && data.jobs.length + (data.skipped?.length ?? 0) > 1
      ? changeLines(data as DataOf<'install'>, page)
      : []),
    ...(data.findings ? doctorLines(data as DataOf<'doctor'>, page, next) : []),
  ]
  lines.push(...details)
  if (next !== null && !data.findings) lines.push(words.next(next))
  return `${lines.join('\n')}\n`
}

type Renderers = {
  readonly [K in Answering]: (data: DataOf<K>, page: Page, directory: DirectoryInfo) => string[]
}

const RENDERERS: Renderers = {
  search(data, page) {
    const { words, style, locale } = page
    const { number } = messagesFor(locale)
    const notes = [
      ...data.problems.map((problem) => words.unknownFilter(problem)),
      ...(data.everyWord || data.total === 0 ? [] : [words.notEveryWord]),
      ...(data.meant === null ? [] : [words.meant(data.meant)]),
      words.found(data.listings.length, data.total),
      ...(data.hidden > 0 ? [words.hidden(number(data.hidden))] : []),
      ...(data.verdictsKnown ? [] : [words.verdictsUnknown]),
    ]
    return [...listingTable(data.listings, page), ...notes.map(style.dim)]
  },
  show: showPlugin,
  index(data, { words, locale }, { readAt, generated }) {
    const { number, time, ago } = messagesFor(locale)
    const at = readAt === null ? null : Date.parse(readAt)
    return [
      words.listings(number(data.count), number(data.described)),
      ...(at === null ? [] : [words.readAt(time(at), ago(at, Date.now()))]),
      ...(generated === null ? [] : [words.madeAt(time(Date.parse(generated)))]),
      ...(data.folder === null ? [] : [words.keptIn(data.folder)]),
    ]
  },
  list(data, page) {
    const { words, style, locale } = page
    if (data.plugins.length === 0)
      return [data.outdatedOnly ? words.noUpdates(data.profile) : words.profileHas(data.profile, 0)]
    const rows = data.plugins.map((plugin) => [
      [plugin.package, style.bold] as const,
      plugin.version ?? '',
      [plugin.latest === null ? '' : words.newer(plugin.latest), style.good] as const,
      [
        ...(plugin.loaded ? [] : [words.notLoaded]),
        ...(plugin.managed ? [verdictName(plugin.verdict, locale), plugin.id ?? ''] : [plugin.why ?? '']),
      ].join(' · '),
    ])
    return [words.profileHas(data.profile, data.plugins.length), ...table(rows, page.columns)]
  },
  check: (data, page) => [...reviewLines(data, page), '', `${page.words.digest} ${data.digest}`],
  install: changeLines,
  update: changeLines,
  remove: changeLines,
  doctor: (data, page) =>
    doctorLines(data, page, commandLine('plugmark', 'doctor', '--fix', '--profile', data.profile)),
  undo: ({ change, job }, { words, style }) => [
    `${style.good('✓')} ${words.explained(job.outcome.title, job.outcome.message)}`,
    style.dim(words.undone(change.action as Job['action'], change.ids.join(', '))),
  ],
  capabilities: (data) => [JSON.stringify(data, null, 2)],
  completions: ({ script }) => [script.trimEnd()],
}

const asVerdict = (verdict: string | null): Verdict | null => (isVerdict(verdict) ? verdict : null)
const verdictName = (verdict: string | null, locale: Locale) =>
  contractMessages(locale).verdict(asVerdict(verdict)).name

function listingTable(listings: readonly ListingData[], page: Page): string[] {
  const { style, locale, columns } = page
  const messages = contractMessages(locale)
  const { number } = messagesFor(locale)
  const rows = listings.map((listing) => [
    mark(listing.verdict, style),
    [listing.id, style.bold] as const,
    listing.stars === null ? '' : `★ ${number(listing.stars)}`,
    messages.category(listing.category),
    summaryOf(listing, locale),
  ])
  return table(rows, columns)
}

/** Chinese readers get what was written in Chinese, where there is something. */
const summaryOf = ({ summary, summaryZh }: Pick<ListingData, 'summary' | 'summaryZh'>, locale: Locale): string =>
  (locale === 'zh' ? (summaryZh ?? summary) : (summary ?? summaryZh)) ?? ''

function mark(verdict: string | null, style: Style): string {
  if (verdict === 'passed') return style.good('✓')
  if (verdict === 'needs-approval') return style.warn('!')
  return verdict === null ? style.dim('?') : style.bad('✗')
}

function showPlugin(data: DataOf<'show'>, page: Page): string[] {
  const { words, style, columns, locale } = page
  const t = messagesFor(locale)
  const messages = contractMessages(locale)
  const verdict = messages.verdict(asVerdict(data.verdict))
  const checked = t.checkedOn(verdict.name, t.date(data.checkedAt))
  const facts: [string, string][] = [
    [t.check, `${mark(data.verdict, style)} ${words.explained(checked, verdict.sentence)}`],
    [data.command === null ? words.noCommand : words.command, data.command ?? data.reason ?? ''],
    ...(data.risks.length === 0 && data.described
      ? [[t.facets.risk.title, t.facets.risk.values.none] as [string, string]]
      : data.risks.map((flag): [string, string] => {
          const { name, sentence } = messages.riskFlag(flag)
          return [words.risk, words.explained(style.warn(plainText(name)), sentence)]
        })),
    ...(data.blockedBuilds.length > 0 ? [[t.builds, data.blockedBuilds.join(', ')] as [string, string]] : []),
    ...optional(t.facets.license.title, data.license ?? (data.described ? t.facets.license.values.none : null)),
    [t.facets.category.title, messages.category(data.category)],
    ...optional(t.package, data.package),
    ...optional(t.facets.language.title, data.language),
    ...optional(words.pushed, t.date(data.pushedAt)),
    ...optional(t.source, data.source),
    ...optional(words.page, data.page),
    ...(data.options.flatMap(({ label, command }) =>
      command === null ? [] : [[words.otherWays, `${command}  (${label})`]],
    ) as [string, string][]),
    ...(data.siblings.length > 0 ? [[words.siblings, data.siblings.join(', ')] as [string, string]] : []),
  ]
  const stars = data.stars === null ? '' : `  ★ ${messagesFor(locale).number(data.stars)}`
  return [
    `${style.bold(data.id)}${style.dim(stars)}`,
    ...wrapped(summaryOf(data, locale), columns),
    '',
    ...factLines(facts, page),
    '',
    ...(data.described ? [] : [style.dim(words.onlyIndex)]),
    style.dim(messages.notAReview),
  ]
}

const optional = (name: string, value: string | null): [string, string][] => (value === null ? [] : [[name, value]])

/** How jobs went, and what was skipped. */
export function changeLines({ jobs, skipped }: DataOf<'install'>, page: Page): string[] {
  const { words, style, columns } = page
  if (jobs.length === 0 && skipped.length === 0) return [words.nothingToUpdate]
  return [
    ...jobs
      .filter(({ ids }) => !skipped.some(({ id }) => ids.includes(id)))
      .flatMap(({ ids, outcome }) => {
        const sign = isDone(outcome) ? style.good('✓') : style.bad('✗')
        return wrapped(
          `${sign} ${style.bold(ids.join(', '))}  ${words.explained(outcome.title, outcome.message)}`,
          columns,
        )
      }),
    ...(skipped.length === 0 ? [] : [words.skippedTitle]),
    ...skipped.flatMap((one) => skippedLines(one, page)),
  ]
}

/** @param fix what to type to have repaired what can be */
function doctorLines(data: DataOf<'doctor'>, page: Page, fix: string | null): string[] {
  const { words, style, columns } = page
  const version = ({ path, version }: { path: string | null; version: string | null }) =>
    path === null ? style.bad(words.notFound) : [version, style.dim(path)].filter(Boolean).join('  ')
  const marks = { error: style.bad('✗'), warning: style.warn('!'), note: style.dim('·') }
  const findings = data.findings as unknown as readonly Finding[]
  return [
    ...factLines(
      [
        ['Harness', version(data.harness)],
        ['pnpm', version(data.packageManager)],
        ['Node.js', version(data.node)],
        [words.profile, `${data.profile}  ${style.dim(data.home)}`],
      ],
      page,
    ),
    '',
    ...(data.start.state === 'starts' ? [`${style.good('✓')} ${words.healthy}`] : []),
    ...(data.start.state === 'not-tried' ? [style.dim(words.notTried)] : []),
    ...findings.flatMap((finding) =>
      wrapped(`${marks[finding.severity]}${finding.repairable ? '+' : ''} ${words.finding(finding)}`, columns),
    ),
    ...(data.repair === null ? [] : [words.explained(data.repair.outcome.title, data.repair.outcome.message)]),
    ...(fix !== null && findings.some(({ repairable }) => repairable) ? [words.fixWith(fix)] : []),
  ]
}
