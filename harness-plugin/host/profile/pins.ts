import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { isMap, parse, parseDocument } from 'yaml'
import { withoutEntries } from './manifest.ts'
import { isPin } from './overrides.ts'
import { writeProfileFile } from './write-file.ts'

const Overrides = v.optional(v.record(v.string(), v.unknown()), {})
const ManifestSchema = v.object({
  overrides: Overrides,
  pnpm: v.optional(v.looseObject({ overrides: Overrides }), {}),
})
const WorkspaceSchema = v.object({ overrides: Overrides })
const PLACES = [['overrides'], ['pnpm', 'overrides']] as const

/** Reads the overrides that pin packages of the harness in a profile, with the place and the version of each. */
export async function readPins(directory: string): Promise<{ name: string; place: string; version: string }[]> {
  const [manifest, workspace] = await Promise.all([
    read(join(directory, 'package.json'), ManifestSchema),
    read(join(directory, 'pnpm-workspace.yaml'), WorkspaceSchema),
  ])
  const pins = (overrides: Readonly<Record<string, unknown>> = {}, place: string) =>
    Object.entries(overrides)
      .filter(([name]) => isPin(name))
      .map(([name, version]) => ({ name, place, version: String(version) }))
  return [
    ...pins(manifest?.overrides, 'overrides'),
    ...pins(manifest?.pnpm.overrides, 'pnpm.overrides'),
    ...pins(workspace?.overrides, 'pnpm-workspace.yaml'),
  ]
}

/** Every JSON text is valid YAML. */
async function read<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    return v.parse(schema, parse(await readFile(path, 'utf8'), { logLevel: 'silent' }) ?? {})
  } catch {
    return null
  }
}

/** Removes overrides by their names, wherever a profile has them. Keeps every other byte. */
export async function removePins(directory: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const [manifest, workspace] = ['package.json', 'pnpm-workspace.yaml']
  const text = await readFile(join(directory, manifest!), 'utf8')
  let changed = text
  for (const place of PLACES) changed = withoutEntries(changed, [...place], names)
  if (changed !== text) await writeProfileFile(directory, manifest!, changed)

  const settings = await readFile(join(directory, workspace!), 'utf8').catch(() => '')
  const document = parseDocument(settings)
  const overrides = document.errors.length === 0 ? document.get('overrides') : null
  if (!isMap(overrides) || !names.some((name) => overrides.has(name))) return
  for (const name of names) overrides.delete(name)
  if (overrides.items.length === 0) document.delete('overrides')
  const written = document.toString({ lineWidth: 0 })
  await writeProfileFile(directory, workspace!, settings.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written)
}
