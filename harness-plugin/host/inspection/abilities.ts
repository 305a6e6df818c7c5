/** What a package can do: its manifest, its rows in the harness's tree, and the code that its two halves load. */
import { posix } from 'node:path'
import * as v from 'valibot'
import { isMap, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { ABILITIES, type Ability, type AbilityKind, type UnreadFile } from '../../protocol/inspection.ts'
import { type CodeFacts, readCode } from './code.ts'

/** Longest file of code that is parsed, in characters. */
const MAX_CODE = 4_000_000
/** Names and places that are kept of one ability. */
const MAX_NAMES = 100
const MAX_PLACES = 20
const MAX_UNREAD = 100

export interface Abilities {
  readonly abilities: readonly Ability[]
  /** Code that hides what it does. While there is any but minified code, a missing ability is unknown, not absent. */
  readonly unread: readonly UnreadFile[]
  /** What the package uses of its files: those that it names itself, and the code that these load. */
  readonly roles: ReadonlyMap<string, 'scripts' | 'patch' | 'entry' | 'code'>
}

const Names = v.fallback(v.record(v.string(), v.string()), {})
const ManifestSchema = v.object({
  main: v.fallback(v.optional(v.string()), undefined),
  exports: v.optional(v.unknown()),
  imports: v.optional(v.unknown()),
  bin: v.optional(v.unknown()),
  scripts: Names,
  dependencies: Names,
  optionalDependencies: Names,
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
const CODE = /\.[cm]?js$/
const NATIVE = /\.(?:node|wasm|exe|dll|so(?:\.[\d.]+)?|dylib|a|jar|class|pyc)$/i

/** Returns what the files of a package can do. @param parse reads one file of code */
export function readAbilities(files: ReadonlyMap<string, Uint8Array>, parse: typeof readCode = readCode): Abilities {
  const found = new Findings()
  const manifest = readManifest(files)
  const scripts = installScripts(manifest, files)
  for (const [name, command] of scripts) found.add('install-scripts', `${name}: ${command}`)
  for (const file of files.keys()) if (NATIVE.test(file)) found.add('native-code', file, { file, line: 1 })
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    found.add('dependency', `${name} ${range}`)
  for (const name of manifest.dsh.client.inject) found.add('service', name, { file: 'package.json', line: 1 })
  const patches = [manifest.dsh.bundle.patch].flat().map(normalize)
  for (const path of patches) readPatch(path, files, found)

  const roots = [
    ...entriesOf(manifest),
    ...scripts.flatMap(([, command]) => command.match(/[\w@./-]+\.[cm]?js/g) ?? []),
  ]
  const { read, entries, unread } = readReached(roots, files, { found, parse })
  const roles = new Map<string, 'scripts' | 'patch' | 'entry' | 'code'>()
  for (const file of read) roles.set(file, entries.has(file) ? 'entry' : 'code')
  for (const path of patches) roles.set(path, 'patch')
  return { abilities: found.list(), unread, roles: roles.set('package.json', 'scripts') }
}

/** Collects findings by kind. */
class Findings {
  readonly #kinds = new Map<
    AbilityKind,
    { names: Set<string>; more: boolean; places: Map<string, Ability['places'][number]> }
  >()

  add(kind: AbilityKind, name: string | null, place?: Ability['places'][number]): void {
    const known = this.#kinds.get(kind) ?? {
      names: new Set<string>(),
      more: false,
      places: new Map<string, Ability['places'][number]>(),
    }
    this.#kinds.set(kind, known)
    if (name === null || known.names.size >= MAX_NAMES) known.more = true
    else known.names.add(name)
    if (place && known.places.size < MAX_PLACES) known.places.set(`${place.file}:${place.line}`, place)
  }

  addCode({ findings }: CodeFacts, file: string, firstLine = 1): void {
    for (const { kind, name, line } of findings) this.add(kind, name, { file, line: line + firstLine - 1 })
  }

  list(): Ability[] {
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

function readManifest(files: ReadonlyMap<string, Uint8Array>): Manifest {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ManifestSchema), textOf(files.get('package.json')))
  return parsed.success ? parsed.output : v.parse(ManifestSchema, {})
}

function installScripts({ scripts, gypfile }: Manifest, files: ReadonlyMap<string, Uint8Array>): [string, string][] {
  const named = INSTALL_SCRIPTS.flatMap((name): [string, string][] => (scripts[name] ? [[name, scripts[name]]] : []))
  // Package managers build such a package without a script of its own.
  const isBuilt = files.has('binding.gyp') && gypfile !== false && !scripts.install && !scripts.preinstall
  return isBuilt ? [...named, ['install', 'node-gyp rebuild']] : named
}

/** Returns the files that a package names as its own entries, from every field that names one. */
function entriesOf({ main, exports, imports, bin }: Manifest): string[] {
  const paths: string[] = []
  const pending: unknown[] = [main ?? 'index.js', exports, imports, bin]
  for (let one = pending.pop(); pending.length > 0 || one !== undefined; one = pending.pop())
    if (typeof one === 'string') paths.push(one)
    else if (typeof one === 'object' && one !== null) pending.push(...Object.values(one))
  return paths
}

/** Reads the code that is loaded from some files, and what that loads. */
function readReached(
  roots: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
  { found, parse }: { readonly found: Findings; readonly parse: typeof readCode },
) {
  const read = new Set<string>()
  const unread: Abilities['unread'][number][] = []
  const note = (file: string, reason: UnreadFile['reason']) => {
    if (unread.length < MAX_UNREAD) unread.push({ file, reason })
  }
  const all = [...files.keys()].filter((file) => CODE.test(file))
  // Packages within the package are found by the rules of Node, so all of them count.
  const entries = new Set(roots.flatMap((path) => resolveEntry(path, files, all)))
  const pending = [...entries, ...all.filter((file) => /(?:^|\/)node_modules\//.test(file))]
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
    for (const path of code.imports)
      if (path.startsWith('.')) pending.push(...resolveFile(posix.join(posix.dirname(file), path), files))
    // Whatever it loads may be any of its own files, unless the ending of its name says that it is not code.
    if (code.findings.some(({ kind, name }) => kind === 'loads-code' && !/\.(?:node|json)$/.test(name ?? '')))
      for (const one of all) pending.push(one)
  }
  return { read, entries, unread }
}

const normalize = (path: string): string => posix.normalize(path).replace(/^(?:\.?\/)+/, '')

/** Returns the files of one entry, which may have a `*` for many. */
function resolveEntry(path: string, files: ReadonlyMap<string, Uint8Array>, all: readonly string[]): string[] {
  const [start, end, ...others] = normalize(path).split('*')
  if (end === undefined || others.length > 0) return resolveFile(normalize(path), files)
  return all.filter((file) => file.startsWith(start ?? '') && file.endsWith(end))
}

/** Returns the file that a path in code stands for, by the rules of `require`; none if it is not code. */
function resolveFile(path: string, files: ReadonlyMap<string, Uint8Array>): string[] {
  const base = normalize(path.replace(/[?#].*$/, ''))
  const candidates = [base, `${base}.js`, `${base}.cjs`, `${base}.mjs`, posix.join(base, 'index.js')]
  const found = candidates.find((file) => files.has(file))
  // A program needs no ending.
  return found !== undefined && (CODE.test(found) || !/\.\w+$/.test(found)) ? [found] : []
}

/** Reads a patch: whose rows it changes, and the expressions that the harness runs. */
function readPatch(file: string, files: ReadonlyMap<string, Uint8Array>, found: Findings): void {
  const text = textOf(files.get(file))
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  visit(document, {
    Scalar(_, { tag, value, range }) {
      if (!tag?.endsWith('js') || typeof value !== 'string') return
      const { line } = lines.linePos(range?.[0] ?? 0)
      found.add('patch-code', null, { file, line })
      const code = readCode(`(${value}\n)`)
      if (code) found.addCode(code, file, line)
    },
  })
  if (!isSeq(document.contents)) return
  // Its own rows stand below `insert`.
  for (const row of document.contents.items) {
    const id = isMap(row) ? row.get('id') : undefined
    if (typeof id === 'string')
      found.add('changes-rows', id, { file, line: lines.linePos((row as YAMLMap).range?.[0] ?? 0).line })
  }
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
