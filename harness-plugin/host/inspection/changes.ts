/** The files that differ between two versions of a package, in order of risk, with their lines where a person can read them. */
import { structuredPatch } from 'diff'
import { type ChangedFile, FILE_ROLES } from '../../protocol/inspection.ts'
import { codeLine } from '../../protocol/plain-text.ts'
import { isMinified, NATIVE, readAbilities } from './abilities.ts'

const LIMITS = {
  files: 500,
  /** Lines of one file, and of one that is shown on demand only. */
  lines: 2_000,
  foldedLines: 200,
  /** Characters of the lines of all files, of which each counts as a few more. */
  characters: 1_500_000,
  perLine: 40,
  /** Time of comparing one file, and all files, in ms. */
  fileMs: 1_500,
  allMs: 8_000,
} as const

type Files = ReadonlyMap<string, Uint8Array>

/** Returns the files that differ: what runs by itself first, then the code that it loads, then the rest. */
export function changedFiles(before: Files, after: Files): { readonly files: ChangedFile[]; readonly more: number } {
  const roles = new Map([...readAbilities(before).roles, ...readAbilities(after).roles])
  const roleOf = (path: string) => roles.get(path) ?? (NATIVE.test(path) ? 'native' : 'other')
  const riskOf = (path: string) => FILE_ROLES.indexOf(roleOf(path))
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => !isEqual(before.get(path), after.get(path)),
  )
  const ordered = paths.toSorted((a, b) => riskOf(a) - riskOf(b) || (a < b ? -1 : 1))
  const deadline = performance.now() + LIMITS.allMs
  let room: number = LIMITS.characters
  const files = ordered.slice(0, LIMITS.files).map((path): ChangedFile => {
    const [old, now] = [before.get(path), after.get(path)]
    const limitMs = Math.min(LIMITS.fileMs, deadline - performance.now())
    const { folded, lines: all } = compare(path, textOf(old), textOf(now), limitMs)
    const lines: string[] = []
    for (const line of (all ?? []).slice(0, folded === null ? LIMITS.lines : LIMITS.foldedLines)) {
      const shown = codeLine(line)
      room -= shown.length + LIMITS.perLine
      if (room < 0) break
      lines.push(shown)
    }
    return {
      path: codeLine(path),
      role: roleOf(path),
      sizeBefore: old?.length ?? null,
      sizeAfter: now?.length ?? null,
      folded: folded ?? (lines.length === all?.length ? null : 'long'),
      lines,
      more: lines.length !== all?.length,
    }
  })
  return { files, more: Math.max(0, paths.length - LIMITS.files) }
}

const isEqual = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array | undefined): string => decoder.decode(bytes)

/** Compares two texts line by line. @returns no lines when that took too long */
function compare(
  path: string,
  before: string,
  after: string,
  limitMs: number,
): { readonly folded: ChangedFile['folded']; readonly lines: readonly string[] | null } {
  if (before.includes('\0') || after.includes('\0')) return { folded: 'binary', lines: [] }
  if (/\.map$/.test(path)) return { folded: 'generated', lines: [] }
  const folded = isMinified(before) || isMinified(after) ? 'minified' : null
  const [old, now] = [before, after].map(withShortLines)
  const patch =
    limitMs > 0 ? structuredPatch(path, path, old!, now!, '', '', { context: 2, timeout: limitMs }) : undefined
  if (patch === undefined) return { folded, lines: null }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  return { folded, lines }
}

/** Breaks lines that would be cut after their statements, or anywhere: what differs must not be in the part that is cut. */
const withShortLines = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) =>
      line.length <= SHORT ? line : line.split(/(?<=[;{}])/).flatMap((part) => part.match(PART) ?? []),
    )
    .join('\n')
const SHORT = 300
const PART = /.{1,300}/gsu
