import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { env } from 'node:process'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { repositoryAddress, repositoryFields } from '../repository/index.ts'
import { runNpm } from './npm.ts'

export interface PackOptions {
  /** Folder for the tarball. @default `dist` in the folder of the workspace */
  readonly outDir?: string
  /** Address of the repository's page. @default that of the project's package.json */
  readonly repository?: string
}

/** Parts of a package: its folder, its bundles, and files that are copied unchanged. */
export interface Package {
  /** Folder of the workspace that the package belongs to. */
  readonly root: string
  /** Folder in `root` with package.json, LICENSE and the READMEs. */
  readonly folder: string
  /** Returns the configurations of the bundles for the folder that they are written to. */
  readonly bundles: (staging: string) => readonly InlineConfig[]
  /** Files besides package.json, LICENSE, CHANGELOG.md and the READMEs. */
  readonly files?: readonly string[]
  /** Returns fields of package.json that depend on the address of the repository, null when none is set. */
  readonly fields?: (repository: string | null) => object
  /** Called with the folder before it is packed. */
  readonly finish?: (staging: string) => Promise<void>
}

/** Builds a package and packs it for publishing: with all code of the workspace bundled, and its licences. */
export async function pack(parts: Package, options: PackOptions): Promise<{ tarball: string }> {
  const { root } = parts
  const outDir = options.outDir ?? join(root, 'dist')
  const folder = join(root, parts.folder)
  const repository = options.repository ?? repositoryAddress()
  const staging = await mkdtemp(join(tmpdir(), `plugmark-${parts.folder}-`))
  try {
    const modules: string[] = []
    for (const bundle of parts.bundles(staging)) modules.push(...(await run({ root, ...bundle })))
    await writeFile(join(staging, 'THIRD-PARTY-LICENSES'), await thirdPartyLicenses(modules))
    for (const file of ['LICENSE', ...(parts.files ?? [])])
      await cp(join(folder, file), join(staging, file), { recursive: true })
    for (const file of ['README.md', 'README.zh.md']) {
      const text = await readFile(join(folder, file), 'utf8')
      await writeFile(
        join(staging, file),
        repository === null ? withoutPictures(text) : withAddresses(text, repository),
      )
    }
    await cp(new URL('../../CHANGELOG.md', import.meta.url), join(staging, 'CHANGELOG.md'))
    // Omit these two fields, which prevent packing or publishing the sources by accident.
    const { private: _, scripts, ...manifest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const links = repositoryFields(`${basename(root)}/${parts.folder}`, repository)
    const fields = parts.fields?.(repository)
    await writeFile(join(staging, 'package.json'), `${JSON.stringify({ ...manifest, ...links, ...fields }, null, 2)}\n`)
    await parts.finish?.(staging)
    await mkdir(outDir, { recursive: true })
    await runNpm(['pack', '--ignore-scripts', '--silent', '--pack-destination', outDir], { cwd: staging })
    return { tarball: join(outDir, `${manifest.name}-${manifest.version}.tgz`) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Names the pictures of a README, which lie outside the package, by their addresses. */
const withAddresses = (text: string, repository: string) =>
  text.replaceAll('](../../docs/', `](${repository}/raw/HEAD/docs/`)

/** Leaves out pictures that have no address. */
const withoutPictures = (text: string) => text.replace(/^!\[.*\]\(\.\.\/\.\.\/docs\/.*\)\n\n/gm, '')

/** Modules of Node. */
export const nodeModules = [...builtinModules, /^node:/]

/** Builds a bundle. @returns ids of the bundled modules */
async function run(config: InlineConfig): Promise<string[]> {
  // A test runner sets another value, with which compilers keep what only development needs.
  env.NODE_ENV = 'production'
  const built = await build({ ...config, configFile: false, publicDir: false, logLevel: 'error' })
  const [output] = [built].flat() as Rolldown.RolldownOutput[]
  return output?.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])) ?? []
}

/** Words of a licence that requires its text in every copy. For any other, the name and the copyright lines suffice. */
const WANTS_ITS_TEXT = /permission notice shall be included/

/**
 * Returns the licences of the packages that bundled modules come from, each once.
 *
 * @param options.brief true to leave out the text of a licence that does not require it in every copy
 */
export async function thirdPartyLicenses(moduleIds: readonly string[], { brief = false } = {}): Promise<string> {
  const directories = new Set(moduleIds.map(packageDirectory).filter((directory) => directory !== null))
  const texts = await Promise.all([...directories].sort().map((directory) => licenseOf(directory, brief)))
  return `${texts.join(brief ? '\n\n' : `\n\n${'-'.repeat(72)}\n\n`)}\n`
}

function packageDirectory(id: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0] ?? null
}

async function licenseOf(directory: string, brief: boolean): Promise<string> {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text =
    file === undefined
      ? ((await statedLicense(manifest)) ?? (await licenseOfSibling(directory, manifest)))
      : await readFile(join(directory, file), 'utf8')
  if (text === null) throw new Error(`${name} is bundled and has no licence file in ${dirname(directory)}`)
  const heading = `${name} ${version} (${license})`
  if (brief && !WANTS_ITS_TEXT.test(text.replace(/\s+/g, ' ')))
    return [heading, ...(text.match(/^copyright .*$/gim) ?? [])].join('\n')
  return `${heading}\n\n${text.trim()}`
}

/** Returns the text of the same licence from a package of the same scope and repository; null when there is none. */
async function licenseOfSibling(directory: string, { license, repository }: Manifest): Promise<string | null> {
  const scope = dirname(directory)
  if (!basename(scope).startsWith('@')) return null
  for (const name of await readdir(scope)) {
    const sibling: Manifest = JSON.parse(await readFile(join(scope, name, 'package.json'), 'utf8'))
    if (sibling.license !== license || !repository?.url || sibling.repository?.url !== repository.url) continue
    const text = await readFile(join(scope, name, 'LICENSE'), 'utf8').catch(() => null)
    if (text !== null) return text
  }
  return null
}

interface Manifest {
  readonly name: string
  readonly license?: unknown
  readonly author?: unknown
  readonly repository?: { readonly url?: string }
}

/** Returns the text of a licence that a package.json names without a licence file. The text of MIT equals ours. */
async function statedLicense(manifest: Manifest): Promise<string | null> {
  const { name, license, repository } = manifest
  const author =
    typeof manifest.author === 'string'
      ? manifest.author
      : repository?.url && `the authors of ${name}, ${repository.url}`
  if (license !== 'MIT' || !author) return null
  const mit = await readFile(new URL('../../harness-plugin/cli/LICENSE', import.meta.url), 'utf8')
  return mit.replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
}
