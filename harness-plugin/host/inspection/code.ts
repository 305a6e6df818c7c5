/** What one file of JavaScript can do, read from its syntax. Nothing runs. Names are followed within the file only. */
import { type AnyNode, type Expression, type Options, parse } from 'acorn'

/** What code was seen to do. Words for each of them stand with the messages. */
export type CodeFinding =
  | 'starts-programs'
  | 'writes-files'
  | 'reads-files'
  | 'network'
  | 'listens'
  | 'address'
  | 'runs-text'
  | 'loads-code'
  | 'environment'
  | 'native-code'
  | 'service'
  | 'agent-tool'
  | 'command'
  | 'slot'

export interface Finding {
  readonly kind: CodeFinding
  /** What it is about, such as a program, a host, a variable; null when the code decides that while it runs. */
  readonly name: string | null
  /** From 1. */
  readonly line: number
}

export interface CodeFacts {
  readonly findings: readonly Finding[]
  /** Modules that it imports by name. */
  readonly imports: readonly string[]
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
}

/** Returns what a file can do; null for text that is not JavaScript. */
export function readCode(text: string): CodeFacts | null {
  // A module and a script differ in few words, such as `with` and `await`.
  for (const sourceType of ['module', 'script'] as const)
    try {
      return new Reader(text).read(parse(text, { ...OPTIONS, sourceType }))
    } catch (error) {
      // Code nested deeper than the stack is nobody's own.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    }
  return null
}

/** What a name stands for: a member of a module, a global, or a known text. */
type Meaning = Member | { readonly text: string }
interface Member {
  /** Name of a module; `global` for globals, `require` for a function that loads modules. */
  readonly module: string
  readonly path: readonly string[]
}
const isModule = (meaning: Meaning | null): meaning is Member => meaning !== null && 'module' in meaning
/** Recognizes the value of one environment variable, which is used where it is read. */
const isVariable = ({ module, path }: Member) => module === 'global' && path[1] === 'env' && path.length > 2

/** Names of one function or module; null for a name of its own that stands for something else. */
class Scope {
  readonly #names = new Map<string, Meaning | null>()
  readonly #outer: Scope | null
  constructor(outer: Scope | null) {
    this.#outer = outer
  }
  set(name: string, meaning: Meaning | null): void {
    this.#names.set(name, meaning)
  }
  get(name: string): Meaning | null | undefined {
    return this.#names.has(name) ? this.#names.get(name) : this.#outer?.get(name)
  }
}

type Child = AnyNode & Record<string, unknown>

class Reader {
  readonly #code: string
  readonly #findings: Finding[] = []
  readonly #imports = new Set<string>()
  #scope = new Scope(null)
  /** True while names of a block are declared. */
  #isInBlock = false

  /** End of what was searched for line ends, and their number. Findings come nearly in the order of the text. */
  #searched = 0
  #line = 1

  constructor(code: string) {
    this.#code = code
  }

  read(program: AnyNode): CodeFacts {
    this.#declare(program)
    this.#visit(program)
    return { findings: this.#findings, imports: [...this.#imports] }
  }

  #add(kind: CodeFinding, name: string | null, node: AnyNode): void {
    this.#findings.push({ kind, name, line: this.#lineOf(node.start) })
  }

  #lineOf(offset: number): number {
    if (offset < this.#searched) [this.#searched, this.#line] = [0, 1]
    for (
      let end = this.#code.indexOf('\n', this.#searched);
      end !== -1 && end < offset;
      end = this.#code.indexOf('\n', end + 1)
    ) {
      this.#line++
      this.#searched = end + 1
    }
    return this.#line
  }

  // Names

  /** Declares the names of one function or module: each stands for what it was first given. */
  #declare(node: AnyNode): void {
    const pending: AnyNode[] = [node]
    const blocks = new Set<AnyNode>()
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      this.#isInBlock = blocks.has(one) || one.type === 'CatchClause'
      if (one.type === 'ImportDeclaration') this.#declareImports(one)
      if (one.type === 'VariableDeclarator') this.#bind(one.id, one.init ? this.#meaning(one.init) : null)
      if ((one.type === 'FunctionDeclaration' || one.type === 'ClassDeclaration') && one.id && one !== node)
        this.#bind(one.id, null)
      if (one.type === 'CatchClause' && one.param) this.#bind(one.param, null)
      if (isFunction(one) && one !== node) continue
      // In the order of the text, as a name is used after it is declared.
      const isBlock = /^(?:BlockStatement|CatchClause|SwitchStatement|For\w*Statement|StaticBlock)$/.test(one.type)
      const isInner = this.#isInBlock || (isBlock && !(isFunction(node) && one === node.body))
      for (const child of children(one).reverse()) {
        if (isInner) blocks.add(child)
        pending.push(child)
      }
    }
    this.#isInBlock = false
  }

  #declareImports({ source, specifiers }: AnyNode & { readonly type: 'ImportDeclaration' }): void {
    const module = moduleName(source.value)
    for (const specifier of specifiers) {
      const { imported } = specifier as { imported?: { name?: string; value?: unknown } }
      const member = specifier.type === 'ImportSpecifier' ? String(imported?.name ?? imported?.value) : null
      this.#scope.set(specifier.local.name, { module, path: memberPath(member) })
    }
  }

  /** Gives the names of a pattern their meaning: `const { spawn: run } = …`. */
  #bind(pattern: AnyNode, meaning: Meaning | null): void {
    if (pattern.type === 'Identifier') {
      const isRead = isModule(meaning) && isVariable(meaning)
      if (isRead) this.#note(meaning, null, pattern)
      // A name of one block does not hide what the name stands for around it.
      if (this.#isInBlock && (isRead || meaning === null) && this.#meaning(pattern) !== null) return
      this.#scope.set(pattern.name, isRead ? null : meaning)
    }
    if (pattern.type === 'AssignmentPattern') this.#bind(pattern.left, meaning)
    if (pattern.type === 'RestElement') this.#bind(pattern.argument, meaning)
    if (pattern.type === 'ArrayPattern') for (const one of pattern.elements) if (one) this.#bind(one, null)
    if (pattern.type !== 'ObjectPattern') return
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') this.#bind(property, meaning)
      else this.#bind(property.value, member(meaning, property.computed ? null : keyOf(property.key)))
    }
  }

  /** Returns what an expression stands for; null when that is nothing of interest. */
  #meaning(node: AnyNode): Meaning | null {
    switch (node.type) {
      case 'Identifier': {
        const known = this.#scope.get(node.name)
        if (known === undefined && node.name === 'require') return { module: 'require', path: [] }
        return known === undefined && GLOBALS.has(node.name) ? { module: 'global', path: [node.name] } : (known ?? null)
      }
      case 'Literal':
        return typeof node.value === 'string' ? { text: node.value } : null
      case 'MemberExpression':
        return node.object.type === 'Super'
          ? null
          : member(this.#meaning(node.object), node.computed ? this.#text(node.property) : keyOf(node.property))
      case 'AwaitExpression':
        return this.#meaning(node.argument)
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.#meaning(node.expression)
      case 'LogicalExpression':
        return this.#meaning(node.left) ?? this.#meaning(node.right)
      case 'SequenceExpression':
        return this.#meaning(node.expressions.at(-1)!)
      case 'ImportExpression':
        return this.#moduleOf(node.source)
      case 'CallExpression': {
        const [first] = node.arguments
        if (first === undefined || first.type === 'SpreadElement') return null
        if (this.#isLoader(node.callee)) return this.#moduleOf(first)
        const callee = nameOf(node.callee)
        if (callee === 'createRequire') return { module: 'require', path: [] }
        return WRAPPER.test(callee) || this.#isModuleCall(first) ? this.#meaning(first) : null
      }
      case 'TemplateLiteral':
      case 'BinaryExpression':
      case 'NewExpression':
      case 'ConditionalExpression': {
        const text = this.#text(node)
        return text === null ? null : { text }
      }
      default:
        return null
    }
  }

  /** Recognizes `require`, also as bundlers name it, `process.getBuiltinModule` and what `createRequire` returns. */
  #isLoader(callee: AnyNode): boolean {
    if (callee.type === 'Identifier' && LOADER.test(callee.name)) return true
    if (callee.type === 'Identifier' && callee.name === 'require' && this.#scope.get('require') === undefined)
      return true
    if (callee.type === 'MemberExpression' && /^(?:module|mainModule|process)$/.test(nameOf(callee.object)))
      return /^(?:require|getBuiltinModule)$/.test(nameOf(callee))
    const meaning = callee.type === 'Super' ? null : this.#meaning(callee)
    return isModule(meaning) && meaning.module === 'require' && meaning.path.length === 0
  }

  #moduleOf(node: AnyNode): Meaning | null {
    const name = this.#text(node)
    return name === null ? null : { module: moduleName(name), path: [] }
  }

  /** Returns the text of an expression, with … for what is not known; null when nothing of it is. */
  #text(node: AnyNode): string | null {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? node.value : null
      case 'TemplateLiteral':
        return node.quasis
          .map(({ value }, index) => {
            const next = node.expressions[index]
            return `${value.cooked ?? ''}${next ? (this.#text(next) ?? '…') : ''}`
          })
          .join('')
      case 'BinaryExpression': {
        if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') return null
        const [left, right] = [this.#text(node.left), this.#text(node.right)]
        return left === null && right === null ? null : `${left ?? '…'}${right ?? '…'}`
      }
      case 'NewExpression': {
        const [path, base] = node.arguments
        if (nameOf(node.callee) !== 'URL' || !path) return null
        const [text, start] = [this.#text(path), base && this.#text(base)]
        return text !== null && /^\w+:/.test(text) ? text : (start ?? text)
      }
      case 'MemberExpression':
        return node.object.type !== 'Super' && nameOf(node) === 'href' ? this.#text(node.object) : null
      case 'CallExpression':
        // An address is often filled in: `ADDRESS.replace('{id}', id)`.
        return node.callee.type === 'MemberExpression' &&
          node.callee.object.type !== 'Super' &&
          /^(?:replace|replaceAll|concat|trim|toString)$/.test(nameOf(node.callee))
          ? this.#text(node.callee.object)
          : null
      case 'ConditionalExpression':
        return this.#text(node.consequent) ?? this.#text(node.alternate)
      case 'LogicalExpression':
        return this.#text(node.left) ?? this.#text(node.right)
      case 'Identifier': {
        const meaning = this.#scope.get(node.name)
        return meaning && 'text' in meaning ? meaning.text : null
      }
      default:
        return null
    }
  }

  // Uses

  #visit(node: AnyNode): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#visitFunction(node)
        return
      case 'ImportDeclaration':
        this.#imports.add(String(node.source.value))
        return
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source) this.#reexport(node)
        break
      case 'ExpressionStatement':
        if (this.#isModuleCall(node.expression)) this.#visitLoad(node.expression)
        else this.#visit(node.expression)
        return
      case 'ImportExpression':
        this.#visitModule(node)
        return
      case 'CallExpression':
      case 'NewExpression':
        this.#visitCall(node)
        return
      case 'Identifier':
      case 'MemberExpression': {
        const meaning = this.#meaning(node)
        if (isModule(meaning)) {
          this.#visitLoad(node)
          this.#note(meaning, null, node)
        }
        // The name of a property is no use of a variable.
        else if (node.type === 'MemberExpression') {
          if (node.computed && WHOLE.test(nameOf(node.object)) && this.#text(node.property) === null)
            this.#add('loads-code', null, node)
          this.#visit(node.object)
          if (node.computed) this.#visit(node.property)
        }
        return
      }
      case 'Literal':
        if (typeof node.value === 'string') this.#findAddresses(node.value, node)
        return
      case 'TemplateLiteral':
        this.#findAddresses(this.#text(node) ?? '', node)
        for (const one of node.expressions) this.#visit(one)
        return
      case 'VariableDeclarator':
        if (node.id.type === 'Identifier' && node.id.name === 'inject') this.#findServices(node.init)
        // Its pattern gives names, and may have code of its own.
        for (const value of defaults(node.id)) this.#visit(value)
        if (node.init) {
          const meaning = this.#meaning(node.init)
          if (isModule(meaning) && !isVariable(meaning)) this.#visitLoad(node.init)
          else this.#visit(node.init)
        }
        return
      case 'UnaryExpression':
        // A test whether a global exists does not use it.
        if (node.operator === 'typeof' && node.argument.type === 'Identifier') return
        break
      case 'AssignmentExpression':
        if (nameOf(node.left) === 'inject') this.#findServices(node.right)
        // A member that is replaced is not used.
        if (!isModule(this.#meaning(node.left))) this.#visit(node.left)
        this.#visit(node.right)
        if (node.right.type === 'Identifier' && this.#isRequire(node.right)) this.#add('loads-code', null, node)
        return
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (node.type !== 'Property' && keyOf(node.key) === 'inject') this.#findServices(node.value)
        if (node.computed) this.#visit(node.key)
        if (node.value) this.#visit(node.value)
        return
      case 'LabeledStatement':
        this.#visit(node.body)
        return
      case 'CatchClause':
        // Its name is no use of what has the same name.
        for (const value of node.param ? defaults(node.param) : []) this.#visit(value)
        this.#visit(node.body)
        return
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'ExportSpecifier':
      case 'MetaProperty':
        return
    }
    for (const child of children(node)) this.#visit(child)
  }

  /** Follows what an expression loads whose use is noted elsewhere: a name given to a module is no use of it. */
  #visitLoad(node: AnyNode): void {
    switch (node.type) {
      case 'MemberExpression':
        this.#visitLoad(node.object)
        break
      case 'AwaitExpression':
        this.#visitLoad(node.argument)
        break
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        this.#visitLoad(node.expression)
        break
      case 'ImportExpression':
        this.#load(node, node.source)
        break
      case 'CallExpression': {
        const [first] = node.arguments
        if (first && this.#isLoader(node.callee)) this.#load(node, first)
        else for (const one of [node.callee, ...node.arguments]) this.#visitLoad(one)
        break
      }
      case 'LogicalExpression':
        this.#visitLoad(node.left)
        this.#visitLoad(node.right)
        break
      case 'SequenceExpression':
        for (const one of node.expressions) this.#visitLoad(one)
    }
  }

  #visitFunction(node: FunctionNode): void {
    const outer = this.#scope
    this.#scope = new Scope(outer)
    for (const parameter of node.params) this.#bind(parameter, null)
    // A wrapper of CommonJS gets its loader.
    if (node.params.some((parameter) => keyOf(parameter) === 'require'))
      this.#scope.set('require', { module: 'require', path: [] })
    this.#declare(node)
    for (const parameter of node.params) for (const value of defaults(parameter)) this.#visit(value)
    this.#visit(node.body)
    this.#scope = outer
  }

  #visitCall(node: AnyNode & { readonly type: 'CallExpression' | 'NewExpression' }): void {
    const args = node.arguments as readonly Expression[]
    const [first] = args
    const meaning = node.callee.type === 'Super' ? null : this.#meaning(node.callee)
    const name = nameOf(node.callee)
    if (first && this.#isLoader(node.callee)) {
      this.#visitModule(node)
      return
    }
    if (isModule(meaning)) {
      this.#visitLoad(node.callee)
      this.#note(meaning, args, node)
    } else if (node.callee.type !== 'Super') {
      this.#visit(node.callee)
      this.#findRegistrations(node.callee, name, args, node)
    }
    if (name === 'constructor' && first && (node.type === 'CallExpression' || isConstructorOfFunction(node.callee)))
      this.#add('runs-text', null, node)
    for (const one of args) this.#visit(one)
    // Whoever gets the loader can load anything.
    if (args.some((one) => one.type === 'Identifier' && this.#isRequire(one))) this.#add('loads-code', null, node)
  }

  #isRequire(node: AnyNode): boolean {
    const meaning = this.#meaning(node)
    return isModule(meaning) && meaning.module === 'require' && meaning.path.length === 0
  }

  #isModuleCall(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression') return this.#isModuleCall(node.argument)
    return node.type === 'ImportExpression' || (node.type === 'CallExpression' && this.#isLoader(node.callee))
  }

  /** Notes a module that is loaded and passed on as a whole. */
  #visitModule(node: AnyNode): void {
    this.#visitLoad(node)
    const meaning = this.#meaning(node)
    if (isModule(meaning)) this.#note(meaning, null, node)
  }

  #reexport(node: AnyNode & { readonly type: 'ExportNamedDeclaration' | 'ExportAllDeclaration' }): void {
    const module = moduleName(node.source?.value)
    this.#imports.add(String(node.source?.value))
    const names = node.type === 'ExportNamedDeclaration' ? node.specifiers.map(({ local }) => keyOf(local)) : [null]
    for (const name of names) this.#note({ module, path: memberPath(name) }, null, node)
  }

  #load(node: AnyNode, source: AnyNode): void {
    // Bundlers number their modules.
    if (source.type === 'Literal' && typeof source.value === 'number') return
    const name = this.#text(source)
    if (name?.startsWith('data:')) this.#add('runs-text', null, node)
    else if (name === null || name.includes('…')) this.#add('loads-code', name, node)
    else this.#imports.add(name)
  }

  /** Notes the use of a member of a module or a global. @param args its arguments; null when it is not called here */
  #note({ module, path }: Member, args: readonly Expression[] | null, node: AnyNode): void {
    const [name] = path
    const text = (index: number) => (args?.[index] ? this.#text(args[index]) : null)
    const talks = (address: string | null) => {
      // An address without a host is the page's own.
      if (address === null || !/^(?:\.{0,2}\/(?!\/)|data:|blob:)/.test(address))
        this.#add('network', address === null ? null : hostOf(address), node)
    }
    if (module === 'require' && /^(?:call|apply|bind)$/.test(name ?? '')) this.#add('loads-code', null, node)
    else if (module === 'global') this.#noteGlobal(path, args, node, talks)
    else if (module === 'child_process' || PROGRAM_STARTERS.has(module)) {
      if (name !== 'ChildProcess') this.#add('starts-programs', programOf(text(0)), node)
    } else if (FILE_MODULES.has(module)) {
      const kind = fileUse(name ?? null, text(1))
      if (kind !== 'neither') {
        if (kind !== 'reads') this.#add('writes-files', null, node)
        if (kind !== 'writes') this.#add('reads-files', null, node)
      }
    } else if (NETWORK_MODULES.has(module)) {
      if (/^(?:createServer|Server|WebSocketServer|createSecureServer)$/.test(name ?? ''))
        this.#add('listens', null, node)
      else if (!NO_REQUEST.test(name ?? '')) {
        if (args !== null) talks(text(0))
        else this.#add('network', null, node)
      }
    } else if (NATIVE_LOADERS.has(module)) this.#add('native-code', null, node)
    else if (module === 'vm') {
      if (name !== 'isContext') this.#add('runs-text', null, node)
    } else if (module === 'module' && name === '_load') this.#add('loads-code', null, node)
    else if (module === 'worker_threads' && name === 'Worker' && args) {
      const options = args[1]
      // Without options that show otherwise, its text names a file.
      if (options && !(options.type === 'ObjectExpression' && options.properties.every(isNotEval)))
        this.#add('runs-text', null, node)
      else this.#load(node, args[0] ?? node)
    } else if (module === 'process') this.#noteGlobal(['process', ...path], args, node, talks)
  }

  #noteGlobal(
    path: readonly string[],
    args: readonly Expression[] | null,
    node: AnyNode,
    talks: (address: string | null) => void,
  ): void {
    const [name, member, variable] = path
    const text = args?.length ? this.#text(args.at(-1)!) : null
    if (name === 'process') {
      if (member === 'env') {
        if (variable !== 'NODE_ENV') this.#add('environment', /^\w+$/.test(variable ?? '') ? variable! : null, node)
      } else if (/^(?:_?linkedBinding|binding|dlopen)$/.test(member ?? '')) this.#add('native-code', null, node)
    } else if (name === 'eval' || name === 'Function') {
      // The old way to the global object, and the test whether a page allows eval.
      if ((name === 'eval' || args !== null) && member === undefined && !/^(?:return this;?)?$/.test(text ?? '-'))
        this.#add('runs-text', null, node)
    } else if (/^set(?:Timeout|Interval)$/.test(name ?? '')) {
      if (args?.[0] && this.#text(args[0]) !== null) this.#add('runs-text', null, node)
    } else if (name === 'WebAssembly') {
      if (args !== null) this.#add('native-code', 'WebAssembly', node)
    } else if (name === 'navigator') {
      if (member === 'sendBeacon') talks(args?.[0] ? this.#text(args[0]) : null)
    } else if (args !== null && member === undefined && NETWORK_GLOBALS.has(name ?? ''))
      talks(name !== 'XMLHttpRequest' && args[0] ? this.#text(args[0]) : null)
    else if (args === null && member === undefined && name === 'fetch') talks(null)
  }

  /** Finds what a plugin registers with the harness. */
  #findRegistrations(callee: AnyNode, name: string, args: readonly Expression[], node: AnyNode): void {
    if (callee.type !== 'MemberExpression') return
    const [first] = args
    const owner = nameOf(callee.object)
    if (name === 'inject' && owner === 'slots') this.#add('slot', first ? this.#text(first) : null, node)
    else if (name === 'inject' && first?.type === 'ArrayExpression') this.#findServices(first)
    else if (name === 'register' && owner === 'tools') this.#add('agent-tool', this.#nameIn(first), node)
    else if (name === 'register' && owner === 'commands') this.#add('command', this.#nameIn(first), node)
  }

  /** Returns the `name` of an object, also of one that a call makes. */
  #nameIn(node: AnyNode | undefined): string | null {
    if (node?.type === 'CallExpression') return this.#nameIn(node.arguments[0])
    if (node?.type !== 'ObjectExpression') return null
    for (const one of node.properties)
      if (one.type === 'Property' && !one.computed && keyOf(one.key) === 'name') return this.#text(one.value)
    return null
  }

  /** Finds the services in `inject`: a list, or an object with lists or with their names. */
  #findServices(node: AnyNode | null | undefined): void {
    if (node?.type === 'ArrayExpression')
      for (const one of node.elements) {
        const name = one && this.#text(one)
        if (name) this.#add('service', name, node)
      }
    if (node?.type === 'ObjectExpression')
      for (const one of node.properties) {
        if (one.type !== 'Property' || one.computed) continue
        const name = keyOf(one.key)
        if (name === 'required' || name === 'optional') this.#findServices(one.value)
        else if (name) this.#add('service', name, one)
      }
  }

  #findAddresses(text: string, node: AnyNode): void {
    if (text.length > MAX_TEXT) return
    for (const [address] of text.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`<>\\)]+/gi)) {
      const host = hostOf(address)
      if (host !== null) this.#add('address', host, node)
    }
  }
}

/** Longest text that is searched for addresses, in characters. */
const MAX_TEXT = 100_000

/** Objects that have everything that code can use. */
const WHOLE = /^(?:globalThis|global|window|self|module)$/
/** Loaders of bundlers. */
const LOADER = /^__require\d*$/
/** Functions that return a module, or a function of one, in another form. */
const WRAPPER = /toESM|toModule|interop|import(?:Star|Default)|promisify/i

const moduleName = (source: unknown): string =>
  String(source)
    .replace(/^node:/, '')
    .replace(/^(fs|dns|timers|stream)\/promises$/, '$1')

/** Name of a member that is chosen while the code runs. */
const UNKNOWN = '*'

const memberPath = (name: string | null): string[] =>
  name === null || name === 'default' || name === 'promises' ? [] : [name]

function member(meaning: Meaning | null, name: string | null): Meaning | null {
  if (!isModule(meaning)) return null
  const { module, path } = meaning
  if (module === 'global' && /^(?:globalThis|window|self|global)$/.test(path[0] ?? ''))
    return name !== null && GLOBALS.has(name) ? { module, path: [name] } : null
  // What follows a promise is not known.
  return { module, path: [...path, ...(name === null || name === 'then' ? [UNKNOWN] : memberPath(name))] }
}

const keyOf = (node: AnyNode): string | null =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : null

/** Returns the last name of a chain: `register` of `ctx.tools.register`. */
function nameOf(node: AnyNode): string {
  if (node.type === 'ChainExpression') return nameOf(node.expression)
  return (
    (node.type !== 'MemberExpression'
      ? keyOf(node)
      : (!node.computed || node.property.type === 'Literal') && keyOf(node.property)) || ''
  )
}

/** Recognizes `f.constructor.constructor`, which is Function. */
const isConstructorOfFunction = (callee: AnyNode): boolean =>
  callee.type === 'MemberExpression' && (nameOf(callee.object) === 'constructor' || isFunction(callee.object))
/** Recognizes an option of a worker that does not make its file a text of code. */
const isNotEval = (option: AnyNode): boolean =>
  option.type === 'Property' && !option.computed && keyOf(option.key) !== 'eval'

type FunctionNode = AnyNode & {
  readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'
}
const isFunction = (node: AnyNode): node is FunctionNode => /Function/.test(node.type)

/** Returns the default values in a pattern. */
function defaults(pattern: AnyNode): AnyNode[] {
  if (pattern.type === 'AssignmentPattern') return [pattern.right, ...defaults(pattern.left)]
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) =>
      one.type === 'RestElement' ? [] : [...(one.computed ? [one.key] : []), ...defaults(one.value)],
    )
  return pattern.type === 'ArrayPattern' ? pattern.elements.flatMap((one) => (one ? defaults(one) : [])) : []
}

function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = []
  for (const value of Object.values(node as Child))
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) found.push(one)
    } else if (isNode(value)) found.push(value)
  return found
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

// What modules and globals do

const GLOBALS = new Set(
  'process globalThis window self global fetch WebSocket EventSource XMLHttpRequest navigator eval Function setTimeout setInterval WebAssembly'.split(
    ' ',
  ),
)
const NETWORK_GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
/** Packages that start programs. */
const PROGRAM_STARTERS = new Set(
  'execa cross-spawn tinyexec nano-spawn node-pty @lydell/node-pty @homebridge/node-pty-prebuilt-multiarch shelljs zx open cluster'.split(
    ' ',
  ),
)
/** Packages that load programs for the processor. */
const NATIVE_LOADERS = new Set('bindings node-gyp-build koffi ffi-napi ref-napi pkg-prebuilds'.split(' '))
const FILE_MODULES = new Set('fs fs-extra graceful-fs rimraf write-file-atomic'.split(' '))
const NETWORK_MODULES = new Set(
  'http https http2 net tls dgram dns undici ws axios got node-fetch cross-fetch ky ofetch superagent request needle socket.io-client eventsource'.split(
    ' ',
  ),
)
/** Members of these modules that request nothing. */
const NO_REQUEST =
  /^(?:Agent|globalAgent|METHODS|STATUS_CODES|IncomingMessage|ServerResponse|ClientRequest|OutgoingMessage|isIP|isIPv4|isIPv6|constants|BlockList|SocketAddress|maxHeaderSize|validateHeader\w+|Headers|FormData|File|ProxyAgent|setGlobalDispatcher|getGlobalDispatcher|TLSSocket|rootCertificates|createSecureContext|checkServerIdentity|HTTPError|TimeoutError|isAxiosError|CONNECTING|OPEN|CLOSING|CLOSED|sensitiveHeaders)$/

const WRITES =
  /^(?:write|append|rm|unlink|mkdir|mkdtemp|rename|copy|cp|chmod|chown|lchown|lchmod|fchmod|fchown|truncate|ftruncate|symlink|link|utimes|futimes|lutimes|createWriteStream|output|ensure|remove|empty|move|WriteStream)/
const NO_FILE = /^(?:constants|Stats|Dirent|F_OK|R_OK|W_OK|X_OK|close|closeSync|Dir|FSWatcher)$/

/** Returns whether a member of a file module reads or writes; both when the module is passed on as a whole. */
function fileUse(name: string | null, second: string | null): 'reads' | 'writes' | 'both' | 'neither' {
  if (name === null || name === UNKNOWN) return 'both'
  if (NO_FILE.test(name)) return 'neither'
  if (/^open(?:Sync)?$/.test(name)) return second === null || second === 'r' ? 'reads' : 'both'
  return WRITES.test(name) ? 'writes' : 'reads'
}

/** Returns the program of a command; null when it is not known. */
function programOf(command: string | null): string | null {
  const word = command?.trim().split(/\s+/)[0]?.split(/[/\\]/).at(-1)
  return word && !word.includes('…') ? word.slice(0, 60) : null
}

/** Hosts that name a format or this machine. */
const NOT_OUTSIDE =
  /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|.*\.localhost|(?:www\.)?w3\.org|json-schema\.org|(?:.*\.)?example(?:\.(?:com|org|net))?|.*\.(?:test|invalid|example))$/

/** Returns the host of an address; null when it is this machine, or is not known. */
export function hostOf(address: string): string | null {
  try {
    // An unknown part keeps its place in the host, which takes no sign but those of names.
    const { hostname } = new URL(address.replaceAll('…', 'xn--unknown'))
    const host = hostname.replaceAll('xn--unknown', '…')
    return !/^[^.…].*\.[^.]/.test(host) || NOT_OUTSIDE.test(host) ? null : host
  } catch {
    return null
  }
}
