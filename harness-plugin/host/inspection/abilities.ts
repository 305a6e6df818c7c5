/** Abilities of a package: of its manifest, its rows in the harness's tree, and the code that these reach. */
import { createHash } from 'node:crypto'
import type { AbilityKind, InstallScript, UnreadFile } from '../../protocol/inspection.ts'
import { BUILD_SCRIPTS, buildScripts, installScripts } from '../registry/package-scripts.ts'
import { GUARDS } from './code/harness-services.ts'
import type { CodeFacts } from './code/powers.ts'
import { readCode } from './code/read-code.ts'
import { Findings, type FoundAbility } from './findings.ts'
import {
  CODE,
  decoded,
  type Files,
  normalize,
  OUTSIDE,
  OUTSIDE_ADDRESS,
  PackageModules,
  readManifest,
  textOf,
} from './package-modules.ts'
import { readPatch } from './patch.ts'

/** Characters of code that are parsed of one package: what it reaches, and what nothing in it loads. */
const MAX_REACHED = 60_000_000
const MAX_OTHERS = 15_000_000
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
  /** Commands that an install would run. */
  readonly scripts: readonly DigestedScript[]
  /** Files that the package uses: those that it names itself, what these load, and what an install runs. */
  readonly roles: ReadonlyMap<string, Role>
}

/** A file that could not be read in full, and a digest of its bytes; empty for what is not a file of the package. */
export interface DigestedFile extends UnreadFile {
  readonly digest: string
}
export type DigestedScript = InstallScript & {
  /** Of all files that it runs. */
  readonly digest: string
}

/** Files that a build script turns into code. */
const SOURCE = /\.(?:[cm]?tsx?|jsx|vue|svelte|json)$/
const TYPESCRIPT = /(?<!\.d)\.[cm]?tsx?$/
/** Files that are imported and are not code: data, and what a bundler turns into code. */
const ASSET =
  /\.(?:json5?|map|txt|lock|css|s[ac]ss|less|styl|vue|svelte|html?|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|md|wasm|graphql|ya?ml|toml|d\.[cm]?ts)$/i
/** Sources and rules from which an install script builds. */
const BUILT_FROM =
  /\.(?:gypi?|c|cc|cpp|cxx|hh?|hpp|mm?|rs|s|asm|sh|bat|cmd|ps1|py|mk|cmake)$|(?:^|\/)(?:Makefile|CMakeLists\.txt|Cargo\.(?:toml|lock))$/i
/** Files that no program runs: documents, types and pictures. */
const DOCUMENT =
  /(?:^|\/)(?:licen[cs]e|readme|changelog|notice|authors)[^/]*$|\.(?:md|d\.[cm]?ts|map|css|png|jpe?g|gif|svg|webp|ico|woff2?)$/i
export const NATIVE = /\.(?:node|wasm|exe|dll|so(?:\.[\d.]+)?|dylib|a|jar|class|pyc)$/i
/** Signs that turn round the direction of text: code that is shown in another order than it runs. */
const REORDERED = /[\u202A-\u202E\u2066-\u2069]/

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
  const reader = new AbilityReader(files, (text) => ({ findings: [], imports: importsIn(text), paths: [] }))
  return reader.read(false).roles
}

/** Returns what code imports by whole names. */
const importsIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')/g)].map(
    ([, double, single]) => double ?? single ?? '',
  )

class AbilityReader {
  readonly #files: Files
  readonly #modules: PackageModules
  readonly #parse: typeof readCode
  readonly #found = new Findings()
  readonly #others = new Findings()
  readonly #unread = new Map<string, DigestedFile>()
  /** Code that was read, and what each file of it loads. */
  readonly #imports = new Map<string, readonly string[]>()
  /** Files that something loads, by any ending. */
  readonly #loaded = new Set<string>()

  constructor(files: Files, parse: typeof readCode) {
    this.#files = files
    this.#modules = new PackageModules(files)
    this.#parse = parse
  }

  read(isRepository: boolean): Abilities {
    const { dependencies, optionalDependencies, dsh } = this.#modules.manifest
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
    const rows = patches.flatMap((path) =>
      readPatch(path, textOf(this.#files.get(path)), {
        found: this.#found,
        isOwnRow: (row) => this.#modules.isOwnRow(row),
      }),
    )
    const entries = new Set(
      [...this.#modules.entries(), ...rows.flatMap((name) => this.#modules.ownImport(name, '') ?? [])].flatMap(
        (path) => (path.includes('*') ? this.#modules.matching(path, true) : (this.#modules.resolve(path) ?? [])),
      ),
    )
    const evaluated = scripts.flatMap((script) => this.#evaluated(script))
    this.#readAll([...entries, ...evaluated])
    const run = scripts.map((script) => ({ script, ...this.#filesOfScript(script) }))
    this.#readAll(run.flatMap(({ named }) => named).filter((file) => CODE.test(file)))
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
      // The last role of a file counts.
      roles: new Map<string, Role>([
        ...paths.filter((file) => CODE.test(file)).map((file) => [file, 'code'] as const),
        ...run.flatMap(({ sources }) => sources).map((file) => [file, 'code'] as const),
        ...run.flatMap(({ named }) => named).map((file) => [file, 'scripts'] as const),
        ...[...this.#loaded, ...this.#imports.keys()].map((file) => [file, 'code'] as const),
        ...[...entries].map((file) => [file, 'entry'] as const),
        ...patches.map((file) => [file, 'patch'] as const),
        ['package.json', 'scripts'],
      ]),
    }
  }

  // The scripts of package.json

  #installScripts(): Script[] {
    return Object.entries(installScripts(this.#modules.manifest, this.#files.has('binding.gyp')))
  }

  /**
   * Returns the scripts that pnpm runs to build a repository: `prepare` always, and the others with it, or where the file
   * of `main` is missing. Source: pnpm 10 to 12, `preparePackage`.
   */
  #buildScripts(): Script[] {
    const { scripts, main = 'index.js' } = this.#modules.manifest
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
    const { scripts } = this.#modules.manifest
    const named = new Set<string>()
    const words = new Set<string>()
    const wordsOf = (text: string) => text.split(/[\s;&|"'()<>=]+/)
    const pending = wordsOf(command)
    for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
      if (word === '' || words.has(word)) continue
      words.add(word)
      // It may run another script: `npm run build`.
      pending.push(...wordsOf(Object.hasOwn(scripts, word) ? scripts[word]! : ''))
      const file = this.#modules.resolve(word)
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
    const { devDependencies, scripts } = this.#modules.manifest
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
      const named = code?.paths.flatMap((one) => this.#modules.resolve(this.#modules.ownImport(one, file)!) ?? []) ?? []
      pending.push(...parts, ...named.filter((one) => CODE.test(one)))
    }
  }

  /** Reads a file that is data where a bundler loads it; null where it is not code. */
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
    // The function that a value is given to decides what is done with it.
    const given = new Set(code.findings.flatMap(({ to }) => to ?? []))
    const digests = new Map([...given].map((to) => [to, this.#digestOf(this.#filesOf(to, file))]))
    const findings = code.findings.map(({ to, ...one }) =>
      to === undefined ? one : { ...one, use: `${one.use} ${digests.get(to)}` },
    )
    this.#found.addCode({ ...code, findings }, file)
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
      // Text that is not code does nothing until somebody reads it.
      else if (code !== 'not-javascript') this.#note(file, code)
    }
  }

  /** Returns the files of the package that an import stands for, and notes what is loaded from elsewhere. */
  #filesOf(name: string, from: string): string[] {
    const path = this.#modules.ownImport(name, from)
    // Those in the package are named as such.
    if (/\.node$/.test(name) && !this.#modules.hasNative(path))
      this.#found.add('native-code', null, { file: from || 'package.json', line: 1 })
    if (path === null) return []
    if (path.includes('…') || path.includes('*')) return this.#modules.matching(path.replaceAll('…', '*'))
    if (path.startsWith(OUTSIDE) || OUTSIDE_ADDRESS.test(path)) {
      this.#found.add('loads-code', name, { file: from || 'package.json', line: 1 })
      return []
    }
    const file = this.#modules.resolve(path) ?? this.#modules.resolve(decoded(path))
    return file === null ? [] : [file]
  }

  /** Notes a file that was not read in full. */
  #note(file: string, reason: UnreadFile['reason']): void {
    this.#unread.set(`${reason} ${file}`, { file, reason, digest: this.#digestOf([file]) })
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

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

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
