/** Reads which plugins a file asks for: a lock, a package.json, or a list of names. Parses, and asks nobody. */
import { isOnlySpec, parseSpec, type RepositorySpec, type Spec } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { LockedPlugin, LockProblem, ProfileLock, Unread } from '../../protocol/index.ts'
import { MAX_PLUGINS } from '../../protocol/limits.ts'
import { LOCK_FORMAT, ProfileLockSchema } from '../../protocol/profile-lock.ts'
import { sharedIn } from './packages.ts'

/** A plugin that a file asks for. */
export interface WantedPlugin {
  /** Where the file names it, and how. */
  readonly at: string
  readonly text: string
  readonly spec: Extract<Spec, { readonly kind: 'npm' }> | RepositorySpec
  /** Its package; null for a repository of a list. */
  readonly name: string | null
  /** True if the text names a source, which the directory need not list. */
  readonly isSource: boolean
  /** As a lock has it, in its version or at its commit; null for any other file. */
  readonly locked: LockedPlugin | null
}

export interface WantedFile {
  /** Null for any other file than a lock. */
  readonly lock: ProfileLock | null
  readonly wanted: readonly WantedPlugin[]
  readonly unread: readonly Unread[]
}

const PackageJsonSchema = v.object({ dependencies: v.record(v.string(), v.string()) })
const FormatSchema = v.object({ plugmark: v.number() })

export function readWanted(text: string): WantedFile | LockProblem {
  // Also trims a byte order mark.
  const trimmed = text.trim()
  let json: unknown
  try {
    json = trimmed === '' || /^[{["]/.test(trimmed) ? JSON.parse(trimmed || 'null') : undefined
  } catch (error) {
    return { problem: 'not-json', where: (error as Error).message }
  }
  const read = json === undefined ? readList(trimmed) : readJson(json)
  return 'wanted' in read && read.wanted.length + read.unread.length > MAX_PLUGINS
    ? { problem: 'too-long', where: String(MAX_PLUGINS) }
    : read
}

function readJson(json: unknown): WantedFile | LockProblem {
  const format = v.is(FormatSchema, json) ? json.plugmark : null
  if (format !== null && format > LOCK_FORMAT) return { problem: 'newer', where: String(format) }
  const schema = format === null ? PackageJsonSchema : ProfileLockSchema
  const { success, output, issues } = v.safeParse(schema, json, { abortEarly: true })
  if (!success) {
    const [{ received }] = issues
    // Any other JSON lacks its dependencies too.
    const isOther = format === null && received === 'undefined'
    return { problem: 'other-form', where: isOther ? '' : (v.getDotPath(issues[0]) ?? '').slice(0, 200) }
  }
  if ('dependencies' in output)
    return toWanted(Object.entries(output.dependencies).map(([name, spec]) => ({ name, spec })))
  // The package manager adds a layer at the end for each plugin that it installs.
  const position = ({ name }: LockedPlugin) => output.layers.indexOf(name)
  const plugins = output.plugins.toSorted((a, b) => position(a) - position(b))
  const entries = sharedIn({ plugins }).map((locked) => ({ name: locked.name, spec: locked.spec, locked }))
  return { ...toWanted(entries), lock: output }
}

interface Entry {
  readonly name: string | null
  readonly spec: string
  /** Has the version to take instead of the spec's range. */
  readonly locked?: LockedPlugin
  /** Line of a list. */
  readonly at?: string
}

function toWanted(entries: readonly Entry[]): WantedFile {
  const [wanted, unread]: [WantedPlugin[], Unread[]] = [[], []]
  for (const { name, spec, locked = null, at = name ?? '' } of entries) {
    const commit = locked?.commit ?? null
    // Of a registry, whatever the range. A star is special in a shell.
    const range = locked?.version ?? spec.replace(/^\*?$/, 'x')
    const text = name === null || /[:/]/.test(spec) ? spec : `${name}@${range}`
    // A range of tags, or a commit of a folder, cannot be named: the commit can.
    const pinned = commit === null || text.includes('path:') ? text : text.replace(/(?:#.*)?$/, `#${commit}`)
    const read = parseSpec(text) ?? parseSpec(pinned)
    if (read?.kind === 'npm' || read?.kind === 'github') {
      const named = name ?? (read.kind === 'npm' ? read.name : null)
      const isSource = isOnlySpec(text) || commit !== null
      wanted.push({ at, text, spec: read, name: named, isSource, locked })
    } else {
      const why = commit === null ? 'not-understood' : 'folder-at-commit'
      unread.push({ at, text: name === null ? spec : `${name}@${spec}`, why })
    }
  }
  return { lock: null, wanted, unread }
}

/** Wrong lines that are shown of a list, however few are right. */
const FEW_LINES = 5

/** Reads a list with one plugin a line. A line that begins with `#` says nothing. */
function readList(text: string): WantedFile | LockProblem {
  const entries = text.split(/\r?\n/).flatMap((line, index): Entry[] => {
    const spec = line.replace(/^\s*[-*]\s+/, '').trim()
    return spec === '' || spec.startsWith('#') ? [] : [{ name: null, spec, at: String(index + 1) }]
  })
  const read = toWanted(entries)
  const isOther = text.includes('\0') || read.unread.length > Math.max(read.wanted.length, FEW_LINES)
  return isOther ? { problem: 'other-form', where: '' } : read
}
