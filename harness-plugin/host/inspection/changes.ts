/** The files that differ between two versions of a package, in order of risk, with their lines where a person can read them. */
import { structuredPatch } from 'diff'
import type { ChangedFile } from '../../protocol/inspection.ts'
import { isMinified, readAbilities } from './abilities.ts'

/** Files that are listed, and the limit on the lines of all of them. */
const MAX_FILES = 500
const MAX_LINES = 20_000
/** Time limit of comparing one file, in ms. */
const COMPARE_MS = 500

type Files = ReadonlyMap<string, Uint8Array>

/** What runs by itself comes first: the scripts, the patch, the entries, then the code that they load. */
const RISK: readonly ChangedFile['role'][] = ['scripts', 'patch', 'entry', 'code', 'other']

/** Returns the files that differ. */
export function changedFiles(before: Files, after: Files): { readonly files: ChangedFile[]; readonly more: number } {
  const roles = new Map([...readAbilities(before).roles, ...readAbilities(after).roles])
  const roleOf = (path: string): ChangedFile['role'] => roles.get(path) ?? 'other'
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => !isEqual(before.get(path), after.get(path)),
  )
  const ordered = paths.toSorted((a, b) => RISK.indexOf(roleOf(a)) - RISK.indexOf(roleOf(b)) || (a < b ? -1 : 1))
  let room = MAX_LINES
  const files = ordered.slice(0, MAX_FILES).map((path): ChangedFile => {
    const [old, now] = [before.get(path), after.get(path)]
    const compared = compare(path, textOf(old), textOf(now))
    const isLong = compared.folded === null && compared.lines.length > room
    room -= isLong ? 0 : compared.lines.length
    return {
      path,
      role: roleOf(path),
      sizeBefore: old?.length ?? null,
      sizeAfter: now?.length ?? null,
      ...(isLong ? { folded: 'long' as const, lines: [] } : compared),
    }
  })
  return { files, more: Math.max(0, paths.length - MAX_FILES) }
}

const isEqual = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array | undefined): string => decoder.decode(bytes)

/** Compares two texts line by line. Lines begin with `+`, `-`, a space, or `@@` for their place. */
function compare(path: string, before: string, after: string): Pick<ChangedFile, 'folded' | 'lines'> {
  if (before.includes('\0') || after.includes('\0')) return { folded: 'binary', lines: [] }
  if (/\.map$/.test(path) || isMinified(before) || isMinified(after)) return { folded: 'minified', lines: [] }
  const patch = structuredPatch(path, path, before, after, '', '', { context: 2, timeout: COMPARE_MS })
  if (patch === undefined) return { folded: 'long', lines: [] }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  return { folded: null, lines }
}
