import { writeFile } from 'node:fs/promises'
import { type Command, parseAddress, parseOptions, say, UsageError, warn } from '../command.ts'
import { clauseText, junitXml, summaryText } from './report.ts'
import { MOST_REQUESTS, verify } from './verify.ts'

const USAGE = `Usage: plugmark-directory verify URL [options]

Checks a directory against the contract. Sends at most ${MOST_REQUESTS} GET requests to its two endpoints, one at a time and
at most two a second. Exits with 0 when no clause is violated, otherwise with 1.

  URL           address of the directory: origin and perhaps a path, as in https://directory.example
  --json        write the report as one JSON document
  --junit FILE  write the report as JUnit XML, for a CI
  --help        print this
`

export const verifyCommand: Command = {
  usage: USAGE,
  async run(args) {
    const address = args[0]?.startsWith('-') === false ? args[0] : undefined
    const values = parseOptions(args.slice(address === undefined ? 0 : 1), {
      json: { type: 'boolean', default: false },
      junit: { type: 'string' },
    })
    if (address === undefined) throw new UsageError('verify takes the address of a directory.')
    const baseUrl = parseAddress('verify', address)
    warn(`Sends at most ${MOST_REQUESTS} requests to ${baseUrl}, two a second.`)
    const report = await verify(baseUrl, {
      onClause: (clause) => {
        if (!values.json) say(...clauseText(clause))
      },
    })
    if (values.json) console.log(JSON.stringify(report, null, 2))
    else say(summaryText(report))
    if (values.junit !== undefined) await writeFile(values.junit, junitXml(report))
    return report.counts.violated === 0 ? 0 : 1
  },
}
