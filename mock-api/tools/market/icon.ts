import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { unpackTar } from 'modern-tar'

/** The largest icon that the format allows. bytes */
export const ICON_LIMIT = 256 * 1024
const TOO_LARGE = 'the icon has more than 256 KiB'

/** Name of an icon's file in an index's folder `icons`: part of its hash, and the type of its bytes. */
export const ICON_FILE = /^icons\/[0-9a-f]{16}\.(svg|png|jpg|webp)$/

/**
 * Returns the path of a package's icon below the package, from the field `icon` of its manifest; null when there is none.
 *
 * @throws when the field does not name a file in the package
 */
export function iconPath(icon: unknown): string | null {
  if (icon === undefined || icon === null) return null
  const path = typeof icon === 'string' ? posix.normalize(icon) : ''
  if (!/^[\w@][\w@./ -]*$/.test(path) || path.endsWith('/')) throw new Error('the field icon does not name a file')
  return path
}

/**
 * Returns the name of an icon's file, from its bytes.
 *
 * @throws when it is not a picture of a type that the format allows, or too large
 */
export function iconFile(bytes: Buffer): string {
  if (bytes.length > ICON_LIMIT) throw new Error(TOO_LARGE)
  const type = pictureType(bytes)
  if (type === null) throw new Error('the icon is not SVG, PNG, JPEG or WebP')
  return `icons/${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${type}`
}

const SVG = /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE[^>]*>\s*)?<svg[\s>]/i

function pictureType(bytes: Buffer): 'svg' | 'png' | 'jpg' | 'webp' | null {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  return SVG.test(bytes.toString('utf8', 0, 4096)) ? 'svg' : null
}

/**
 * Reads one file of a package's tarball, while the tarball arrives.
 *
 * @param path below the package
 * @throws when the tarball has no such file, or it is larger than an icon may be
 */
export async function readFromTarball(tarball: ReadableStream<Uint8Array<ArrayBuffer>>, path: string): Promise<Buffer> {
  const [file] = await unpackTar(tarball.pipeThrough(new DecompressionStream('gzip')), {
    filter({ name, size }) {
      if (name !== `package/${path}`) return false
      if (size > ICON_LIMIT) throw new Error(TOO_LARGE)
      return true
    },
  })
  if (file === undefined) throw new Error(`the package has no file ${path}`)
  return Buffer.from(file.data ?? [])
}
