import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../once.ts'
import { BROKEN } from './broken-plugins.ts'
import { writePlugins } from './plugin-folder.ts'
import { PUBLISHED } from './plugins.ts'

/** One published version: what its author wrote and what a registry keeps of it. */
export interface PublishedPackage {
  /** The package.json as published. */
  readonly manifest: { readonly name: string; readonly version: string }
  readonly tarball: Buffer
  /** Subresource integrity of the tarball, sha512. */
  readonly integrity: string
  /** SHA-1 of the tarball in hex, which older lockfiles use. */
  readonly shasum: string
  /** Time of the release, ISO 8601. Default: months ago. */
  readonly at?: string
}

/**
 * Packs a published plugin again, as a version that its author released later.
 *
 * @param from folder with the folders of other plugins
 */
export async function packVersion(
  name: string,
  change: { readonly version: string; readonly dependencies?: object; readonly engines?: object },
  from?: string,
): Promise<PublishedPackage> {
  return inTemporaryFolder(async (out) => {
    const source = join(out, name)
    if (from === undefined) await writePlugins(out, PUBLISHED)
    else await cp(join(from, name), source, { recursive: true })
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
    await writeFile(join(source, 'package.json'), JSON.stringify({ ...manifest, ...change }))
    await pack([source], out)
    return readPacked(source, out)
  })
}

let packed: Promise<readonly PublishedPackage[]> | null = null

/**
 * Packs every published and every broken plugin with `npm pack`: once in this process, and once for all workers of a run
 * of the tests.
 *
 * @param more folder with the folders of other plugins
 */
export async function packPackages(more?: string): Promise<PublishedPackage[]> {
  packed ??= process.env.PLUGMARK_RUN === undefined ? inTemporaryFolder(packOwn) : packOnce()
  const others = more === undefined ? [] : await inTemporaryFolder(async (out) => packAll(await foldersIn(more), out))
  return [...(await packed), ...others]
}

const foldersIn = async (directory: string) => (await readdir(directory)).map((name) => join(directory, name))

const ALL = { ...PUBLISHED, ...BROKEN }

const packOwn = async (out: string): Promise<readonly PublishedPackage[]> =>
  packAll(await writePlugins(join(out, 'sources'), ALL), out)

async function packOnce(): Promise<readonly PublishedPackage[]> {
  const out = await madeOnce('registry', packOwn)
  return readAllPacked(await foldersIn(join(out, 'sources')), out)
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-pack-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function packAll(folders: readonly string[], out: string): Promise<readonly PublishedPackage[]> {
  await pack(folders, out)
  return readAllPacked(folders, out)
}

const readAllPacked = (folders: readonly string[], out: string) =>
  Promise.all(folders.map((folder) => readPacked(folder, out)))

async function pack(folders: readonly string[], out: string): Promise<void> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', out, ...folders]
  await promisify(execFile)('npm', args, { cwd: out })
}

async function readPacked(source: string, out: string): Promise<PublishedPackage> {
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const name = manifest.name.replace(/^@/, '').replace('/', '-')
  const tarball = await readFile(join(out, `${name}-${manifest.version}.tgz`))
  const hash = (algorithm: string, encoding: 'base64' | 'hex') => createHash(algorithm).update(tarball).digest(encoding)
  return { manifest, tarball, integrity: `sha512-${hash('sha512', 'base64')}`, shasum: hash('sha1', 'hex') }
}
