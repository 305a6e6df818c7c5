import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { type DataOf, PluginSetSchema, type Skipped } from '../documents.ts'
import { Failure } from '../failure.ts'
import { chooseProfile } from '../profiles.ts'
import type { ChangeOptions } from '../review-changes.ts'
import type { Session } from '../session.ts'
import { change } from './change.ts'

/** Returns the plugins of a profile as a set that `import` reads, in the order in which the harness loads them. */
export async function exportSet(
  session: Session,
  options: { readonly profile?: string | undefined },
): Promise<DataOf<'export'>> {
  const profile = await chooseProfile(session, options.profile)
  const client = await session.openClient()
  const found = (await client.host.profiles()).find(({ name }) => name === profile)
  const order = found?.bundles ?? []
  const position = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const plugins = (await client.installed(profile)).toSorted((a, b) => position(a.package) - position(b.package))
  return {
    plugmark: 1,
    profile,
    plugins: plugins.map(({ package: name, id, spec, version }) => ({ package: name, id, spec, version })),
  }
}

/** Installs the plugins of a set in one job, with one review. Those that the directory does not list are skipped. */
export async function importSet(session: Session, file: string, options: ChangeOptions): Promise<DataOf<'import'>> {
  const { plugins } = await readSet(session, file)
  const unlisted = plugins.filter(({ id }) => id === null)
  const skipped = unlisted.map(
    ({ package: name }): Skipped => ({ id: name, reason: 'not-found', message: session.words.notInSet }),
  )
  const ids = plugins.flatMap(({ id }) => (id === null ? [] : [id]))
  const data = await change(session, 'install', ids, options)
  return { ...data, skipped: [...data.skipped, ...skipped] }
}

/** Reads a set. @throws Failure when the file cannot be read or is not a set */
async function readSet(session: Session, file: string): Promise<v.InferOutput<typeof PluginSetSchema>> {
  try {
    const content = file === '-' ? await text(session.stdin) : await readFile(file, 'utf8')
    return v.parse(PluginSetSchema, JSON.parse(content))
  } catch {
    throw new Failure('usage', ({ failures }) => failures.noSet(file))
  }
}
