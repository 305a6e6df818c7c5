import { isVerdict } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { isDone } from '../../client/published.ts'
import type { Finding } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import { profileAdvisoryLines } from '../../messages/inspection-lines.ts'
import type { Job, JobAction, ProfileAdvisories } from '../../protocol/index.ts'
import { shortVersion } from '../../protocol/package-id.ts'
import type { DataOf } from '../documents.ts'
import { SHORT_ID } from '../failure.ts'
import type { Words } from '../words/index.ts'
import { type Cell, table, wrapped } from './columns.ts'
import { Facts, factLines, type Page } from './terminal.ts'

/** Returns the sentence of a finding; for a missing program, with the option that names it. */
export const findingText = (
  finding: Pick<Finding, 'kind' | 'subjects' | 'state' | 'news'>,
  { harnessMissing }: Words,
  locale: Locale,
): string =>
  finding.kind === 'harness-missing'
    ? harnessMissing(finding.subjects.join(' '))
    : messagesFor(locale).profileCheck.finding(finding)

/** Returns the program that a finding misses; null for any other finding. */
export function missingProgram(kind: Finding['kind']): 'harness' | 'pnpm' | null {
  if (kind === 'package-manager-missing') return 'pnpm'
  return kind === 'harness-missing' || kind === 'not-harness' ? 'harness' : null
}

/** Renders the result of `try`. */
export function tryLines({ spec, result }: DataOf<'try'>, { words, style, columns, locale }: Page): string[] {
  const { contract, outcomeTitle } = messagesFor(locale)
  const { kind, verdict, runs, versions, durationMs } = result
  const name =
    kind === 'unreachable' || kind === 'not-found'
      ? outcomeTitle[kind]
      : contract.verdict(isVerdict(verdict) ? verdict : null).name
  const mark = verdict === 'passed' ? style.good : verdict === 'needs-approval' ? style.warn : style.bad
  const row = [
    `harness ${versions.harness}`,
    [name, mark] as const,
    [
      runs === null ? '' : runs ? words.fit.runs : words.fit.doesNotRun,
      runs === false ? style.bad : style.good,
    ] as const,
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
  const details = [
    ...result.blockedBuilds.map(({ key }) => `${words.builds} ${key}`),
    ...result.why,
    ...(verdict === 'failed' && kind !== 'unreachable' ? withoutStack(result.output).slice(-5) : []),
  ]
  return [
    style.bold(result.plugin ?? spec),
    ...table([row], columns),
    ...details.flatMap((line) => wrapped(line, columns)),
  ]
}

/** Leaves out where in its code a program failed: the message before that says what happened. */
const withoutStack = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => !/^\s*at (?:\S.* \(|\S+:\d)/.test(line))

/** Renders the effects of an upgrade of the harness on a profile. */
export function upgradeLines({ harnessVersion, start, plugins }: DataOf<'upgrade-check'>, page: Page): string[] {
  const { words, style, columns } = page
  const rows = plugins.map(({ package: name, version, runs, sentence, fitting }) => [
    runs === 'no' ? style.bad('✗') : runs === 'yes' ? style.good('✓') : style.dim('?'),
    [name, style.bold] as const,
    version ?? '',
    fitting === null ? sentence : `${sentence} ${words.fit.fitting(fitting)}`,
  ])
  return [
    words.fit.upgradeTitle(harnessVersion, start.state !== 'not-tried'),
    ...(start.state === 'does-not-start'
      ? wrapped(style.bad(words.fit.doesNotStart(start.why.join(' '))), columns)
      : []),
    ...(start.state === 'not-tried' && start.why.length > 0
      ? wrapped(style.warn(words.fit.startNotTried(start.why.join(' '))), columns)
      : []),
    ...(start.state === 'starts' && start.page !== 'yes'
      ? wrapped(
          start.page === 'no' ? style.bad(words.fit.pageBroken(start.why.join(' '))) : words.fit.pageNotTried,
          columns,
        )
      : []),
    ...table(rows, columns, { wraps: true }),
  ]
}

type PastJob = DataOf<'history'>['jobs'][number]

/** Renders the jobs of a profile as a table, or one job with its log. */
export function historyLines({ jobs }: DataOf<'history'>, page: Page, isOne: boolean): string[] {
  const { style, columns, isPipe, locale } = page
  const [first] = jobs
  if (isOne && first) return oneJob(first, page)
  if (first === undefined) return isPipe ? [] : [messagesFor(locale).history.none]
  const rows = jobs.map((job): Cell[] => [
    isDone(job.outcome) ? ['✓', style.good] : ['✗', style.bad],
    [job.job.slice(0, SHORT_ID), style.dim],
    timeOf(job, page),
    [changed(job, page), ...(job.client === 'cli' ? [] : [clientOf(job, page)])].filter(Boolean).join(' · '),
  ])
  return table(rows, columns, { wraps: true })
}

/** Says what a job did, or how it failed. */
function changed(job: PastJob, page: Page): string {
  const { outcome, ids, action } = job
  const { history, review } = messagesFor(page.locale)
  const changes = isDone(outcome) ? changesOf(job, page).join(', ') : ''
  const isWhole = ['undo', 'redo', 'repair', 'sync'].includes(action)
  if (changes !== '') return isWhole ? history.named(outcome.title, changes) : changes
  const names = ids.join(', ')
  if (isWhole || names === '') return history.named(outcome.title, names)
  // It says what was tried.
  return history.named(review.title(action === 'approve' ? 'install' : (action as JobAction), names), outcome.title)
}

/** Says what a job did; of an undo or a redo, what it made of each package. */
function changesOf({ action, changes, ids }: Pick<PastJob, 'action' | 'changes' | 'ids'>, { locale }: Page): string[] {
  const { change, result } = messagesFor(locale).history
  // A plugin has the same name in each row.
  const only = changes.length === 1 && ids.length === 1 ? ids[0] : null
  const packages = packagesOf(changes).map((one) => ({ ...one, name: only ?? one.name }))
  return packages.map(action === 'undo' || action === 'redo' ? result : change)
}

const packagesOf = (changes: PastJob['changes']) => changes.map(({ package: name, ...change }) => ({ name, ...change }))

/** Renders a job as values with tabs between them. */
export const historyRow = (job: PastJob, page: Page): readonly string[] => [
  ...[
    job.job,
    job.endedAt ?? '',
    job.action === 'approve' ? 'install' : job.action,
    job.outcome.kind,
    job.ids.join(','),
    changed(job, page),
    job.client,
  ],
]

function oneJob(job: PastJob, page: Page): string[] {
  const { words, style } = page
  const mark = isDone(job.outcome) ? style.good('✓') : style.bad('✗')
  const facts = new Facts()
  const explained = words.explained(job.outcome.title, job.outcome.message)
  facts.add(words.outcome, `${mark} ${explained}`, ...changesOf(job, page))
  facts.add(words.ended, timeOf(job, page))
  facts.add(words.client, clientOf(job, page))
  facts.add(words.command, job.command)
  facts.add(words.log, job.log)
  return [...factLines(facts, page), '', ...job.output]
}

const timeOf = ({ endedAt }: PastJob, { locale }: Page): string =>
  endedAt === null ? '' : messagesFor(locale).time(Date.parse(endedAt))

const clientOf = ({ client }: PastJob, { locale }: Page): string => messagesFor(locale).history.client(client)

/** Names the last change, or the undone one, and what is made of each package. */
export function undoLines({ change, profile }: DataOf<'undo'>, page: Page): string[] {
  const { words, locale, columns } = page
  const { undo, time } = messagesFor(locale)
  const isRedo = change.action === 'undo'
  const packages = packagesOf(change.changes)
  const at = time(Date.parse(change.endedAt ?? ''))
  const made = undo.made[change.action as Job['action']](change.ids.join(', '))
  return [
    isRedo && packages.length > 0 ? words.undoneAt(profile, at) : words.lastChange(made, profile, at),
    ...packages.map((one) => words.makes(one, isRedo)),
  ].flatMap((line) => wrapped(line, columns))
}

/** Renders what is known against the packages of a profile; unknown is said to be unknown. */
export const auditText = (audit: ProfileAdvisories, profile: string, { style, locale, columns }: Page): string[] =>
  profileAdvisoryLines(audit, profile, messagesFor(locale)).flatMap(({ text, isCaution, places }) => [
    ...wrapped(isCaution ? style.warn(text) : text, columns),
    ...places.map((place) => `  ${style.dim(place)}`),
  ])

/** Renders the files that two versions differ in, the most far-reaching first. */
export function diffLines(data: DataOf<'diff'>, { words, style, locale }: Page): string[] {
  const t = messagesFor(locale)
  const { files, package: name, before, after, compareUrl } = data
  const versions = t.review.versions(before && shortVersion(before), shortVersion(after ?? ''))
  const title = style.bold(`${name} ${versions}`.trimEnd())
  const link = compareUrl === null ? [] : [style.dim(compareUrl)]
  if (files.state === 'unknown') return [title, ...link, t.inspection.notRead(t.inspection.reasons[files.reason])]
  const sizes = (before: number | null, after: number | null) =>
    before === null
      ? t.diff.isNew(t.bytes(after ?? 0))
      : after === null
        ? t.diff.isRemoved
        : t.diff.sizes(t.bytes(before), t.bytes(after))
  const colour = (line: string) =>
    line.startsWith('+') ? style.good(line) : line.startsWith('-') ? style.bad(line) : style.dim(line)
  const shown = files.changed.flatMap(({ path, role, sizeBefore, sizeAfter, folded, lines, more }) => [
    '',
    `${style.bold(path)}  ${t.diff.roles[role]}  ${sizes(sizeBefore, sizeAfter)}`,
    ...(folded === null ? [] : [style.dim(folded === 'minified' ? words.minified : t.diff.folded[folded])]),
    ...(folded === 'minified' ? [] : [...lines.map(colour), ...(more ? [style.dim(t.diff.cut)] : [])]),
  ])
  const more = files.more > 0 ? ['', t.diff.moreFiles(t.number(files.more), files.more)] : []
  return [title, ...link, ...(files.changed.length === 0 ? [t.diff.same] : shown), ...more]
}

/** Renders what is found before a repair, and what that does beside its steps. */
export function repairLines(data: DataOf<'doctor'>, page: Page): string[] {
  const { findings, steps } = data
  const broken = findings.filter(({ kind, repairable }) => kind === 'plugin-broken' && repairable)
  const names = broken
    .flatMap(({ subjects }) => subjects)
    .filter((name) => !steps.some((step) => step.package === name))
  const does = names.length > 0 ? page.words.switchesOff(names.join(', ')) : messagesFor(page.locale).repair.start
  return [...doctorLines(data, page, null), ...wrapped(`→ ${does}`, page.columns)]
}

/** Renders findings. @param next command that repairs them if possible, or another advice */
export function doctorLines(data: DataOf<'doctor'>, page: Page, next: string | null): string[] {
  const { words, style, columns } = page
  const version = ({ path, version }: { path: string | null; version: string | null }) =>
    path === null ? style.bad(words.notFound) : [version, style.dim(path)].filter(Boolean).join('  ')
  const marks = { error: style.bad('✗'), warning: style.warn('!'), note: style.dim('·') }
  const { findings, steps, repair } = data
  const isRepairable = findings.some(({ repairable }) => repairable) || (steps.length > 0 && repair === null)
  const isFailed = findings[0]?.severity === 'error'
  const advice = next === null ? [] : isRepairable ? [words.fixWith(next)] : isFailed ? [words.next(next)] : []
  const { fit, profileCheck, installedView } = messagesFor(page.locale)
  const untested = fit.untested(data.harness.version)
  /** The step of the first finding is the next one. */
  const stepOf = ({ kind }: (typeof findings)[number]) => {
    const program = missingProgram(kind)
    const step = program && words.failures.getProgram[program]
    return step === null || step === next ? [] : wrapped(`→ ${step}`, columns, '  ')
  }
  const programs = () => [
    ...factLines(
      [
        ['Harness', version(data.harness)],
        ['pnpm', version(data.packageManager)],
        ['Node.js', version(data.node)],
        [installedView.profile, `${data.profile}  ${style.dim(data.home)}`],
      ],
      page,
    ),
    ...(untested === '' ? [] : wrapped(style.dim(untested), columns)),
    '',
  ]
  return [
    // The question before a repair named them.
    ...(repair === null || page.isPipe ? programs() : []),
    ...(data.start.state === 'starts' ? wrapped(`${style.good('✓')} ${profileCheck.start.starts}`, columns) : []),
    ...(data.start.state === 'not-tried' ? wrapped(style.dim(profileCheck.start['not-tried']), columns) : []),
    ...findings.flatMap((finding) =>
      wrapped(
        `${marks[finding.severity]}${finding.repairable && data.repair === null ? '+' : ''} ${finding.sentence}`,
        columns,
      ).concat(stepOf(finding)),
    ),
    ...(data.audit === null ? [] : auditText(data.audit, data.profile, page)),
    ...(data.repair === null ? data.steps.flatMap(({ sentence }) => wrapped(`→ ${sentence}`, columns, '  ')) : []),
    ...data.leftUpdates.flatMap(({ package: name, sentence, next }) =>
      wrapped(`${style.dim('·')} ${name}: ${sentence}`, columns).concat(next === null ? [] : `  → ${next}`),
    ),
    ...(data.repair === null
      ? []
      : wrapped(words.explained(data.repair.outcome.title, data.repair.outcome.message), columns)),
    ...advice,
  ]
}
