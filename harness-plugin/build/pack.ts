import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { repositoryAddress, repositoryFields } from '@plugmark/shared/repository'
import vue from '@vitejs/plugin-vue'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { thirdPartyLicenses } from './licenses.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface PackOptions {
  /** Folder for the tarball. @default harness-plugin/dist */
  readonly outDir?: string
  /** Address of the repository's page. @default that of the project's package.json */
  readonly repository?: string
}

/** Parts of a shell's package: its folder, its halves, and files that are copied unchanged. */
export interface Shell {
  readonly folder: string
  /** Returns the configurations of the bundles for the folder that they are written to. */
  readonly halves: (staging: string) => readonly InlineConfig[]
  /** Files besides package.json, LICENSE and the READMEs. */
  readonly files?: readonly string[]
  /** Called with the folder before it is packed. */
  readonly finish?: (staging: string) => Promise<void>
}

/** Builds a shell and packs it for publishing: with all code of the workspace bundled, and its licences. */
export async function packShell(shell: Shell, options: PackOptions): Promise<{ tarball: string }> {
  const outDir = options.outDir ?? join(ROOT, 'dist')
  const folder = join(ROOT, shell.folder)
  const staging = await mkdtemp(join(tmpdir(), `plugmark-${shell.folder}-`))
  try {
    const modules: string[] = []
    for (const half of shell.halves(staging)) modules.push(...(await run(half)))
    await writeFile(join(staging, 'THIRD-PARTY-LICENSES'), await thirdPartyLicenses(modules))
    for (const file of ['LICENSE', 'README.md', 'README.zh.md', ...(shell.files ?? [])])
      await cp(join(folder, file), join(staging, file), { recursive: true })
    // Omit these two fields, which prevent packing or publishing the sources by accident.
    const { private: _, scripts, ...manifest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const links = repositoryFields(`harness-plugin/${shell.folder}`, options.repository ?? repositoryAddress())
    await writeFile(join(staging, 'package.json'), `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`)
    await shell.finish?.(staging)
    await mkdir(outDir, { recursive: true })
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', outDir]
    await promisify(execFile)('npm', pack, { cwd: staging })
    return { tarball: join(outDir, `${manifest.name}-${manifest.version}.tgz`) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Returns the path of a file in a shell's folder. */
export const source = (folder: string, file: string): string => join(ROOT, folder, file)

/** Modules of Node. */
export const nodeModules = [...builtinModules, /^node:/]

/** Returns the Vue plugin. Without these options a child component loses its styles in a production build. */
export const vueOfView = () =>
  vue({
    features: { customElement: /[\\/]view[\\/].*\.vue$/ },
    template: { compilerOptions: { isCustomElement: (tag) => tag === 'plugmark-store' } },
  })

/** Builds a bundle. @returns ids of the bundled modules */
async function run(config: InlineConfig): Promise<string[]> {
  const built = await build({ ...config, configFile: false, publicDir: false, root: ROOT, logLevel: 'error' })
  const [output] = [built].flat() as Rolldown.RolldownOutput[]
  return output?.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])) ?? []
}
