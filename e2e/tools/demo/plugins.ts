import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue } from '@plugmark/mock-api'
import { nameParts, type Verdict } from '@plugmark/shared/contract'
import { writePlugins as writeTestPlugins } from '../../registry/plugin-folder.ts'
import { PUBLISHED } from '../../registry/plugins.ts'
import { GAINING } from './examples.ts'

/** This owner's lie under e2e/registry, each written for an end of its own; one of them is in no registry. */
const WRITTEN = 'lanternworks/'

const BUILD = { 'build.js': '' }

/**
 * Writes the plugins of an invented catalogue that do nothing but come to the end that their verdicts tell of, as
 * `packages/<name>` and `repositories/<owner>/<repo>`: what the demo shows as passed installs there.
 *
 * @param directory an existing one
 */
export async function writePlugins({ listings }: Catalogue, directory: string): Promise<void> {
  for (const { record, verdict } of listings) {
    const { fullName, install, npmPackage, blockedBuilds } = record
    if (install === null || fullName.startsWith(WRITTEN) || verdict === 'failed' || verdict === 'timeout') continue
    const { owner, repo } = nameParts(fullName)
    const name = npmPackage ?? repo.toLowerCase()
    const folder = npmPackage ? packageFolder(directory, name) : join(directory, 'repositories', owner, repo)
    const blocked = blockedBuilds ?? []
    const builds = blocked.includes(name) ? { [npmPackage ? 'postinstall' : 'prepare']: 'node build.js' } : {}
    const needed = blocked.filter((other) => other !== name)
    await writeFiles(folder, pluginFiles(name, verdict, builds, needed))
    for (const other of needed) {
      const scripts = { postinstall: 'node build.js' }
      const manifest = { name: other, version: '1.0.0', scripts }
      await writeFiles(packageFolder(directory, other), { 'package.json': JSON.stringify(manifest), ...BUILD })
    }
  }
}

/** Writes the newer version of the plugin that gains something. @returns the folder that has its folder */
export async function writeNewer(directory: string): Promise<string> {
  const newer = join(directory, 'newer')
  await writeTestPlugins(newer, { 'tide-clock': { ...PUBLISHED['tide-clock']!, host: GAINING.host } })
  return newer
}

function pluginFiles(name: string, verdict: Verdict | null, scripts: object, needed: readonly string[]) {
  const manifest = {
    name,
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js', './package.json': './package.json' },
    scripts,
    dependencies: Object.fromEntries(needed.map((other) => [other, '^1.0.0'])),
    ...(verdict === 'not-a-layer' ? {} : { dsh: { bundle: { patch: './cordis.patch.yml' } } }),
  }
  return {
    'package.json': JSON.stringify(manifest),
    // JSON is YAML.
    'cordis.patch.yml': JSON.stringify([{ insert: [{ id: name, name }] }]),
    'index.js': `export const name = ${JSON.stringify(name)}\nexport function apply() {}\n`,
    ...BUILD,
  }
}

const packageFolder = (directory: string, name: string) => join(directory, 'packages', name.replace('/', '+'))

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
