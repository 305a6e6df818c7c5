import { readFile } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import { type InstallSpec, isPackageName, specKey } from '@plugmark/shared/install'
import compareVersions from 'semver/functions/rcompare.js'
import * as v from 'valibot'
import type { OnProblem } from '../../protocol/problems.ts'
import { isVersion, meets, type Requirements, requirementsOf } from '../harness/requirements.ts'
import { gitUrl, readRepositoryFile } from '../process/git.ts'
import {
  type DocumentAnswer,
  type DocumentProblem,
  openRegistry,
  type PackageDocument,
  RAW_FILES,
} from '../registry/registry.ts'

/** Time that an answer is kept, in ms. */
export const KEPT_MS = 7 * 24 * 60 * 60_000
/** Other versions that are kept of a package, each with other requirements. */
const MAX_OTHERS = 10
/** Longest message of a deprecation that is kept, in characters. */
const MAX_MESSAGE = 300

const RequirementsSchema = v.pipe(v.record(v.string(), v.string()), v.readonly())
const DeclarationSchema = v.object({
  plugin: v.string(),
  requirements: RequirementsSchema,
  shadows: v.pipe(v.array(v.string()), v.readonly()),
  deprecated: v.nullable(v.string()),
  others: v.pipe(v.array(v.object({ version: v.string(), requirements: RequirementsSchema })), v.readonly()),
})
/** Declarations of a package.json about the harness. */
export interface Declaration {
  /** `name@version` that an install would take. */
  readonly plugin: string
  readonly requirements: Requirements
  /** Packages of the harness among its dependencies: installed beside the harness's own, they can take their place. */
  readonly shadows: readonly string[]
  /** The author's message; null unless the version is deprecated. */
  readonly deprecated: string | null
  /** Other versions by what they require, the newest of each first. */
  readonly others: readonly { readonly version: string; readonly requirements: Requirements }[]
}

const EntrySchema = v.object({
  /** When it was read, in ms since 1970. */
  at: v.number(),
  etag: v.nullable(v.string()),
  /** Null when the server does not have it, or it is no plugin's. */
  declaration: v.nullable(DeclarationSchema),
})
type Entry = v.InferOutput<typeof EntrySchema>
const FileSchema = v.object({
  version: v.literal(1),
  unfinished: v.boolean(),
  entries: v.record(v.string(), EntrySchema),
})

/** `not-found`: registry or code host do not have it. `unknown`: it could not be read. */
export type DeclarationAnswer =
  | { readonly state: 'read'; readonly declaration: Declaration; readonly at: number }
  | { readonly state: 'not-found' }
  | { readonly state: 'unknown'; readonly problem: DocumentProblem | null; readonly retryAfterMs: number | null }

export interface ReadDeclaration {
  /** Directory of the profile whose registries and proxies apply. */
  readonly directory: string
  readonly signal: AbortSignal
  /** When to stop, by `performance.now()`. */
  readonly deadline: number
  /** An older answer is asked for anew. */
  readonly maxAgeMs: number
  /** Asks git too where the code host does not show the file, such as for a private repository. @default true */
  readonly git?: boolean
  /** Called with the size of each answer, in bytes. */
  readonly onSize?: (bytes: number) => void
}

/** Declarations of plugins about the harness, kept for a week beside the catalogue. */
export interface Declarations {
  /** Returns what is kept of a source, unless that is too old. */
  known(key: string): DeclarationAnswer | null
  /** Resolves once what was kept has been read from the disk. */
  readonly opened: Promise<void>
  /** Reads what a source declares. An answer that cannot be had now is the kept one, while that counts. Never rejects. */
  read(spec: InstallSpec, options: ReadDeclaration): Promise<DeclarationAnswer>
  /** True if a run over all plugins has not come to its end. */
  readonly isUnfinished: boolean
  setUnfinished(unfinished: boolean): void
  /** Writes what is known to the disk. */
  save(): Promise<void>
}

/**
 * @param given.path file to keep it in; null: only in memory
 * @param given.rawUrl address of the code host's raw files
 */
export function openDeclarations(given: {
  readonly path: string | null
  readonly env: Readonly<Record<string, string>>
  readonly now: () => number
  readonly onProblem: OnProblem
  readonly rawUrl?: string | undefined
}): Declarations {
  const { path, env, now, onProblem, rawUrl = RAW_FILES } = given
  const entries = new Map<string, Entry>()
  const pending = new Map<string, Promise<DeclarationAnswer>>()
  const opened = open()
  let saving: Promise<void> = Promise.resolve()
  let isChanged = false
  let unfinished = false

  async function open(): Promise<void> {
    if (path === null) return
    try {
      const file = v.parse(FileSchema, JSON.parse(await readFile(path, 'utf8')))
      for (const [key, entry] of Object.entries(file.entries)) if (!entries.has(key)) entries.set(key, entry)
      unfinished = file.unfinished
    } catch (cause) {
      // It is read again from the registry.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onProblem('declarations-unreadable', cause)
    }
  }

  async function write(): Promise<void> {
    await opened
    if (path === null || !isChanged) return
    isChanged = false
    const kept = [...entries].filter(([, { at }]) => now() - at < KEPT_MS)
    try {
      await writeFileAtomic(path, JSON.stringify({ version: 1, unfinished, entries: Object.fromEntries(kept) }))
    } catch (cause) {
      onProblem('declarations-unsaved', cause)
    }
  }

  function toAnswer({ at, declaration }: Entry): DeclarationAnswer {
    return declaration === null ? { state: 'not-found' } : { state: 'read', declaration, at }
  }

  function keep(key: string, entry: Entry): DeclarationAnswer {
    entries.set(key, entry)
    isChanged = true
    return toAnswer(entry)
  }

  async function ask(spec: InstallSpec, options: ReadDeclaration): Promise<DeclarationAnswer> {
    const key = specKey(spec)
    const { directory, git = true, deadline, onSize } = options
    const limit = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())))
    const signal = AbortSignal.any([options.signal, limit])
    const registry = openRegistry(directory, env)
    const kept = entries.get(key)
    const etag = kept?.etag ?? null
    const answer: DocumentAnswer<Declaration | null> =
      spec.kind === 'npm'
        ? read(await registry.package(spec.name, { signal, etag }), declarationOfPackage)
        : read(
            await registry.file(`${rawUrl}/${spec.owner}/${spec.repo}/HEAD/package.json`, { signal, etag }),
            declarationOf,
          )
    onSize?.(answer.size)
    if (answer.state === 'unchanged' && kept) return keep(key, { ...kept, at: now() })
    if (answer.state === 'read') return keep(key, { at: now(), etag: answer.etag, declaration: answer.document })
    if (spec.kind === 'github' && git && !signal.aborted) {
      const newest = { url: gitUrl(`${spec.owner}/${spec.repo}`), commit: 'HEAD' }
      const text = await readRepositoryFile('package.json', newest, { env, signal, deadline })
      if (text !== null) return keep(key, { at: now(), etag: null, declaration: declarationOf(parseJson(text)) })
    }
    if (answer.state === 'not-found') return keep(key, { at: now(), etag: null, declaration: null })
    const old = known(key)
    if (old !== null) return old
    return answer.state === 'unchanged'
      ? { state: 'unknown', problem: 'unreadable', retryAfterMs: null }
      : { state: 'unknown', problem: answer.state, retryAfterMs: answer.retryAfterMs }
  }

  function known(key: string): DeclarationAnswer | null {
    const entry = entries.get(key)
    return entry && now() - entry.at < KEPT_MS ? toAnswer(entry) : null
  }

  return {
    opened,
    known,
    get isUnfinished() {
      return unfinished
    },
    setUnfinished(now) {
      isChanged ||= unfinished !== now
      unfinished = now
    },
    async read(spec, options) {
      await opened
      const key = specKey(spec)
      const entry = entries.get(key)
      if (entry && now() - entry.at < options.maxAgeMs) return toAnswer(entry)
      const asked = JSON.stringify([key, options.directory])
      const asking =
        pending.get(asked) ??
        ask(spec, options)
          .catch((): DeclarationAnswer => ({ state: 'unknown', problem: null, retryAfterMs: null }))
          .finally(() => pending.delete(asked))
      pending.set(asked, asking)
      return asking
    },
    save() {
      saving = saving.then(write)
      return saving
    },
  }
}

function read<T>(
  answer: DocumentAnswer<T>,
  parse: (document: T) => Declaration | null,
): DocumentAnswer<Declaration | null> {
  return answer.state === 'read' ? { ...answer, document: parse(answer.document) } : answer
}

const ManifestSchema = v.object({
  name: v.custom<string>(isPackageName),
  version: v.pipe(v.string(), v.check(isVersion)),
  dependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  deprecated: v.optional(v.unknown()),
})

/** Reads the declaration of one package.json; null when it is no plugin's that can be installed. */
export function declarationOf(manifest: unknown): Declaration | null {
  const parsed = v.safeParse(ManifestSchema, manifest)
  const requirements = requirementsOf(manifest)
  if (!parsed.success || requirements === null) return null
  const { name, version, dependencies, deprecated } = parsed.output
  return {
    plugin: `${name}@${version}`,
    requirements,
    shadows: shadowsOf(dependencies),
    deprecated: typeof deprecated === 'string' && deprecated !== '' ? deprecated.slice(0, MAX_MESSAGE) : null,
    others: [],
  }
}

/** Returns the packages of the harness among names of dependencies. */
export const shadowsOf = (dependencies: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(dependencies).filter((name) => /^@deepseek-ai\/[\w.-]{1,100}$/.test(name))

function declarationOfPackage({ name, latest, versions }: PackageDocument): Declaration | null {
  const newest = declarationOf({ ...versions[latest], name, version: latest })
  if (newest === null || Object.keys(newest.requirements).length === 0) return newest
  const others: Declaration['others'][number][] = []
  const seen = new Set([JSON.stringify(newest.requirements)])
  const names = Object.keys(versions).filter((version) => isVersion(version) && version !== latest)
  const stable = names.filter((version) => !version.includes('-') || latest.includes('-')).toSorted(compareVersions)
  for (const version of stable) {
    const requirements = requirementsOf(versions[version])
    if (requirements === null || versions[version]?.deprecated) continue
    const text = JSON.stringify(requirements)
    if (!seen.has(text)) others.push({ version, requirements })
    seen.add(text)
    if (others.length === MAX_OTHERS) break
  }
  return { ...newest, others }
}

/** Returns the newest other version that declares to fit a harness, as `version`; null when none is known. */
export const fittingVersion = ({ others }: Declaration, harnessVersion: string): string | null =>
  others.find(({ requirements }) => fitsAll(requirements, harnessVersion))?.version ?? null

/** Returns true if a harness meets all requirements. */
export const fitsAll = (requirements: Requirements, harnessVersion: string): boolean =>
  Object.values(requirements).every((range) => meets(harnessVersion, range))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
