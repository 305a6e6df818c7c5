import * as v from 'valibot'
import { runProcess } from '../process/run-process.ts'

/** The page waits for the answer, and its connection gives up after a minute. */
const LIMIT_MS = 45_000
const MAX_LENGTH = 1_000_000

const OutdatedSchema = v.record(v.string(), v.object({ latest: v.string() }))

/**
 * Asks the package manager which dependencies of a profile have a newer version: it knows the registries, proxies and
 * credentials of the profile. It is asked directly, as the harness's command line rewrites the profile's package.json
 * after whatever it ran.
 *
 * @param directory the profile's directory
 * @returns the newest versions by name, of those that are not there already; null when it could not tell
 */
export async function askOutdated(
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string> | null> {
  let text = ''
  const end = await runProcess({
    command: ['pnpm', 'outdated', '--json'],
    cwd: directory,
    env,
    timeLimitMs: LIMIT_MS,
    signal: new AbortController().signal,
    onText: (stream, more) => {
      if (stream === 'out' && text.length < MAX_LENGTH) text += more
    },
  })
  // It exits with 1 when there is something newer.
  if (end.how !== 'exited' || (end.code !== 0 && end.code !== 1)) return null
  try {
    const outdated = v.parse(OutdatedSchema, JSON.parse(text))
    return new Map(Object.entries(outdated).map(([name, { latest }]) => [name, latest]))
  } catch {
    return null
  }
}
