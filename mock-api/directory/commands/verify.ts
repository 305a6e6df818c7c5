import { writeFile } from 'node:fs/promises'
import { clauseText, junitXml, summaryText } from '../verify/report.ts'
import { MOST_REQUESTS, verify } from '../verify/verify.ts'
import { parseOptions, UsageError } from './options.ts'

const USAGE = `Usage: plugmark-directory verify URL [options]

Holds a directory to the contract. Sends at most ${MOST_REQUESTS} GET requests to its two endpoints, one at a time and at
most two a second. Ends with 0 when no clause is violated, else with 1.

  URL           address of the directory: origin and perhaps a path, as in https://directory.example
  --json        write the report as one JSON document
  --junit FILE  write the report as JUnit XML, for a CI
  --help        print this
`

/** @returns the exit code */
export async function verifyCommand(args: string[]): Promise<number> {
  const hasUrl = args[0]?.startsWith('-') === false
  const values = parseOptions(args.slice(hasUrl ? 1 : 0), {
    json: { type: 'boolean', default: false },
    junit: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const baseUrl = parseBaseUrl(hasUrl ? args[0] : undefined)
  console.error(`Sends at most ${MOST_REQUESTS} requests to ${baseUrl}, two a second.`)
  const report = await verify(baseUrl, {
    onClause: (clause) => {
      if (!values.json) console.log(clauseText(clause))
    },
  })
  console.log(values.json ? JSON.stringify(report, null, 2) : summaryText(report))
  if (values.junit !== undefined) await writeFile(values.junit, junitXml(report))
  return report.counts.violated === 0 ? 0 : 1
}

function parseBaseUrl(text: string | undefined): string {
  if (text === undefined) throw new UsageError('verify takes the address of a directory.')
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isPlain) throw new UsageError('The address must be http or https, without credentials, query or fragment.')
  return url.origin + url.pathname.replace(/\/+$/, '')
}
