/** For tests: packs a package as a registry serves it. */
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'

/** Packs files, and any other entries, with a package.json where none is given. */
export async function packPackage(
  files: Readonly<Record<string, string>>,
  others: readonly TarEntry[] = [],
): Promise<Uint8Array> {
  const all = { 'package.json': '{"name":"a-plugin","version":"1.0.0"}', ...files }
  const entries = Object.entries(all).map(([name, body]) => {
    const bytes = Buffer.from(body)
    const header = { name: `package/${name}`, size: bytes.length, type: 'file', mtime: new Date(0) } as const
    return { header, body: bytes }
  })
  return gzipSync(await packTar([...entries, ...others]))
}
