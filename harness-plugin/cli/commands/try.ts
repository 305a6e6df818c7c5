import { readFile } from 'node:fs/promises'
import type { TriedPlugin } from '../../host/index.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { commandOf } from '../cli-settings.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/**
 * Runs an install command in a throw-away home, under each harness, and starts the harness with what it installed.
 *
 * @param harnesses programs; an empty list means the one that the other commands use
 * @throws Failure unless the command passes and the plugin runs under every harness
 */
export async function tryCommand(session: Session, spec: string, harnesses: readonly string[]): Promise<DataOf<'try'>> {
  if (await isInBackground()) throw new Failure('usage', ({ fit }) => fit.noBackground)
  session.progress.warn(session.words.fit.runsHere)
  const host = await session.openHost()
  const results: DataOf<'try'>['results'] = []
  for (const harness of harnesses.length > 0 ? harnesses : [null]) {
    const command = harness === null ? {} : { command: commandOf(harness) }
    session.isWorking = true
    const tried = await host.tryPlugin({ spec, signal: session.signal, ...command }).finally(() => {
      session.isWorking = false
    })
    if (tried.ok) results.push(toResult(tried.tried, harness))
    else if (tried.reason === 'cancelled') throw new Failure('cancelled', ({ fit }) => fit.cancelled)
    else if (tried.reason === 'bad-spec') throw new Failure('usage', ({ fit }) => fit.badSpec(plainText(spec)))
    else throw new Failure(tried.reason, ({ outcomes }) => outcomes[tried.reason as 'harness-missing' | 'not-harness'])
  }
  const data = { spec: plainText(spec), results }
  const isFine = results.every(({ verdict, runs }) => verdict === 'passed' && runs === true)
  if (!isFine) throw new Failure('not-passed', ({ fit }) => fit.notPassed, { data })
  return data
}

const toResult = (tried: TriedPlugin, harness: string | null): DataOf<'try'>['results'][number] =>
  publish(DATA.try.entries.results.item, {
    ...tried,
    program: harness,
    startedAt: new Date(tried.startedAt).toISOString(),
  })

/** Returns true if the process has a terminal and is not in its foreground. Works only on Linux. */
async function isInBackground(): Promise<boolean> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '')
  // The name of the program may contain spaces.
  const [, , group, , , foreground] = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  return foreground !== undefined && Number(foreground) > 0 && foreground !== group
}
