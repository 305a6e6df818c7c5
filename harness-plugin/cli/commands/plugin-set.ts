import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseDependency } from '@plugmark/shared/install'
import * as v from 'valibot'
import { messagesFor } from '../../messages/index.ts'
import { type PluginSet, PluginSetSchema } from '../../protocol/profiles.ts'
import { DATA, type DataOf, type Skipped } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import { type ChangeOptions, change } from './change.ts'
import { chooseProfile, type Profiled } from './steps.ts'

/** Returns the plugins of a profile as a set that `import` reads, in the order in which the harness loads them. */
export async function exportSet(session: Session, options: Profiled): Promise<DataOf<'export'>> {
  const profile = await chooseProfile(session, options.profile)
  const client = await session.openClient()
  const patches = await client.host.patches(profile)
  if (patches.length > 0) session.progress.warn(session.words.patchesLeftOut(patches.join(', ')))
  const found = (await client.host.profiles()).find(({ name }) => name === profile)
  const order = found?.bundles ?? []
  const position = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const plugins = (await client.installed(profile)).toSorted((a, b) => position(a.package) - position(b.package))
  return {
    plugmark: 1,
    profile,
    plugins: plugins.map(({ package: name, id, spec, version, held }) => ({
      package: name,
      id,
      spec,
      version,
      hold: held && { reason: held.reason },
    })),
  }
}

/**
 * Installs the plugins of a set in one job, with one review, and holds those that were held. A package of the registry
 * gets the version of the set, anything else the newest. Plugins that the directory does not list are skipped.
 */
export async function importSet(session: Session, file: string, options: ChangeOptions): Promise<DataOf<'import'>> {
  const { plugins } = await readSet(session, file)
  const unlisted = plugins.filter(({ id }) => id === null)
  const skipped = unlisted.map(
    ({ package: name }): Skipped => ({
      id: name,
      reason: 'not-found',
      message: messagesFor(session.locale).pluginSet.unlisted,
    }),
  )
  const listed = plugins.flatMap((plugin) => (plugin.id === null ? [] : [{ ...plugin, id: plugin.id }]))
  // A set from standard input cannot be read again.
  const typed = file === '-' ? undefined : ['import', file]
  const holds = new Map(listed.map(({ id, hold }) => [id, hold]))
  try {
    const data = await change(session, 'install', listed.map(withVersion), { ...options, typed, holds })
    return { ...data, skipped: [...data.skipped, ...skipped] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Other jobs of --each are done.
    const { success, output } = v.safeParse(DATA.import, error.data)
    if (!success) throw error
    throw error.with({ data: { ...output, skipped: [...output.skipped, ...skipped] } })
  }
}

const withVersion = ({
  id,
  package: name,
  spec,
  version,
}: PluginSet['plugins'][number] & { readonly id: string }): string =>
  version !== null && parseDependency(name, spec)?.kind === 'npm' ? `${id}@${version}` : id

/** Reads a set. @throws Failure when the file cannot be read or is not a set */
async function readSet(session: Session, file: string): Promise<PluginSet> {
  try {
    const content = file === '-' ? await text(session.stdin) : await readFile(file, 'utf8')
    return v.parse(PluginSetSchema, JSON.parse(content))
  } catch {
    throw new Failure('usage', ({ failures }) => failures.noSet(file))
  }
}
