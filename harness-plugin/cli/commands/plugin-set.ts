import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { planImport, pluginSetOf } from '../../client/plugin-set.ts'
import { messagesFor } from '../../messages/index.ts'
import { type PluginSet, PluginSetSchema } from '../../protocol/profiles.ts'
import { publish } from '../../protocol/text.ts'
import { DATA, type DataOf, type Skipped } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { type ChangeOptions, change } from './change.ts'

/** Returns the plugins of a profile as a set that `import` reads, in the order in which the harness loads them. */
export async function exportSet(session: Session, options: Profiled): Promise<DataOf<'export'>> {
  const profile = await session.chooseProfile(options.profile)
  const client = await session.openClient()
  const patches = await client.host.patches(profile)
  if (patches.length > 0) session.progress.warn(session.words.patchesLeftOut(patches.join(', ')))
  const { layers = [] } = (await client.host.profiles()).find(({ name }) => name === profile) ?? {}
  const plugins = await client.installed(profile)
  const { hold } = plugins.find(({ hold }) => hold?.isUnknown) ?? {}
  if (hold) session.progress.warn(messagesFor(session.locale).updates.held(hold))
  return publish(DATA.export, pluginSetOf({ name: profile, layers }, plugins))
}

/**
 * Installs the plugins of a set in one job, with one review, and holds those that were held. A package of the registry
 * gets the version of the set, anything else the newest. Plugins that the directory does not list are skipped.
 */
export async function importSet(session: Session, file: string, options: ChangeOptions): Promise<DataOf<'import'>> {
  // Those that are present are reviewed too: the review says in which version.
  const { listed, unlisted } = planImport(await readSet(session, file), [])
  const message = messagesFor(session.locale).pluginSet.unlisted
  const skipped = unlisted.map((id): Skipped => ({ id, reason: 'not-found', message }))
  // A set from standard input cannot be read again.
  const typed = file === '-' ? undefined : ['import', file]
  const holds = new Map(listed.map(({ id, hold }) => [id, hold]))
  try {
    const data = await change(
      session,
      'install',
      listed.map(({ id, version }) => (version === null ? id : `${id}@${version}`)),
      { ...options, typed, holds },
    )
    return { ...data, skipped: [...data.skipped, ...skipped] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Other jobs of --each are done.
    const { success, output } = v.safeParse(DATA.import, error.data)
    if (!success) throw error
    throw error.with({ data: { ...output, skipped: [...output.skipped, ...skipped] } })
  }
}

/** Reads a set. @throws Failure when the file cannot be read or is not a set */
async function readSet(session: Session, file: string): Promise<PluginSet> {
  try {
    const content = file === '-' ? await text(session.stdin) : await readFile(file, 'utf8')
    return v.parse(PluginSetSchema, JSON.parse(content))
  } catch {
    throw new Failure('usage', ({ failures }) => failures.noSet(file))
  }
}
