import { isDone } from '../../client/published.ts'
import { messagesFor } from '../../messages/index.ts'
import { packageChangeText } from '../../messages/package-change.ts'
import type { DataOf } from '../documents.ts'
import { type Cell, table } from './columns.ts'
import type { Page } from './terminal-page.ts'
import { factLines } from './terminal-page.ts'

type Job = DataOf<'history'>['jobs'][number]

/** Shown length of a job's id, which `history` takes. */
const SHORT_ID = 8

/** Renders the jobs of a profile as a table, or one job with its log. */
export function historyLines({ jobs, profile }: DataOf<'history'>, page: Page, isOne: boolean): string[] {
  const { words, style, columns, isPipe } = page
  const [first] = jobs
  if (isOne && first) return oneJob(first, page)
  if (first === undefined) return isPipe ? [] : [words.noHistory(profile)]
  const rows = jobs.map((job): Cell[] => [
    [job.job.slice(0, SHORT_ID), style.dim],
    timeOf(job, page),
    [job.outcome.title, isDone(job.outcome) ? style.good : style.bad],
    [subjectOf(job, page), style.bold],
    clientOf(job, page),
  ])
  return table(rows, columns)
}

/** Renders a job as values with tabs between them. */
export const historyRow = (job: Job, page: Page): readonly string[] => [
  ...[job.job, job.endedAt ?? '', job.action, job.outcome.kind, job.ids.join(','), subjectOf(job, page), job.client],
]

function oneJob(job: Job, page: Page): string[] {
  const { words, style } = page
  const mark = isDone(job.outcome) ? style.good('✓') : style.bad('✗')
  const facts: [string, string][] = [
    [words.outcome, `${mark} ${words.explained(job.outcome.title, job.outcome.message)}`],
    ...job.changes.map((change): [string, string] => ['', changeText(change, page)]),
    [words.ended, timeOf(job, page)],
    [words.client, clientOf(job, page)],
    ...(job.command === null ? [] : [[words.command, job.command] as [string, string]]),
    ...(job.log === null ? [] : [[words.log, job.log] as [string, string]]),
  ]
  return [...factLines(facts, page), '', ...job.output]
}

const subjectOf = (job: Job, page: Page): string =>
  job.changes.length > 0 ? job.changes.map((change) => changeText(change, page)).join(', ') : job.ids.join(', ')

const changeText = ({ package: name, ...change }: Job['changes'][number], { locale }: Page): string =>
  packageChangeText(
    { name, ...change },
    {
      enabled: messagesFor(locale).installedView.enabled.toLowerCase(),
      disabled: messagesFor(locale).installedView.disabled.toLowerCase(),
    },
  )

const timeOf = ({ endedAt }: Job, { locale }: Page): string =>
  endedAt === null ? '' : messagesFor(locale).time(Date.parse(endedAt))

const clientOf = ({ client }: Job, { locale }: Page): string => messagesFor(locale).history.client(client)
