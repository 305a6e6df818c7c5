import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A plugin of the tests. Its name and its row are its key in a table, its package is `dsh-plugin-<key>`. */
export interface TestPlugin {
  readonly description: string
  /** @default '1.0.0' */
  readonly version?: string
  /** Module of the host half, without the export of its name. @default one that does nothing */
  readonly host?: string
  /** The patch that makes it a layer; null: it is not a layer. @default one that inserts its row */
  readonly patch?: string | null
  /** Its browser half. @default none */
  readonly client?: string
  /** Other files by path. */
  readonly files?: Readonly<Record<string, string>>
  /** More of its package.json. */
  readonly manifest?: object
}
export type TestPlugins = Readonly<Record<string, TestPlugin>>

/** Returns a patch that inserts a row for a plugin of the tests. */
export const insertRow = (row: string, plugin: string): string =>
  `- insert:\n    - id: ${row}\n      name: dsh-plugin-${plugin}\n`

/** Writes plugins into folders named after their packages. @returns the folders */
export const writePlugins = (directory: string, plugins: TestPlugins): Promise<string[]> =>
  Promise.all(
    Object.entries(plugins).map(async ([name, plugin]) => {
      const folder = join(directory, `dsh-plugin-${name}`)
      for (const [file, text] of Object.entries(filesOf(name, plugin))) {
        await mkdir(dirname(join(folder, file)), { recursive: true })
        await writeFile(join(folder, file), text)
      }
      return folder
    }),
  )

function filesOf(name: string, plugin: TestPlugin): Record<string, string> {
  const { description, version, host, patch, client, files: others, manifest } = plugin
  const isLayer = patch !== null
  const files = {
    'index.js': `export const name = '${name}'\n\n${host ?? 'export function apply() {}'}\n`,
    ...(isLayer ? { 'cordis.patch.yml': patch ?? insertRow(name, name) } : {}),
    ...(client === undefined ? {} : { 'client.js': `${client}\n` }),
    ...others,
  }
  const full = {
    name: `dsh-plugin-${name}`,
    version: version ?? '1.0.0',
    description,
    license: 'MIT',
    type: 'module',
    exports: {
      '.': './index.js',
      ...(client === undefined ? {} : { './client': './client.js' }),
      './package.json': './package.json',
    },
    files: Object.keys(files),
    ...(isLayer
      ? {
          dsh: {
            bundle: { patch: './cordis.patch.yml' },
            ...(client === undefined ? {} : { client: { platform: 'web', inject: [] } }),
          },
        }
      : {}),
    ...manifest,
  }
  return { ...files, 'package.json': JSON.stringify(full) }
}
