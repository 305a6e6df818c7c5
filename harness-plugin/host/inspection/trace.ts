/** Finds the files of a package that are in no commit, in the worker. */
import { createHash } from 'node:crypto'
import type { PackageSource } from '../../protocol/inspection.ts'
import { NATIVE, readAbilities } from './abilities.ts'

/** Files that are named of each kind; the others are counted. */
const MAX_NAMED = 50

/** What a comparison with a tree found. */
export type TracedFiles = Omit<PackageSource & { readonly state: 'read' }, 'tag' | 'commit'>
type Files = ReadonlyMap<string, Uint8Array>

/**
 * Finds the files of a package that can run and are not in a tree. Other files, and those that the tree has in another
 * place, are left out.
 *
 * @param folder folder of the package in the tree; empty for its root
 */
export function traceFiles(tree: Files, files: Files, folder: string): TracedFiles {
  const { roles } = readAbilities(files)
  const known = new Set([...tree.values()].map(digest))
  const prefix = folder.replace(/^[./]+|\/+$/g, '')
  const changed: string[] = []
  const absent: string[] = []
  for (const [path, bytes] of files) {
    const canRun = path !== 'package.json' && (roles.has(path) || NATIVE.test(path))
    if (!canRun || known.has(digest(bytes))) continue
    const isInTree = tree.has(prefix === '' ? path : `${prefix}/${path}`)
    ;(isInTree ? changed : absent).push(path)
  }
  const named = (paths: readonly string[]) => ({ names: paths.toSorted().slice(0, MAX_NAMED), count: paths.length })
  return { state: 'read', changed: named(changed), absent: named(absent) }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')
