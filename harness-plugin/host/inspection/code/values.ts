/**
 * Finds what a value stands for: a member of a module, a global, or known text. It is followed within the file: through
 * names, through what local functions get and return, and no further. All of it takes time linear in the file's size.
 */
import { isBuiltin } from 'node:module'
import type { AnyNode } from 'acorn'
import { type CallNode, type FunctionNode, forEachChild, isFunction, keyOf, nameOf, TooMuchWork } from './syntax.ts'
import {
  calledFunction,
  localFunction,
  type Meaning,
  type Member,
  type Names,
  onlyValue,
  type Variable,
} from './variables.ts'

export const isModule = (meaning: Meaning | null): meaning is Member => meaning !== null && 'module' in meaning
export const nameOfMember = ({ module, path }: Member): string => [module, ...path].join('.')
export const isSame = (a: Meaning | null, b: Meaning | null): boolean =>
  isModule(a) && isModule(b) && nameOfMember(a) === nameOfMember(b)
/** Recognizes what a name stands for that was given a value: the same, or the global object under another of its names. */
export const isAlike = (name: Meaning | null, value: Meaning | null): boolean =>
  isSame(name, value) || (isGlobal(name) && isGlobal(value) && (isWhole(name) || !isWhole(value)))
const isGlobal = (meaning: Meaning | null): boolean =>
  isModule(meaning) && meaning.module === 'global' && meaning.path.length === 1 && GLOBAL_OBJECT.test(meaning.path[0]!)
/** Recognizes a function that loads a module by its name. */
export const isLoader = (meaning: Meaning | null): boolean => isModule(meaning) && LOADERS.has(nameOfMember(meaning))
/** Recognizes `createRequire`, which makes such a function. */
const makesLoader = (meaning: Meaning | null): boolean =>
  isModule(meaning) && /^module\.createRequire(?:FromPath)?$/.test(nameOfMember(meaning))
/** Recognizes the value of one environment variable, which is used where it is read. */
export const isVariable = ({ module, path }: Member) => module === 'global' && path[1] === 'env' && path.length > 2
/** Recognizes an object or function that leads to everything: `process`, the global object, a loader. */
export const isWhole = (meaning: Meaning | null): meaning is Member =>
  isLoader(meaning) || makesLoader(meaning) || (isModule(meaning) && WHOLE.test(nameOfMember(meaning)))
/** Returns the name of what leads to everything, as a review tells it. */
export const nameOfWhole = (meaning: Member): string =>
  isLoader(meaning) || makesLoader(meaning)
    ? 'require'
    : meaning.path[0] === 'global'
      ? 'globalThis'
      : (meaning.path[0] ?? meaning.module)

/** Functions that load a module by its name, by their own. */
const LOADERS = new Set(
  'require global.module.require module._load process.getBuiltinModule global.process.getBuiltinModule'.split(' '),
)
/** Name of a loader in a bundle. */
export const LOADER = /^__require\d*$/
/** Objects that have everything that code can use. Those of a page, `window` and `self`, are given to everybody there. */
const WHOLE = /^(?:global\.(?:globalThis|global|process|module)|process)$/
const GLOBAL_OBJECT = /^(?:globalThis|global|window|self)$/
const WRAPPER = /toESM|toModule|interop|import(?:Star|Default)|promisify/i
/** Recognizes a function that returns a module, or a function of one, in another form; also `a && a.__importStar || …`. */
export function isWrapper(callee: AnyNode): boolean {
  const value = onlyValue(callee)
  const tested = value.type === 'LogicalExpression' ? value.left : value
  return WRAPPER.test(nameOf(tested.type === 'LogicalExpression' ? tested.right : callee))
}
/** Name of a member that is chosen while the code runs. */
export const UNKNOWN = '*'

const FUNCTION: Member = { module: 'global', path: ['Function'] }
export const GLOBAL: Member = { module: 'global', path: ['globalThis'] }
const REQUIRE: Member = { module: 'require', path: [] }
const CONSTRUCTOR: Member = { module: 'constructor', path: [] }
const elementNamed = (name: string | null): Member => ({ module: 'element', path: [(name ?? UNKNOWN).toLowerCase()] })
const isPage = (meaning: Meaning | null) => isModule(meaning) && /^global\.(?:window|self)$/.test(nameOfMember(meaning))
/** Returns what leads to everything, among what a value can be, or else the first that is known. */
const strongest = <Known extends Meaning>(meanings: readonly (Known | null)[]): Known | null =>
  meanings.find(isWhole) ?? meanings.find((one) => one !== null) ?? null

/** Classes that all code has in common. */
export const BUILT_IN: ReadonlySet<string> = new Set(
  'Array Object String Number Function Promise Map Set RegExp Date Element HTMLElement Node EventTarget Response Request Headers Storage Document XMLHttpRequest WebSocket'.split(
    ' ',
  ),
)
const GLOBALS: ReadonlySet<string> = new Set([
  ...BUILT_IN,
  ...'process module globalThis window self global fetch EventSource RTCPeerConnection WebTransport WebSocketStream navigator document eval GeneratorFunction AsyncFunction setTimeout setInterval WebAssembly importScripts Worker SharedWorker location open Image JSON Reflect console'.split(
    ' ',
  ),
])

/** Text that is not known. A sign of it within another. */
const ANY = ['…']
/** Texts of one expression that are followed, and their length in characters. */
const MAX_TEXTS = 16
const MAX_TEXT = 4_000
export const isKnown = (text: string): boolean => !text.includes('…')
export const isPartlyKnown = (text: string): boolean => text === '' || /[^…]/.test(text)
const limited = (texts: readonly string[]): readonly string[] => (texts.length > MAX_TEXTS ? ANY : texts)
const joined = (starts: readonly string[], ends: readonly string[]): readonly string[] =>
  starts.length * ends.length > MAX_TEXTS || (starts[0]?.length ?? 0) + (ends[0]?.length ?? 0) > MAX_TEXT
    ? ANY
    : starts.flatMap((start) => ends.map((end) => `${start}${end}`))
const joinedAll = (parts: readonly (readonly string[])[], between = ''): readonly string[] =>
  parts.length === 0 ? ANY : parts.reduce((start, end) => joined(joined(start, [between]), end))

export const moduleName = (source: unknown): string =>
  String(source)
    .replace(/^node:/, '')
    .replace(/^(fs|dns|timers|stream)\/promises$|^_(http|tls)_\w+$/, '$1$2')
/** Returns the name of the package of a path in it. */
export const packageOf = (module: string): string =>
  isBuiltin(module) ? module : (/^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module)
export const memberPath = (name: string | null): string[] =>
  name === null || name === 'default' || name === 'promises' ? [] : [name]
const globalNamed = (name: string): Member | null =>
  name === 'require' ? REQUIRE : GLOBALS.has(name) ? { module: 'global', path: [name] } : null

/** Members of a module of CommonJS that lead to no other. */
const OF_MODULE = /^(?:exports|id|filename|path|paths|loaded|hot)$/

/** Returns what a member of a value stands for. */
export function member(meaning: Meaning | null, given: string | null): Meaning | null {
  if (!isModule(meaning) || meaning.module === 'element' || meaning.module === 'constructor') return null
  const { module, path } = meaning
  const name = given !== null && isKnown(given) ? given : null
  if (module === 'global' && path.length === 1 && GLOBAL_OBJECT.test(path[0]!))
    return name === null ? null : globalNamed(name)
  if (module === 'global' && path[0] === 'module' && name !== 'require')
    return name !== null && OF_MODULE.test(name) ? null : { module, path: ['module', UNKNOWN] }
  if ((isLoader(meaning) && name === 'main') || name === 'mainModule' || (module === 'require' && path[0] === 'cache'))
    return { module: 'global', path: ['module'] }
  if (module === 'module' && name === 'Module') return meaning
  if (nameOfMember(meaning) === 'global.document' && name === 'location') return globalNamed('location')
  if (nameOfMember(meaning) === 'global.document' && name === 'defaultView') return globalNamed('window')
  // The value that a promise gives is not known.
  return { module, path: [...path, ...(name === null || name === 'then' ? [UNKNOWN] : memberPath(name))].slice(0, 6) }
}

/** Rounds in which values that refer to each other are looked up again. */
const MAX_ROUNDS = 30
/** Marks a variable whose value is being looked up. */
const LOOKING_UP = -1

export class Values {
  readonly #code: string
  readonly #names: Names
  /** Current round: what was nothing of interest in an earlier one is looked up again. */
  #round = 1
  #circles = 0
  #hasMissed = false
  /** Values that each function returns, or the round in which that was nothing of interest. */
  readonly #returned = new Map<FunctionNode, Member | number>()
  /** Functions that were compared with what bundlers write. */
  readonly #copies = new Map<FunctionNode, boolean>()

  constructor(code: string, names: Names) {
    this.#code = code
    this.#names = names
    do {
      if (++this.#round > MAX_ROUNDS) throw new TooMuchWork()
      this.#hasMissed = false
      for (const variable of names.variables) this.ofVariable(variable)
    } while (this.#hasMissed)
  }

  ofVariable(variable: Variable): Meaning | null {
    const known = variable.meaning
    if (typeof known === 'object') return known
    if (known === this.#round) return null
    if (known === LOOKING_UP) {
      this.#circles++
      return null
    }
    const circles = this.#circles
    variable.meaning = LOOKING_UP
    const meaning = this.#findOfVariable(variable)
    variable.meaning = meaning ?? this.#round
    // A look-up within a circle may have missed this.
    if (isModule(meaning) && this.#circles > circles) this.#hasMissed = true
    return meaning
  }

  #findOfVariable({ name, kind, imported, sources, isOpen }: Variable): Meaning | null {
    if (imported)
      return LOADER.test(name) ? REQUIRE : { module: moduleName(imported.source), path: memberPath(imported.name) }
    const texts = new Set<string>(isOpen ? ANY : [])
    let given: Member | null = null
    for (const { node, path } of sources) {
      const [first, ...others] = path
      let meaning = first === undefined ? this.of(node) : this.#memberOf(node, this.#keyText(first))
      for (const key of others) meaning = member(meaning, this.#keyText(key))
      const isForeign = isModule(meaning) && meaning.module === CONSTRUCTOR.module && kind === 'parameter'
      if (isModule(meaning) && !isVariable(meaning) && !isForeign) {
        // Of what a parameter gets, only one is followed: that by which most can be done.
        if ((kind !== 'parameter' && !isPage(meaning)) || isWhole(meaning)) return meaning
        given ??= meaning
      }
      for (const text of meaning && !isModule(meaning) ? meaning.texts : ANY) texts.add(text)
    }
    if (given) return given
    // A wrapper of CommonJS gets its loader.
    if (sources.length === 0 && (LOADER.test(name) || (name === 'require' && kind === 'parameter'))) return REQUIRE
    const all = limited([...texts])
    return all.some(isPartlyKnown) ? { texts: all } : null
  }

  #keyText = (key: string | AnyNode): string | null => (typeof key === 'string' ? key : this.text(key))

  /** Returns what an expression stands for; null when that is nothing of interest. */
  of(node: AnyNode): Meaning | null {
    switch (node.type) {
      case 'Identifier':
        if (node.variable) return this.ofVariable(node.variable)
        // The wrapper of a module of CommonJS has its loader second.
        if (node.name === 'arguments') return { module: 'global', path: ['module'] }
        return LOADER.test(node.name) ? REQUIRE : globalNamed(node.name)
      case 'Literal':
        return typeof node.value === 'string' ? { texts: [node.value] } : null
    }
    if (typeof node.meaning === 'object') return node.meaning
    if (node.meaning === this.#round) return null
    // A function that calls itself.
    node.meaning = this.#round
    const meaning = this.#find(node)
    node.meaning = meaning ?? this.#round
    return meaning
  }

  #find(node: AnyNode): Meaning | null {
    switch (node.type) {
      case 'AwaitExpression':
        return this.of(node.argument)
      case 'ChainExpression':
        return this.of(node.expression)
      case 'AssignmentExpression':
        return this.of(node.right)
      case 'SequenceExpression':
        return this.of(node.expressions.at(-1)!)
      case 'ImportExpression':
        return this.#moduleOf(node.source)
      case 'MemberExpression': {
        const { object } = node
        if (object.type === 'Super') return null
        if (object.type === 'Identifier' && object.name === 'arguments' && !object.variable && nameOf(node) === '1')
          return REQUIRE
        return this.#memberOf(object, node.computed ? this.text(node.property) : keyOf(node.property))
      }
      case 'LogicalExpression': {
        // The left side of && is only tested.
        if (node.operator === '&&') return this.of(node.right)
        const meaning = strongest([this.of(node.left), this.of(node.right)])
        return isModule(meaning) ? meaning : this.#textMeaning(node)
      }
      case 'NewExpression':
        return nameOf(node.callee) === 'Image' && isSame(this.of(node.callee), globalNamed('Image'))
          ? elementNamed('img')
          : this.#textMeaning(node)
      case 'CallExpression':
        return node.callee.type === 'Super' ? null : (this.#ofCall(node) ?? this.#textMeaning(node))
      case 'ConditionalExpression': {
        // `typeof globalThis === 'object' ? globalThis : this`.
        const meaning = strongest([this.of(node.consequent), this.of(node.alternate)])
        return isWhole(meaning) || isPage(meaning) ? meaning : this.#textMeaning(node)
      }
      case 'BinaryExpression':
        return node.operator === '+' ? this.#textMeaning(node) : null
      default:
        return this.#textMeaning(node)
    }
  }

  #textMeaning(node: AnyNode): Meaning | null {
    const texts = this.texts(node)
    return texts.some(isPartlyKnown) ? { texts } : null
  }

  #memberOf(object: AnyNode, name: string | null): Meaning | null {
    const meaning = this.of(object)
    if (name === 'constructor') {
      if (isFunction(object)) return FUNCTION
      // The class of the object itself is known to its code.
      if (!isModule(meaning)) return object.type === 'ThisExpression' ? null : CONSTRUCTOR
      const isOfFunction = /^global\.\w*Function(?:\.prototype)?$/.test(nameOfMember(meaning))
      if (isOfFunction || meaning.module === 'constructor') return FUNCTION
    }
    return member(meaning, name)
  }

  #ofCall(node: CallNode): Meaning | null {
    const [first] = node.arguments
    const { callee } = node
    if (isFunction(callee) && returnsThis(callee)) return GLOBAL
    // `Function('return this')()`.
    if (callee.type === 'CallExpression' || callee.type === 'NewExpression') {
      const [text] = callee.arguments
      if (text && isSame(this.of(callee.callee), FUNCTION) && isReturnOfThis(this.text(text))) return GLOBAL
    }
    const called = calledFunction(callee)
    const name = nameOf(callee)
    if (called !== null) {
      const returned = this.returnedBy(called)
      if (returned || !isWrapper(callee)) return returned
    }
    if (first === undefined || first.type === 'SpreadElement') return null
    if (name === 'getPrototypeOf' && localFunction(first)) return { ...FUNCTION, path: ['Function', 'prototype'] }
    const meaning = this.of(callee)
    if (isLoader(meaning)) return this.#moduleOf(first)
    if (name === 'createRequire' || makesLoader(meaning)) return REQUIRE
    if (name === 'createElement') {
      // A link does the least, and a script the most.
      const names = this.texts(first).filter((one) => isPartlyKnown(one) && one !== 'a')
      return elementNamed(names.find((one) => /^script$/i.test(one)) ?? names[0] ?? this.text(first))
    }
    const element = name === 'createElementNS' && node.arguments[1] ? this.text(node.arguments[1]) : null
    if (element !== null) return elementNamed(element)
    return isWrapper(callee) || this.isLoad(first) ? this.of(first) : null
  }

  /** Returns the first module that a function of the file returns. */
  returnedBy(called: FunctionNode): Member | null {
    const known = this.#returned.get(called)
    if (typeof known === 'object') return known
    if (known === this.#round) return null
    // A function that calls itself.
    this.#returned.set(called, this.#round)
    const first = strongest((this.#names.returns.get(called) ?? []).map((value) => this.of(value)).filter(isModule))
    if (first) this.#returned.set(called, first)
    return first
  }

  /** Recognizes a pattern whose names stand for what a value gives them, and for no other value. */
  isFollowed(pattern: AnyNode, meaning: Member): boolean {
    if (isVariable(meaning)) return true
    if (pattern.type === 'Identifier') return isAlike(this.of(pattern), meaning)
    if (pattern.type === 'AssignmentPattern') return this.isFollowed(pattern.left, meaning)
    return (
      pattern.type === 'ObjectPattern' &&
      pattern.properties.every((one) => {
        if (one.type === 'RestElement') return this.isFollowed(one.argument, meaning)
        if (one.computed && this.texts(one.key).length > 1) return false
        const taken = member(meaning, one.computed ? this.text(one.key) : keyOf(one.key))
        return !isModule(taken) || this.isFollowed(one.value, taken)
      })
    )
  }

  /**
   * Recognizes a function that bundlers write around modules of CommonJS. It copies the members of a module into another
   * object, and its result is followed; it must call nothing but what bundlers call there.
   */
  isBundlersCopy(node: FunctionNode): boolean {
    const { start, end, body } = node
    // One that refers to itself is none.
    if (!this.#copies.has(node))
      this.#copies
        .set(node, false)
        .set(
          node,
          end - start < 1_000 &&
            BUNDLER_COPIES.has(plainCode(this.#code.slice(start, end))) &&
            this.#isBundlersOwn(body),
        )
    return this.#copies.get(node)!
  }

  /** Recognizes code whose names are those of the engine, a loader of the file, or what bundlers declare beside it. */
  #isBundlersOwn(node: AnyNode): boolean {
    let isOwn = true
    if (node.type === 'Identifier' && node.variable) {
      const { name, variable } = node
      const [source, ...others] = variable.sources
      if (name.startsWith('__'))
        isOwn =
          !variable.isOpen &&
          variable.kind !== 'parameter' &&
          source !== undefined &&
          others.length === 0 &&
          source.path.length === 0 &&
          (isFunction(source.node)
            ? this.isBundlersCopy(source.node)
            : this.#code.slice(source.node.start, source.node.end) === BUNDLER_NAMES.get(name) &&
              this.#isBundlersOwn(source.node))
      else if (/^(?:Error|Proxy|Object|require)$/.test(name)) isOwn = isLoader(this.of(node))
    } else if (node.type === 'Identifier') isOwn = !node.name.startsWith('__')
    forEachChild(node, (child) => {
      isOwn &&= this.#isBundlersOwn(child)
    })
    return isOwn
  }

  /** Recognizes a call that loads a module by its name: whatever the name of `require`, or what is like it. */
  isLoad(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression') return this.isLoad(node.argument)
    if (node.type === 'CallExpression') return node.callee.type !== 'Super' && isLoader(this.of(node.callee))
    return node.type === 'ImportExpression'
  }

  #moduleOf(node: AnyNode): Meaning | null {
    const name = this.texts(node).find(isKnown)
    return name === undefined ? null : { module: moduleName(name), path: [] }
  }

  /** Returns the first known text of an expression, with … for a part that is not known; null when there is none. */
  text(node: AnyNode): string | null {
    return this.texts(node).find(isPartlyKnown) ?? null
  }

  /** Returns every text that an expression can be, with … for a part that is not known. */
  texts(node: AnyNode): readonly string[] {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : ANY
      case 'Identifier': {
        // Modules are named from the folder of their file.
        if (!node.variable) return node.name === '__dirname' ? ['.'] : ANY
        const meaning = this.ofVariable(node.variable)
        return meaning && !isModule(meaning) ? meaning.texts : ANY
      }
      case 'SequenceExpression':
        return this.texts(node.expressions.at(-1)!)
      case 'AssignmentExpression':
        return this.texts(node.right)
      case 'ChainExpression':
        return this.texts(node.expression)
      case 'MemberExpression':
        if (node.object.type === 'MetaProperty') return nameOf(node) === 'dirname' ? ['.'] : ANY
        return node.object.type !== 'Super' && nameOf(node) === 'href' ? this.texts(node.object) : ANY
    }
    if (typeof node.texts === 'object') return node.texts
    if (node.texts === this.#round) return ANY
    node.texts = this.#round
    const texts = limited(this.#findTexts(node))
    node.texts = texts === ANY ? this.#round : texts
    return texts
  }

  #findTexts(node: AnyNode): readonly string[] {
    const textsOf = (one: AnyNode) => this.texts(one)
    switch (node.type) {
      case 'TemplateLiteral':
        return joinedAll(
          node.quasis.flatMap(({ value }, index) => {
            const next = node.expressions[index]
            return next ? [[value.cooked ?? '…'], textsOf(next)] : [[value.cooked ?? '…']]
          }),
        )
      case 'BinaryExpression':
        return node.operator === '+' ? joined(textsOf(node.left), textsOf(node.right)) : ANY
      case 'NewExpression': {
        const [path, base] = node.arguments
        if (nameOf(node.callee) !== 'URL' || !path) return ANY
        const texts = textsOf(path)
        return base && !texts.some((text) => /^\w+:/.test(text)) && this.text(base) !== null ? textsOf(base) : texts
      }
      case 'CallExpression': {
        const { callee } = node
        if (callee.type === 'Super') return ANY
        // A helper that puts an address together: `get(url('/users'))`.
        const returned = this.#names.returns.get(calledFunction(callee)!) ?? []
        if (returned.length > 0) return returned.flatMap(textsOf)
        const meaning = this.of(callee)
        if (isModule(meaning) && nameOfMember(meaning) === 'url.fileURLToPath') return node.arguments.flatMap(textsOf)
        if (isModule(meaning) && nameOfMember(meaning) === 'path.dirname' && node.arguments.every(this.#isOwnFile))
          return ['.']
        if (isModule(meaning) && /^path\.(?:posix\.)?(?:join|resolve)$/.test(nameOfMember(meaning)))
          return joinedAll(node.arguments.map(textsOf), '/')
        if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return ANY
        const name = nameOf(callee)
        if (name === 'concat') return joinedAll([callee.object, ...node.arguments].map(textsOf))
        // An address is often filled in: `ADDRESS.replace('{id}', id)`.
        if (/^replace(?:All)?$/.test(name)) return joined(textsOf(callee.object), ANY)
        return name === 'trim' || name === 'toString' ? textsOf(callee.object) : ANY
      }
      case 'ConditionalExpression':
        return [...textsOf(node.consequent), ...textsOf(node.alternate)]
      case 'LogicalExpression':
        return [...textsOf(node.left), ...textsOf(node.right)]
      default:
        return ANY
    }
  }

  /** Recognizes the path of the file itself: `__filename`, or `fileURLToPath(import.meta.url)`. */
  readonly #isOwnFile = (given: AnyNode): boolean => {
    const node = onlyValue(given)
    if (node.type !== 'CallExpression')
      return node.type === 'Identifier' && node.name === '__filename' && !node.variable
    const meaning = node.callee.type === 'Super' ? null : this.of(node.callee)
    const [address] = node.arguments
    return (
      isModule(meaning) &&
      nameOfMember(meaning) === 'url.fileURLToPath' &&
      address?.type === 'MemberExpression' &&
      address.object.type === 'MetaProperty'
    )
  }

  /** Recognizes the key of a member that is known, or is a symbol: neither the engine nor Node has it. */
  isOwnKey(node: AnyNode): boolean {
    if (node.type === 'ConditionalExpression') return this.isOwnKey(node.consequent) && this.isOwnKey(node.alternate)
    // `Symbol.for('x')` names nothing that the engine or Node has.
    if (node.type === 'CallExpression') {
      const { callee } = node
      const owner = callee.type === 'MemberExpression' && nameOf(callee) === 'for' ? callee.object : callee
      if (owner.type === 'Identifier' && owner.name === 'Symbol' && !owner.variable) return true
    }
    if (this.texts(node).every(isKnown)) return true
    const { isOpen = true, sources = [] } = (node.type === 'Identifier' && node.variable) || {}
    return (
      !isOpen &&
      sources.length > 0 &&
      sources.length < MAX_TEXTS &&
      sources.every(({ node, path }) => path.length === 0 && node.type !== 'Identifier' && this.isOwnKey(node))
    )
  }
}

export const isReturnOfThis = (text: string | null): boolean => /^return this;?$/.test(text ?? '')
/** Recognizes `function () { return this }`, the old way to the global object. */
function returnsThis({ body }: FunctionNode): boolean {
  const [only, ...others] = body.type === 'BlockStatement' ? body.body : []
  return others.length === 0 && only?.type === 'ReturnStatement' && only.argument?.type === 'ThisExpression'
}

/** Returns code without white space and comments; text in quotes, which can look like a comment, stays as it is. */
export const plainCode = (code: string): string =>
  code.replace(/((["'`])(?:(?!\2)[^\\]|\\.)*\2)|\/\*.*?\*\/|\/\/[^\n\r\u2028\u2029]*|\s+|;(?=\s*\})/gs, '$1')
const BUNDLER_NAMES: ReadonlyMap<string, string> = new Map([
  ['__create', 'Object.create'],
  ['__defProp', 'Object.defineProperty'],
  ['__getProtoOf', 'Object.getPrototypeOf'],
  ['__getOwnPropDesc', 'Object.getOwnPropertyDescriptor'],
  ['__getOwnPropNames', 'Object.getOwnPropertyNames'],
  ['__hasOwnProp', 'Object.prototype.hasOwnProperty'],
])
const COPY = '__defProp(to,key,{get:GET,enumerable:!(desc=__getOwnPropDesc(from,key))||desc.enumerable})}returnto}'
const BUNDLER_COPIES: ReadonlySet<string> = new Set([
  '(mod,isNodeMode,target)=>(target=mod!=null?__create(__getProtoOf(mod)):{},__copyProps(isNodeMode||!mod||!mod.__esModule?__defProp(target,"default",{value:mod,enumerable:true}):target,mod))',
  `(to,from,except,desc)=>{if(from&&typeoffrom==="object"||typeoffrom==="function"){for(letkeyof__getOwnPropNames(from))if(!__hasOwnProp.call(to,key)&&key!==except)${COPY.replace('GET', '()=>from[key]')}`,
  `(to,from,except,desc)=>{if(from&&typeoffrom==="object"||typeoffrom==="function")for(varkeys=__getOwnPropNames(from),i=0,n=keys.length,key;i<n;i++){key=keys[i];if(!__hasOwnProp.call(to,key)&&key!==except)${COPY.replace('GET', '((k)=>from[k]).bind(null,key)')}`,
])
