/** What one file of JavaScript can do, read from its syntax. Nothing runs. Names are followed within the file only. */
import { type AnyNode, type Expression, type Options, parse } from 'acorn'
import type { AbilityKind } from '../../protocol/inspection.ts'

/** What code was seen to do. */
export type CodeFinding = Exclude<AbilityKind, 'install-scripts' | 'patch-code' | 'changes-rows' | 'dependency'>

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
type Meaning = Member | Texts
interface Texts {
  /** Those that it can be, with … for a part that is not known. */
  readonly texts: readonly string[]
}
interface Member {
  /** Name of a module; `global` for globals, `require` for a function that loads modules. */
  readonly module: string
  readonly path: readonly string[]
}
const isModule = (meaning: Meaning | null): meaning is Member => meaning !== null && 'module' in meaning
/** Recognizes a function that loads modules by their names. */
const isLoader = (meaning: Meaning | null): boolean => isModule(meaning) && LOADERS.has(nameOfMember(meaning))
/** Recognizes `createRequire`, which makes such a function. */
const makesLoader = (meaning: Meaning | null): boolean =>
  isModule(meaning) && LOADER_FACTORIES.has(nameOfMember(meaning))
const nameOfMember = ({ module, path }: Member): string => [module, ...path].join('.')
/** Recognizes all environment variables together. */
const isEnvironment = (meaning: Meaning | null): boolean =>
  isModule(meaning) && /^(?:global\.)?process\.env$/.test(nameOfMember(meaning))
/** Recognizes the value of one environment variable, which is used where it is read. */
const isVariable = ({ module, path }: Member) => module === 'global' && path[1] === 'env' && path.length > 2

/** Names of one function or module; null for a name of its own that stands for something else. */
class Scope {
  readonly #names = new Map<string, Meaning | null>()
  readonly #outer: Scope | null
  constructor(outer: Scope | null) {
    this.#outer = outer
  }
  get isOutermost(): boolean {
    return this.#outer === null
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
  /** Names of blocks that are also names of something else. */
  readonly #inBlocks = new Set<string>()
  /** Names that a function called at once has for functions whose own parameter is called `require`. */
  readonly #factories = new Map<AnyNode, readonly string[]>()
  /** What the parameters of functions that are called at once stand for. */
  readonly #given = new Map<AnyNode, readonly (Meaning | null)[]>()
  /** Loaders that are only tested for being there. */
  readonly #tested = new Set<AnyNode>()

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
  #declare(scope: AnyNode): void {
    // In the order of the text, as a name is used after it is declared.
    const declare = (node: AnyNode, isInBlock: boolean) => {
      this.#isInBlock = isInBlock || node.type === 'CatchClause'
      if (node.type === 'ImportDeclaration') this.#declareImports(node)
      if (node.type === 'VariableDeclarator') {
        this.#bind(node.id, node.init ? this.#meaning(node.init) : null)
        // `const { constructor: F } = () => {}`.
        if (node.id.type === 'ObjectPattern' && node.init && isFunction(node.init))
          for (const one of node.id.properties)
            if (one.type === 'Property' && keyOf(one.key) === 'constructor') this.#bind(one.value, FUNCTION)
      }
      if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id && node !== scope)
        this.#bind(node.id, null)
      if (node.type === 'CatchClause' && node.param) this.#bind(node.param, null)
      if (isFunction(node) && node !== scope) return
      const isInner = isInBlock || (BLOCKS.has(node.type) && !(isFunction(scope) && node === scope.body))
      forEachChild(node, (child) => declare(child, isInner))
    }
    declare(scope, false)
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
      if (this.#isInBlock && (isRead || meaning === null) && this.#meaning(pattern) !== null) {
        this.#inBlocks.add(pattern.name)
        return
      }
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
        if (LOADER.test(node.name)) return REQUIRE
        const known = this.#scope.get(node.name)
        return known === undefined ? globalNamed(node.name) : known
      }
      case 'MemberExpression':
        if (nameOf(node) === 'constructor' && isConstructorOfFunction(node)) return FUNCTION
        // The wrapper of a module of CommonJS has its loader second.
        if (nameOf(node.object) === 'arguments' && nameOf(node) === '1' && this.#scope.isOutermost) return REQUIRE
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
        // Asked for once: each link of a chain of calls would double the time.
        const callee = node.callee.type === 'Super' ? null : this.#meaning(node.callee)
        if (isLoader(callee)) return this.#moduleOf(first)
        if (nameOf(node.callee) === 'createRequire' || makesLoader(callee)) return REQUIRE
        if (isLoaderOfBundler(node, this.#code)) return REQUIRE
        return WRAPPER.test(nameOf(node.callee)) || this.#isModuleCall(first) ? this.#meaning(first) : null
      }
      case 'Literal':
      case 'TemplateLiteral':
      case 'BinaryExpression':
      case 'NewExpression':
      case 'ConditionalExpression': {
        // `typeof globalThis === 'object' ? globalThis : this`.
        if (node.type === 'ConditionalExpression')
          for (const one of [node.consequent, node.alternate]) if (this.#isWhole(one)) return this.#meaning(one)
        const texts = this.#texts(node)
        return texts.some(isPartlyKnown) ? { texts } : null
      }
      default:
        return null
    }
  }

  /** Recognizes a call that loads a module by its name: whatever the name of `require`, or what is like it. */
  #isLoader(callee: AnyNode): boolean {
    return callee.type !== 'Super' && isLoader(this.#meaning(callee))
  }

  #moduleOf(node: AnyNode): Meaning | null {
    const name = this.#texts(node, true).find(isKnown)
    return name === undefined ? null : { module: moduleName(name), path: [] }
  }

  /** Returns the first known text of an expression, with … for a part that is not known; null when there is none. */
  #text(node: AnyNode): string | null {
    return this.#texts(node).find(isPartlyKnown) ?? null
  }

  /**
   * Returns every text that an expression can be, with … for a part that is not known.
   *
   * @param isExact true to doubt names that are given another value somewhere
   */
  #texts(node: AnyNode, isExact = false): readonly string[] {
    const textsOf = (one: AnyNode) => this.#texts(one, isExact)
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : ANY
      case 'TemplateLiteral':
        return node.quasis.reduce<readonly string[]>(
          (texts, { value }, index) => {
            const next = node.expressions[index]
            return joined(joined(texts, [value.cooked ?? '…']), next ? textsOf(next) : [''])
          },
          [''],
        )
      case 'BinaryExpression':
        return node.operator !== '+' || node.left.type === 'PrivateIdentifier'
          ? ANY
          : joined(textsOf(node.left), textsOf(node.right))
      case 'NewExpression': {
        const [path, base] = node.arguments
        if (nameOf(node.callee) !== 'URL' || !path) return ANY
        const texts = textsOf(path)
        return base && !texts.some((text) => /^\w+:/.test(text)) && this.#text(base) !== null ? textsOf(base) : texts
      }
      case 'MemberExpression':
        return node.object.type !== 'Super' && nameOf(node) === 'href' ? textsOf(node.object) : ANY
      case 'CallExpression': {
        if (node.callee.type === 'Super') return ANY
        const callee = this.#meaning(node.callee)
        if (isModule(callee) && /^path\.(?:posix\.)?(?:join|resolve)$/.test(nameOfMember(callee)))
          return node.arguments.map(textsOf).reduce((start, end) => joined(joined(start, ['/']), end))
        if (node.callee.type !== 'MemberExpression' || node.callee.object.type === 'Super') return ANY
        const texts = textsOf(node.callee.object)
        const name = nameOf(node.callee)
        if (name === 'concat') return node.arguments.map(textsOf).reduce(joined, texts)
        // An address is often filled in: `ADDRESS.replace('{id}', id)`.
        if (/^(?:replace|replaceAll)$/.test(name)) return joined(texts, ANY)
        return /^(?:trim|toString)$/.test(name) ? texts : ANY
      }
      case 'ConditionalExpression':
        return limited([...textsOf(node.consequent), ...textsOf(node.alternate)])
      case 'LogicalExpression':
        return limited([...textsOf(node.left), ...textsOf(node.right)])
      case 'SequenceExpression':
        return textsOf(node.expressions.at(-1)!)
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return textsOf(node.expression)
      case 'Identifier': {
        const meaning = this.#scope.get(node.name)
        // Modules are named from the folder of their file.
        if (meaning === undefined && node.name === '__dirname') return ['.']
        if (!meaning || !('texts' in meaning)) return ANY
        return isExact && this.#isAssignedAgain(node.name) ? [...meaning.texts, ...ANY] : meaning.texts
      }
      default:
        return ANY
    }
  }

  /** Returns true if a name gets a value in more than one place of the file. */
  #isAssignedAgain(name: string): boolean {
    const assigned = new RegExp(
      `(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\\+\\+|--)`,
      'g',
    )
    return (this.#code.match(assigned)?.length ?? 0) > 1
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
        if (node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration')
          for (const { id } of node.declaration.declarations) this.#noteExported(id)
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
          if (!this.#tested.has(node)) this.#note(meaning, null, node)
        }
        // The name of a property is no use of a variable.
        else if (node.type === 'MemberExpression') {
          if (node.computed && this.#isWhole(node.object) && !this.#texts(node.property).every(isKnown))
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
        for (const value of partsOf(node.id).code) this.#visit(value)
        if (node.init) {
          const meaning = this.#meaning(node.init)
          if (isModule(meaning) && !isVariable(meaning)) this.#visitLoad(node.init)
          else this.#visit(node.init)
        }
        return
      case 'UnaryExpression':
        // A test whether a global exists does not use it.
        if (node.operator === 'typeof' && node.argument.type === 'Identifier') return
        this.#test(node.argument)
        break
      case 'BinaryExpression':
        // A test whether an object is of a class does not use the class.
        if (node.operator === 'instanceof' && isModule(this.#meaning(node.right))) {
          this.#visit(node.left)
          return
        }
        if (/^[!=]==?$/.test(node.operator)) for (const one of [node.left, node.right]) this.#test(one)
        if (node.operator === 'in' && isEnvironment(this.#meaning(node.right)) && this.#text(node.left) !== null) {
          this.#add('environment', this.#text(node.left), node)
          return
        }
        break
      case 'LogicalExpression':
        if (node.operator === '&&') this.#test(node.left)
        break
      case 'IfStatement':
      case 'ConditionalExpression':
        this.#test(node.test)
        break
      case 'AssignmentExpression':
        if (nameOf(node.left) === 'inject') this.#findServices(node.right)
        if (this.#isAddressOfPage(node.left)) this.#noteRequest(this.#text(node.right), node)
        // A member that is replaced is not used.
        if (node.left.type === 'MemberExpression' && this.#isWhole(node.left.object)) {
          if (node.left.computed) this.#visit(node.left.property)
        } else if (!isModule(this.#meaning(node.left))) this.#visit(node.left)
        this.#visit(node.right)
        return
      case 'SpreadElement':
        if (this.#isWhole(node.argument)) this.#add('loads-code', null, node)
        break
      case 'WithStatement':
        if (this.#isWhole(node.object)) this.#add('loads-code', null, node)
        break
      case 'TaggedTemplateExpression': {
        const meaning = this.#meaning(node.tag)
        if (isModule(meaning)) this.#note(meaning, [node.quasi], node)
        this.#visit(node.tag)
        this.#visit(node.quasi)
        return
      }
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
        for (const value of node.param ? partsOf(node.param).code : []) this.#visit(value)
        this.#visit(node.body)
        return
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'ExportSpecifier':
      case 'MetaProperty':
        return
    }
    forEachChild(node, (child) => this.#visit(child))
  }

  /** Follows what an expression loads whose use is noted elsewhere: a name given to a module is no use of it. */
  #visitLoad(node: AnyNode): void {
    switch (node.type) {
      case 'MemberExpression':
        this.#follow(node.object)
        if (node.computed) this.#visit(node.property)
        break
      case 'ImportExpression':
        this.#load(node, node.source)
        if (node.source.type !== 'Literal') this.#visit(node.source)
        if (node.options) this.#visit(node.options)
        break
      case 'CallExpression': {
        if (isLoaderOfBundler(node, this.#code)) break
        const [first, ...others] = node.arguments
        this.#follow(node.callee)
        const isLoad = first !== undefined && this.#isLoader(node.callee)
        if (isLoad) this.#load(node, first)
        if (first && !(isLoad && first.type === 'Literal')) this.#follow(first)
        for (const one of others) this.#follow(one)
        break
      }
      case 'ConditionalExpression':
        this.#visit(node.test)
        this.#follow(node.consequent)
        this.#follow(node.alternate)
        break
      default:
        forEachChild(node, (child) => this.#follow(child))
    }
  }

  /** Follows what an expression loads, or visits it where it stands for no module. */
  #follow(node: AnyNode): void {
    if (isModule(this.#meaning(node))) this.#visitLoad(node)
    else this.#visit(node)
  }

  #isWhole(node: AnyNode): boolean {
    const meaning = node.type === 'Super' ? null : this.#meaning(node)
    return isModule(meaning) && meaning.module === 'global' && WHOLE.test(meaning.path.join('.'))
  }

  /** Notes that a loader, or the environment as a whole, is only tested for being there. */
  #test(node: AnyNode): void {
    const tested = node.type === 'ChainExpression' ? node.expression : node
    if (!/^(?:Identifier|MemberExpression)$/.test(tested.type)) return
    const meaning = this.#meaning(tested)
    if (isLoader(meaning) || makesLoader(meaning) || isEnvironment(meaning)) this.#tested.add(tested)
  }

  /** Notes what other files get by the names of a pattern, as names are followed within a file only. */
  #noteExported(pattern: AnyNode): void {
    for (const name of partsOf(pattern).names) {
      const meaning = this.#meaning(name)
      if (isModule(meaning)) this.#note(meaning, null, name)
    }
  }

  #visitFunction(node: FunctionNode): void {
    const outer = this.#scope
    this.#scope = new Scope(outer)
    const given = this.#given.get(node) ?? []
    for (const [index, parameter] of node.params.entries()) this.#bind(parameter, given[index] ?? null)
    for (const name of this.#factories.get(node) ?? []) this.#scope.set(name, FACTORY)
    // A wrapper of CommonJS gets its loader.
    if (node.params.some((parameter) => keyOf(parameter) === 'require')) this.#scope.set('require', REQUIRE)
    this.#declare(node)
    for (const parameter of node.params) for (const value of partsOf(parameter).code) this.#visit(value)
    this.#visit(node.body)
    this.#scope = outer
  }

  #visitCall(node: AnyNode & { readonly type: 'CallExpression' | 'NewExpression' }): void {
    const args = node.arguments as readonly Expression[]
    const [first] = args
    const meaning = node.callee.type === 'Super' ? null : this.#meaning(node.callee)
    const name = nameOf(node.callee)
    if (first && this.#isLoader(node.callee)) {
      // Also a constructor returns the module.
      this.#visitModule(node.type === 'NewExpression' ? { ...node, type: 'CallExpression', optional: false } : node)
      return
    }
    if (isLoaderOfBundler(node, this.#code)) return
    if (isFunction(node.callee)) this.#factories.set(node.callee, factoriesIn(node.callee, args))
    const called = calledFunction(node.callee)
    if (called !== null) {
      const given = called === node.callee ? args : args.slice(1)
      this.#given.set(
        called,
        given.map((one) => (this.#isWhole(one) ? this.#meaning(one) : null)),
      )
    } else this.#notePassedOn(node, args)
    if (name === '_compile' && first) this.#add('runs-text', null, node)
    if (isModule(meaning)) {
      this.#visitLoad(node.callee)
      this.#note(meaning, args, node)
    } else if (node.callee.type !== 'Super') {
      this.#visit(node.callee)
      this.#findRegistrations(node.callee, name, args, node)
    }
    if (name === 'constructor' && first && (node.type === 'CallExpression' || isConstructorOfFunction(node.callee)))
      this.#add('runs-text', null, node)
    // A module of the form UMD calls its factory, which is here, with the loader.
    const isFactory = isModule(meaning) && meaning.module === FACTORY.module
    for (const one of isFactory && first && this.#isLoader(first) ? args.slice(1) : args) this.#visit(one)
  }

  /** Notes that a call gets the whole global object, or constructs or calls what its first argument stands for. */
  #notePassedOn({ callee, start }: AnyNode & { readonly callee: AnyNode }, args: readonly Expression[]): void {
    const name = nameOf(callee)
    const isReflect = callee.type === 'MemberExpression' && nameOf(callee.object) === 'Reflect'
    const [first] = args
    const meaning = isReflect && /^(?:construct|apply)$/.test(name) && first ? this.#meaning(first) : null
    const list = args.at(-1)
    if (isModule(meaning)) {
      const given = list?.type === 'ArrayExpression' ? list.elements.filter((one) => one?.type !== 'SpreadElement') : []
      this.#note(meaning, given as readonly Expression[], first!)
    }
    const owner = callee.type === 'MemberExpression' ? nameOf(callee.object) : ''
    if (KEEPS_GLOBAL.test(`${owner}.${name}`)) return
    // The first argument of these is `this`.
    if (`${owner}.${name}` === 'document.createElement' && first && this.#text(first) === 'script')
      this.#add('loads-code', null, { ...first, start })
    for (const one of args.slice(PASSES_ON.test(name) && !isReflect ? 1 : 0))
      if (this.#isWhole(one) && !PAGE.test(nameOf(one)) && !(nameOf(one) === 'global' && this.#inBlocks.has('global')))
        this.#add('loads-code', null, { ...one, start })
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
    const names = new Set(this.#texts(source, true))
    for (const name of names) {
      if (name.startsWith('data:')) this.#add('runs-text', null, node)
      else if (!isKnown(name)) this.#add('loads-code', isPartlyKnown(name) ? name : null, node)
      else this.#imports.add(name)
      // The meaning of the call is that of one of them.
      if (names.size > 1 && isKnown(name)) this.#note({ module: moduleName(name), path: [] }, null, node)
    }
  }

  /** Notes the use of a member of a module or a global. @param args its arguments; null when it is not called here */
  #note(meaning: Member, args: readonly Expression[] | null, node: AnyNode): void {
    const { module, path } = meaning
    const [name] = path
    const text = (index: number) => (args?.[index] ? this.#text(args[index]) : null)
    const talks = (address: string | null) => this.#noteRequest(address, node)
    const isPassedOn = isLoader({ module, path: path.slice(0, -1) }) && PASSES_ON.test(path.at(-1) ?? '')
    // Whoever gets a loader can load anything.
    if (isPassedOn || (args === null && (isLoader(meaning) || makesLoader(meaning))))
      this.#add('loads-code', null, node)
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
    } else if (module === 'worker_threads' && name === 'Worker' && args) {
      const options = args[1]
      // Without options that show otherwise, its text names a file.
      if (options && !(options.type === 'ObjectExpression' && options.properties.every(isNotEval)))
        this.#add('runs-text', null, node)
      else this.#load(node, args[0] ?? node)
    } else if (module === 'process') this.#noteGlobal(['process', ...path], args, node, talks)
    const used = name === undefined ? module : `${module}.${name}`
    for (const [pattern, ...kinds] of USES)
      if (pattern.test(used)) for (const kind of kinds) this.#add(kind, null, node)
  }

  #noteRequest(address: string | null, node: AnyNode): void {
    // An address without a host is the page's own.
    if (address === null || !/^(?:\.{0,2}\/(?!\/)|[?#]|data:|blob:)/.test(address))
      this.#add('network', address === null ? null : hostOf(address), node)
  }

  /** Recognizes what leads the page elsewhere when it is set: `location` and `location.href`. */
  #isAddressOfPage(node: AnyNode): boolean {
    const meaning = this.#meaning(node)
    return isModule(meaning) && /^global\.location(?:\.href)?$/.test(nameOfMember(meaning))
  }

  #noteGlobal(
    path: readonly string[],
    args: readonly Expression[] | null,
    node: AnyNode,
    talks: (address: string | null) => void,
  ): void {
    const [name, member, variable] = path
    const text = args?.length ? this.#text(args.at(-1)!) : null
    const isPassedOn = path.length === 2 && PASSES_ON.test(member ?? '')
    if (name === 'process') {
      if (member === 'env') {
        if (variable !== 'NODE_ENV') this.#add('environment', /^\w+$/.test(variable ?? '') ? variable! : null, node)
      } else if (/^(?:_?linkedBinding|binding|dlopen)$/.test(member ?? '')) this.#add('native-code', null, node)
      else if (member === 'execve')
        this.#add('starts-programs', programOf(args?.[0] ? this.#text(args[0]) : null), node)
      else if (member === UNKNOWN && args !== null) this.#add('loads-code', null, node)
    } else if (name === 'module') {
      if (member === UNKNOWN) this.#add('loads-code', null, node)
    } else if (name === 'eval' || name === 'Function') {
      // The old way to the global object, and the test whether a page allows eval.
      const isUsed = isPassedOn || (member === undefined && (name === 'eval' || args !== null))
      if (isUsed && !/^(?:return this;?)?$/.test(text ?? '-')) this.#add('runs-text', null, node)
    } else if (/^set(?:Timeout|Interval)$/.test(name ?? '')) {
      const code = args?.[isPassedOn ? 1 : 0]
      if (code && this.#text(code) !== null) this.#add('runs-text', null, node)
    } else if (name === 'WebAssembly') {
      if (args !== null) this.#add('native-code', 'WebAssembly', node)
    } else if (name === 'Worker' || name === 'SharedWorker') {
      if (args?.[0]) this.#load(node, args[0])
    } else if (name === 'location') {
      if (/^(?:assign|replace)$/.test(member ?? '') && args) talks(args[0] ? this.#text(args[0]) : null)
    } else if (name === 'navigator') {
      if (member === 'sendBeacon') talks(args?.[0] ? this.#text(args[0]) : null)
    } else if (args !== null && member === undefined && NETWORK_GLOBALS.has(name ?? ''))
      talks(name !== 'XMLHttpRequest' && args[0] ? this.#text(args[0]) : null)
    else if (NETWORK_GLOBALS.has(name ?? '') && (isPassedOn || (args === null && member === undefined))) talks(null)
    else if (name === 'importScripts') this.#add('loads-code', null, node)
  }

  /** Finds what a plugin registers with the harness. */
  #findRegistrations(callee: AnyNode, name: string, args: readonly Expression[], node: AnyNode): void {
    if (callee.type !== 'MemberExpression') return
    const [first] = args
    const owner = nameOf(callee.object)
    if (name === 'inject' && owner === 'slots') this.#add('slot', first ? this.#text(first) : null, node)
    else if (name === 'inject' && first?.type === 'ArrayExpression') this.#findServices(first)
    else if (name === 'get' && /^(?:ctx|context)$/.test(owner) && first && this.#text(first))
      this.#add('service', this.#text(first), node)
    else if (/^(?:on|once)$/.test(name) && first) {
      const [, heard] = HEARD_EVENT.exec(this.#text(first) ?? '') ?? []
      if (heard) this.#add('service', heard, node)
    } else if (name === 'register' && owner === 'tools') this.#add('agent-tool', this.#nameIn(first), node)
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

/** Text that is not known, and the sign of it within another. */
const ANY = ['…']
/** Texts of one expression that are followed. */
const MAX_TEXTS = 16
const isKnown = (text: string): boolean => !text.includes('…')
const isPartlyKnown = (text: string): boolean => text === '' || /[^…]/.test(text)
const limited = (texts: readonly string[]): readonly string[] => (texts.length > MAX_TEXTS ? ANY : texts)
const joined = (starts: readonly string[], ends: readonly string[]): readonly string[] =>
  starts.length * ends.length > MAX_TEXTS ? ANY : starts.flatMap((start) => ends.map((end) => `${start}${end}`))

/** Longest text that is searched for addresses, in characters. */
const MAX_TEXT = 100_000

/** Events of the harness by which a plugin hears, or decides, what agents do (0.2.1-rc.2). */
const HEARD_EVENT = /^(approval|credentials|session|tools)\/[\w-]+$/

/** Members of a function that pass it on. */
const PASSES_ON = /^(?:call|apply|bind)$/
/** Functions that use nothing of the global object that they get. */
const KEEPS_GLOBAL =
  /^(?:Object|Reflect)\.(?:apply|definePropert(?:y|ies)|deleteProperty|hasOwn|has|getOwnPropertyNames|is)$/
/** Names of the global object of a page, which pages give to functions for its events. */
const PAGE = /^(?:window|self)$/
/** Objects that have everything that code can use. */
const WHOLE = /^(?:globalThis|global|window|self)$/
const FUNCTION: Member = { module: 'global', path: ['Function'] }
const REQUIRE: Member = { module: 'require', path: [] }
/** A function of the file whose first parameter is `require`, where that is followed. */
const FACTORY: Member = { module: 'factory', path: [] }
/** Name of a loader in a bundle. */
const LOADER = /^__require\d*$/
/** Functions that load a module by its name, by their own. */
const LOADERS = new Set(
  'require global.module.require module._load process.getBuiltinModule global.process.getBuiltinModule'.split(' '),
)
const LOADER_FACTORIES = new Set(['module.createRequire', 'module.createRequireFromPath'])
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

function member(meaning: Meaning | null, given: string | null): Meaning | null {
  if (!isModule(meaning)) return null
  const { module, path } = meaning
  const name = given !== null && isKnown(given) ? given : null
  if (module === 'global' && WHOLE.test(path[0] ?? '')) return name === null ? null : globalNamed(name)
  // The modules that loaded it, and those that it loaded.
  if (module === 'global' && path[0] === 'module' && (path[1] === 'children' || name === 'parent'))
    return { module, path: ['module'] }
  // What a module exports is its own.
  if (module === 'global' && path[0] === 'module' && name === 'exports') return null
  if (module === 'global' && path[0] === 'module' && name === 'constructor') return { module: 'module', path: [] }
  if ((module === 'require' && name === 'main') || name === 'mainModule') return { module: 'global', path: ['module'] }
  if (module === 'module' && name === 'Module') return meaning
  // What follows a promise is not known.
  return { module, path: [...path, ...(name === null || name === 'then' ? [UNKNOWN] : memberPath(name))] }
}

const globalNamed = (name: string): Member | null =>
  name === 'require' ? REQUIRE : GLOBALS.has(name) ? { module: 'global', path: [name] } : null

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
/** Returns the function that a call runs at once, also by `call`; null where it is not in the call. */
function calledFunction(callee: AnyNode): FunctionNode | null {
  if (isFunction(callee)) return callee
  return callee.type === 'MemberExpression' && nameOf(callee) === 'call' && isFunction(callee.object)
    ? callee.object
    : null
}
/** Recognizes an option of a worker that does not make its file a text of code. */
const isNotEval = (option: AnyNode): boolean =>
  option.type === 'Property' && !option.computed && keyOf(option.key) !== 'eval'

/** Recognizes the exact function that bundlers write as `__require`, whatever name it was given since. */
function isLoaderOfBundler({ callee, start, end }: AnyNode & { readonly callee: AnyNode }, code: string): boolean {
  return (
    callee.type === 'ArrowFunctionExpression' &&
    end - start < 600 &&
    BUNDLER_LOADER.test(code.slice(start, end).replace(/\/\*.*?\*\/|\s+|;(?=\s*\})/g, ''))
  )
}
const NO_REQUIRE = 'typeofrequire(?:!==?"undefined"|<"u")'
const STRING = String.raw`(?:'[^'\\]*'|"(?:[^"\\]|\\.)*")`
const BUNDLER_LOADER = new RegExp(
  String.raw`^\(\(?([\w$]+)\)?=>${NO_REQUIRE}\?require:typeofProxy(?:!==?"undefined"|<"u")\?newProxy\(\1,\{get:\(([\w$]+),([\w$]+)\)=>\(${NO_REQUIRE}\?require:\2\)\[\3\]\}\):\1\)\(function\(([\w$]+)\)\{if\(${NO_REQUIRE}\)returnrequire\.apply\(this,arguments\);throw(?:new)?Error\(${STRING}\+\4\+${STRING}\)\}\)$`,
)

type FunctionNode = AnyNode & {
  readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'
}
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const isFunction = (node: AnyNode): node is FunctionNode => FUNCTIONS.has(node.type)
/** What has names of its own within a function. */
const BLOCKS = new Set(
  'BlockStatement CatchClause SwitchStatement ForStatement ForInStatement ForOfStatement StaticBlock'.split(' '),
)

const factoriesIn = ({ params }: FunctionNode, args: readonly AnyNode[]): string[] =>
  params.flatMap((parameter, index) => {
    const given = args[index]
    const isFactory = given && isFunction(given) && given.params[0] && keyOf(given.params[0]) === 'require'
    return isFactory && parameter.type === 'Identifier' ? [parameter.name] : []
  })

/** Returns the names that a pattern gives, and the code in it: its default values and computed keys. */
function partsOf(pattern: AnyNode): { readonly names: AnyNode[]; readonly code: AnyNode[] } {
  const of = (patterns: readonly (AnyNode | null)[], code: readonly AnyNode[] = []) => {
    const parts = patterns.flatMap((one) => (one ? partsOf(one) : []))
    return { names: parts.flatMap(({ names }) => names), code: [...code, ...parts.flatMap(({ code }) => code)] }
  }
  switch (pattern.type) {
    case 'Identifier':
      return { names: [pattern], code: [] }
    case 'AssignmentPattern':
      return of([pattern.left], [pattern.right])
    case 'RestElement':
      return of([pattern.argument])
    case 'Property':
      return of([pattern.value], pattern.computed ? [pattern.key] : [])
    case 'ObjectPattern':
      return of(pattern.properties)
    case 'ArrayPattern':
      return of(pattern.elements)
    default:
      return of([])
  }
}

function forEachChild(node: AnyNode, visit: (child: AnyNode) => void): void {
  // Faster than Object.values, and every key is the parser's own.
  for (const key in node) {
    const value = (node as Child)[key]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) visit(one)
    } else if (isNode(value)) visit(value)
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

// What modules and globals do

const GLOBALS = new Set(
  'process module globalThis window self global fetch WebSocket EventSource XMLHttpRequest navigator eval Function setTimeout setInterval WebAssembly importScripts Worker SharedWorker location'.split(
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
/** Modules and their members whose uses mean the same, whatever the arguments are. */
const USES: readonly (readonly [RegExp, ...CodeFinding[]])[] = [
  [/^(?:bindings|node-gyp-build|koffi|ffi-napi|ref-napi|pkg-prebuilds|wasi)(?:\.|$)/, 'native-code'],
  [
    /^(?:inspector|inspector\/promises|repl)(?:$|\.(?!(?:url|close|console|waitForDebugger|builtinModules)$))/,
    'runs-text',
  ],
  [/^vm(?:$|\.(?!isContext$))/, 'runs-text'],
  [/^sqlite(?:\.|$)/, 'writes-files', 'reads-files'],
  [/^v8\.(?:writeHeapSnapshot|setHeapSnapshotNearHeapLimit|startupSnapshot|\*)$/, 'writes-files'],
  [/^test\.run$/, 'loads-code'],
  [/^require\.extensions$/, 'loads-code'],
  [/^module\.(?:_load|_compile|_extensions|require|prototype|register|registerHooks|\*)$/, 'loads-code'],
]
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
