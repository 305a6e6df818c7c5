import { join } from 'node:path'
import { type InstallSpec, isPackageName, manifestPath, specKey } from '@plugmark/shared/install'
import compareVersions from 'semver/functions/rcompare.js'
import * as v from 'valibot'
import type { OnProblem } from '../../protocol/problems.ts'
import { isVersion, meets, type Requirements, requirementsOf } from '../harness/requirements.ts'
import { readCache, update } from '../json-file.ts'
import { KeptAnswers } from '../kept-answers.ts'
import { gitUrl, readRepositoryFile } from '../process/git.ts'
import { waitFor, withTimeout } from '../process/run.ts'
import { type DocumentProblem, type PackageDocument, RAW_FILES, Registry } from '../registry/registry.ts'
import { findNewerReleases, type ReleaseAge, readReleaseAge } from '../releases/pick-version.ts'

/** Time that an answer is kept, in ms. */
export const KEPT_MS = 7 * 24 * 60 * 60_000
/** Other versions that are kept of a package, each with other requirements. */
const MAX_OTHERS = 10
/** Longest message of a deprecation that is kept, in characters. */
const MAX_MESSAGE = 300
/** Time limit of one request, of git, and of pnpm for its settings, in ms. */
const REQUEST_MS = 30_000
/** Time that a profile's release age is kept, in ms. */
const RELEASE_AGE_MS = 60_000

const RequirementsSchema = v.pipe(v.record(v.string(), v.string()), v.readonly())
/** Declarations of a package.json about the harness. */
const DeclarationSchema = v.object({
  /** `name@version` that an install would take. */
  plugin: v.string(),
  requirements: RequirementsSchema,
  /** Packages of the harness among its dependencies: installed beside the harness's own, they can take their place. */
  shadows: v.pipe(v.array(v.string()), v.readonly()),
  /** The author's message; null unless the version is deprecated. */
  deprecated: v.nullable(v.string()),
  /** Other versions by what they require, the newest of each first. */
  others: v.pipe(v.array(v.object({ version: v.string(), requirements: RequirementsSchema })), v.readonly()),
})
export type Declaration = Readonly<v.InferOutput<typeof DeclarationSchema>>

const EntrySchema = v.object({
  /** Time of the reading, in ms since 1970. */
  at: v.number(),
  /** Time from which pnpm installs a newer release than this one, which is too young now, in ms since 1970. */
  until: v.optional(v.nullable(v.number()), null),
  /** Null when the server does not have it, or it cannot be read. */
  declaration: v.nullable(DeclarationSchema),
  /** True when the server has it, and it is not the package.json of a plugin. */
  isUnreadable: v.optional(v.boolean(), false),
})
type Entry = v.InferOutput<typeof EntrySchema>
const FileSchema = v.object({ entries: v.record(v.string(), EntrySchema) })
type DeclarationsFile = v.InferOutput<typeof FileSchema>
export const declarationsFile = (stateDir: string): string => join(stateDir, 'declarations.json')
export const DECLARATIONS = { schema: FileSchema, version: 1, isCache: true }

/** `not-found`: registry or code host do not have it. `unknown`: it could not be read. */
export type DeclarationAnswer =
  | { readonly state: 'read'; readonly declaration: Declaration }
  | { readonly state: 'not-found' }
  | { readonly state: 'unknown'; readonly problem: DocumentProblem | null }

const UNREAD: DeclarationAnswer = { state: 'unknown', problem: null }
const JsonText = v.pipe(v.string(), v.parseJson())

interface ReadDeclaration {
  /** Directory of the profile whose registries and proxies apply. */
  readonly directory: string
  /** Ends the wait; then the kept answer is returned. */
  readonly signal: AbortSignal
  /** An older answer is read again; 0 always asks the server, and pnpm for its settings, whether it has changed. */
  readonly maxAgeMs: number
  /** Commit of the repository to read instead of the newest one. No answer about another commit is returned. */
  readonly commit?: string | undefined
  /** Registries of a review, which keep what they have read. @default those of the profile */
  readonly registry?: Registry | undefined
}

interface DeclarationRequest extends Pick<ReadDeclaration, 'directory' | 'commit' | 'signal'> {
  readonly isFresh: boolean
  readonly registry: Registry
}

interface DeclarationParts {
  /** File to keep it in; null: only in memory. */
  readonly path: string | null
  readonly env: Readonly<Record<string, string>>
  /** Ends its requests and processes. */
  readonly signal: AbortSignal
  readonly now: () => number
  readonly onProblem: OnProblem
  /** Address of the code host's raw files. @default that of the code host itself */
  readonly rawUrl?: string | undefined
}

/** Declarations of plugins about the harness, kept for a week beside the catalogue. */
export class Declarations {
  readonly #parts: DeclarationParts
  readonly #entries = new Map<string, Entry>()
  /** Running requests, which callers at the same time share. */
  readonly #requests = new KeptAnswers<DeclarationAnswer>({ ms: 1, isKept: () => false })
  readonly #ages = new KeptAnswers<ReleaseAge | null>({ ms: RELEASE_AGE_MS, isKept: () => true })
  #changed = new Set<string>()
  #saving: Promise<void> = Promise.resolve()
  /** Resolves once what was kept has been read from the disk. */
  readonly opened: Promise<void>

  constructor(parts: DeclarationParts) {
    this.#parts = parts
    this.opened = this.#open()
  }

  async #open(): Promise<void> {
    if (this.#parts.path === null) return
    const onProblem = (cause: unknown) => this.#parts.onProblem('declarations-unreadable', cause)
    const file = await readCache(this.#parts.path, DECLARATIONS, onProblem)
    for (const [key, entry] of Object.entries(file?.entries ?? {}))
      if (!this.#entries.has(key)) this.#entries.set(key, entry)
  }

  /**
   * Returns what is kept of the sources of a profile, by `specKey`, unless it is too old. Another profile has other
   * registries, and a pnpm with other rules.
   */
  async kept(directory: string): Promise<(source: string) => DeclarationAnswer | null> {
    const addressOf = await new Registry(directory, this.#parts.env).addresses()
    return (source) => this.#known(keyIn(directory, source, addressOf))
  }

  #known(key: string): DeclarationAnswer | null {
    const entry = this.#entries.get(key)
    return entry && this.#parts.now() - entry.at < KEPT_MS ? toAnswer(entry) : null
  }

  /** Reads what a source declares. When the server gives no answer now, returns the kept one. Never rejects. */
  async read(spec: InstallSpec, options: ReadDeclaration): Promise<DeclarationAnswer> {
    await this.opened
    const { signal, commit, directory } = options
    const registry = options.registry ?? new Registry(directory, this.#parts.env)
    const key = keyIn(directory, specKey(spec), await registry.addresses())
    const entry = commit === undefined ? this.#entries.get(key) : undefined
    const now = this.#parts.now()
    const isRecent = entry && entry.at <= now && now - entry.at < options.maxAgeMs
    if (isRecent && now < (entry.until ?? Number.POSITIVE_INFINITY)) return toAnswer(entry)
    const isFresh = options.maxAgeMs === 0
    const ask = () => {
      const limited = withTimeout(this.#parts.signal, REQUEST_MS)
      // `#ask` describes every answer of a server. An error of the disk leaves the declaration unknown.
      return this.#ask(spec, key, { directory, commit, isFresh, signal: limited, registry }).catch(() => UNREAD)
    }
    const asked = options.registry ? ask() : this.#requests.read(JSON.stringify([key, commit, isFresh]), ask)
    const answer = await waitFor(asked, signal)
    return answer ?? this.#fallback(key, commit) ?? { state: 'unknown', problem: 'unreachable' }
  }

  /** Returns the kept declaration of a source for want of an answer; null for a commit, which may be another one. */
  #fallback(key: string, commit: string | undefined): DeclarationAnswer | null {
    const kept = commit === undefined ? this.#known(key) : null
    return kept?.state === 'read' ? kept : null
  }

  async #ask(spec: InstallSpec, key: string, request: DeclarationRequest): Promise<DeclarationAnswer> {
    const { commit, signal, registry } = request
    const { rawUrl = RAW_FILES } = this.#parts
    const answer =
      spec.kind === 'npm'
        ? await registry.package(spec.name, { signal })
        : await registry.file(
            `${rawUrl}/${spec.owner}/${spec.repo}/${commit ?? spec.ref ?? 'HEAD'}/${manifestPath(spec)}`,
            { signal },
          )
    if (answer.state === 'read') {
      const read =
        spec.kind === 'npm'
          ? await this.#readPackage(answer.document as PackageDocument, request)
          : toEntry(declarationOf(answer.document))
      return this.#keep(key, read)
    }
    // The code host does not show the file of a private repository.
    if (spec.kind === 'github' && !signal.aborted) {
      const newest = { url: gitUrl(`${spec.owner}/${spec.repo}`), commit: commit ?? spec.ref ?? 'HEAD' }
      const text = await readRepositoryFile(manifestPath(spec), newest, { env: this.#parts.env, signal })
      const parsed = v.safeParse(JsonText, text)
      if (text !== null) return this.#keep(key, toEntry(declarationOf(parsed.success ? parsed.output : null)))
    }
    if (answer.state === 'not-found') return this.#keep(key, { declaration: null, isUnreadable: false })
    const { state: problem } = answer
    // A user can log in, and only then is it known what there is now.
    return (problem === 'unauthorized' ? null : this.#fallback(key, commit)) ?? { state: 'unknown', problem }
  }

  /** Reads the declaration of the version that pnpm would install now. */
  async #readPackage(
    document: PackageDocument,
    { directory, isFresh, registry, signal }: DeclarationRequest,
  ): Promise<Pick<Entry, 'declaration' | 'isUnreadable' | 'until'>> {
    const readAge = () => this.readAge(directory, isFresh)
    const now = this.#parts.now()
    const { version, waiting } = await findNewerReleases(document, { current: null, readAge, registry, signal, now })
    const latest = version ?? document.latest
    const until = waiting === null || waiting === 'unknown' ? null : Date.parse(waiting.until)
    return { ...toEntry(declarationOfPackage({ ...document, latest })), until }
  }

  /**
   * Reads which releases the pnpm of a profile does not install. Unless `isFresh`, asks it once a minute, as that starts a
   * process.
   */
  readAge(directory: string, isFresh = false): Promise<ReleaseAge | null> {
    if (isFresh) this.#ages.forget(directory)
    return this.#ages.read(directory, () => {
      const limits = { env: this.#parts.env, signal: withTimeout(this.#parts.signal, REQUEST_MS) }
      // Without pnpm's setting, no release is known to wait.
      return readReleaseAge({ ...limits, cwd: directory }).catch(() => null)
    })
  }

  #keep(key: string, read: Omit<Entry, 'at' | 'until'> & Partial<Entry>): DeclarationAnswer {
    const entry = { at: this.#parts.now(), until: null, ...read }
    this.#entries.set(key, entry)
    this.#changed.add(key)
    return toAnswer(entry)
  }

  /** Writes what is known to the disk, beside what other processes have read. Resolves after earlier saves too. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save())
    return this.#saving
  }

  async #save(): Promise<void> {
    await this.opened
    if (this.#parts.path === null || this.#changed.size === 0) return
    const changed = this.#changed
    this.#changed = new Set()
    try {
      await update(this.#parts.path, DECLARATIONS, (file) => this.#merge(file), { createsFolders: true })
    } catch (cause) {
      for (const key of changed) this.#changed.add(key)
      this.#parts.onProblem('declarations-unsaved', cause)
    }
  }

  /** Returns the newer of each entry of this process and the file, while it counts. */
  #merge(file: DeclarationsFile | null): DeclarationsFile {
    for (const [key, entry] of Object.entries(file?.entries ?? {}))
      if (entry.at > (this.#entries.get(key)?.at ?? Number.NEGATIVE_INFINITY)) this.#entries.set(key, entry)
    const kept = [...this.#entries].filter(([, { at }]) => this.#parts.now() - at < KEPT_MS)
    return { entries: Object.fromEntries(kept) }
  }
}

/** Returns the key of what is kept: packages are those of their registry, as the pnpm of one profile installs them. */
const keyIn = (directory: string, source: string, addressOf: (name: string) => string): string =>
  /^[a-z+]+:/.test(source) ? source : [source, addressOf(source), directory].join(' ')

function toAnswer({ declaration, isUnreadable }: Entry): DeclarationAnswer {
  if (declaration !== null) return { state: 'read', declaration }
  return isUnreadable ? { state: 'unknown', problem: 'unreadable' } : { state: 'not-found' }
}

/** Returns an entry of what a server has. */
const toEntry = (declaration: Declaration | null) => ({ declaration, isUnreadable: declaration === null })

const ManifestSchema = v.object({
  name: v.custom<string>(isPackageName),
  version: v.pipe(v.string(), v.check(isVersion)),
  dependencies: v.fallback(v.record(v.string(), v.unknown()), {}),
  deprecated: v.optional(v.unknown()),
})

/** Reads the declaration of one package.json; null when its name, its version or its requirements cannot be read. */
export function declarationOf(manifest: unknown): Declaration | null {
  const parsed = v.safeParse(ManifestSchema, manifest)
  const requirements = requirementsOf(manifest)
  if (!parsed.success || requirements === null) return null
  const { name, version, dependencies, deprecated } = parsed.output
  return {
    plugin: `${name}@${version}`,
    requirements,
    shadows: shadowsOf(dependencies),
    deprecated: deprecationOf(deprecated),
    others: [],
  }
}

/** Returns the author's message of a deprecation, shortened; null when there is none. */
export const deprecationOf = (deprecated: unknown): string | null =>
  typeof deprecated === 'string' && deprecated !== '' ? deprecated.slice(0, MAX_MESSAGE) : null

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

/** Returns true if a harness meets all requirements. */
export const fitsAll = (requirements: Requirements, harnessVersion: string): boolean =>
  Object.values(requirements).every((range) => meets(harnessVersion, range))
