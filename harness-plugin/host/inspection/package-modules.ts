/** Finds the files of a package: those that it names as its entries, and those that its imports stand for. */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import * as v from 'valibot'
import { packageOf } from './code/values.ts'

/** Patterns of paths that are compared with all files; of more, every file counts as loaded. */
const MAX_PATTERNS = 500

/** One broken value does not hide the others. */
const Names = v.pipe(
  v.fallback(v.record(v.string(), v.unknown()), {}),
  v.transform((record) =>
    Object.fromEntries(Object.entries(record).filter((one): one is [string, string] => typeof one[1] === 'string')),
  ),
)
const ManifestSchema = v.object({
  name: v.fallback(v.string(), ''),
  main: v.fallback(v.optional(v.string()), undefined),
  exports: v.optional(v.unknown()),
  imports: v.optional(v.unknown()),
  bin: v.optional(v.unknown()),
  scripts: Names,
  dependencies: Names,
  optionalDependencies: Names,
  devDependencies: Names,
  gypfile: v.optional(v.unknown()),
  dsh: v.fallback(
    v.object({
      bundle: v.fallback(v.object({ patch: v.fallback(v.union([v.string(), v.array(v.string())]), []) }), {
        patch: [],
      }),
      client: v.fallback(v.object({ inject: v.fallback(v.array(v.string()), []) }), { inject: [] }),
    }),
    { bundle: { patch: [] }, client: { inject: [] } },
  ),
})
export type Manifest = v.InferOutput<typeof ManifestSchema>

export const CODE = /\.[cm]?js$/
/** Folders whose files are to be read by people. */
const EXAMPLE = /(?:^|\/)(?:examples?|tests?|__tests__|benchmarks?)\//
/** Conditions of `exports` that neither Node nor a bundler for a page asks for, such as `types` and `@zod/source`. */
const OTHER_CONDITION =
  /^(?:types|typings|@|deno|bun|workerd?$|edge-light|react-native|umd|script|unpkg|jsdelivr|electron|source)/

/** Contents by path. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Resolves paths and imports within a package, by its manifest and the rules of Node and bundlers. */
export class PackageModules {
  readonly #files: Files
  readonly manifest: Manifest
  #folders: Map<string, string[]> | null = null
  readonly #patterns = new Set<string>()
  #hasAnyNative: boolean | null = null

  constructor(files: Files) {
    this.#files = files
    this.manifest = readManifest(files)
  }

  /** Returns the files that the package names as its own entries. */
  entries(): string[] {
    const { main, exports, imports, bin } = this.manifest
    const paths: string[] = []
    const pending: unknown[] = [exports, imports, bin]
    for (const one of pending)
      if (typeof one === 'string') paths.push(one)
      else if (typeof one === 'object' && one !== null)
        for (const [key, value] of Object.entries(one)) if (!OTHER_CONDITION.test(key)) pending.push(value)
    if (main !== undefined && this.resolve(main) !== null) return [...paths, main]
    return exports === undefined ? [...paths, 'index.js'] : paths
  }

  /** Recognizes the path of a file of the package; of one with an unknown part, whether the package has any such file. */
  hasNative(path: string | null): boolean {
    if (path === null) return false
    this.#hasAnyNative ??= [...this.#files.keys()].some((file) => /\.node$/.test(file))
    return path.includes('…') ? this.#hasAnyNative : this.resolve(path) !== null
  }

  /** Returns the path that an import stands for; null for another package. @param from file that imports it */
  ownImport(path: string, from: string): string | null {
    const { name, exports, imports } = this.manifest
    if (isBuiltin(path)) return null
    if (path.startsWith('#')) return targetOf(imports, path)
    if (name !== '' && (path === name || path.startsWith(`${name}/`))) {
      const part = path.slice(name.length + 1)
      // Its own entries are read as such.
      return part === '' ? null : (targetOf(exports, `./${part}`) ?? part)
    }
    if (path.startsWith('.')) return posix.join(posix.dirname(from), path)
    if (OUTSIDE_ADDRESS.test(path)) return path
    // A package that it brings along.
    return this.#files.has(`node_modules/${packageOf(path)}/package.json`) ? `node_modules/${path}` : null
  }

  /**
   * Returns the code whose path fits a pattern with `*`.
   *
   * @param isEntry true to leave out examples and tests that `exports` offers beside its code, which nobody imports
   */
  matching(pattern: string, isEntry = false): string[] {
    // Each pattern is compared with many files.
    const key = `${isEntry} ${pattern}`
    if (this.#patterns.has(key)) return []
    this.#patterns.add(key)
    if (this.#patterns.size > MAX_PATTERNS) return this.#patterns.size === MAX_PATTERNS + 1 ? [...this.#codeIn('')] : []
    const [start = '', ...others] = normalize(pattern).split('*')
    const end = others.at(-1) ?? ''
    const folder = start.slice(0, start.lastIndexOf('/') + 1)
    return this.#codeIn(folder).filter(
      (file) =>
        file.startsWith(start) &&
        (file.endsWith(end) || file.replace(CODE, '').endsWith(end)) &&
        !(isEntry && EXAMPLE.test(file) && !EXAMPLE.test(pattern)),
    )
  }

  /** Returns the code in a folder and those in it. */
  #codeIn(folder: string): readonly string[] {
    if (this.#folders === null) {
      this.#folders = new Map()
      for (const file of this.#files.keys()) {
        if (!CODE.test(file)) continue
        for (let end = file.lastIndexOf('/') + 1; ; end = file.lastIndexOf('/', end - 2) + 1) {
          const folder = file.slice(0, end)
          const files = this.#folders.get(folder)
          if (files) files.push(file)
          else this.#folders.set(folder, [file])
          if (end === 0) break
        }
      }
    }
    return this.#folders.get(folder) ?? []
  }

  /** Returns the file that a path stands for by the rules of `require`; null if there is none. */
  resolve(path: string): string | null {
    for (const one of [path, path.replace(/[?#].*$/, '')]) {
      const base = normalize(one).replace(/\/$/, '')
      const endings = ['', '.js', '.json', '.node', '.cjs', '.mjs', '/index.js', '.ts', '/index.ts', '/index.json']
      const found = endings.map((ending) => normalize(`${base}${ending}`)).find((file) => this.#files.has(file))
      const folder = `${base}/package.json`
      if ((found === undefined || found.startsWith(`${base}/index`)) && base !== '' && this.#files.has(folder)) {
        const { main, exports } = readManifest(this.#files, folder)
        const entry = targetOf(exports, '.') ?? main
        const file = entry === undefined || /^(?:\.?\/?)$/.test(entry) ? null : this.resolve(posix.join(base, entry))
        if (file !== null) return file
      }
      if (found !== undefined) return found
      // Imports of TypeScript name what it is turned into.
      const source = base.replace(/\.([cm]?)jsx?$/, '.$1ts')
      if (source !== base && this.#files.has(source)) return source
    }
    return null
  }

  /** Recognizes a row that loads a part of the package itself. */
  isOwnRow(row: string): boolean {
    const { name } = this.manifest
    return row.startsWith('.') || (name !== '' && (row === name || row.startsWith(`${name}/`)))
  }
}

export function readManifest(files: Files, file = 'package.json'): Manifest {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(files.get(file)))
  return parsed.success ? parsed.output : v.parse(ManifestSchema, {})
}

/** Matches an absolute path, or an address that Node or a page loads code from. Other schemes are parts of an engine. */
export const OUTSIDE_ADDRESS = /^(?:\/|(?:https?|file|blob):)/i
/** Begins the path of what is not in the package. */
export const OUTSIDE = '../'
export const normalize = (path: string): string => posix.normalize(path).replace(/^(?:\.?\/)+/, '')
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the first file that `exports` or `imports` has for a path, by its own key or a pattern; null if it has none. */
function targetOf(field: unknown, path: string): string | null {
  if (typeof field === 'string') return path === '.' ? field : null
  if (typeof field !== 'object' || field === null) return null
  for (const [key, value] of Object.entries(field)) {
    const [start = '', end] = key.split('*')
    const isMatch = end !== undefined && path.startsWith(start) && path.endsWith(end) && path.length >= key.length - 1
    if (key !== path && !isMatch) continue
    const target = firstTarget(value)
    return target === null || end === undefined
      ? target
      : target.replaceAll('*', path.slice(start.length, path.length - end.length))
  }
  return path === '.' ? firstTarget(field) : null
}

/** Returns the first file among conditions. */
function firstTarget(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  for (const [key, one] of Object.entries(value)) {
    const target = OTHER_CONDITION.test(key) || key.startsWith('./') ? null : firstTarget(one)
    if (target !== null) return target
  }
  return null
}

const decoder = new TextDecoder()
export const textOf = (bytes: Uint8Array | undefined): string => (bytes ? decoder.decode(bytes) : '')
