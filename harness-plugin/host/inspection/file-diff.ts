/** The files that differ between two versions of a package, in order of risk, with their lines where the user can read them. */
import { structuredPatch } from 'diff'
import * as v from 'valibot'
import { type ChangedFile, FILE_ROLES } from '../../protocol/inspection.ts'
import { codeLine } from '../../protocol/plain-text.ts'
import { isMinified, NATIVE, rolesOf } from './abilities.ts'
import { type RefusedEntry, withoutFolder } from './package-files.ts'

const LIMITS = {
  files: 500,
  /** Lines of one file, and of one that is shown on demand only. */
  lines: 2_000,
  foldedLines: 200,
  /** Lines of minified code that differ, of which the order is found. */
  foldedEdits: 1_000,
  /** Characters of the lines of all files, of which each counts as a few more. */
  characters: 1_500_000,
  perLine: 40,
  /** Time of comparing one file, and all files, in ms. */
  fileMs: 1_500,
  allMs: 8_000,
} as const

type Files = ReadonlyMap<string, Uint8Array>

/** Returns the files of the new version that are not read, except links that the old version has too. */
export const unreadFiles = (before: readonly RefusedEntry[], after: readonly RefusedEntry[]): ChangedFile[] =>
  after
    .filter((one) => one.reason === 'bad-name' || !before.some(({ path }) => path === one.path))
    .map(({ path, size }) => ({
      path: codeLine(withoutFolder(path)),
      role: 'other',
      sizeBefore: before.find((one) => one.path === path)?.size ?? null,
      sizeAfter: size,
      folded: 'not-read',
      lines: [],
      more: false,
    }))

/** Returns the files that differ: what runs by itself first, then the code that it loads, then the rest. */
export function diffFiles(before: Files, after: Files): { readonly files: ChangedFile[]; readonly more: number } {
  const roles = new Map([...rolesOf(before), ...rolesOf(after)])
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => !isEqual(before.get(path), after.get(path)),
  )
  const ordered = paths.toSorted(byRisk(roles))
  const deadline = performance.now() + LIMITS.allMs
  let room: number = LIMITS.characters
  const files = ordered.slice(0, LIMITS.files).map((path): ChangedFile => {
    const [old, now] = [before.get(path), after.get(path)]
    const role = roleOf(path, roles)
    const limitMs = Math.min(LIMITS.fileMs, deadline - performance.now())
    // Code is shown as text, whatever it contains or is called.
    const folded = role === 'native' || role === 'other' ? foldedAs(path, [old, now]) : null
    const compared = folded === null ? compare(textsOf(old, now), limitMs) : { folded, lines: [] }
    const lines: string[] = []
    for (const line of compared.lines.slice(0, compared.folded === 'minified' ? LIMITS.foldedLines : LIMITS.lines)) {
      const shown = shownLine(line)
      room -= shown.length + LIMITS.perLine
      if (room < 0) break
      lines.push(shown)
    }
    return {
      path: codeLine(path),
      role,
      sizeBefore: old?.length ?? null,
      sizeAfter: now?.length ?? null,
      folded: compared.folded ?? (lines.length < compared.lines.length ? 'long' : null),
      lines,
      // Of lines in another order, none is only in one version.
      more: lines.length < compared.lines.length || compared.folded === 'unordered',
    }
  })
  return { files, more: Math.max(0, paths.length - LIMITS.files) }
}

type Roles = ReadonlyMap<string, ChangedFile['role']>
const roleOf = (path: string, roles: Roles) => roles.get(path) ?? (NATIVE.test(path) ? 'native' : 'other')

/** Returns an order of files: package.json, then the most far-reaching. */
function byRisk(roles: Roles): (a: string, b: string) => number {
  const riskOf = (path: string) => (path === 'package.json' ? -1 : FILE_ROLES.indexOf(roleOf(path, roles)))
  return (a, b) => riskOf(a) - riskOf(b) || (a < b ? -1 : 1)
}

const isEqual = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes two versions of a file so that other bytes are another text: both by byte where one is not UTF-8. */
function textsOf(...versions: readonly [Uint8Array | undefined, Uint8Array | undefined]): readonly [string, string] {
  const [old, now] = versions.map((bytes) => bytes ?? new Uint8Array()) as [Uint8Array, Uint8Array]
  try {
    return [decoder.decode(old), decoder.decode(now)]
  } catch {
    return [Buffer.from(old).toString('latin1'), Buffer.from(now).toString('latin1')]
  }
}

function foldedAs(path: string, versions: readonly (Uint8Array | undefined)[]): ChangedFile['folded'] {
  if (versions.some((bytes) => bytes?.includes(0))) return 'binary'
  return path.endsWith('.map') && versions.every((bytes) => bytes === undefined || isSourceMap(bytes))
    ? 'generated'
    : null
}

const SourceMapSchema = v.pipe(v.string(), v.parseJson(), v.object({ version: v.number(), mappings: v.string() }))
/** Recognizes what no program can run, whatever it is called. */
const isSourceMap = (bytes: Uint8Array): boolean => v.is(SourceMapSchema, Buffer.from(bytes).toString())

/** Compares two texts line by line; where that takes too long, by the lines that only one of them has. */
function compare(
  [before, after]: readonly [string, string],
  limitMs: number,
): { readonly folded: ChangedFile['folded']; readonly lines: readonly string[] } {
  const folded = isMinified(before) || isMinified(after) ? 'minified' : null
  const spread = [before, after].map(spreadJson)
  const texts = spread.every((text) => text !== null) ? spread : [before, after]
  const [old, now] = texts.map(withShortLines) as [string, string]
  // Names of minified code change with each build, and few of its lines are shown.
  const limits = { timeout: limitMs, ...(folded ? { maxEditLength: LIMITS.foldedEdits } : {}) }
  const patch = limitMs > 0 ? structuredPatch('', '', old, now, '', '', { context: 2, ...limits }) : undefined
  if (patch === undefined) {
    const [olds, nows] = [old, now].map((text) => new Set(text.split('\n'))) as [Set<string>, Set<string>]
    const added = [...nows].filter((line) => !olds.has(line)).map((line) => `+${line}`)
    const removed = [...olds].filter((line) => !nows.has(line)).map((line) => `-${line}`)
    return { folded: folded ?? 'unordered', lines: [...added, ...removed] }
  }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  return { folded, lines }
}

/** Returns JSON in one line with a line for each value; null for text that has anything else, such as a key twice. */
function spreadJson(text: string): string | null {
  const line = text.trimEnd()
  try {
    const value: unknown = JSON.parse(line)
    return JSON.stringify(value) === line ? JSON.stringify(value, null, 2) + text.slice(line.length) : null
  } catch {
    return null
  }
}

/**
 * Breaks lines that would be cut after their statements, or anywhere: what differs must not be in the part that is cut.
 * Each part but the first has a mark, so that none is the same as a line.
 */
const withShortLines = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) =>
      line.length <= SHORT
        ? line
        : line
            .split(/(?<=[;{}])/)
            .flatMap((statement) => statement.match(PART) ?? [])
            .map((part, index) => (index === 0 ? part : `${CONTINUED}${part}`)),
    )
    .join('\n')
const SHORT = 300
const PART = /.{1,300}/gsu
/** Half a character, which no text has that was decoded. */
const CONTINUED = '\ud800'

/** Shows a line of a patch, with a sign before what continues a line. */
const shownLine = (line: string): string => codeLine(line.replace(/^(.)↪/u, '$1\\u{21aa}').replace(CONTINUED, '↪'))
