/** Lists what the modules of Node, well-known packages and globals do when they are used. */
import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import type { AnyNode, Expression } from 'acorn'
import type { AbilityKind } from '../../../protocol/inspection.ts'
import { type CallNode, forEachChild, isFunction, keyOf } from './syntax.ts'
import {
  BUILT_IN,
  isKnown,
  isLoader,
  isModule,
  isPartlyKnown,
  isReturnOfThis,
  isWhole,
  memberPath,
  moduleName,
  nameOfMember,
  nameOfWhole,
  packageOf,
  plainCode,
  UNKNOWN,
  type Values,
} from './values.ts'
import { type Meaning, type Member, onlyValue } from './variables.ts'

/** Names an ability that was seen in code. */
export type CodeFinding = Exclude<AbilityKind, 'install-scripts' | 'changes-rows' | 'dependency'>

export interface Finding {
  readonly kind: CodeFinding
  /** Its subject, such as a program, a host, a variable; null when the code decides that while it runs. */
  readonly name: string | null
  /** From 1. */
  readonly line: number
  /** Digest of the code by which it is done, for what has no name, or more ways than one: the call with what it gets. */
  readonly use?: string
  /** Path of the file of the package that gets it, as an import names it. */
  readonly to?: string
}

export interface CodeFacts {
  readonly findings: readonly Finding[]
  /** Modules that it imports by name; a part that is not known is `…`. */
  readonly imports: readonly string[]
  /** Paths from its folder that it puts together, for a worker, another program or a page. */
  readonly paths: readonly string[]
}

/** Members of a function that pass it on. */
export const PASSES_ON = /^(?:call|apply|bind)$/
/** Abilities that can be used for other things than before under the same name. */
const USED: ReadonlySet<CodeFinding> = new Set(['anything', 'starts-programs'])
/** Characters of each part of a use that are compared. */
const MAX_USE = 1000
/** Characters of the texts of one file that are read as code, as they are given to `Function`. */
const MAX_FUNCTIONS = 100_000

const SHARED = /^(?:JSON|Object|Promise|Reflect|Array|console)$/
const REPLACEABLE =
  /^(?:fetch|XMLHttpRequest|WebSocket|EventSource|eval|Function|setTimeout|setInterval|JSON|Promise|Worker|require)$/
const REPLACEABLE_OF_PROCESS =
  /^(?:emit|exit|reallyExit|on|once|addListener|kill|cwd|chdir|nextTick|emitWarning|abort)$/
/** Variables of the environment that decide what all other code runs, and whom it believes. */
const SETTINGS =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|LD_PRELOAD|DYLD_INSERT_LIBRARIES|(?:https?|all)_proxy)$/i
export const NETWORK_GLOBALS = new Set([
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'RTCPeerConnection',
  'WebTransport',
  'WebSocketStream',
])
/** Data of its user that a page holds. */
const HELD = new Map([
  ['clipboard.read', 'clipboard'],
  ['clipboard.readText', 'clipboard'],
  ['mediaDevices.getDisplayMedia', 'screen'],
  ['geolocation.getCurrentPosition', 'position'],
  ['geolocation.watchPosition', 'position'],
  ['credentials.get', 'passwords'],
])
/** Sockets by which programs are started in containers, outside of all limits. */
export const CONTAINERS = /(?:docker|podman|containerd)[\w./-]*\.sock$/
/** Packages that start programs. */
const PROGRAM_STARTERS = new Set(
  'execa cross-spawn tinyexec nano-spawn node-pty @lydell/node-pty @homebridge/node-pty-prebuilt-multiarch shelljs zx open opener openurl tree-kill sudo-prompt cluster simple-git dockerode docker-modem'.split(
    ' ',
  ),
)
const BROWSERS =
  /^@puppeteer\/browsers$|^(?:puppeteer|playwright)(?:-core|-extra|-firefox|-chromium|-webkit)?(?:\/|$)|^selenium-webdriver$|^chrome-launcher$/
/** Modules and their members whose uses mean the same, whatever the arguments are. */
const USES: readonly (readonly [RegExp, CodeFinding])[] = [
  [
    /^(?:bindings|node-gyp-build(?:-optional-packages)?|koffi|ffi-napi|ref-napi|pkg-prebuilds|wasi)(?:\.|$)/,
    'native-code',
  ],
  [
    /^(?:inspector|inspector\/promises|repl)(?:$|\.(?!(?:url|close|console|waitForDebugger|builtinModules)$))/,
    'runs-text',
  ],
  [/^vm(?:$|\.(?!isContext$))/, 'runs-text'],
  [/^(?:sqlite|sonic-boom|conf|configstore|del|extract-zip|decompress)(?:\.|$)/, 'writes-files'],
  [/^@hono\/node-server(?:\.serve)?$/, 'listens'],
  // Packages that exist to load code by a name.
  [
    /^(?:real-require|thread-stream|jiti|import-fresh|require-from-string|piscina|tinypool|workerpool)(?:[./]|$)/,
    'loads-code',
  ],
  [/^v8\.(?:writeHeapSnapshot|setHeapSnapshotNearHeapLimit)$/, 'writes-files'],
  [/^test\.run$/, 'loads-code'],
  [/^require\.(?:extensions|cache)$/, 'loads-code'],
  [/^module(?:$|\.(?:_load|_compile|_extensions|require|prototype|register|registerHooks|runMain|\*)$)/, 'loads-code'],
]
const READ_FLAG = /^fs\.(?:constants\.)?O_(?:RDONLY|NONBLOCK|NOFOLLOW|DIRECTORY|SYMLINK|NOATIME)$/
const FILE_MODULES = new Set('fs fs-extra graceful-fs rimraf write-file-atomic'.split(' '))
const NETWORK_MODULES = new Set(
  'http https http2 net tls dgram dns undici ws axios got node-fetch cross-fetch ky ofetch superagent request needle socket.io-client eventsource ssh2 node-ssh nodemailer pg mysql mysql2 mongodb mongoose redis @redis/client ioredis mqtt amqplib kafkajs @elastic/elasticsearch openai @anthropic-ai/sdk @google/genai @octokit/core @octokit/rest octokit @supabase/supabase-js telegraf discord.js @slack/web-api stripe twilio firebase-admin posthog-node @sentry/node tedious mssql neo4j-driver basic-ftp ssh2-sftp-client reconnecting-websocket ollama'.split(
    ' ',
  ),
)
/** Members of these modules that request nothing. */
const NO_REQUEST =
  /^(?:Agent|globalAgent|METHODS|STATUS_CODES|IncomingMessage|ServerResponse|OutgoingMessage|isIP|isIPv4|isIPv6|constants|BlockList|SocketAddress|maxHeaderSize|validateHeader\w+|Headers|Request|Response|FormData|File|ProxyAgent|setGlobalDispatcher|getGlobalDispatcher|rootCertificates|createSecureContext|checkServerIdentity|HTTPError|TimeoutError|isAxiosError|AxiosError|CONNECTING|OPEN|CLOSING|CLOSED|sensitiveHeaders)$/
const WRITES =
  /^(?:write|append|rm|unlink|mkdir|mkdtemp|rename|copy|cp|chmod|chown|lchown|lchmod|fchmod|fchown|truncate|ftruncate|symlink|link|utimes|futimes|lutimes|createWriteStream|output|ensure|remove|empty|move|WriteStream)/

/** Collects what the code of one file was seen to do. */
export class Powers {
  readonly findings: Finding[] = []
  readonly imports = new Set<string>()
  readonly paths = new Set<string>()
  /** Call that gets what is noted. */
  passedTo: CallNode | null = null
  readonly #code: string
  readonly #values: Values
  readonly #read: (code: string) => CodeFacts | string
  /** Offsets of line ends. */
  readonly #lineEnds: number[] = []
  #ofFunctions = 0
  /** A call can be noted for each of its arguments. */
  readonly #ways = new Map<AnyNode, Pick<Finding, 'use' | 'to'>>()

  /** @param read reads text that is run as code */
  constructor(code: string, values: Values, read: (code: string) => CodeFacts | string) {
    this.#code = code
    this.#values = values
    this.#read = read
    for (let end = code.indexOf('\n'); end !== -1; end = code.indexOf('\n', end + 1)) this.#lineEnds.push(end)
  }

  add(kind: CodeFinding, name: string | null, node: AnyNode): void {
    const { start } = node
    let [low, high] = [0, this.#lineEnds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#lineEnds[middle]! < start) low = middle + 1
      else high = middle
    }
    const line = low + 1
    if (name !== null && !USED.has(kind)) this.findings.push({ kind, name, line })
    else this.findings.push({ kind, name, line, ...this.#wayOf(this.passedTo ?? node) })
  }

  #wayOf(node: AnyNode): Pick<Finding, 'use' | 'to'> {
    const known = this.#ways.get(node)
    if (known) return known
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression'
    const hash = createHash('sha256')
    for (const part of isCall ? [node.callee, ...node.arguments.map(onlyValue)] : [node])
      hash.update(`${this.#textOf(part)},`)
    const meaning = isCall && node.callee.type !== 'Super' ? this.#values.of(node.callee) : null
    const to = isModule(meaning) && meaning.module.startsWith('.') ? { to: meaning.module } : {}
    const way = { use: hash.digest('base64url'), ...to }
    this.#ways.set(node, way)
    return way
  }

  /** Returns code without its functions: what these do is found by itself. */
  #textOf(part: AnyNode): string {
    const end = Math.min(part.end, part.start + MAX_USE)
    let [text, at] = ['', part.start]
    const skipFunctions = (node: AnyNode): void => {
      if (node.start >= end) return
      if (isFunction(node)) {
        text += `${this.#code.slice(at, node.start)}()`
        at = node.end
      } else forEachChild(node, skipFunctions)
    }
    skipFunctions(part)
    return plainCode(text + this.#code.slice(at, end))
  }

  /** Notes what is loaded by a name. */
  load(node: AnyNode, source: AnyNode): void {
    // Bundlers number their modules.
    if (source.type === 'Literal' && typeof source.value === 'number') return
    const names = this.#values.texts(source)
    for (const name of new Set(names)) {
      if (name.startsWith('data:')) this.add('runs-text', null, node)
      else if (!isPartlyKnown(name)) this.add('loads-code', null, node)
      else {
        this.imports.add(name)
        if (!isKnown(name) && !name.startsWith('./')) this.add('loads-code', name, node)
      }
      // The meaning of the call is that of one of them.
      if (names.length > 1 && isKnown(name)) this.note({ module: moduleName(name), path: [] }, null, node)
    }
  }

  /** Notes a path from its folder that code puts together. */
  notePath(node: AnyNode): void {
    for (const text of this.#values.texts(node)) if (isKnown(text) && /^\.\.?\/.*\w/.test(text)) this.paths.add(text)
  }

  /** Notes that a module or a member of it is exported. */
  noteExport(source: unknown, name: string | null, node: AnyNode): void {
    this.note({ module: moduleName(source), path: memberPath(name) }, null, node)
  }

  /** Notes the use of a member of a module or a global. @param args its arguments; null when it is not called here */
  note(meaning: Member, args: readonly Expression[] | null, node: AnyNode): void {
    const { module, path } = meaning
    const [name] = path
    if (args?.[0] && PASSES_ON.test(path.at(-1) ?? '')) {
      const passed = { module, path: path.slice(0, -1) }
      const by = path.at(-1)
      // `Function.bind.call(f)` uses its argument.
      if (PASSES_ON.test(passed.path.at(-1) ?? '')) return
      // `call` and `bind` pass on the arguments after the first; `apply` calls with some that are unknown.
      const given = by === 'call' || args.length > 1 ? (by === 'apply' ? [] : args.slice(1)) : null
      if (given?.[0] && isLoader(passed)) this.load(node, given[0])
      else if (isLoader(passed) && by === 'apply') this.add('loads-code', null, node)
      else this.note(passed, given, node)
      return
    }
    // Whoever gets one of these can do all that they lead to.
    if (args === null && isWhole(meaning)) this.add('anything', nameOfWhole(meaning), node)
    else if (module === 'global') this.#noteGlobal(path, args, node)
    else if (module === 'process') this.#noteGlobal(['process', ...path], args, node)
    else if (module === 'child_process' || PROGRAM_STARTERS.has(module)) {
      if (name !== 'ChildProcess')
        for (const text of this.texts(args?.[0])) this.add('starts-programs', programOf(text), node)
    } else if (BROWSERS.test(module)) {
      if (args === null ? name === undefined : /^(?:launch|connect|use)/.test(path.at(-1) ?? ''))
        this.add('starts-programs', module, node)
    } else if (FILE_MODULES.has(module)) {
      const flags = args?.length === 1 || (args?.[1] && this.#isReadFlag(args[1])) ? ['r'] : this.texts(args?.[1])
      if (flags.some((one) => writesFiles(name, one))) this.add('writes-files', null, node)
    } else if (NETWORK_MODULES.has(packageOf(module))) this.#noteNetwork(meaning, args, node)
    else if (module === 'worker_threads' && (name === 'Worker' || name === undefined || name === UNKNOWN)) {
      const options = args?.[1] && onlyValue(args[1])
      // Without options that show otherwise, its text names a file.
      if (options?.type === 'ObjectExpression' && !options.properties.every(isNotEval))
        this.add('runs-text', null, node)
      else if (args?.[0] && (!options || options.type === 'ObjectExpression')) this.load(node, args[0])
      else this.add('loads-code', null, node)
    }
    const used = name === undefined ? module : `${module}.${name}`
    for (const [pattern, kind] of USES) if (pattern.test(used)) this.add(kind, null, node)
  }

  #noteNetwork({ module, path }: Member, args: readonly Expression[] | null, node: AnyNode): void {
    const [name = ''] = path
    if (args?.some((one) => isUnverified(onlyValue(one)))) this.add('unverified', null, node)
    if (/^(?:createServer|Server|WebSocketServer|createSecureServer)$/.test(name)) this.add('listens', null, node)
    else if (!NO_REQUEST.test(name) || (args && /^(?:createConnection|dispatch|request)$/.test(path.at(-1)!))) {
      const [first, second] = args ?? []
      const given = this.addressesOf(first)
      // A port, and the host after it.
      const hosts =
        second && given.every((one) => one === null) && /^(?:net|tls)$/.test(module)
          ? this.texts(second).map((host) => host && `tcp://${host}`)
          : given
      for (const address of hosts)
        if (isBuiltin(module) && address?.startsWith('/')) this.add('network', address, node)
        else this.request(address, node, !isBuiltin(module))
    }
  }

  /** Returns every text that an expression can be, and null where it can be another. */
  texts(node: AnyNode | undefined): readonly (string | null)[] {
    const texts = node ? this.#values.texts(node) : []
    return texts.length === 0 ? [null] : texts.map((text) => (isPartlyKnown(text) ? text : null))
  }

  /** Recognizes flags of numbers by which a file is opened to be read: `O_RDONLY | O_NONBLOCK`. */
  #isReadFlag(flag: AnyNode): boolean {
    if (flag.type === 'BinaryExpression')
      return flag.operator === '|' && this.#isReadFlag(flag.left) && this.#isReadFlag(flag.right)
    const meaning = this.#values.of(flag)
    return isModule(meaning) && READ_FLAG.test(nameOfMember(meaning))
  }

  /** Returns the addresses that a request gets: itself, or in its options. */
  addressesOf(options: AnyNode | undefined): readonly (string | null)[] {
    if (options?.type !== 'ObjectExpression') return this.texts(options)
    // One of them can stand for another: which counts is decided by the library.
    const found = options.properties.flatMap((one) => {
      if (one.type !== 'Property' || one.computed) return []
      const key = keyOf(one.key) ?? ''
      const isAddress = /^(?:url|baseURL|endpoint|socketPath|path|host|hostname|origin)$/.test(key)
      if (!isAddress || (key === 'path' && options.properties.length > 1)) return []
      const texts = this.texts(one.value)
      if (/^host/.test(key)) return texts.map((text) => text && `tcp://${text}`)
      return texts.every((text) => text === null) ? [] : texts
    })
    return found.length > 0 ? found : [null]
  }

  /** Notes a request to each address that an expression can be. */
  requestTo(address: AnyNode | undefined, node: AnyNode): void {
    for (const text of this.texts(address)) this.request(text, node)
  }

  /** Notes a request. @param isOfPage true where an address without a host is that of the page */
  request(address: string | null, node: AnyNode, isOfPage = true): void {
    // A page reads an address without these, and takes one sign for another.
    const read = address?.replace(/[\t\n\r]/g, '').replaceAll('\\', '/') ?? ''
    if (isOfPage && /^javascript:/i.test(read)) {
      if (!/^javascript:(?:;|void\(0\);?)?$/i.test(read)) this.add('runs-text', null, node)
    } else if (!isOfPage || !/^(?:\.{0,2}\/(?!\/)|[?#]|data:|blob:|about:)/.test(read))
      this.add('network', address === null ? null : (hostOf(address) ?? localHostOf(address)), node)
  }

  /** Notes what an element of a page requests or runs when an attribute of it is set. */
  send(object: AnyNode, attribute: string, value: AnyNode, node: AnyNode): void {
    if (object.type === 'Super') return
    const meaning = this.#values.of(object)
    if (!isModule(meaning)) return
    if (
      /^element\.(?:script\.(?:text|textContent|innerText|innerHTML)|iframe\.srcdoc)$/.test(
        `${nameOfMember(meaning)}.${attribute}`,
      )
    )
      this.add('runs-text', null, node)
    if (!/^(?:src|srcset|action|href|data|ping)$/.test(attribute)) return
    if (nameOfMember(meaning) === 'global.location' && attribute === 'href') this.requestTo(value, node)
    if (meaning.module !== 'element') return
    const [element] = meaning.path
    if (element === 'script')
      for (const address of this.texts(value)) this.add('loads-code', hostOf(address ?? ''), node)
    // A link leads elsewhere only when it is pressed.
    else if (element !== 'a') this.requestTo(value, node)
  }

  /** Notes that something is replaced which other code uses as well. */
  replace(meaning: Meaning | null, node: AnyNode): void {
    if (!isModule(meaning)) return
    const { module } = meaning.module === 'process' ? { module: 'global' } : meaning
    const path = meaning.module === 'process' ? ['process', ...meaning.path] : meaning.path
    const [name = '', inner, third = ''] = path
    const isShared =
      module === 'global'
        ? (path.length === 1 && REPLACEABLE.test(name)) ||
          (name === 'process' && (path.length === 2 ? REPLACEABLE_OF_PROCESS.test(inner!) : SETTINGS.test(third))) ||
          (path.length === 2 && SHARED.test(name) && inner !== 'prototype') ||
          (path.length === 3 && BUILT_IN.has(name) && inner === 'prototype')
        : isBuiltin(module) && (path.length === 1 || (path.length === 2 && name === 'prototype'))
    if (isShared)
      this.add('changes-others', (module === 'global' ? path : [module, ...path]).join('.').replace('.*', ''), node)
  }

  #noteGlobal(path: readonly string[], args: readonly Expression[] | null, node: AnyNode): void {
    const [name = '', member, third] = path
    const texts = this.texts(args?.[0])
    if (name === 'process') {
      if (member === 'env') {
        const variable = third === 'hasOwnProperty' ? (texts[0] ?? '') : (third ?? '')
        if (variable !== 'NODE_ENV') this.add('environment', /^\w+$/.test(variable) ? variable : null, node)
      } else if (/^(?:_?linkedBinding|binding|dlopen)$/.test(member ?? '')) {
        if (!texts.every((text) => /^(?:util|config|constants|natives|os|buffer)$/.test(text ?? '')))
          this.add('native-code', null, node)
      } else if (member === 'execve') for (const text of texts) this.add('starts-programs', programOf(text), node)
      else if (member === UNKNOWN) this.add('anything', 'process', node)
    } else if (name === 'module') {
      if (member === UNKNOWN) this.add('anything', 'module', node)
    } else if (name === 'eval' || name === 'Function') {
      if (member === undefined && args === null) this.add('anything', name, node)
      else if (member === undefined) this.#noteText(name, args ?? [], node)
    } else if (/^set(?:Timeout|Interval)$/.test(name)) {
      if (texts.some((text) => text !== null)) this.add('runs-text', null, node)
    } else if (name === 'WebAssembly') {
      if (args !== null && member !== 'validate') this.add('native-code', 'WebAssembly', node)
    } else if (name === 'Worker' || name === 'SharedWorker') {
      if (args?.[0]) this.load(node, args[0])
      else if (member === undefined) this.add('loads-code', null, node)
    } else if (name === 'location') {
      if (/^(?:assign|replace)$/.test(member ?? '') && args) this.requestTo(args[0], node)
    } else if (name === 'navigator') {
      if (member === 'sendBeacon' && args) this.requestTo(args[0], node)
      const held = HELD.get(`${member}.${third}`)
      if (held) this.add('reads-page', held, node)
      if (third === 'getUserMedia') for (const one of mediaOf(args?.[0])) this.add('reads-page', one, node)
    } else if (name === 'document') {
      if (member === 'cookie') this.add('reads-page', 'cookies', node)
      else if (/^write(?:ln)?$/.test(member ?? '') && args) this.add('runs-text', null, node)
    } else if (NETWORK_GLOBALS.has(name) && member === undefined) {
      this.requestTo(/^(?:XMLHttpRequest|RTCPeerConnection)$/.test(name) ? undefined : args?.[0], node)
    } else if (name === 'open' && path.length === 1 && args) this.requestTo(args[0], node)
    else if (name === 'importScripts') this.add('loads-code', null, node)
  }

  /** Notes text that is run as code. What `Function` gets is read where all of it is known, as it sees only globals. */
  #noteText(name: string, args: readonly Expression[], node: AnyNode): void {
    const texts = args.map((one) => this.#values.texts(one)).map(([text = '…', ...others]) => (others[0] ? '…' : text))
    const body = texts.at(-1)
    // The old way to the global object, and the test whether a page allows eval.
    if (body === '' || isReturnOfThis(body ?? null)) return
    const code = `(function(${texts.slice(0, -1).join()}\n){${body}\n})`
    if (name === 'Function' && body !== undefined && texts.every(isKnown)) {
      this.#ofFunctions += code.length
      const facts = this.#ofFunctions > MAX_FUNCTIONS ? null : this.#read(code)
      if (typeof facts === 'object' && facts !== null) {
        for (const finding of facts.findings) this.add(finding.kind, finding.name, node)
        for (const one of facts.imports) this.imports.add(one)
        for (const one of facts.paths) this.paths.add(one)
        return
      }
    }
    this.add('runs-text', null, node)
  }
}

/** Returns what a page asks for of camera and microphone; both where that is not known. */
function mediaOf(constraints: AnyNode | undefined): readonly string[] {
  const given = constraints && onlyValue(constraints)
  const keys =
    given?.type === 'ObjectExpression' ? given.properties.map((one) => one.type === 'Property' && keyOf(one.key)) : []
  if (keys.length === 0 || !keys.every((key) => key === 'audio' || key === 'video')) return ['camera', 'microphone']
  return [...(keys.includes('video') ? ['camera'] : []), ...(keys.includes('audio') ? ['microphone'] : [])]
}

/** Recognizes options of a request that take any certificate: `{ rejectUnauthorized: false }`, and minified `!1`. */
const isUnverified = (options: AnyNode): boolean =>
  options.type === 'ObjectExpression' &&
  options.properties.some(
    (one) =>
      one.type === 'Property' &&
      keyOf(one.key) === 'rejectUnauthorized' &&
      (one.value.type === 'UnaryExpression'
        ? one.value.argument.type === 'Literal' && Boolean(one.value.argument.value)
        : one.value.type === 'Literal' && !one.value.value),
  )

/** Recognizes an option of a worker that does not make its file a text of code. */
const isNotEval = (option: AnyNode): boolean =>
  option.type === 'Property' && !option.computed && keyOf(option.key) !== 'eval'

/** Returns true if a member of a file module writes; also when the module is passed on as a whole. */
function writesFiles(name: string | undefined, flags: string | null): boolean {
  if (name === undefined || name === UNKNOWN) return true
  return /^open(?:Sync)?$/.test(name) ? flags !== 'r' : WRITES.test(name)
}

/** Returns the program of a command; null when it is not known: `open` gets an address or a file. */
function programOf(command: string | null): string | null {
  const [, quoted, plain = ''] = /^\s*(?:"([^"]*)"|([^\s;|&]+))/.exec(command ?? '') ?? []
  const word = quoted ?? plain
  const name = word.split(/[/\\]/).at(-1)!
  return name && isKnown(name) && !word.includes('://') ? name.slice(0, 60) : null
}

/** Hosts of texts that name a format, an example or this machine, where nothing tells that they are requested. */
const MERE_NAME =
  /^(?:[^.]*|127(?:\.\d+){3}|0\.0\.0\.0|.*\.localhost|(?:www\.)?w3\.org|json-schema\.org|(?:.*\.)?example(?:\.(?:com|org|net))?|.*\.(?:test|invalid|example))$/
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i

/** Returns the host of an address, whichever it is; null when it is this machine, or is not known. */
export function hostOf(address: string): string | null {
  try {
    // An unknown part keeps its place in the host, which takes no sign but those of names.
    const { hostname, protocol } = new URL(address.replaceAll('…', 'xn--unknown'))
    const host = hostname.replaceAll('xn--unknown', '…')
    // `vscode://file/` names no host, but what a program is to do.
    const isName = /^(?:https?|wss?|tcp):$/.test(protocol) && /^(?:[\w-]+|\[[\da-f:.]+\])$/.test(host)
    return (isName || /^[^.…].*\.[^.]/.test(host)) && !THIS_MACHINE.test(host) ? host : null
  } catch {
    return null
  }
}

/** Returns the host of a text that may be an address; null for the name of a format or an example too. */
export function likelyHostOf(text: string): string | null {
  const host = hostOf(text)
  return host !== null && MERE_NAME.test(host) ? null : host
}

/** Returns `localhost` for an address of this machine; null for others. */
const localHostOf = (address: string): string | null =>
  /^\w+:\/\/(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::[^@/?#\\]*)?(?:[/?#]|$)/i.test(address)
    ? 'localhost'
    : null
