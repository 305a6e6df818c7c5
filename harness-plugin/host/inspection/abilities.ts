/** What a package can do: its manifest, its rows in the harness's tree, and all its code. */
import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import * as v from 'valibot'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { ABILITIES, type Ability, type AbilityKind, type UnreadFile } from '../../protocol/inspection.ts'
import { type CodeFacts, readCode } from './code.ts'
import { BUILD_SCRIPTS } from './package-files.ts'

/** Longest file of code that is parsed, in characters. */
const MAX_CODE = 4_000_000
/** Names of one ability that are compared, far more than are told, and places without a name. */
const MAX_NAMES = 10_000
const MAX_PLACES = 20
/** Longest text of what a patch sets, in characters. A digest follows what is longer. */
const MAX_SETTINGS = 200

export interface Abilities {
  readonly abilities: readonly FoundAbility[]
  /** Code that hides what it does. While there is any but minified code, a missing ability is unknown, not absent. */
  readonly unread: readonly DigestedFile[]
  /** Files whose abilities are known, and do not tell what they do: other bytes can do something else. */
  readonly opaque: readonly DigestedFile[]
  /** Digests of what each install script runs, by its name among the abilities. */
  readonly scripts: Readonly<Record<string, string>>
  /** What the package uses of its files: those that it names itself, what these load, and what an install runs. */
  readonly roles: ReadonlyMap<string, Role>
}

/** An ability with a place of each of its names, and others up to a limit. */
export type FoundAbility = Omit<Ability, 'places'> & { readonly places: readonly Place[] }
type Place = Ability['places'][number] & {
  /** What the ability is about at this place; null when that is decided while the code runs. */
  readonly name: string | null
}

/** A file that could not be read in full, and a digest of its bytes; empty for what is no file of the package. */
export interface DigestedFile extends UnreadFile {
  readonly digest: string
}

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
type Manifest = v.InferOutput<typeof ManifestSchema>

/** Scripts that package managers run when they install a package. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** What a build script turns into code. */
const SOURCE = /\.(?:[cm]?tsx?|jsx|vue|svelte|json)$/
const CODE = /\.[cm]?js$/
/** Sources and rules from which an install script builds. */
const BUILT_FROM =
  /\.(?:gypi?|c|cc|cpp|cxx|hh?|hpp|mm?|rs|s|asm|sh|bat|cmd|ps1|py|mk|cmake)$|(?:^|\/)(?:Makefile|CMakeLists\.txt|Cargo\.(?:toml|lock))$/i
/** What no program runs: documents, types and pictures. */
const DOCUMENT =
  /(?:^|\/)(?:licen[cs]e|readme|changelog|notice|authors)[^/]*$|\.(?:md|d\.[cm]?ts|map|css|png|jpe?g|gif|svg|webp|ico|woff2?)$/i
/** Fields of package.json that change nothing that is installed, loaded or run, and those that are compared as abilities. */
const NOT_COMPARED =
  /^(?:name|version|description|keywords|author|contributors|maintainers|license|repository|bugs|homepage|funding|gitHead|readme\w*|files|types|typings|publishConfig|packageManager|scripts|dependencies|devDependencies|optionalDependencies|_.*)$/
export const NATIVE = /\.(?:node|wasm|exe|dll|so(?:\.[\d.]+)?|dylib|a|jar|class|pyc)$/i

type Files = ReadonlyMap<string, Uint8Array>
type Script = readonly [name: string, command: string]
type Role = 'scripts' | 'patch' | 'entry' | 'code'

/**
 * Returns what the files of a package can do.
 *
 * @param given.isRepository true for the files of a commit, which the package manager builds during the install
 * @param given.parse reads one file of code
 */
export const readAbilities = (files: Files, { isRepository = false, parse = readCode } = {}): Abilities =>
  new PackageReader(files, parse).read(isRepository)

class PackageReader {
  readonly #files: Files
  readonly #manifest: Manifest
  readonly #parse: typeof readCode
  readonly #found = new Findings()
  readonly #unread = new Map<string, DigestedFile>()
  /** Code that was read, and what each file of it loads. */
  readonly #read = new Set<string>()
  readonly #imports = new Map<string, readonly string[]>()
  /** Files that something loads, by any ending. */
  readonly #loaded = new Set<string>()
  /** Files that run or load code by a text that is known only then. */
  readonly #choosing: string[] = []

  constructor(files: Files, parse: typeof readCode) {
    this.#files = files
    this.#manifest = readManifest(files)
    this.#parse = parse
  }

  read(isRepository: boolean): Abilities {
    const { dependencies, optionalDependencies, dsh } = this.#manifest
    const paths = [...this.#files.keys()]
    const scripts = this.#installScripts()
    const builds = isRepository ? this.#buildScripts() : []
    for (const script of [...scripts, ...builds]) this.#found.add('install-scripts', script.join(': '))
    const native = paths.filter((file) => NATIVE.test(file))
    for (const file of native) this.#found.add('native-code', file, { file, line: 1 })
    for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies }))
      this.#found.add('dependency', `${name} ${range}`)
    for (const name of dsh.client.inject) this.#found.add('service', name, { file: 'package.json', line: 1 })
    const patches = [dsh.bundle.patch].flat().map(normalize)
    const rows = patches.flatMap((path) => this.#readPatch(path))
    const entries = this.#readAll([
      ...this.#entries(),
      ...rows.flatMap((name) => this.#ownImport(name, '') ?? []),
      ...scripts.flatMap(([, command]) =>
        [...command.matchAll(/\bnode\s+(?:-\S+\s+)*([\w@./-]+)/g)].map(([, file]) => file!),
      ),
    ])
    const run = [...scripts, ...this.#scriptsNamed(BUILD_SCRIPTS)].map((script) => ({
      script,
      ...this.#filesOfScript(script),
    }))
    // The last role of a file counts.
    const roles = new Map<string, Role>([
      ...run.flatMap(({ sources }) => sources).map((file) => [file, 'code'] as const),
      ...run.flatMap(({ named }) => named).map((file) => [file, 'scripts'] as const),
      ...[...this.#loaded, ...this.#read].map((file) => [file, 'code'] as const),
      ...[...entries].map((file) => [file, 'entry'] as const),
      ...patches.map((file) => [file, 'patch'] as const),
      ['package.json', 'scripts'],
    ])
    const others = paths.filter((file) => file !== 'package.json' && !DOCUMENT.test(file))
    // What an ability tells stays the same while these do something else with it: programs can be started from any file.
    const programs = this.#found.has('starts-programs') ? others.filter((file) => !CODE.test(file)) : []
    const changeable = [...new Set([...this.#found.vague, ...patches, ...programs])].filter(
      (file) => !NATIVE.test(file) && !this.#choosing.includes(file),
    )
    const digested = (reason: UnreadFile['reason']) => (file: string) => ({
      file,
      reason,
      digest: this.#digestOf([file]),
    })
    return {
      abilities: this.#found.list(),
      unread: [...this.#unread.values()],
      opaque: [
        ...native.map(digested('native')),
        ...this.#choosing.map(digested('chooses-code')),
        ...changeable.map(digested('changed')),
        { file: 'package.json', reason: 'changed', digest: this.#digestOfManifest() },
      ],
      scripts: Object.fromEntries(
        run.map(({ script, named, sources }) => [
          script.join(': '),
          BUILD_SCRIPTS.includes(script[0]) ? this.#digestOfBuild(others) : this.#digestOf([...named, ...sources]),
        ]),
      ),
      roles,
    }
  }

  // The scripts of package.json

  #scriptsNamed(names: readonly string[]): Script[] {
    const { scripts } = this.#manifest
    return names.flatMap((name): Script[] => (scripts[name] ? [[name, scripts[name]]] : []))
  }

  #installScripts(): Script[] {
    const { scripts, gypfile } = this.#manifest
    // Package managers build such a package without a script of its own.
    const isBuilt = this.#files.has('binding.gyp') && gypfile !== false && !scripts.install && !scripts.preinstall
    return [...this.#scriptsNamed(INSTALL_SCRIPTS), ...(isBuilt ? [['install', 'node-gyp rebuild'] as const] : [])]
  }

  /**
   * Returns the scripts that pnpm runs to build a repository: `prepare` always, and the others with it, or where the file
   * of `main` is missing. Source: pnpm 10 to 12, `preparePackage`.
   */
  #buildScripts(): Script[] {
    const { scripts, main = 'index.js' } = this.#manifest
    return scripts.prepare || !this.#files.has(normalize(main)) ? this.#scriptsNamed(BUILD_SCRIPTS) : []
  }

  /** Returns what a script runs: the files that it names, with those that these load, and what it may build from. */
  #filesOfScript([name, command]: Script): { readonly named: readonly string[]; readonly sources: readonly string[] } {
    const { scripts } = this.#manifest
    const named = new Set<string>()
    const words = new Set<string>()
    const wordsOf = (text: string) => text.split(/[\s;&|"'()<>=]+/)
    const pending = wordsOf(command)
    for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
      if (word === '' || words.has(word)) continue
      words.add(word)
      // It may run another script: `npm run build`.
      pending.push(...wordsOf(Object.hasOwn(scripts, word) ? scripts[word]! : ''))
      const file = this.#resolve(word)
      if (file === null) continue
      named.add(file)
      pending.push(...(this.#imports.get(file) ?? []))
    }
    const isSource = (file: string) => BUILT_FROM.test(file) || (BUILD_SCRIPTS.includes(name) && SOURCE.test(file))
    const sources = [...this.#files.keys()].filter((file) => isSource(file) && !named.has(file))
    return { named: [...named], sources }
  }

  // Digests

  /** Returns a digest of some files with their paths; empty when the package has none of them. */
  #digestOf(paths: readonly string[]): string {
    const known = paths.filter((path) => this.#files.has(path)).toSorted()
    if (known.length === 0) return ''
    const hash = createHash('sha256')
    for (const path of known)
      hash.update(`${path}\0`).update(createHash('sha256').update(this.#files.get(path)!).digest())
    return hash.digest('hex')
  }

  /** The build of a repository can read any of its files, runs other scripts, and installs what is for development. */
  #digestOfBuild(files: readonly string[]): string {
    const { devDependencies, scripts } = this.#manifest
    return `${this.#digestOf(files)} ${hashOf(JSON.stringify([devDependencies, scripts]))}`
  }

  /** Returns a digest of what package.json says beyond the abilities. */
  #digestOfManifest(): string {
    const text = textOf(this.#files.get('package.json'))
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), text)
    const fields = Object.entries(parsed.success ? parsed.output : {}).filter(([field]) => !NOT_COMPARED.test(field))
    // An install script can run the others.
    const scripts = this.#scriptsNamed(INSTALL_SCRIPTS).length > 0 ? this.#manifest.scripts : {}
    return hashOf(JSON.stringify([fields.toSorted(([a], [b]) => (a < b ? -1 : 1)), scripts]))
  }

  // Code

  /** Returns the files that the package, and each folder in it, names as its own entries, from every field that names one. */
  #entries(): string[] {
    const manifests = [...this.#files.keys()].filter((file) => file.endsWith('/package.json'))
    return ['package.json', ...manifests].flatMap((file) => {
      const { main, exports, imports, bin } = readManifest(this.#files, file)
      const paths: string[] = []
      const pending: unknown[] = [main, exports, imports, bin]
      for (const one of pending)
        if (typeof one === 'string') paths.push(posix.join(posix.dirname(file), one))
        else if (typeof one === 'object' && one !== null)
          // Types are never loaded, nor is what only the author's own tools ask for, such as `@zod/source`.
          for (const [key, value] of Object.entries(one)) if (!/^(?:types|@)/.test(key)) pending.push(value)
      const start = posix.join(posix.dirname(file), 'index.js')
      return main === undefined && this.#files.has(start) ? [...paths, start] : paths
    })
  }

  /** Returns the path that an import stands for; null for another package. @param from file that imports it */
  #ownImport(path: string, from: string): string | null {
    const { name, exports } = this.#manifest
    if (path === name || (isBuiltin(path) && from !== '')) return null
    // These are among the entries, but for a pattern that fits any file.
    if (path.startsWith('#')) return CODE.test(path) || !/\.\w+$/.test(path) ? null : path.slice(1)
    if (name !== '' && path.startsWith(`${name}/`)) {
      const part = path.slice(name.length + 1)
      return typeof exports === 'object' && exports !== null && Object.hasOwn(exports, `./${part}`) ? null : part
    }
    if (path.startsWith('.')) return posix.join(posix.dirname(from), path)
    // An address, an absolute path, a part of Node as a plugin: nothing of these is read.
    return /^(?:\/|[a-z][a-z+.-]*:)/i.test(path) || isBuiltin(path) ? `${OUTSIDE}${path}` : null
  }

  /** Reads all code: the harness and Node load files in more ways than can be followed. @returns the entries */
  #readAll(roots: readonly string[]): ReadonlySet<string> {
    const all = [...this.#files.keys()].filter((file) => CODE.test(file))
    const entries = new Set(
      roots.flatMap((path) =>
        path.includes('*') ? this.#codeOfPattern(path, all) : this.#codeAt(path, path.replace(OUTSIDE, '')),
      ),
    )
    const pending = [...all, ...entries]
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (this.#read.has(file)) continue
      this.#read.add(file)
      const text = textOf(this.#files.get(file))
      const code = text.length > MAX_CODE ? 'too-large' : this.#parse(text)
      if (code === 'too-large' || code === null) {
        this.#note(file, code ?? 'not-javascript')
        continue
      }
      if (isPacked(text)) this.#note(file, 'packed')
      else if (isMinified(text)) this.#note(file, 'minified')
      this.#found.addCode(code, file)
      if (code.findings.some(choosesCode)) this.#choosing.push(file)
      const parts = code.imports.flatMap((one) => {
        const path = this.#ownImport(one, file)
        return path === null ? [] : this.#codeAt(path, one)
      })
      this.#imports.set(file, parts)
      pending.push(...parts)
    }
    return entries
  }

  /** Notes a file that was not read in full. @param path what it is among the files of the package */
  #note(file: string, reason: UnreadFile['reason'], path: string | null = file): void {
    const key = `${reason} ${file}`
    if (!this.#unread.has(key))
      this.#unread.set(key, { file, reason, digest: path === null ? '' : this.#digestOf([path]) })
  }

  /** Returns the code that a path stands for, and notes a path that may stand for anything else. */
  #codeAt(path: string, shown: string): string[] {
    const file = this.#resolve(path)
    if (file !== null && !NATIVE.test(file)) this.#loaded.add(file)
    const isCode = file !== null && (CODE.test(file) || !/\.\w+$/.test(file))
    if (file === null || (!isCode && !/\.(?:json|node)$/.test(file))) this.#note(shown, 'not-found', file)
    return isCode ? [file] : []
  }

  /** Returns the code of an entry with `*`, and notes an entry that stands for other files. */
  #codeOfPattern(path: string, all: readonly string[]): string[] {
    const [start = '', ...others] = normalize(path).split('*')
    const end = others.at(-1) ?? ''
    if (end !== '' && !CODE.test(end) && !/\.(?:json|node)$/.test(end)) this.#note(path, 'not-found')
    return all.filter((file) => file.startsWith(start) && file.endsWith(end))
  }

  /** Returns the file that a path stands for by the rules of `require`; null if there is none. */
  #resolve(path: string): string | null {
    for (const one of [path, path.replace(/[?#].*$/, '')]) {
      const base = normalize(one).replace(/\/$/, '')
      const endings = ['', '.js', '.json', '.node', '.cjs', '.mjs', '/package.json', '/index.js']
      // The entry of a folder's own package.json is read as an entry of the package.
      const found = endings.map((ending) => normalize(`${base}${ending}`)).find((file) => this.#files.has(file))
      if (found !== undefined) return found
    }
    return null
  }

  // The patch

  /**
   * Reads a patch: whose rows it changes and what it sets there, the rows of other packages that it inserts, and the
   * expressions that the harness runs.
   *
   * @returns names that its rows load
   */
  #readPatch(file: string): string[] {
    const names: string[] = []
    const lines = new LineCounter()
    const document = parseDocument(textOf(this.#files.get(file)), { lineCounter: lines, logLevel: 'silent' })
    const addRow = (row: YAMLMap, key: 'id' | 'name') => {
      const name = row.get(key)
      if (typeof name !== 'string' || (key === 'name' && this.#isOwnRow(name))) return
      const place = { file, line: lines.linePos(row.range?.[0] ?? 0).line }
      this.#found.add('changes-rows', [name, ...settingsOf(row, key, document)].join(' '), place)
    }
    visit(document, {
      Pair(_, { key, value }) {
        if (isScalar(key) && key.value === 'insert')
          for (const row of isSeq(value) ? value.items : [value]) if (isMap(row)) addRow(row, 'name')
        if (isScalar(key) && key.value === 'name' && isScalar(value)) names.push(String(value.value))
      },
      Scalar: (_, { tag, value, range }) => {
        if (!tag?.endsWith('js') || typeof value !== 'string') return
        const { line } = lines.linePos(range?.[0] ?? 0)
        this.#found.add('patch-code', null, { file, line })
        const code = readCode(`(${value}\n)`)
        if (code) this.#found.addCode(code, file, line)
        else this.#found.add('runs-text', null, { file, line })
      },
    })
    if (!isSeq(document.contents)) return names
    // Its own rows stand below `insert`.
    for (const row of document.contents.items) if (isMap(row)) addRow(row, 'id')
    return names
  }

  /** Recognizes a row that loads a part of the package itself. */
  #isOwnRow(row: string): boolean {
    const { name } = this.#manifest
    return row.startsWith('.') || (name !== '' && (row === name || row.startsWith(`${name}/`)))
  }
}

/** Collects findings by kind. */
class Findings {
  /** Files with an ability whose names do not tell all: also a known program can be given other arguments. */
  readonly vague = new Set<string>()
  readonly #kinds = new Map<AbilityKind, { names: Set<string>; more: boolean; places: Map<string, Place> }>()

  add(kind: AbilityKind, name: string | null, place?: Ability['places'][number]): void {
    const known = this.#kinds.get(kind) ?? { names: new Set<string>(), more: false, places: new Map<string, Place>() }
    this.#kinds.set(kind, known)
    const isFirst = name !== null && !known.names.has(name) && known.names.size < MAX_NAMES
    if (isFirst) known.names.add(name)
    else if (name === null || !known.names.has(name)) known.more = true
    if (place && (name === null || kind === 'starts-programs' || !known.names.has(name))) this.vague.add(place.file)
    const key = place && `${place.line} ${name} ${place.file}`
    if (key && !known.places.has(key) && (isFirst || known.places.size < MAX_PLACES))
      known.places.set(key, { ...place, name })
  }

  has(kind: AbilityKind): boolean {
    return this.#kinds.has(kind)
  }

  addCode({ findings }: CodeFacts, file: string, firstLine = 1): void {
    for (const { kind, name, line } of findings) this.add(kind, name, { file, line: line + firstLine - 1 })
  }

  list(): FoundAbility[] {
    const contacted = this.#kinds.get('network')?.names
    return ABILITIES.flatMap((kind) => {
      const known = this.#kinds.get(kind)
      if (known === undefined) return []
      // What it talks to is said once.
      const names = [...known.names].filter((name) => kind !== 'address' || !contacted?.has(name)).toSorted()
      return kind === 'address' && names.length === 0
        ? []
        : [{ kind, names, more: known.more, places: [...known.places.values()] }]
    })
  }
}

function readManifest(files: Files, file = 'package.json'): Manifest {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(files.get(file)))
  return parsed.success ? parsed.output : v.parse(ManifestSchema, {})
}

/** Begins the path of what is not in the package. */
const OUTSIDE = '../'
const normalize = (path: string): string => posix.normalize(path).replace(/^(?:\.?\/)+/, '')

/** Recognizes code that is not in the file. What it chooses below its own folder is read like all files. */
const choosesCode = ({ kind, name }: CodeFacts['findings'][number]): boolean =>
  kind === 'runs-text' || (kind === 'loads-code' && !name?.startsWith('./'))

/** Returns what a row sets besides its own name, as JSON; nothing when it sets nothing. */
function settingsOf(row: YAMLMap, key: string, document: ReturnType<typeof parseDocument>): string[] {
  let text: string
  try {
    const { [key]: _name, ...settings } = row.toJS(document, { maxAliasCount: 100 }) as Record<string, unknown>
    if (Object.keys(settings).length === 0) return []
    text = JSON.stringify(settings)
  } catch {
    // Values that stand for each other without end.
    text = String(row)
  }
  return [text.length > MAX_SETTINGS ? `${text.slice(0, MAX_SETTINGS)}… ${hashOf(text).slice(0, 16)}` : text]
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array | undefined): string => (bytes ? decoder.decode(bytes) : '')

/** Recognizes code whose line ends were removed. Long lines of data alone do not count. */
export function isMinified(text: string): boolean {
  if (text.length < 2_000) return false
  const lines = text.split('\n')
  const long = lines.filter((line) => line.length > 1_000)
  return (
    long.reduce((sum, { length }) => sum + length, 0) > text.length / 2 &&
    long.some((line) => /[;,{}]\w{1,2}[=(.]/.test(line))
  )
}

/** Recognizes the output of programs that hide code: names like `_0x3f2a`, texts in escapes, a packer's start. */
function isPacked(text: string): boolean {
  if (/eval\(function\(p,a,c,k,e,[dr]\)/.test(text)) return true
  const hidden = text.match(/\b_0x[0-9a-f]{4,}\b/g)?.length ?? 0
  const escapes = text.match(/\\x[0-9a-f]{2}/gi)?.length ?? 0
  return hidden > 40 || escapes * 4 > text.length / 4
}
