import { writeFile } from 'node:fs/promises'
import {
  addressOption,
  type Command,
  checkWritable,
  parseOptions,
  parseWholeNumber,
  printableJson,
  say,
  UsageError,
  warn,
} from '../command.ts'
import { CLAUSES } from './clauses.ts'
import { type ClauseReport, clauseText, junitXml, type Result, summaryText, type VerifyReport } from './report.ts'
import { CLIENT_LIMIT_MS, createServer, MOST_REQUESTS, NotTested, Quirk, Violation } from './server.ts'

/** Begins the detail of a clause that cannot be tested because of another one. */
const SEE = 'See '

/** Shortest time between the starts of two requests, so that a verification slows nobody down, in ms. */
const PAUSE_MS = 500

const USAGE = `Usage: plugmark-directory verify URL [options]

Checks a directory against the contract. Sends at most ${MOST_REQUESTS} GET requests to its two endpoints, one at a time and
at most two a second. Exits with 0 when no clause is violated, with 1 when one is, and with 3 when it cannot be reached.

  URL           address of the directory: origin and perhaps a path, as in https://directory.example
  --timeout N   time limit of one request, in seconds (default ${CLIENT_LIMIT_MS / 1000}, as for clients)
  --verbose     at a terminal, print the clauses that hold, too
  --json        write the report as one JSON document
  --junit FILE  write the report as JUnit XML, for a CI
  --help        print this
`

export const verifyCommand: Command = {
  usage: USAGE,
  async run(args) {
    const options = {
      timeout: { type: 'string', default: `${CLIENT_LIMIT_MS / 1000}` },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      junit: { type: 'string' },
    } as const
    const { values, positionals } = parseOptions(args, options, 1)
    const [address] = positionals
    if (address === undefined) throw new UsageError('verify takes the address of a directory.')
    const baseUrl = addressOption('verify', address)
    const timeoutMs = 1000 * parseWholeNumber('timeout', values.timeout, { min: 1, max: 600 })
    await checkWritable(values.junit)
    warn(`Sends at most ${MOST_REQUESTS} requests to ${baseUrl}, two a second.`)
    // Somebody at a terminal looks for what does not hold.
    const isWhole = values.verbose || !process.stdout.isTTY
    let isReached = false
    const onClause = (clause: ClauseReport) => {
      isReached ||= clause.result === 'holds' || (clause.evidence?.status ?? null) !== null
      // A violation that follows from another clause says nothing new.
      const isShown = !clause.detail?.startsWith(SEE) && (isWhole || clause.result !== 'holds')
      if (!values.json && isShown) say(...clauseText(clause))
    }
    const report = await verify(baseUrl, { timeoutMs, onClause })
    if (values.json) console.log(printableJson(report))
    else say(summaryText(report))
    if (values.junit !== undefined) await writeFile(values.junit, junitXml(report))
    if (report.counts.violated === 0) return 0
    if (!isReached) warn('It did not answer, which says nothing of the contract.')
    return isReached ? 1 : 3
  },
}

interface VerifyOptions {
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Shortest time between two requests, in ms. @default 500 */
  readonly pauseMs?: number
  /** Time limit of one request, in ms. @default that of clients */
  readonly timeoutMs?: number
  readonly onClause?: (clause: ClauseReport) => void
}

/**
 * Verifies that a server keeps the contract. Sends GET requests to the two endpoints only, one at a time and at most two
 * a second. Reports a fault once, at the clause that names its cause.
 *
 * @param baseUrl address of the directory, without a trailing slash
 */
export async function verify(baseUrl: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { fetch = globalThis.fetch, pauseMs = PAUSE_MS, timeoutMs = CLIENT_LIMIT_MS, onClause } = options
  const server = createServer(baseUrl, { fetch, pauseMs, timeoutMs })
  const clauses: ClauseReport[] = []
  /** Clauses by the fault that they reported. */
  const reported = new Map<string, string>()
  for (const { id, text, source, check } of CLAUSES) {
    const { result, detail } = await check(server).then(
      () => ({ result: 'holds' as const, detail: null }),
      (error: unknown) => resultOf(error, id, reported),
    )
    if (result === 'violated' || result === 'quirk') server.found.add(id)
    const evidence = result === 'violated' || result === 'quirk' ? server.evidence : null
    const report = { id, text, source, result, detail, evidence }
    clauses.push(report)
    onClause?.(report)
  }
  const count = (result: Result) => clauses.filter((clause) => clause.result === result).length
  const counts = {
    holds: count('holds'),
    quirk: count('quirk'),
    violated: count('violated'),
    'not-tested': count('not-tested'),
  }
  return { url: baseUrl, requests: server.sent, counts, clauses }
}

function resultOf(error: unknown, id: string, reported: Map<string, string>): { result: Result; detail: string } {
  if (error instanceof Quirk) return { result: 'quirk', detail: error.message }
  if (error instanceof NotTested) return { result: 'not-tested', detail: error.message }
  if (!(error instanceof Violation)) throw error
  const { message, clause } = error
  const first = reported.get(message) ?? clause ?? id
  if (first !== id) return { result: 'not-tested', detail: `${SEE}“${first}”.` }
  reported.set(message, id)
  return { result: 'violated', detail: message }
}
