/** What a package can do: its manifest, its rows in the harness's tree, and the code that these reach. */

import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import * as v from 'valibot'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import {
  ABILITIES,
  type Ability,
  type AbilityKind,
  type InstallScript,
  type UnreadFile,
} from '../../protocol/inspection.ts'
import { BUILD_SCRIPTS, buildScripts, installScripts } from '../registry/package-scripts.ts'
import type { CodeFacts } from './code/powers.ts'
import { readCode } from './code/read-code.ts'
import { GUARDS } from './code/services.ts'

/** Characters of code that are parsed of one package: what it reaches, and what nothing in it loads. */
const MAX_REACHED = 60_000_000
const MAX_OTHERS = 15_000_000
/** Patterns of paths that are compared with all files; of more, every file counts as loaded. */
const MAX_PATTERNS = 500
/** Names of one ability that are compared, far more than are told, and places without a name. */
const MAX_NAMES = 10_000
const MAX_PLACES = 20
/** Longest text of what a patch sets, in characters. A digest follows what is longer. */
const MAX_SETTINGS = 200
/** Longest text of a file that an install script runs, in characters and lines, and the number of such files. */
const MAX_SCRIPT_TEXT = 6_000
const MAX_SCRIPT_LINES = 100
const MAX_SCRIPT_FILES = 5

export interface Abilities {
  /** Of the files that its entries, rows, patches or install scripts reach. */
  readonly abilities: readonly FoundAbility[]
  /** Of the other files, which nothing was seen to load. */
  readonly others: readonly FoundAbility[]
  /** Files that could not be read in full. While there is any but minified code, a missing ability is unknown. */
  readonly unread: readonly DigestedFile[]
  /** Programs and libraries for the processor: with other bytes, they can do something else. */
  readonly native: readonly DigestedFile[]
  /** What an install would run. */
  readonly scripts: readonly DigestedScript[]
  /** What the package uses of its files: those that it names itself, what these load, and what an install runs. */
  readonly roles: ReadonlyMap<string, Role>
}

/** An ability with a place of each of its names, and others up to a limit. */
export type FoundAbility = Omit<Ability, 'places'> & {
  readonly places: readonly Place[]
  /** Number of times that it was seen without a name, or with one beyond the limit. */
  readonly unnamed: number
}
type Place = Ability['places'][number] & {
  /** What the ability is about at this place; null when that is decided while the code runs. */
  readonly name: string | null
}

/** A file that could not be read in full, and a digest of its bytes; empty for what is no file of the package. */
export interface DigestedFile extends UnreadFile {
  readonly digest: string
}
export type DigestedScript = InstallScript & {
  /** Of all files that it runs. */
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

/** What a build script turns into code. */
const SOURCE = /\.(?:[cm]?tsx?|jsx|vue|svelte|json)$/
const CODE = /\.[cm]?js$/
const TYPESCRIPT = /(?<!\.d)\.[cm]?tsx?$/
/** What is imported and is no code: data, and what a bundler turns into code. */
const ASSET =
  /\.(?:json5?|map|txt|lock|css|s[ac]ss|less|styl|vue|svelte|html?|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|md|wasm|graphql|ya?ml|toml|d\.[cm]?ts)$/i
/** Sources and rules from which an install script builds. */
const BUILT_FROM =
  /\.(?:gypi?|c|cc|cpp|cxx|hh?|hpp|mm?|rs|s|asm|sh|bat|cmd|ps1|py|mk|cmake)$|(?:^|\/)(?:Makefile|CMakeLists\.txt|Cargo\.(?:toml|lock))$/i
/** What no program runs: documents, types and pictures. */
const DOCUMENT =
  /(?:^|\/)(?:licen[cs]e|readme|changelog|notice|authors)[^/]*$|\.(?:md|d\.[cm]?ts|map|css|png|jpe?g|gif|svg|webp|ico|woff2?)$/i
export const NATIVE = /\.(?:node|wasm|exe|dll|so(?:\.[\d.]+)?|dylib|a|jar|class|pyc)$/i
/** Folders whose files are to be read by people. */
const EXAMPLE = /(?:^|\/)(?:examples?|tests?|__tests__|benchmarks?)\//
/** Signs that turn round the direction of text: code that is shown in another order than it runs. */
const REORDERED = /[\u202A-\u202E\u2066-\u2069]/
/** Conditions of `exports` that neither Node nor a bundler for a page asks for, such as `types` and `@zod/source`. */
const OTHER_CONDITION =
  /^(?:types|typings|@|deno|bun|workerd?$|edge-light|react-native|umd|script|unpkg|jsdelivr|electron|source)/
/** Variables that are harmless everywhere: how to print, in which language, and whether a build service runs it. */
const HARMLESS =
  /^(?:NO_COLOR|FORCE_COLOR|COLOR|CLICOLOR(?:_FORCE)?|COLORTERM|COLUMNS|LINES|TERM|TERM_PROGRAM(?:_VERSION)?|TERMINAL_EMULATOR|WT_SESSION|DEBUG|NODE_DEBUG|NODE_ENV|LANG|LANGUAGE|LC_\w+|TZ|CI|CI_NAME|CONTINUOUS_INTEGRATION|BUILD_NUMBER|TRAVIS|CIRCLECI|APPVEYOR|GITLAB_CI|GITHUB_ACTIONS|TEAMCITY_VERSION|TF_BUILD)$/

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
  new AbilityReader(files, parse).read(isRepository)

/** Returns what each used file of a package is for, without reading what its code does. */
export function rolesOf(files: Files): Abilities['roles'] {
  const reader = new AbilityReader(files, (text) => ({ findings: [], imports: importsIn(text) }))
  return reader.read(false).roles
}

/** Returns what code imports by whole names. */
const importsIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')/g)].map(
    ([, double, single]) => double ?? single ?? '',
  )

class AbilityReader {
  readonly #files: Files
  readonly #manifest: Manifest
  readonly #parse: typeof readCode
  readonly #found = new Findings()
  readonly #others = new Findings()
  readonly #unread = new Map<string, DigestedFile>()
  /** Code that was read, and what each file of it loads. */
  readonly #imports = new Map<string, readonly string[]>()
  /** Files that something loads, by any ending. */
  readonly #loaded = new Set<string>()
  #folders: Map<string, string[]> | null = null
  readonly #patterns = new Set<string>()

  constructor(files: Files, parse: typeof readCode) {
    this.#files = files
    this.#manifest = readManifest(files)
    this.#parse = parse
  }

  read(isRepository: boolean): Abilities {
    const { dependencies, optionalDependencies, dsh } = this.#manifest
    const paths = [...this.#files.keys()]
    const scripts = [...this.#installScripts(), ...(isRepository ? this.#buildScripts() : [])]
    for (const script of scripts) this.#found.add('install-scripts', script.join(': '))
    const native = paths.filter((file) => NATIVE.test(file))
    for (const file of native) this.#found.add('native-code', file, { file, line: 1 })
    for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies }))
      this.#found.add('dependency', `${name} ${range}`)
    for (const name of dsh.client.inject)
      if (GUARDS.has(name)) this.#found.add('service', name, { file: 'package.json', line: 1 })
    for (const file of paths) if (/(?:^|\/)package\.json$/.test(file)) this.#readImports(file)
    const patches = [dsh.bundle.patch].flat().map(normalize)
    const rows = patches.flatMap((path) => this.#readPatch(path))
    const entries = new Set(
      [...this.#entries(), ...rows.flatMap((name) => this.#ownImport(name, '') ?? [])].flatMap((path) =>
        path.includes('*') ? this.#partsOf(path) : (this.#resolve(path) ?? []),
      ),
    )
    const evaluated = scripts.flatMap((script) => this.#evaluated(script))
    this.#readAll([...entries, ...evaluated])
    const run = scripts.map((script) => ({ script, ...this.#filesOfScript(script) }))
    this.#readAll(run.flatMap(({ named }) => named).filter((file) => CODE.test(file)))
    const roles = this.#roles({ patches, entries, run })
    this.#readOthers(paths)
    const others = paths.filter((file) => file !== 'package.json' && !DOCUMENT.test(file))
    return {
      abilities: this.#found.list(),
      others: this.#others.list().filter(({ kind }) => TOLD_OF_OTHERS.has(kind)),
      unread: [...this.#unread.values()],
      native: native.map((file) => ({ file, reason: 'native', digest: this.#digestOf([file]) })),
      scripts: run.map(({ script, named, sources }) => ({
        script: script.join(': '),
        files: this.#textsOf([...new Set([...named, ...evaluated])]),
        digest: BUILD_SCRIPTS.includes(script[0])
          ? this.#digestOfBuild(others)
          : this.#digestOf([...named, ...evaluated, ...sources]),
      })),
      roles,
    }
  }

  /** Returns what each used file is for; the last role of a file counts. */
  #roles({
    patches,
    entries,
    run,
  }: {
    readonly patches: readonly string[]
    readonly entries: ReadonlySet<string>
    readonly run: readonly { readonly named: readonly string[]; readonly sources: readonly string[] }[]
  }): ReadonlyMap<string, Role> {
    const code = [...this.#files.keys()].filter((file) => CODE.test(file))
    return new Map<string, Role>([
      ...code.map((file) => [file, 'code'] as const),
      ...run.flatMap(({ sources }) => sources).map((file) => [file, 'code'] as const),
      ...run.flatMap(({ named }) => named).map((file) => [file, 'scripts'] as const),
      ...[...this.#loaded, ...this.#imports.keys()].map((file) => [file, 'code'] as const),
      ...[...entries].map((file) => [file, 'entry'] as const),
      ...patches.map((file) => [file, 'patch'] as const),
      ['package.json', 'scripts'],
    ])
  }

  // The scripts of package.json

  #installScripts(): Script[] {
    return Object.entries(installScripts(this.#manifest, this.#files.has('binding.gyp')))
  }

  /**
   * Returns the scripts that pnpm runs to build a repository: `prepare` always, and the others with it, or where the file
   * of `main` is missing. Source: pnpm 10 to 12, `preparePackage`.
   */
  #buildScripts(): Script[] {
    const { scripts, main = 'index.js' } = this.#manifest
    return scripts.prepare || !this.#files.has(normalize(main)) ? Object.entries(buildScripts(scripts)) : []
  }

  /** Reads the code that a script has in its command: `node -e "require('./post')"`. @returns the files that it loads */
  #evaluated([, command]: Script): string[] {
    const texts = command.matchAll(/\bnode\s+(?:-e|-p|-pe|--eval|--print)[\s=]+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g)
    return [...texts].flatMap(([, double, single]) => {
      const code = this.#parse(double?.replace(/\\(.)/g, '$1') ?? single ?? '')
      if (typeof code === 'string') return []
      this.#found.addCode(code, 'package.json')
      return code.imports.flatMap((one) => this.#filesOf(one, ''))
    })
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
      if (!this.#imports.has(file) && CODE.test(file)) this.#readAll([file])
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

  /** Returns the text of files that a script runs, the first of them and their beginnings. */
  #textsOf(paths: readonly string[]): InstallScript['files'] {
    return paths
      .filter((file) => file !== 'package.json' && !NATIVE.test(file))
      .slice(0, MAX_SCRIPT_FILES)
      .map((file) => {
        const text = textOf(this.#files.get(file))
        const lines = text.slice(0, MAX_SCRIPT_TEXT).trimEnd().split(/\r?\n/)
        const shown = lines.slice(0, MAX_SCRIPT_LINES)
        return { file, lines: shown, more: text.length > MAX_SCRIPT_TEXT || shown.length < lines.length }
      })
  }

  // Code

  /** Returns the files that the package names as its own entries. */
  #entries(): string[] {
    const { main, exports, imports, bin } = this.#manifest
    const paths: string[] = []
    const pending: unknown[] = [exports, imports, bin]
    for (const one of pending)
      if (typeof one === 'string') paths.push(one)
      else if (typeof one === 'object' && one !== null)
        for (const [key, value] of Object.entries(one)) if (!OTHER_CONDITION.test(key)) pending.push(value)
    if (main !== undefined && this.#resolve(main) !== null) return [...paths, main]
    return exports === undefined ? [...paths, 'index.js'] : paths
  }

  /** Notes what code gets from other packages by names of its own: `"imports": { "#run": "node:child_process" }`. */
  #readImports(file: string): void {
    const pending: unknown[] = [readManifest(this.#files, file).imports]
    for (const one of pending)
      if (typeof one === 'object' && one !== null) pending.push(...Object.values(one))
      else if (typeof one === 'string' && !one.startsWith('.')) {
        const code = this.#parse(`export * from ${JSON.stringify(one)}`)
        if (typeof code !== 'string') this.#found.addCode(code, file)
      }
  }

  /** Reads code, and what it loads within the package. */
  #readAll(roots: readonly string[]): void {
    const pending = [...roots]
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (this.#imports.has(file) || NATIVE.test(file)) continue
      this.#loaded.add(file)
      if (TYPESCRIPT.test(file)) this.#note(file, 'typescript')
      if (TYPESCRIPT.test(file) || /\.json$/.test(file)) continue
      // Node takes a file of any other name for code.
      const code = ASSET.test(file) ? this.#readAsset(file) : this.#readFile(file)
      const parts = code?.imports.flatMap((one) => this.#filesOf(one, file)) ?? []
      this.#imports.set(file, parts)
      pending.push(...parts)
    }
  }

  /** Reads a file that is data where a bundler loads it; null where it is no code. */
  #readAsset(file: string): CodeFacts | null {
    const code = this.#parse(textOf(this.#files.get(file)))
    return code === 'not-javascript' ? null : this.#readFile(file)
  }

  #characters = 0

  /** Reads one file that is reached; null where it cannot be. */
  #readFile(file: string): CodeFacts | null {
    const text = textOf(this.#files.get(file))
    this.#characters += text.length
    const code = this.#characters > MAX_REACHED ? 'too-much' : this.#parse(text)
    if (typeof code === 'string') {
      this.#note(file, code)
      return null
    }
    if (REORDERED.test(text)) this.#note(file, 'reordered')
    if (isPacked(text)) this.#note(file, 'packed')
    else if (isMinified(text)) this.#note(file, 'minified')
    this.#found.addCode(code, file)
    return code
  }

  /** Reads the code that nothing was seen to load: the harness and Node load files in more ways than can be followed. */
  #readOthers(paths: readonly string[]): void {
    let characters = 0
    for (const file of paths) {
      if (!CODE.test(file) || this.#imports.has(file)) continue
      const text = textOf(this.#files.get(file))
      characters += text.length
      const code = characters > MAX_OTHERS ? 'too-much' : this.#parse(text)
      if (typeof code !== 'string') this.#others.addCode(code, file)
      // Text that is no code does nothing until somebody reads it.
      else if (code !== 'not-javascript') this.#note(file, code)
    }
  }

  /** Returns the files of the package that an import stands for, and notes what is loaded from elsewhere. */
  #filesOf(name: string, from: string): string[] {
    const path = this.#ownImport(name, from)
    // Those in the package are named as such.
    if (/\.node$/.test(name) && !this.#hasNative(path))
      this.#found.add('native-code', null, { file: from || 'package.json', line: 1 })
    if (path === null) return []
    if (path.includes('…') || path.includes('*')) return this.#matching(path.replaceAll('…', '*'))
    if (path.startsWith(OUTSIDE) || OUTSIDE_ADDRESS.test(path)) {
      this.#found.add('loads-code', name, { file: from || 'package.json', line: 1 })
      return []
    }
    const file = this.#resolve(path) ?? this.#resolve(decoded(path))
    return file === null ? [] : [file]
  }

  /** Recognizes the path of a file of the package; of one with an unknown part, whether the package has any such file. */
  #hasNative(path: string | null): boolean {
    if (path === null) return false
    return path.includes('…')
      ? [...this.#files.keys()].some((file) => /\.node$/.test(file))
      : this.#resolve(path) !== null
  }

  /** Returns the path that an import stands for; null for another package. @param from file that imports it */
  #ownImport(path: string, from: string): string | null {
    const { name, exports, imports } = this.#manifest
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

  /** Notes a file that was not read in full. */
  #note(file: string, reason: UnreadFile['reason']): void {
    this.#unread.set(`${reason} ${file}`, { file, reason, digest: this.#digestOf([file]) })
  }

  /** Returns the code that a pattern of `exports` offers, without examples and tests beside it, which nobody imports. */
  #partsOf(pattern: string): string[] {
    const files = this.#matching(pattern)
    return EXAMPLE.test(pattern) ? files : files.filter((file) => !EXAMPLE.test(file))
  }

  /** Returns the code whose path fits a pattern with `*`. */
  #matching(pattern: string): string[] {
    // Each pattern is compared with many files.
    if (this.#patterns.has(pattern)) return []
    this.#patterns.add(pattern)
    if (this.#patterns.size > MAX_PATTERNS) return this.#patterns.size === MAX_PATTERNS + 1 ? [...this.#codeIn('')] : []
    const [start = '', ...others] = normalize(pattern).split('*')
    const end = others.at(-1) ?? ''
    const folder = start.slice(0, start.lastIndexOf('/') + 1)
    return this.#codeIn(folder).filter(
      (file) => file.startsWith(start) && (file.endsWith(end) || file.replace(CODE, '').endsWith(end)),
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
  #resolve(path: string): string | null {
    for (const one of [path, path.replace(/[?#].*$/, '')]) {
      const base = normalize(one).replace(/\/$/, '')
      const endings = ['', '.js', '.json', '.node', '.cjs', '.mjs', '/index.js', '.ts', '/index.ts', '/index.json']
      const found = endings.map((ending) => normalize(`${base}${ending}`)).find((file) => this.#files.has(file))
      const folder = `${base}/package.json`
      if ((found === undefined || found.startsWith(`${base}/index`)) && base !== '' && this.#files.has(folder)) {
        const { main, exports } = readManifest(this.#files, folder)
        const entry = targetOf(exports, '.') ?? main
        const file = entry === undefined || /^(?:\.?\/?)$/.test(entry) ? null : this.#resolve(posix.join(base, entry))
        if (file !== null) return file
      }
      if (found !== undefined) return found
      // Imports of TypeScript name what it is turned into.
      const source = base.replace(/\.([cm]?)jsx?$/, '.$1ts')
      if (source !== base && this.#files.has(source)) return source
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
        this.#found.add('runs-text', null, { file, line })
        const code = readCode(`(${value}\n)`)
        if (typeof code !== 'string') this.#found.addCode(code, file, line)
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

/** Abilities that are told of files that nothing loads. */
const TOLD_OF_OTHERS: ReadonlySet<AbilityKind> = new Set([
  'anything',
  'starts-programs',
  'runs-text',
  'native-code',
  'network',
  'writes-files',
])

/** Collects findings by kind. */
class Findings {
  readonly #kinds = new Map<
    AbilityKind,
    { names: Set<string>; harmless: Set<string>; unnamed: number; places: Map<string, Place> }
  >()

  add(kind: AbilityKind, name: string | null, place?: Ability['places'][number]): void {
    const known = this.#kinds.get(kind) ?? { names: new Set(), harmless: new Set(), unnamed: 0, places: new Map() }
    this.#kinds.set(kind, known)
    if (kind === 'environment' && name !== null && HARMLESS.test(name)) {
      known.harmless.add(name)
      return
    }
    const isFirst = name !== null && !known.names.has(name) && known.names.size < MAX_NAMES
    if (isFirst) known.names.add(name)
    else if (name === null || !known.names.has(name)) known.unnamed++
    const key = place && `${place.line} ${name} ${place.file}`
    if (key && !known.places.has(key) && (isFirst || known.places.size < MAX_PLACES))
      known.places.set(key, { ...place, name })
  }

  addCode({ findings }: CodeFacts, file: string, firstLine = 1): void {
    for (const { kind, name, line } of findings) this.add(kind, name, { file, line: line + firstLine - 1 })
  }

  list(): FoundAbility[] {
    return ABILITIES.flatMap((kind) => {
      const known = this.#kinds.get(kind)
      if (known === undefined || (known.names.size === 0 && known.unnamed === 0)) return []
      const { names, harmless, unnamed, places } = known
      const list = [...names].toSorted()
      return [{ kind, names: list, harmless: harmless.size, more: unnamed > 0, unnamed, places: [...places.values()] }]
    })
  }
}

function readManifest(files: Files, file = 'package.json'): Manifest {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(files.get(file)))
  return parsed.success ? parsed.output : v.parse(ManifestSchema, {})
}

/** Matches an absolute path, or an address that Node or a page loads code from. Other schemes are parts of an engine. */
const OUTSIDE_ADDRESS = /^(?:\/|(?:https?|file|blob):)/i
/** Begins the path of what is not in the package. */
const OUTSIDE = '../'
const normalize = (path: string): string => posix.normalize(path).replace(/^(?:\.?\/)+/, '')
const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(path)?.[0] ?? ''
function decoded(path: string): string {
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
  const hidden = text.match(/_0x[0-9a-f]{4,}\b/g)?.length ?? 0
  const escapes = text.match(/\\x[0-9a-f]{2}/gi)?.length ?? 0
  return hidden > 40 || escapes * 4 > text.length / 4
}
