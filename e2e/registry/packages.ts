import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { madeOnce } from '../once.ts'

const sources = fileURLToPath(new URL('./packages/', import.meta.url))

/** One published version: what its author wrote and what a registry keeps of it. */
export interface PublishedPackage {
  /** The package.json as published. */
  readonly manifest: { readonly name: string; readonly version: string }
  readonly tarball: Buffer
  /** Subresource integrity of the tarball, sha512. */
  readonly integrity: string
  /** SHA-1 of the tarball in hex, which older lockfiles use. */
  readonly shasum: string
}

/**
 * Packs a folder under `packages/` once more, as a version that its author released later.
 *
 * @param from another directory of such folders
 */
export async function packVersion(
  name: string,
  change: { readonly version: string; readonly dependencies?: object; readonly engines?: object },
  from = sources,
): Promise<PublishedPackage> {
  const out = await mkdtemp(join(tmpdir(), 'plugmark-pack-'))
  try {
    const source = join(out, 'source')
    await cp(join(from, name), source, { recursive: true })
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
    await writeFile(join(source, 'package.json'), JSON.stringify({ ...manifest, ...change }))
    await pack([source], out)
    return await readPacked(source, out)
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

let packed: Promise<readonly PublishedPackage[]> | null = null

/**
 * Every folder under `packages/`, packed as its author would have, with `npm pack`; once in this process, and once for all
 * workers of a run of the tests.
 *
 * @param more another directory of such folders
 */
export async function packPackages(more?: string): Promise<PublishedPackage[]> {
  packed ??= process.env.PLUGMARK_RUN === undefined ? packAll(sources) : packOnce()
  return [...(await packed), ...(more === undefined ? [] : await packAll(more))]
}

const foldersIn = async (directory: string) => (await readdir(directory)).map((name) => join(directory, name))

async function packAll(directory: string): Promise<readonly PublishedPackage[]> {
  const out = await mkdtemp(join(tmpdir(), 'plugmark-pack-'))
  try {
    const folders = await foldersIn(directory)
    await pack(folders, out)
    return await readAllPacked(folders, out)
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

async function packOnce(): Promise<readonly PublishedPackage[]> {
  const folders = await foldersIn(sources)
  return readAllPacked(folders, await madeOnce('registry', (out) => pack(folders, out)))
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
