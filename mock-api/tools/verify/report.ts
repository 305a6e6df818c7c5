import { escapeMarkup } from '../../api/responses.ts'
import { printable } from '../command.ts'
import type { Evidence } from './server.ts'

export type Result = 'holds' | 'quirk' | 'violated' | 'not-tested'

export interface ClauseReport {
  readonly id: string
  /** The clause as a full sentence. */
  readonly text: string
  /** Part of openapi.yaml that contains it. */
  readonly source: string
  readonly result: Result
  /** Departure of the server from the clause, or reason why it was not tested; null when the server keeps the clause. */
  readonly detail: string | null
  /** The request that showed a departure, and its answer; else null. */
  readonly evidence: Evidence | null
}

export interface VerifyReport {
  readonly url: string
  readonly requests: number
  readonly counts: Readonly<Record<Result, number>>
  readonly clauses: readonly ClauseReport[]
}

const MARKS = { holds: '✓', quirk: '~', violated: '✗', 'not-tested': '-' } as const

/** Returns the lines of a clause for a terminal. */
export function clauseText({ id, text, source, result, detail, evidence }: ClauseReport): string[] {
  const lines = [`${MARKS[result]} ${id}: ${text}`]
  if (detail !== null) lines.push(`    ${result}: ${detail}`)
  if (result === 'violated') {
    lines.push(`    openapi.yaml${source}`)
    if (evidence) lines.push(`    ${evidence.request}`, `    ${evidence.status ?? 'no answer'} ${evidence.body}`)
  }
  return lines.map(printable)
}

/** Returns the last line of a report for a terminal. */
export function summaryText({ url, requests, counts }: VerifyReport): string {
  const { holds, quirk, violated } = counts
  return `${url}: ${holds} clauses hold, ${quirk} quirks that clients tolerate, ${violated} violated, ${counts['not-tested']} not tested (${requests} requests).`
}

const escapeXml = (text: string) => escapeMarkup(printable(text))

/** Returns a report as JUnit XML. A quirk is not a failure. */
export function junitXml({ url, counts, clauses }: VerifyReport): string {
  const cases = clauses.map(({ id, text, source, result, detail, evidence }) => {
    const start = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(text)}"`
    if (result === 'not-tested') return `${start}><skipped message="${escapeXml(detail ?? '')}"/></testcase>`
    if (result !== 'violated') return `${start}/>`
    const content = [
      `openapi.yaml${source}`,
      evidence?.request ?? '',
      `${evidence?.status ?? ''} ${evidence?.body ?? ''}`,
    ]
    return `${start}><failure message="${escapeXml(detail ?? '')}">${escapeXml(content.join(' | '))}</failure></testcase>`
  })
  const numbers = `tests="${clauses.length}" failures="${counts.violated}" skipped="${counts['not-tested']}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${escapeXml(url)}" ${numbers}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}
