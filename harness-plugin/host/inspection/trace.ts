/** Finds the files of a package that are in no commit, in the worker. */
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import type { PackageSource } from '../../protocol/inspection.ts'
import { readAbilities } from './abilities.ts'
import { byRisk, isSourceMap } from './changes.ts'

/** Files that are named of each kind; the others are counted. */
const MAX_NAMED = 50

/** What a comparison with a tree found. */
export type TracedFiles = Omit<PackageSource & { readonly state: 'read' }, 'tag' | 'commit'>
type Files = ReadonlyMap<string, Uint8Array>

/** Files that publishing adds. Other text can be for agents. */
const DOCUMENT =
  /(?:^|\/)(?:readme|licen[cs]e|copying|notice|authors|contributors|contributing|changes|changelog|history|security)(?:(?:[-.][\w-]+)?\.(?:md|markdown|rst|txt)|-\w+)?$/i
const TYPES = /\.d\.[cm]?ts$/

/**
 * Finds the files of a package that can run and are not in a tree. Documents, types and source maps are left out,
 * unless the package loads them. The tree must have a file at the same place: elsewhere it may be data of a test.
 *
 * @param folder folder of the package in the tree; empty for its root
 */
export function traceFiles(tree: Files, files: Files, folder: string): TracedFiles {
  const { roles } = readAbilities(files)
  const prefix = folder.replace(/^[./]+|\/+$/g, '')
  const changed: string[] = []
  const absent: string[] = []
  for (const [path, bytes] of files) {
    const isHarmless = DOCUMENT.test(path) || TYPES.test(path) || (path.endsWith('.map') && isSourceMap(bytes))
    if (isHarmless && !roles.has(path)) continue
    const original = tree.get(prefix === '' ? path : `${prefix}/${path}`)
    if (original !== undefined) {
      const isSame = Buffer.compare(bytes, original) === 0 || (path === 'package.json' && isPublished(original, bytes))
      if (!isSame) changed.push(path)
    } else if (path === 'binding.gyp') {
      // Package managers run it without a word in package.json.
      changed.push(path)
    } else absent.push(path)
  }
  const named = (paths: readonly string[]) => ({
    names: paths.toSorted(byRisk(roles)).slice(0, MAX_NAMED),
    count: paths.length,
  })
  return { state: 'read', changed: named(changed), absent: named(absent) }
}

const ManifestSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))
const EntriesSchema = v.fallback(v.record(v.string(), v.unknown()), {})
/** Fields that decide what runs. */
const FIELDS = ['type', 'main', 'module', 'browser', 'exports', 'imports', 'bin', 'directories', 'dsh', 'gypfile']
/** Fields that decide what is installed and run with it, entry by entry. Publishing removes some of the entries. */
const LISTS = ['scripts', 'dependencies', 'optionalDependencies', 'peerDependencies']
const BUNDLED = ['bundleDependencies', 'bundledDependencies']

/** Returns true if a package.json runs and installs nothing else than the one that it was published from. */
function isPublished(original: Uint8Array, published: Uint8Array): boolean {
  const [from, to] = [original, published].map((bytes) => v.safeParse(ManifestSchema, Buffer.from(bytes).toString()))
  if (!from?.success || !to?.success) return false
  // Some package managers publish these in place of the fields of the same names.
  const source = { ...from.output, ...v.parse(EntriesSchema, from.output.publishConfig) }
  const isSameField = (field: string) => JSON.stringify(to.output[field]) === JSON.stringify(source[field])
  const isSameList = (field: string) => {
    const originals = new Map(Object.entries(v.parse(EntriesSchema, source[field])))
    return Object.entries(v.parse(EntriesSchema, to.output[field])).every(
      ([name, value]) =>
        value === originals.get(name) || (field !== 'scripts' && isResolved(originals.get(name), value)),
    )
  }
  return [...FIELDS, ...BUNDLED].every(isSameField) && LISTS.every(isSameList)
}

/** Returns true for a range of versions that stands in place of a part of the same repository, or of a range elsewhere. */
const isResolved = (original: unknown, value: unknown): boolean =>
  typeof original === 'string' &&
  /^(?:workspace|catalog):/.test(original) &&
  typeof value === 'string' &&
  validRange(value) !== null
