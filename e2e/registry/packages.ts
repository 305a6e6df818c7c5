import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

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

/** Packs every folder under `packages/` as its author would have, with `npm pack`. */
export async function packPackages(): Promise<PublishedPackage[]> {
  const folders = await readdir(sources)
  const out = await mkdtemp(join(tmpdir(), 'plugmark-pack-'))
  try {
    const specs = folders.map((folder) => `./${folder}`)
    await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out, ...specs], {
      cwd: sources,
    })
    return await Promise.all(folders.map((folder) => readPacked(join(sources, folder), out)))
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

async function readPacked(source: string, out: string): Promise<PublishedPackage> {
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const tarball = await readFile(join(out, `${manifest.name}-${manifest.version}.tgz`))
  const hash = (algorithm: string, encoding: 'base64' | 'hex') => createHash(algorithm).update(tarball).digest(encoding)
  return { manifest, tarball, integrity: `sha512-${hash('sha512', 'base64')}`, shasum: hash('sha1', 'hex') }
}
