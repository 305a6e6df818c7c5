/** The files of a published package: its tarball, unpacked in memory. Nothing of it is written to the disk or run. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'

/** Limits on the files of one tarball. */
export const PACKAGE_LIMITS = {
  unpackedBytes: 120_000_000,
  files: 20_000,
  /** Folders that a file may lie in. */
  depth: 30,
  /** Length of a path, in characters. */
  path: 500,
} as const

/** Entries that are named in an answer; the others are counted by nobody, as one is enough to distrust a package. */
const MAX_REFUSED = 20

/**
 * - `too-large`: its files exceed the limit in bytes
 * - `too-many-files`: they exceed the limit in number
 * - `unreadable`: it is not a tarball, or is cut off or damaged
 */
export type UnpackProblem = 'too-large' | 'too-many-files' | 'unreadable'

/**
 * An entry that no package manager unpacks as it stands.
 *
 * - `link`: a symbolic or hard link
 * - `outside`: its path leads out of the package
 * - `device`: neither a file nor a folder
 * - `bad-name`: its path is too long or too deep, or has control characters
 */
export interface RefusedEntry {
  readonly path: string
  readonly reason: 'link' | 'outside' | 'device' | 'bad-name'
}

export interface PackageFiles {
  readonly state: 'read'
  /** Contents by path, with slashes and without the outermost folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly refused: readonly RefusedEntry[]
  /** Digests of the tarball: `sha512` as in a lockfile, `sha1` as in older registries. */
  readonly sha512: string
  readonly sha1: string
}

export type UnpackAnswer = PackageFiles | { readonly state: UnpackProblem }

class LimitError extends Error {
  readonly problem: UnpackProblem
  constructor(problem: UnpackProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Unpacks a tarball in memory. Never rejects. */
export async function unpackPackage(tarball: Uint8Array, limits = PACKAGE_LIMITS): Promise<UnpackAnswer> {
  const files = new Map<string, Uint8Array>()
  const refused: RefusedEntry[] = []
  let count = 0
  try {
    const entries = await unpackTar(gunzip(tarball, limits.unpackedBytes), {
      strict: true,
      filter({ name, type = 'file' }) {
        if (++count > limits.files) throw new LimitError('too-many-files')
        if (type === 'directory') return false
        const reason = reasonToRefuse(name, type, limits)
        if (reason !== null && refused.length < MAX_REFUSED) refused.push({ path: name.slice(0, limits.path), reason })
        return reason === null
      },
    })
    // As in a package manager, the last of two files with one path counts.
    for (const { header, data } of entries) files.set(withoutFolder(header.name), data ?? new Uint8Array())
  } catch (error) {
    return { state: error instanceof LimitError ? error.problem : 'unreadable' }
  }
  if (!files.has('package.json')) return { state: 'unreadable' }
  const digest = (algorithm: string) => createHash(algorithm).update(tarball)
  const [sha512, sha1] = [digest('sha512').digest('base64'), digest('sha1').digest('hex')]
  return { state: 'read', files, refused, sha512: `sha512-${sha512}`, sha1 }
}

/** Unpacks gzip, which a package manager does not require. */
function gunzip(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? new LimitError('too-large') : error
  }
}

/** Package managers drop the outermost folder, whatever its name. */
const withoutFolder = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '.' && part !== '')
    .slice(1)
    .join('/')

function reasonToRefuse(
  path: string,
  type: string,
  { path: longest, depth }: typeof PACKAGE_LIMITS,
): RefusedEntry['reason'] | null {
  if (type === 'link' || type === 'symlink') return 'link'
  if (type !== 'file') return 'device'
  const parts = path.split(/[/\\]/)
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || parts.includes('..')) return 'outside'
  if (path.length > longest || parts.length > depth || /[\p{Cc}\\\ufffd]/u.test(path)) return 'bad-name'
  return withoutFolder(path) === '' ? 'outside' : null
}
