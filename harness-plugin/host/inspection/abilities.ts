/** What a package can do: its manifest, its rows in the harness's tree, and all its code. */
import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import * as v from 'valibot'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { ABILITIES, type Ability, type AbilityKind, type UnreadFile } from '../../protocol/inspection.ts'
import { type CodeFacts, readCode } from './code.ts'
import { BUILD_SCRIPTS } from './dependencies.ts'

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
  readonly roles: ReadonlyMap<string, 'scripts' | 'patch' | 'entry' | 'code'>
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

/**
 * Returns what the files of a package can do.
 *
 * @param given.isRepository true for the files of a commit, which the package manager builds during the install
 * @param given.parse reads one file of code
 */
export function readAbilities(
  files: ReadonlyMap<string, Uint8Array>,
  { isRepository = false, parse = readCode } = {},
): Abilities {
  const found = new Findings()
  const manifest = readManifest(files)
  const scripts = installScripts(manifest, files)
  const builds = isRepository ? buildScripts(manifest, files) : []
  for (const [name, command] of [...scripts, ...builds]) found.add('install-scripts', `${name}: ${command}`)
  const native = [...files.keys()].filter((file) => NATIVE.test(file))
  for (const file of native) found.add('native-code', file, { file, line: 1 })
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    found.add('dependency', `${name} ${range}`)
  for (const name of manifest.dsh.client.inject) found.add('service', name, { file: 'package.json', line: 1 })
  const patches = [manifest.dsh.bundle.patch].flat().map(normalize)
  const rows = patches.flatMap((path) => readPatch(path, files, { manifest, found }))
  const { read, entries, loaded, unread, choosing, imports } = readAll(
    [
      ...entriesOf(files),
      ...rows.flatMap((name) => ownImport(name, '', manifest) ?? []),
      ...scripts.flatMap(([, command]) =>
        [...command.matchAll(/\bnode\s+(?:-\S+\s+)*([\w@./-]+)/g)].map(([, file]) => file!),
      ),
    ],
    files,
    { manifest, found, parse },
  )
  const roles = new Map<string, 'scripts' | 'patch' | 'entry' | 'code'>()
  for (const file of read) roles.set(file, entries.has(file) ? 'entry' : 'code')
  for (const file of loaded) if (!roles.has(file)) roles.set(file, 'code')
  for (const path of patches) roles.set(path, 'patch')
  const run = [...scripts, ...namedScripts(manifest, BUILD_SCRIPTS)].map((script) => ({
    name: script.join(': '),
    ...filesOfScript(script, { manifest, files, imports }),
  }))
  for (const [role, list] of [
    ['scripts', run.flatMap(({ named }) => named)],
    ['code', run.flatMap(({ sources }) => sources)],
  ] as const)
    for (const file of list) if (!roles.has(file)) roles.set(file, role)
  const digested = (reason: UnreadFile['reason']) => (file: string) => ({
    file,
    reason,
    digest: digestOf(files, [file]),
  })
  const notDocuments = [...files.keys()].filter((file) => file !== 'package.json' && !DOCUMENT.test(file))
  // What an ability tells stays the same while these do something else with it: programs can be started from any file.
  const others = found.has('starts-programs') ? notDocuments.filter((file) => !CODE.test(file)) : []
  const changeable = [...new Set([...found.vague, ...patches, ...others])].filter(
    (file) => !NATIVE.test(file) && !choosing.includes(file),
  )
  return {
    abilities: found.list(),
    unread,
    opaque: [
      ...native.map(digested('native')),
      ...choosing.map(digested('chooses-code')),
      ...changeable.map(digested('changed')),
      { file: 'package.json', reason: 'changed', digest: digestOfManifest(files, manifest) },
    ],
    scripts: Object.fromEntries(
      run.map(({ name, named, sources }) => {
        // The build of a repository can read any of its files, runs other scripts, and installs what is for development.
        const isBuild = BUILD_SCRIPTS.some((script) => name.startsWith(`${script}:`))
        const digest = digestOf(files, isBuild ? notDocuments : [...named, ...sources])
        return [
          name,
          isBuild ? `${digest} ${hashOf(JSON.stringify([manifest.devDependencies, manifest.scripts]))}` : digest,
        ] as const
      }),
    ),
    roles: roles.set('package.json', 'scripts'),
  }
}

/** Returns a digest of some files with their paths; empty when the package has none of them. */
function digestOf(files: ReadonlyMap<string, Uint8Array>, paths: readonly string[]): string {
  const known = paths.filter((path) => files.has(path)).toSorted()
  if (known.length === 0) return ''
  const hash = createHash('sha256')
  for (const path of known) hash.update(`${path}\0`).update(createHash('sha256').update(files.get(path)!).digest())
  return hash.digest('hex')
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns a digest of what package.json says beyond the abilities. */
function digestOfManifest(files: ReadonlyMap<string, Uint8Array>, { scripts }: Manifest): string {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
    textOf(files.get('package.json')),
  )
  const fields = Object.entries(parsed.success ? parsed.output : {}).filter(([field]) => !NOT_COMPARED.test(field))
  // An install script can run the others.
  const runs = INSTALL_SCRIPTS.some((name) => scripts[name])
  return hashOf(JSON.stringify([fields.toSorted(([a], [b]) => (a < b ? -1 : 1)), runs ? scripts : {}]))
}

/** Returns what an install script runs: the files that it names, with those that these load, and what it may build from. */
function filesOfScript(
  [name, command]: [string, string],
  {
    manifest: { scripts },
    files,
    imports,
  }: {
    readonly manifest: Manifest
    readonly files: ReadonlyMap<string, Uint8Array>
    readonly imports: ReadonlyMap<string, readonly string[]>
  },
): { readonly named: readonly string[]; readonly sources: readonly string[] } {
  const found = new Set<string>()
  const words = new Set<string>()
  const wordsOf = (text: string) => text.split(/[\s;&|"'()<>=]+/)
  const pending = wordsOf(command)
  for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
    if (word === '' || words.has(word)) continue
    words.add(word)
    // It may run another script: `npm run build`.
    pending.push(...wordsOf(Object.hasOwn(scripts, word) ? scripts[word]! : ''))
    const file = resolveFile(word, files)
    if (file === null) continue
    found.add(file)
    pending.push(...(imports.get(file) ?? []))
  }
  const isSource = (file: string) => BUILT_FROM.test(file) || (BUILD_SCRIPTS.includes(name) && SOURCE.test(file))
  return { named: [...found], sources: [...files.keys()].filter((file) => isSource(file) && !found.has(file)) }
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

function readManifest(files: ReadonlyMap<string, Uint8Array>, file = 'package.json'): Manifest {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(files.get(file)))
  return parsed.success ? parsed.output : v.parse(ManifestSchema, {})
}

const namedScripts = ({ scripts }: Pick<Manifest, 'scripts'>, names: readonly string[]): [string, string][] =>
  names.flatMap((name): [string, string][] => (scripts[name] ? [[name, scripts[name]]] : []))

function installScripts({ scripts, gypfile }: Manifest, files: ReadonlyMap<string, Uint8Array>): [string, string][] {
  const named = namedScripts({ scripts }, INSTALL_SCRIPTS)
  // Package managers build such a package without a script of its own.
  const isBuilt = files.has('binding.gyp') && gypfile !== false && !scripts.install && !scripts.preinstall
  return isBuilt ? [...named, ['install', 'node-gyp rebuild']] : named
}

/**
 * Returns the scripts that pnpm runs to build a repository: `prepare` always, and the others with it, or where the file
 * of `main` is missing. Source: pnpm 10 to 12, `preparePackage`.
 */
function buildScripts(manifest: Manifest, files: ReadonlyMap<string, Uint8Array>): [string, string][] {
  const isBuilt = manifest.scripts.prepare || !files.has(normalize(manifest.main ?? 'index.js'))
  return isBuilt ? namedScripts(manifest, BUILD_SCRIPTS) : []
}

/** Returns the files that a package, and each folder in it, names as its own entries, from every field that names one. */
function entriesOf(files: ReadonlyMap<string, Uint8Array>): string[] {
  const manifests = new Set(['package.json', ...[...files.keys()].filter((file) => file.endsWith('/package.json'))])
  return [...manifests].flatMap((file) => {
    const { main, exports, imports, bin } = readManifest(files, file)
    const paths: string[] = []
    const pending: unknown[] = [main, exports, imports, bin]
    for (const one of pending)
      if (typeof one === 'string') paths.push(posix.join(posix.dirname(file), one))
      else if (typeof one === 'object' && one !== null)
        // Types are never loaded, nor is what only the author's own tools ask for, such as `@zod/source`.
        for (const [key, value] of Object.entries(one)) if (!/^(?:types|@)/.test(key)) pending.push(value)
    const start = posix.join(posix.dirname(file), 'index.js')
    return main === undefined && files.has(start) ? [...paths, start] : paths
  })
}

/** Returns the path that an import stands for; null for another package. @param from file that imports it */
function ownImport(path: string, from: string, { name, exports }: Manifest): string | null {
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
/** Begins the path of what is not in the package. */
const OUTSIDE = '../'

/** Reads all code: the harness and Node load files in more ways than can be followed. */
function readAll(
  roots: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
  {
    manifest,
    found,
    parse,
  }: { readonly manifest: Manifest; readonly found: Findings; readonly parse: typeof readCode },
) {
  const read = new Set<string>()
  /** Files that something loads, by any ending. */
  const loaded = new Set<string>()
  const imports = new Map<string, readonly string[]>()
  /** Files that run or load code by a text that is known only then. */
  const choosing: string[] = []
  const unread: DigestedFile[] = []
  const noted = new Set<string>()
  /** @param path what it is among the files of the package */
  const note = (file: string, reason: UnreadFile['reason'], path: string | null = file) => {
    if (!noted.has(`${reason} ${file}`))
      unread.push({ file, reason, digest: path === null ? '' : digestOf(files, [path]) })
    noted.add(`${reason} ${file}`)
  }
  /** Returns the code that a path stands for, and notes a path that may stand for anything else. */
  const resolve = (path: string, shown = path): string[] => {
    const file = resolveFile(path, files)
    if (file !== null && !NATIVE.test(file)) loaded.add(file)
    if (file === null || (!CODE.test(file) && /\.\w+$/.test(file) && !/\.(?:json|node)$/.test(file)))
      note(shown, 'not-found', file)
    return file !== null && !/\.(?:json|node)$/.test(file) && (CODE.test(file) || !/\.\w+$/.test(file)) ? [file] : []
  }
  const all = [...files.keys()].filter((file) => CODE.test(file))
  const entries = new Set(
    roots.flatMap((path) =>
      path.includes('*') ? resolvePattern(path, all, note) : resolve(path, path.replace(OUTSIDE, '')),
    ),
  )
  const pending = [...all, ...entries]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (read.has(file)) continue
    read.add(file)
    const text = textOf(files.get(file))
    if (text.length > MAX_CODE) {
      note(file, 'too-large')
      continue
    }
    const code = parse(text)
    if (code === null) {
      note(file, 'not-javascript')
      continue
    }
    if (isPacked(text)) note(file, 'packed')
    else if (isMinified(text)) note(file, 'minified')
    found.addCode(code, file)
    if (code.findings.some(choosesCode)) choosing.push(file)
    const parts = code.imports.flatMap((one) => {
      const path = ownImport(one, file, manifest)
      return path === null ? [] : resolve(path, one)
    })
    imports.set(file, parts)
    pending.push(...parts)
  }
  return { read, entries, loaded, unread, choosing, imports }
}

/** Recognizes code that is not in the file. What it chooses below its own folder is read like all files. */
const choosesCode = ({ kind, name }: CodeFacts['findings'][number]): boolean =>
  kind === 'runs-text' || (kind === 'loads-code' && !name?.startsWith('./'))

const normalize = (path: string): string => posix.normalize(path).replace(/^(?:\.?\/)+/, '')

/** Returns the code of an entry with `*`, and notes an entry that stands for other files. */
function resolvePattern(
  path: string,
  all: readonly string[],
  note: (file: string, reason: 'not-found') => void,
): string[] {
  const [start = '', ...others] = normalize(path).split('*')
  const end = others.at(-1) ?? ''
  if (end !== '' && !CODE.test(end) && !/\.(?:json|node)$/.test(end)) note(path, 'not-found')
  return all.filter((file) => file.startsWith(start) && file.endsWith(end))
}

/** Returns the file that a path stands for by the rules of `require`; null if there is none. */
function resolveFile(path: string, files: ReadonlyMap<string, Uint8Array>): string | null {
  for (const one of [path, path.replace(/[?#].*$/, '')]) {
    const base = normalize(one).replace(/\/$/, '')
    const endings = ['', '.js', '.json', '.node', '.cjs', '.mjs', '/package.json', '/index.js']
    // The entry of a folder's own package.json is read as an entry of the package.
    const found = endings.map((ending) => normalize(`${base}${ending}`)).find((file) => files.has(file))
    if (found !== undefined) return found
  }
  return null
}

/**
 * Reads a patch: whose rows it changes and what it sets there, the rows of other packages that it inserts, and the
 * expressions that the harness runs.
 *
 * @returns names that its rows load
 */
function readPatch(
  file: string,
  files: ReadonlyMap<string, Uint8Array>,
  { manifest, found }: { readonly manifest: Manifest; readonly found: Findings },
): string[] {
  const names: string[] = []
  const text = textOf(files.get(file))
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const addRow = (row: YAMLMap, key: 'id' | 'name') => {
    const name = row.get(key)
    if (typeof name !== 'string' || (key === 'name' && isOwn(name, manifest))) return
    const place = { file, line: lines.linePos(row.range?.[0] ?? 0).line }
    found.add('changes-rows', [name, ...settingsOf(row, key, document)].join(' '), place)
  }
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'insert')
        for (const row of isSeq(value) ? value.items : [value]) if (isMap(row)) addRow(row, 'name')
      if (isScalar(key) && key.value === 'name' && isScalar(value)) names.push(String(value.value))
    },
    Scalar(_, { tag, value, range }) {
      if (!tag?.endsWith('js') || typeof value !== 'string') return
      const { line } = lines.linePos(range?.[0] ?? 0)
      found.add('patch-code', null, { file, line })
      const code = readCode(`(${value}\n)`)
      if (code) found.addCode(code, file, line)
      else found.add('runs-text', null, { file, line })
    },
  })
  if (!isSeq(document.contents)) return names
  // Its own rows stand below `insert`.
  for (const row of document.contents.items) if (isMap(row)) addRow(row, 'id')
  return names
}

/** Recognizes a row that loads a part of the package itself. */
const isOwn = (row: string, { name }: Manifest): boolean =>
  row.startsWith('.') || (name !== '' && (row === name || row.startsWith(`${name}/`)))

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
