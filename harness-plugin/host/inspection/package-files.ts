/** The files of a published package: its tarball, unpacked in memory. Nothing of it is written to the disk or run. */
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'

/** Limits on the files of one tarball. */
export const PACKAGE_LIMITS = {
  unpackedBytes: 120_000_000,
  files: 100_000,
  /** Folders that a file may lie in. */
  depth: 30,
  /** Length of a path, in characters. */
  path: 500,
} as const

/** Entries that are named in an answer; the others are counted by nobody, as one is enough to distrust a package. */
const MAX_REFUSED = 20

/**
 * - `ambiguous`: package managers may unpack other files from it than those that are read here
 * - `too-large`: its files exceed the limit in bytes
 * - `too-many-files`: they exceed the limit in number
 * - `unreadable`: it is not a tarball, or is cut off or damaged
 */
export type UnpackProblem = 'ambiguous' | 'too-large' | 'too-many-files' | 'unreadable'

/**
 * An entry that no package manager unpacks as it stands.
 *
 * - `link`: a symbolic or hard link
 * - `device`: neither a file nor a folder
 * - `bad-name`: its path is too long or too deep, or has control characters
 */
export interface RefusedEntry {
  readonly path: string
  readonly reason: 'link' | 'device' | 'bad-name'
  /** In bytes. */
  readonly size: number
}

interface PackageFiles {
  readonly state: 'read'
  /** Contents by path, with slashes and without the outermost folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly refused: readonly RefusedEntry[]
}

type UnpackAnswer = PackageFiles | { readonly state: UnpackProblem }

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
  const paths = new Set<string>()
  let count = 0
  try {
    const tar = gunzip(tarball, limits.unpackedBytes)
    const entries = await unpackTar(tar, {
      strict: true,
      filter({ name, type = 'file', size }) {
        if (++count > limits.files) throw new LimitError('too-many-files')
        if (type === 'directory') return false
        const path = withoutFolder(name)
        if (isAmbiguous(name) || paths.has(path)) throw new LimitError('ambiguous')
        paths.add(path)
        const reason = reasonToRefuse(name, type, limits)
        if (reason !== null && refused.length < MAX_REFUSED)
          refused.push({ path: name.slice(0, limits.path), reason, size })
        return reason === null
      },
    })
    if (!hasPlainHeaders(tar)) return { state: 'ambiguous' }
    for (const { header, data } of entries) files.set(withoutFolder(header.name), data ?? new Uint8Array())
  } catch (error) {
    return { state: error instanceof LimitError ? error.problem : 'unreadable' }
  }
  if (!files.has('package.json')) return { state: 'unreadable' }
  return { state: 'read', files, refused }
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
export const withoutFolder = (path: string): string => path.replace(/^[^/]*\//, '')

/** Recognizes paths that package managers read in different ways. Packing programs write none of them. */
const isAmbiguous = (path: string): boolean =>
  path.includes('\\') || !path.includes('/') || path.split('/').some((part) => /^\.{0,2}$/.test(part))

/** Returns false for an archive in which programs find different entries. Packing programs write none of these. */
function hasPlainHeaders(tar: Uint8Array): boolean {
  const text = (start: number, end: number) => Buffer.from(tar.subarray(start, end)).toString('latin1')
  for (let at = 0; at + 512 <= tar.length; ) {
    // Some programs stop at a header whose name is empty.
    if (tar[at] === 0) return tar.subarray(at).every((byte) => byte === 0)
    const [size, type] = [text(at + 124, at + 136), text(at + 156, at + 157)]
    if (!/^ *[0-7]*[ \0]*$/.test(size)) return false
    const bytes = Number.parseInt(size, 8) || 0
    // Some programs take no contents from a link or a folder, others skip them.
    if (/[1-6]/.test(type) && bytes > 0) return false
    // An extended header can give a size or, for all files, a path, which not every program heeds.
    const hidden = type === 'x' ? /size$/ : type === 'g' ? /size$|path$/ : null
    if (hidden !== null) {
      const names = namesOfRecords(text(at + 512, at + 512 + bytes))
      if (names === null || names.some((name) => hidden.test(name))) return false
    }
    at += 512 + Math.ceil(bytes / 512) * 512
  }
  return true
}

/**
 * Returns the names that an extended header gives values to, in records of `LENGTH NAME=VALUE`.
 *
 * @returns null where programs find different ones: some read by the lengths, and some by lines
 */
function namesOfRecords(header: string): string[] | null {
  const names: string[] = []
  for (let at = 0; at < header.length; ) {
    const length = Number(/^\d{1,9}(?= )/.exec(header.slice(at, at + 10))?.[0] ?? 0)
    const [, name, value] = /^\d+ ([^=\n]+)=(.*)\n$/s.exec(header.slice(at, at + length)) ?? []
    if (name === undefined || value === undefined || /\n\d+ [^=\n]+=/.test(value)) return null
    names.push(name)
    at += length
  }
  return names
}

function reasonToRefuse(
  path: string,
  type: string,
  { path: longest, depth }: typeof PACKAGE_LIMITS,
): RefusedEntry['reason'] | null {
  if (type === 'link' || type === 'symlink') return 'link'
  if (type !== 'file') return 'device'
  const isBad = path.length > longest || path.split('/').length > depth || /[\p{Cc}\ufffd]/u.test(path)
  return isBad ? 'bad-name' : null
}
