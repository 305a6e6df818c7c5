/**
 * What one file of JavaScript can do, read from its syntax. Nothing runs. Values are followed within the file: through
 * names, through what local functions get and return, and no further. All of it takes time linear in the file's size.
 */

import { isBuiltin } from 'node:module'
import { type AnyNode, type Expression, type Options, Parser } from 'acorn'
import { analyze, type Variable } from 'eslint-scope'
import type { AbilityKind } from '../../protocol/inspection.ts'

/** What code was seen to do. */
type CodeFinding = Exclude<AbilityKind, 'install-scripts' | 'patch-code' | 'changes-rows' | 'dependency'>

export interface Finding {
  readonly kind: CodeFinding
  /** What it is about, such as a program, a host, a variable; null when the code decides that while it runs. */
  readonly name: string | null
  /** From 1. */
  readonly line: number
}

export interface CodeFacts {
  readonly findings: readonly Finding[]
  /** Modules that it imports by name; a part that is not known is `…`. */
  readonly imports: readonly string[]
}

/** Longest file that is read, in characters. */
const MAX_CODE = 5_000_000
/** Steps from a name outwards to its scope, of all names together. The largest bundles take a tenth of it. */
const MAX_STEPS = 40_000_000
/** Values that are looked up again, as they refer to each other in a circle. */
const MAX_REPEATED = 3_000_000

class TooMuchWork extends Error {}

/** Parses without looking for names that are declared twice, which takes quadratic time, and counts names by their depth. */
const CodeParser = Parser.extend((Base) => {
  interface Internals {
    scopeStack: readonly unknown[]
    readonly labels: readonly unknown[]
    parseIdentNode(): AnyNode
    parseLabeledStatement(...given: readonly unknown[]): AnyNode
  }
  const Open = Base as unknown as new (options: Options, input: string, start?: number) => Internals
  return class extends Open {
    #steps = 0
    declareName(): void {}
    checkLocalExport(): void {}
    override parseIdentNode(): AnyNode {
      this.#count(this.scopeStack.length)
      return super.parseIdentNode()
    }
    // Each label is compared with those around it.
    override parseLabeledStatement(...given: readonly unknown[]): AnyNode {
      this.#count(this.labels.length)
      return super.parseLabeledStatement(...given)
    }
    #count(steps: number): void {
      this.#steps += steps
      if (this.#steps > MAX_STEPS) throw new TooMuchWork()
    }
  } as unknown as typeof Parser
})

// The scopes ask a few nodes for it. Their own lists would take as much memory as the rest of the tree.
Object.defineProperty(Object.getPrototypeOf(Parser.parse('', { ecmaVersion: 'latest' })), 'range', {
  get(this: AnyNode) {
    return [this.start, this.end]
  },
})

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
}

/** Returns what a file can do; a problem for text that is not JavaScript, or takes too much work. */
export function readCode(text: string): CodeFacts | 'not-javascript' | 'too-large' {
  if (text.length > MAX_CODE) return 'too-large'
  // A module and a script differ in few words, such as `with` and `await`.
  for (const sourceType of ['module', 'script'] as const)
    try {
      const program = CodeParser.parse(text, { ...OPTIONS, sourceType })
      return new Reader(text, program, sourceType).read()
    } catch (error) {
      // A RangeError is the end of the stack: it is nested deeper than an engine runs.
      if (error instanceof TooMuchWork || error instanceof RangeError) return 'too-large'
      if (!(error instanceof SyntaxError)) throw error
    }
  return 'not-javascript'
}

/** What a value stands for: a member of a module, a global, or a known text. */
type Meaning = Member | Texts
interface Texts {
  /** Those that it can be, with … for a part that is not known. */
  readonly texts: readonly string[]
}
interface Member {
  /**
   * Name of a module; `global` for globals, `require` for a function that loads modules, `constructor` for a constructor of
   * something unknown, `element` for one of a page.
   */
  readonly module: string
  readonly path: readonly string[]
}
const isModule = (meaning: Meaning | null): meaning is Member => meaning !== null && 'module' in meaning
const isSame = (a: Meaning | null, b: Meaning | null): boolean =>
  isModule(a) && isModule(b) && nameOfMember(a) === nameOfMember(b)
/** Recognizes a function that loads a module by its name. */
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
/** Recognizes an object or function that leads to everything: `process`, the global object, a loader. */
const isWhole = (meaning: Meaning | null): meaning is Member =>
  isLoader(meaning) || makesLoader(meaning) || (isModule(meaning) && WHOLE.test(nameOfMember(meaning)))

type Child = AnyNode & Record<string, unknown>
/** A value that a name is given, or a part of it. */
interface Source {
  readonly node: AnyNode
  readonly path: readonly (string | AnyNode)[]
}

class Reader {
  readonly #code: string
  readonly #program: AnyNode
  readonly #findings: Finding[] = []
  readonly #imports = new Set<string>()

  // Names
  readonly #variables = new Map<AnyNode, Variable>()
  readonly #sources = new Map<Variable, Source[]>()
  readonly #functions = new Map<Variable, FunctionNode>()
  readonly #returns = new Map<AnyNode, AnyNode[]>()
  /** Functions whose calls are known, so that what they return is followed. */
  readonly #called = new Set<AnyNode>()
  #function: AnyNode | null = null
  readonly #ofVariables = new Map<Variable, Meaning | null>()
  readonly #ofNodes = new Map<AnyNode, Meaning | null>()
  readonly #ofTexts = new Map<AnyNode, readonly string[]>()
  /** Variables whose values are being looked up, and the number of circles among them. */
  readonly #open = new Set<Variable>()
  #circles = 0
  /** What was found to be nothing meanwhile. */
  readonly #unknown = { nodes: [] as AnyNode[], texts: [] as AnyNode[], variables: [] as Variable[] }
  #steps = 0

  /** Offsets of line ends. */
  readonly #lineEnds: number[] = []

  constructor(code: string, program: AnyNode, sourceType: 'module' | 'script') {
    this.#code = code
    this.#program = program
    for (let end = code.indexOf('\n'); end !== -1; end = code.indexOf('\n', end + 1)) this.#lineEnds.push(end)
    const { scopes } = analyze(program as Parameters<typeof analyze>[0], {
      ecmaVersion: 2026,
      sourceType: sourceType === 'module' ? 'module' : 'commonjs',
      ignoreEval: true,
    })
    for (const { references, variables } of scopes) {
      for (const variable of variables)
        for (const { name } of variable.defs) this.#variables.set(name as AnyNode, variable)
      for (const { identifier, resolved } of references)
        if (resolved && resolved.defs.length > 0) this.#variables.set(identifier as AnyNode, resolved)
    }
  }

  read(): CodeFacts {
    const calls: CallNode[] = []
    this.#collect(this.#program, null, calls)
    for (const call of calls) this.#bindArguments(call)
    this.#visit(this.#program)
    return { findings: this.#findings, imports: [...this.#imports] }
  }

  #add(kind: CodeFinding, name: string | null, { start }: Pick<AnyNode, 'start'>): void {
    let [low, high] = [0, this.#lineEnds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#lineEnds[middle]! < start) low = middle + 1
      else high = middle
    }
    this.#findings.push({ kind, name, line: low + 1 })
  }

  // Names

  /** Collects the values that each name is given, what functions return, and all calls. */
  #collect(node: AnyNode, inside: AnyNode | null, calls: CallNode[]): void {
    if (node.type === 'VariableDeclarator' && node.init) this.#bind(node.id, node.init)
    if (node.type === 'AssignmentExpression' && /^(?:\?\?|&&|\|\|)?=$/.test(node.operator))
      this.#bind(node.left, node.right)
    if (node.type === 'CallExpression' || node.type === 'NewExpression') calls.push(node)
    if (node.type === 'ReturnStatement' && node.argument && inside) this.#returns.get(inside)?.push(node.argument)
    let inner = inside
    if (isFunction(node)) {
      inner = node
      this.#returns.set(node, node.body.type === 'BlockStatement' ? [] : [node.body])
      const variable = node.type === 'FunctionDeclaration' && node.id ? this.#variables.get(node.id) : undefined
      if (variable) this.#functions.set(variable, node)
      for (const parameter of node.params) this.#bindDefaults(parameter)
    }
    forEachChild(node, (child) => this.#collect(child, inner, calls))
  }

  /** Notes what the names of a pattern are given: `const { spawn: run } = …`. */
  #bind(pattern: AnyNode, node: AnyNode, path: Source['path'] = []): void {
    if (pattern.type === 'Identifier') {
      const variable = this.#variables.get(pattern)
      if (!variable) return
      const sources = this.#sources.get(variable) ?? []
      sources.push({ node, path })
      this.#sources.set(variable, sources)
      if (isFunction(node) && path.length === 0) this.#functions.set(variable, node)
    }
    if (pattern.type === 'AssignmentPattern') {
      this.#bind(pattern.left, node, path)
      this.#bind(pattern.left, pattern.right)
    }
    if (pattern.type === 'RestElement') this.#bind(pattern.argument, node, path)
    if (pattern.type !== 'ObjectPattern') return
    for (const property of pattern.properties)
      if (property.type === 'RestElement') this.#bind(property, node, path)
      else {
        const key = property.computed ? property.key : (keyOf(property.key) ?? property.key)
        this.#bind(property.value, node, [...path, key])
      }
  }

  #bindDefaults(parameter: AnyNode): void {
    if (parameter.type === 'AssignmentPattern') this.#bind(parameter.left, parameter.right)
  }

  /** Gives the parameters of a function of the file what a call gives it. */
  #bindArguments({ callee, arguments: given }: CallNode): void {
    const called = this.#calledFunction(callee)
    if (called === null) return
    this.#called.add(called)
    const isByCall = callee.type === 'MemberExpression'
    for (const [index, parameter] of called.params.entries()) {
      const argument = given[isByCall ? index + 1 : index]
      if (argument?.type === 'SpreadElement') return
      if (argument) this.#bind(parameter, argument)
    }
  }

  /** Returns the function of the file that a call runs, also by `call`; null when it is another. */
  #calledFunction(callee: AnyNode): FunctionNode | null {
    if (callee.type === 'MemberExpression') return nameOf(callee) === 'call' ? this.#localFunction(callee.object) : null
    return this.#localFunction(callee)
  }

  #localFunction(node: AnyNode): FunctionNode | null {
    if (isFunction(node)) return node
    const variable = node.type === 'Identifier' ? this.#variables.get(node) : undefined
    if (!variable) return null
    // Given as an argument: the factory of a module of the form UMD.
    const [first] = this.#sources.get(variable) ?? []
    return (
      this.#functions.get(variable) ?? (first && first.path.length === 0 && isFunction(first.node) ? first.node : null)
    )
  }

  #ofVariable(variable: Variable): Meaning | null {
    const known = this.#ofVariables.get(variable)
    if (known !== undefined) return known
    if (this.#open.has(variable)) {
      this.#circles++
      return null
    }
    const { circles, nodes, texts, variables } = { ...this.#unknown, circles: this.#circles }
    const [ofNodes, ofTexts, ofVariables] = [nodes.length, texts.length, variables.length]
    this.#open.add(variable)
    const meaning = this.#findOfVariable(variable)
    this.#open.delete(variable)
    this.#ofVariables.set(variable, meaning)
    if (meaning === null) variables.push(variable)
    // What was looked up within a circle may have missed this.
    else if (isModule(meaning) && this.#circles > circles) {
      this.#steps += nodes.length - ofNodes + variables.length - ofVariables
      if (this.#steps > MAX_REPEATED) throw new TooMuchWork()
      for (const node of nodes.splice(ofNodes)) this.#ofNodes.delete(node)
      for (const node of texts.splice(ofTexts)) this.#ofTexts.delete(node)
      for (const one of variables.splice(ofVariables)) this.#ofVariables.delete(one)
    }
    if (this.#open.size === 0) for (const list of [nodes, texts, variables]) list.length = 0
    return meaning
  }

  #findOfVariable(variable: Variable): Meaning | null {
    for (const { type, node, parent } of variable.defs)
      if (type === 'ImportBinding' && parent?.type === 'ImportDeclaration') {
        const { imported } = node as { imported?: { name?: string; value?: unknown } }
        const member = node.type === 'ImportSpecifier' ? String(imported?.name ?? imported?.value) : null
        return LOADER.test(variable.name)
          ? REQUIRE
          : { module: moduleName(parent.source.value), path: memberPath(member) }
      }
    const sources = this.#sources.get(variable) ?? []
    const isParameter = variable.defs.some(({ type }) => type === 'Parameter')
    const texts = new Set<string>()
    let given = 0
    for (const { node, path } of sources) {
      const [first, ...others] = path
      let meaning = first === undefined ? this.#meaning(node) : this.#memberOf(node, this.#keyText(first))
      for (const key of others) meaning = member(meaning, this.#keyText(key))
      const isForeign = isModule(meaning) && meaning.module === CONSTRUCTOR.module && isParameter
      if (isModule(meaning) && !isVariable(meaning) && !isForeign) return meaning
      given++
      for (const text of meaning && !isModule(meaning) ? meaning.texts : ANY) texts.add(text)
    }
    // A wrapper of CommonJS gets its loader.
    if (sources.length === 0 && variable.name === 'require' && isParameter) return REQUIRE
    if (LOADER.test(variable.name) && sources.length === 0) return REQUIRE
    if (variable.references.filter((one) => one.isWrite()).length > given) texts.add('…')
    const all = limited([...texts])
    return all.some(isPartlyKnown) ? { texts: all } : null
  }

  #keyText = (key: string | AnyNode): string | null => (typeof key === 'string' ? key : this.#text(key))

  /** Returns what a value stands for; null when that is nothing of interest. */
  #meaning(node: AnyNode): Meaning | null {
    if (!MEANINGFUL.has(node.type)) return null
    if (node.type === 'Identifier') return this.#ofName(node)
    if (node.type === 'Literal') return typeof node.value === 'string' ? { texts: [node.value] } : null
    const known = this.#ofNodes.get(node)
    if (known !== undefined) return known
    // A function that calls itself.
    this.#ofNodes.set(node, null)
    const meaning = this.#findMeaning(node)
    this.#ofNodes.set(node, meaning)
    if (meaning === null && this.#open.size > 0) this.#unknown.nodes.push(node)
    return meaning
  }

  #ofName(node: AnyNode & { readonly type: 'Identifier' }): Meaning | null {
    const variable = this.#variables.get(node)
    return variable ? this.#ofVariable(variable) : LOADER.test(node.name) ? REQUIRE : globalNamed(node.name)
  }

  #findMeaning(node: AnyNode): Meaning | null {
    switch (node.type) {
      case 'MemberExpression':
        // The wrapper of a module of CommonJS has its loader second.
        if (nameOf(node.object) === 'arguments' && nameOf(node) === '1' && this.#function === null) return REQUIRE
        return node.object.type === 'Super'
          ? null
          : this.#memberOf(node.object, node.computed ? this.#text(node.property) : keyOf(node.property))
      case 'AwaitExpression':
        return this.#meaning(node.argument)
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.#meaning(node.expression)
      case 'AssignmentExpression':
        return this.#meaning(node.right)
      case 'LogicalExpression':
        // The left side of && is only tested.
        return (node.operator === '&&' ? null : this.#meaning(node.left)) ?? this.#meaning(node.right)
      case 'SequenceExpression':
        return this.#meaning(node.expressions.at(-1)!)
      case 'ImportExpression':
        return this.#moduleOf(node.source)
      case 'NewExpression':
        if (nameOf(node.callee) === 'Image' && isGlobal(this.#meaning(node.callee))) return elementNamed('img')
        return this.#textMeaning(node)
      case 'CallExpression':
        return node.callee.type === 'Super' ? null : this.#ofCall(node)
      case 'ConditionalExpression':
        // `typeof globalThis === 'object' ? globalThis : this`.
        for (const one of [node.consequent, node.alternate]) {
          const meaning = this.#meaning(one)
          if (isModule(meaning) && (isWhole(meaning) || isPage(meaning))) return meaning
        }
        return this.#textMeaning(node)
      case 'BinaryExpression':
        return node.operator === '+' ? this.#textMeaning(node) : null
      case 'TemplateLiteral':
        return this.#textMeaning(node)
      default:
        return null
    }
  }

  #textMeaning(node: AnyNode): Meaning | null {
    const texts = this.#texts(node)
    return texts.some(isPartlyKnown) ? { texts } : null
  }

  #memberOf(object: AnyNode, name: string | null): Meaning | null {
    const meaning = this.#meaning(object)
    if (name === 'constructor') {
      if (isModule(meaning) && meaning.module === 'constructor') return FUNCTION
      if (
        isFunction(object) ||
        (isModule(meaning) && /^global\.(?:\w*Function)(?:\.prototype)?$/.test(nameOfMember(meaning)))
      )
        return FUNCTION
      // The class of the object itself is known to its code.
      if (!isModule(meaning) && object.type !== 'ThisExpression') return CONSTRUCTOR
    }
    return member(meaning, name)
  }

  #ofCall(node: CallNode): Meaning | null {
    const [first] = node.arguments
    const { callee } = node
    const meaning = this.#meaning(callee)
    if (isFunction(callee) && returnsThis(callee)) return GLOBAL
    const made = callee.type === 'CallExpression' || callee.type === 'NewExpression' ? callee : null
    // `Function('return this')()`.
    if (
      made?.arguments[0] &&
      isSame(this.#meaning(made.callee), FUNCTION) &&
      isReturnOfThis(this.#text(made.arguments[0]))
    )
      return GLOBAL
    if (first !== undefined && first.type !== 'SpreadElement') {
      if (isLoader(meaning)) return this.#moduleOf(first)
      if (nameOf(callee) === 'createRequire' || makesLoader(meaning)) return REQUIRE
      if (isLoaderOfBundler(node, this.#code)) return REQUIRE
      if (nameOf(callee) === 'createElement') return elementNamed(this.#text(first))
    }
    const called = this.#calledFunction(callee)
    if (called !== null) {
      for (const value of this.#returns.get(called) ?? []) {
        const returned = this.#meaning(value)
        if (isModule(returned)) return returned
      }
      return null
    }
    if (first === undefined || first.type === 'SpreadElement') return null
    return WRAPPER.test(nameOf(callee)) || this.#isModuleCall(first) ? this.#meaning(first) : null
  }

  /** Recognizes a call that loads a module by its name: whatever the name of `require`, or what is like it. */
  #isLoader(callee: AnyNode): boolean {
    return callee.type !== 'Super' && isLoader(this.#meaning(callee))
  }

  #moduleOf(node: AnyNode): Meaning | null {
    const name = this.#texts(node).find(isKnown)
    return name === undefined ? null : { module: moduleName(name), path: [] }
  }

  /** Returns the first known text of an expression, with … for a part that is not known; null when there is none. */
  #text(node: AnyNode): string | null {
    return this.#texts(node).find(isPartlyKnown) ?? null
  }

  /** Returns every text that an expression can be, with … for a part that is not known. */
  #texts(node: AnyNode): readonly string[] {
    if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : ANY
    if (!TEXTUAL.has(node.type)) return ANY
    const known = this.#ofTexts.get(node)
    if (known !== undefined) return known
    this.#ofTexts.set(node, ANY)
    const texts = limited(this.#findTexts(node))
    this.#ofTexts.set(node, texts)
    if (texts === ANY && this.#open.size > 0) this.#unknown.texts.push(node)
    return texts
  }

  #findTexts(node: AnyNode): readonly string[] {
    const textsOf = (one: AnyNode) => this.#texts(one)
    switch (node.type) {
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
        if (
          node.arguments.length > 0 &&
          isModule(callee) &&
          /^path\.(?:posix\.)?(?:join|resolve)$/.test(nameOfMember(callee))
        )
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
        return [...textsOf(node.consequent), ...textsOf(node.alternate)]
      case 'LogicalExpression':
        return [...textsOf(node.left), ...textsOf(node.right)]
      case 'SequenceExpression':
        return textsOf(node.expressions.at(-1)!)
      case 'AssignmentExpression':
        return textsOf(node.right)
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return textsOf(node.expression)
      case 'Identifier': {
        const variable = this.#variables.get(node)
        // Modules are named from the folder of their file.
        if (variable === undefined) return node.name === '__dirname' ? ['.'] : ANY
        const meaning = this.#ofVariable(variable)
        return meaning && !isModule(meaning) ? meaning.texts : ANY
      }
      default:
        return ANY
    }
  }

  // Uses

  /** Finds what an expression or a statement uses. A value that is visited goes where it is not followed. */
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
        else if (node.type === 'ExportNamedDeclaration') this.#visitExport(node)
        return
      case 'ExportDefaultDeclaration':
        this.#findPlugin(node.declaration)
        break
      case 'ExpressionStatement':
        if (this.#isModuleCall(node.expression)) this.#visitLoad(node.expression)
        else this.#visit(node.expression)
        return
      case 'ReturnStatement':
        if (node.argument) this.#visitReturned(node.argument)
        return
      case 'ImportExpression':
        this.#visitLoad(node)
        this.#noteWhole(node)
        return
      case 'CallExpression':
      case 'NewExpression':
        this.#visitCall(node)
        // What a function of the file returns was followed to here.
        if (
          this.#calledFunction(node.callee) !== null ||
          (this.#meaning(node.callee) === null && isWhole(this.#meaning(node)))
        )
          this.#noteWhole(node)
        return
      case 'Identifier':
      case 'MemberExpression': {
        const meaning = this.#meaning(node)
        if (isModule(meaning) && meaning.module !== 'constructor') {
          this.#visitLoad(node)
          this.#note(meaning, null, node)
        }
        // The name of a property is no use of a variable.
        else if (node.type === 'MemberExpression') this.#visitMember(node)
        return
      }
      case 'Literal':
        if (typeof node.value === 'string' && CONTAINERS.test(node.value)) this.#add('starts-programs', 'docker', node)
        return
      case 'VariableDeclarator':
        // Its pattern gives names, and may have code of its own.
        this.#visitPattern(node.id)
        if (node.init) this.#give(node.id, node.init)
        return
      case 'UnaryExpression':
        if (/^(?:typeof|!|void|delete)$/.test(node.operator)) this.#test(node.argument)
        else this.#visit(node.argument)
        return
      case 'BinaryExpression':
        this.#visitComparison(node)
        return
      case 'LogicalExpression':
        if (node.operator === '&&') this.#test(node.left)
        else this.#visit(node.left)
        this.#visit(node.right)
        return
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
        this.#test(node.test)
        forEachChild(node, (child) => child !== node.test && this.#visit(child))
        return
      case 'AssignmentExpression':
        this.#visitAssignment(node)
        return
      case 'TaggedTemplateExpression': {
        const meaning = this.#meaning(node.tag)
        if (isModule(meaning)) {
          this.#note(meaning, [node.quasi], node)
          this.#visitLoad(node.tag)
        } else this.#visit(node.tag)
        this.#visit(node.quasi)
        return
      }
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (keyOf(node.key) === 'inject') this.#findServices(node.value, node.type !== 'Property' && node.static)
        if (node.computed) this.#visit(node.key)
        if (node.value) this.#visit(node.value)
        return
      case 'ForInStatement':
        // The names of what it has are no use of it.
        this.#follow(node.right)
        this.#visit(node.left)
        this.#visit(node.body)
        return
      case 'LabeledStatement':
        this.#visit(node.body)
        return
      case 'CatchClause':
        if (node.param) this.#visitPattern(node.param)
        this.#visit(node.body)
        return
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return
    }
    forEachChild(node, (child) => this.#visit(child))
  }

  /** Visits an expression whose value is followed, or used by nobody: only what is in it counts. */
  #follow(node: AnyNode): void {
    if (isModule(this.#meaning(node))) this.#visitLoad(node)
    else this.#visit(node)
  }

  /** Visits a value that is only looked at: a test whether it is there. */
  #test(node: AnyNode): void {
    if (node.type === 'LogicalExpression') {
      this.#test(node.left)
      this.#test(node.right)
    } else if (/^(?:Identifier|MemberExpression|ChainExpression)$/.test(node.type)) this.#follow(node)
    else this.#visit(node)
  }

  /** Follows what an expression loads whose use is noted elsewhere: a name given to a module is no use of it. */
  #visitLoad(node: AnyNode): void {
    switch (node.type) {
      case 'Identifier':
        break
      case 'MemberExpression':
        if (node.object.type !== 'Super') this.#follow(node.object)
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
      case 'AssignmentExpression':
        this.#visitAssignment(node)
        break
      case 'ConditionalExpression':
        this.#test(node.test)
        this.#follow(node.consequent)
        this.#follow(node.alternate)
        break
      default:
        forEachChild(node, (child) => this.#follow(child))
    }
  }

  /** Notes a module that is used as a whole. */
  #noteWhole(node: AnyNode): void {
    const meaning = this.#meaning(node)
    if (isModule(meaning)) this.#note(meaning, null, node)
  }

  #visitMember(node: AnyNode & { readonly type: 'MemberExpression' }): void {
    if (node.object.type !== 'Super') {
      const meaning = this.#meaning(node.object)
      // A member that is chosen while the code runs.
      if (node.computed && isWhole(meaning) && !isLoader(meaning) && !this.#isOwnKey(node.property))
        this.#add('anything', nameOfWhole(meaning), node)
      this.#follow(node.object)
    }
    if (node.computed) this.#visit(node.property)
  }

  /** Recognizes the key of a member that is known, or is a symbol: neither the engine nor Node has it. */
  #isOwnKey(node: AnyNode): boolean {
    if (node.type === 'ConditionalExpression') return this.#isOwnKey(node.consequent) && this.#isOwnKey(node.alternate)
    if (isSymbol(node) || this.#texts(node).every(isKnown)) return true
    const variable = node.type === 'Identifier' ? this.#variables.get(node) : undefined
    const sources = (variable && this.#sources.get(variable)) ?? []
    return (
      sources.length > 0 &&
      sources.length < MAX_TEXTS &&
      sources.every(({ node, path }) => path.length === 0 && node.type !== 'Identifier' && this.#isOwnKey(node))
    )
  }

  #visitComparison(node: AnyNode & { readonly type: 'BinaryExpression' }): void {
    const { left, right, operator } = node
    if (operator === 'in' && isEnvironment(this.#meaning(right)) && this.#text(left) !== null)
      this.#add('environment', this.#text(left), node)
    if (operator === 'in' || operator === 'instanceof') {
      // A test whether an object has a member, or is of a class, does not use it.
      this.#test(left)
      this.#follow(right)
    } else if (/^[!=]==?$/.test(operator)) for (const one of [left, right]) this.#test(one)
    else for (const one of [left, right]) this.#visit(one)
  }

  #visitAssignment(node: AnyNode & { readonly type: 'AssignmentExpression' }): void {
    const { left, right } = node
    if (left.type === 'MemberExpression') {
      const isExport = EXPORTS.test(nameOf(left.object)) || nameOf(left.object) === 'module'
      if (nameOf(left) === 'inject')
        this.#findServices(right, (isExport && this.#mayBePlugin()) || this.#isOwnPlugin(left.object))
      if (isExport && nameOf(left) === 'exports') this.#findPlugin(right)
      this.#noteReplaced(this.#meaning(left), left)
      this.#noteSent(left.object, nameOf(left), right, node)
      if (left.object.type !== 'Super') this.#follow(left.object)
      if (left.computed) this.#visit(left.property)
      this.#visit(right)
      return
    }
    // What leads the page elsewhere when it is set.
    const meaning = this.#meaning(left)
    if (isModule(meaning) && nameOfMember(meaning) === 'global.location')
      this.#noteRequest(this.#text(right), node, true)
    this.#visitPattern(left)
    this.#give(left, right)
  }

  /** Visits the code in a pattern: its computed keys and default values. */
  #visitPattern(pattern: AnyNode): void {
    const { code, defaults } = partsOfPattern(pattern)
    for (const one of code) this.#visit(one)
    for (const { left, right } of defaults) this.#give(left, right)
  }

  /** Visits a value that a name gets, which is followed by that name where it stands for nothing else. */
  #give(pattern: AnyNode, value: AnyNode): void {
    const meaning = this.#meaning(value)
    const isFollowed =
      pattern.type === 'ObjectPattern' || (pattern.type === 'Identifier' && isSame(this.#meaning(pattern), meaning))
    // A variable is read where its name is given.
    if (isModule(meaning) && isVariable(meaning)) this.#visit(value)
    else if (isFollowed) this.#follow(value)
    else this.#visit(value)
    if (pattern.type === 'ObjectPattern' && isModule(meaning)) this.#noteTaken(pattern, meaning)
  }

  /** Notes the variables of the environment that a pattern takes. */
  #noteTaken(pattern: AnyNode & { readonly type: 'ObjectPattern' }, meaning: Member): void {
    for (const one of pattern.properties) {
      if (one.type !== 'Property') continue
      const taken = member(meaning, one.computed ? this.#text(one.key) : keyOf(one.key))
      if (isModule(taken) && isVariable(taken)) this.#note(taken, null, one)
      if (one.value.type === 'ObjectPattern' && isModule(taken)) this.#noteTaken(one.value, taken)
    }
  }

  #visitReturned(value: AnyNode): void {
    // Its calls are known, and what they are given back is followed.
    if (this.#function && this.#called.has(this.#function)) this.#follow(value)
    else this.#visit(value)
  }

  #visitExport(node: AnyNode & { readonly type: 'ExportNamedDeclaration' }): void {
    for (const { local, exported } of node.specifiers) {
      if (keyOf(exported) === 'inject') {
        const variable = this.#variables.get(local)
        const [source] = (variable && this.#sources.get(variable)) ?? []
        this.#findServices(source?.node, this.#mayBePlugin())
      }
      this.#noteExported(local)
    }
    if (!node.declaration) return
    if (node.declaration.type === 'VariableDeclaration')
      for (const { id, init } of node.declaration.declarations) {
        if (keyOf(id) === 'inject') this.#findServices(init, this.#mayBePlugin())
        for (const name of partsOfPattern(id).names) this.#noteExported(name)
      }
    this.#visit(node.declaration)
  }

  /** Notes what other files get by a name, as values are followed within a file only. */
  #noteExported(name: AnyNode): void {
    const meaning = this.#meaning(name)
    if (isModule(meaning) && !LOADER.test(keyOf(name) ?? '')) this.#note(meaning, null, name)
  }

  #visitFunction(node: FunctionNode): void {
    const outer = this.#function
    this.#function = node
    for (const parameter of node.params) this.#visitPattern(parameter)
    if (node.body.type === 'BlockStatement') this.#visit(node.body)
    else this.#visitReturned(node.body)
    this.#function = outer
  }

  #visitCall(node: CallNode): void {
    const { callee } = node
    const args = node.arguments as readonly Expression[]
    const [first] = args
    const meaning = callee.type === 'Super' ? null : this.#meaning(callee)
    if (first && isLoader(meaning)) {
      // Also a constructor returns the module.
      const call = node.type === 'NewExpression' ? { ...node, type: 'CallExpression' as const, optional: false } : node
      this.#visitLoad(call)
      this.#noteWhole(call)
      return
    }
    if (isLoaderOfBundler(node, this.#code)) return
    const name = nameOf(callee)
    if (isModule(meaning) && meaning.module !== 'constructor') {
      this.#visitLoad(callee)
      this.#note(meaning, args, node)
    } else if (callee.type !== 'Super') {
      // Only Function is called without `new` and makes code of a text.
      if (meaning !== null && isModule(meaning) && node.type === 'CallExpression' && first)
        this.#add('runs-text', null, node)
      if (name === '_compile' && first) this.#add('runs-text', null, node)
      this.#visit(callee)
      this.#findServicesOfCall(callee, name, args, node)
    }
    this.#visitArguments(node, meaning)
  }

  #visitArguments(node: CallNode, callee: Meaning | null): void {
    const name = nameOf(node.callee)
    const owner = node.callee.type === 'MemberExpression' ? nameOf(node.callee.object) : ''
    const [first, second, third] = node.arguments
    const called = this.#calledFunction(node.callee)
    const start = called && node.callee.type === 'MemberExpression' ? 1 : 0
    if (owner === 'Object' && name === 'defineProperty' && first && second) {
      const meaning = this.#meaning(first)
      if (isModule(meaning)) this.#noteReplaced(member(meaning, this.#text(second)), node)
    }
    if (name === 'setAttribute' && first && second && node.callee.type === 'MemberExpression') {
      const attribute = this.#text(first) ?? ''
      if (/^on\w/i.test(attribute) && this.#text(second) !== 'return;') this.#add('runs-text', null, node)
      this.#noteSent(node.callee.object, attribute, second, node)
    }
    // Reflect uses what it gets, with a list of arguments.
    const used = owner === 'Reflect' && /^(?:construct|apply)$/.test(name) && first ? this.#meaning(first) : null
    if (isModule(used)) {
      const list = name === 'construct' ? second : third
      const given = list?.type === 'ArrayExpression' ? list.elements.filter((one) => one?.type !== 'SpreadElement') : []
      this.#note(used, given as readonly Expression[], first!)
    }
    for (const [index, argument] of node.arguments.entries()) {
      this.#findPlugin(argument)
      const parameter = called?.params[index - start]
      const isFollowed =
        (parameter && /^(?:Identifier|ObjectPattern)$/.test(parameter.type)) ||
        // The first argument of these is `this`.
        (index === 0 && (start === 1 || PASSES_ON.test(name) || isModule(used))) ||
        (index === 0 && KEEPS_GLOBAL.test(`${owner}.${name}`)) ||
        (index === 0 && (isLoader(callee) || WRAPPER.test(name)) && isModule(this.#meaning(node)))
      if (isFollowed && argument.type !== 'SpreadElement') this.#follow(argument)
      else this.#visit(argument)
    }
  }

  #isModuleCall(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression') return this.#isModuleCall(node.argument)
    return node.type === 'ImportExpression' || (node.type === 'CallExpression' && this.#isLoader(node.callee))
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
    const names = this.#texts(source)
    for (const name of new Set(names)) {
      if (name.startsWith('data:')) this.#add('runs-text', null, node)
      else if (name === '…') this.#add('loads-code', null, node)
      else {
        this.#imports.add(name)
        if (!isKnown(name) && !name.startsWith('./')) this.#add('loads-code', name, node)
      }
      // The meaning of the call is that of one of them.
      if (names.length > 1 && isKnown(name)) this.#note({ module: moduleName(name), path: [] }, null, node)
    }
  }

  /** Notes the use of a member of a module or a global. @param args its arguments; null when it is not called here */
  #note(meaning: Member, args: readonly Expression[] | null, node: AnyNode): void {
    const { module, path } = meaning
    const [name] = path
    const text = (index: number) => (args?.[index] ? this.#text(args[index]) : null)
    const isPassedOn = PASSES_ON.test(path.at(-1) ?? '')
    if (isPassedOn && args?.[0]) {
      const passed = { module, path: path.slice(0, -1) }
      const by = path.at(-1)
      // `call` and `bind` pass on the arguments after the first; `apply` calls with some that are unknown.
      const given = by === 'call' || args.length > 1 ? (by === 'apply' ? [] : args.slice(1)) : null
      if (given?.[0] && isLoader(passed)) this.#load(node, given[0])
      else if (isLoader(passed) && by === 'apply') this.#add('loads-code', null, node)
      else this.#note(passed, given, node)
      return
    }
    // Whoever gets one of these can do all that they lead to.
    if (args === null && isWhole(meaning)) this.#add('anything', nameOfWhole(meaning), node)
    else if (module === 'global') this.#noteGlobal(path, args, node)
    else if (module === 'process') this.#noteGlobal(['process', ...path], args, node)
    else if (module === 'child_process' || PROGRAM_STARTERS.has(module)) {
      if (name !== 'ChildProcess') this.#add('starts-programs', programOf(text(0)), node)
    } else if (BROWSERS.test(module)) {
      if (args === null ? name === undefined : /^(?:launch|connect|use)/.test(path.at(-1) ?? ''))
        this.#add('starts-programs', module, node)
    } else if (FILE_MODULES.has(module)) {
      if (writesFiles(name ?? null, args?.length === 1 ? 'r' : text(1))) this.#add('writes-files', null, node)
    } else if (NETWORK_MODULES.has(packageOf(module))) this.#noteNetwork(meaning, args, node)
    else if (module === 'worker_threads' && name === 'Worker') {
      const options = args?.[1] && this.#valueOf(args[1])
      // Without options that show otherwise, its text names a file.
      if (options?.type === 'ObjectExpression' && !options.properties.every(isNotEval))
        this.#add('runs-text', null, node)
      else if (options && options.type !== 'ObjectExpression') this.#add('loads-code', null, node)
      else if (args?.[0]) this.#load(node, args[0])
      else this.#add('loads-code', null, node)
    }
    const used = name === undefined ? module : `${module}.${name}`
    for (const [pattern, kind] of USES) if (pattern.test(used)) this.#add(kind, null, node)
  }

  #noteNetwork({ module, path: [name = ''] }: Member, args: readonly Expression[] | null, node: AnyNode): void {
    if (/^(?:createServer|Server|WebSocketServer|createSecureServer)$/.test(name)) this.#add('listens', null, node)
    else if (!NO_REQUEST.test(name)) {
      const [first, second] = args ?? []
      const given = first?.type === 'ObjectExpression' ? this.#addressIn(first) : first && this.#text(first)
      // A port, and the host after it.
      const host = given === null && second && /^(?:net|tls)$/.test(module) ? this.#text(second) : null
      const isSocket = isBuiltin(module) && given?.startsWith('/')
      if (isSocket) this.#add('network', given!, node)
      else this.#noteRequest(host === null ? (given ?? null) : `tcp://${host}`, node, !isBuiltin(module))
    }
  }

  /** Returns the address in the options of a request. */
  #addressIn(options: AnyNode & { readonly type: 'ObjectExpression' }): string | null {
    for (const one of options.properties) {
      if (one.type !== 'Property' || one.computed) continue
      const key = keyOf(one.key) ?? ''
      const text = /^(?:url|baseURL|socketPath|path|host|hostname|origin)$/.test(key) ? this.#text(one.value) : null
      if (text !== null && /^host/.test(key)) return `tcp://${text}`
      if (text !== null && !(key === 'path' && options.properties.length > 1)) return text
    }
    return null
  }

  /** @param isOfPage true where an address without a host is that of the page */
  #noteRequest(address: string | null, node: AnyNode, isOfPage: boolean): void {
    if (address !== null && isOfPage && /^(?:\.{0,2}\/(?!\/)|[?#]|data:|blob:|about:|javascript:)/.test(address)) return
    this.#add('network', address === null ? null : (hostOf(address) ?? localHostOf(address)), node)
  }

  /** Notes what an element of a page requests or runs when an attribute of it is set. */
  #noteSent(object: AnyNode, attribute: string, value: AnyNode, node: AnyNode): void {
    if (object.type === 'Super') return
    const meaning = this.#meaning(object)
    if (isModule(meaning) && nameOfMember(meaning) === 'global.location' && attribute === 'href')
      this.#noteRequest(this.#text(value), node, true)
    if (!isModule(meaning) || meaning.module !== 'element' || !/^(?:src|srcset|action|href|data|ping)$/.test(attribute))
      return
    const [element] = meaning.path
    if (element === 'script') this.#add('loads-code', hostOf(this.#text(value) ?? ''), node)
    // A link leads elsewhere only when it is pressed.
    else if (element !== 'a') this.#noteRequest(this.#text(value), node, true)
  }

  /** Notes that something is replaced which other code uses as well. */
  #noteReplaced(meaning: Meaning | null, node: AnyNode): void {
    if (!isModule(meaning)) return
    const { module, path } = meaning
    const [name = '', inner] = path
    const isShared =
      module === 'global'
        ? (path.length === 1 && REPLACEABLE.test(name)) ||
          (path.length === 2 && SHARED.test(name) && inner !== 'prototype') ||
          (path.length === 3 && BUILT_IN.has(name) && inner === 'prototype')
        : isBuiltin(module) && path.length === 1 && module !== 'process'
    if (isShared)
      this.#add('changes-others', (module === 'global' ? path : [module, ...path]).join('.').replace('.*', ''), node)
  }

  #noteGlobal(path: readonly string[], args: readonly Expression[] | null, node: AnyNode): void {
    const [name = '', member, third] = path
    const [first] = args ?? []
    const text = args?.length ? this.#text(args.at(-1)!) : null
    const talks = () => this.#noteRequest(first ? this.#text(first) : null, node, true)
    if (name === 'process') {
      if (member === 'env') {
        if (third !== 'NODE_ENV') this.#add('environment', /^\w+$/.test(third ?? '') ? third! : null, node)
      } else if (/^(?:_?linkedBinding|binding|dlopen)$/.test(member ?? '')) {
        if (!/^(?:util|config|constants|natives|os|buffer)$/.test(text ?? '')) this.#add('native-code', null, node)
      } else if (member === 'execve') this.#add('starts-programs', programOf(first ? this.#text(first) : null), node)
      else if (member === UNKNOWN) this.#add('anything', 'process', node)
    } else if (name === 'module') {
      if (member === UNKNOWN) this.#add('anything', 'module', node)
    } else if (name === 'eval' || name === 'Function') {
      // The old way to the global object, and the test whether a page allows eval.
      const isUsed = member === undefined && (name === 'eval' || args !== null)
      if (isUsed && !isReturnOfThis(text ?? '-') && text !== '') this.#add('runs-text', null, node)
    } else if (/^set(?:Timeout|Interval)$/.test(name)) {
      if (first && this.#text(first) !== null) this.#add('runs-text', null, node)
    } else if (name === 'WebAssembly') {
      if (args !== null && member !== 'validate') this.#add('native-code', 'WebAssembly', node)
    } else if (name === 'Worker' || name === 'SharedWorker') {
      if (first) this.#load(node, first)
      else if (member === undefined) this.#add('loads-code', null, node)
    } else if (name === 'location') {
      if (/^(?:assign|replace)$/.test(member ?? '') && args) talks()
    } else if (name === 'navigator') {
      if (member === 'sendBeacon' && args) talks()
      const held = HELD.get(`${member}.${third}`)
      if (held) this.#add('reads-page', held, node)
    } else if (name === 'document') {
      if (member === 'cookie') this.#add('reads-page', 'cookies', node)
    } else if (NETWORK_GLOBALS.has(name) && member === undefined) {
      if (name === 'XMLHttpRequest' || name === 'RTCPeerConnection') this.#add('network', null, node)
      else talks()
    } else if (name === 'open' && path.length === 1 && args) talks()
    else if (name === 'importScripts') this.#add('loads-code', null, node)
  }

  // What a plugin asks the harness for

  /** Finds services in a call: `ctx.inject([…])`, `ctx.get('credentials')`, `ctx.plugin({ inject })`, a listener. */
  #findServicesOfCall(callee: AnyNode, name: string, args: readonly Expression[], node: AnyNode): void {
    const [first] = args
    if (callee.type !== 'MemberExpression' || !first) return
    // A service of the harness that sends requests.
    const host = REQUESTS.test(name) ? hostOf(this.#text(first) ?? '') : null
    if (host !== null) this.#add('network', host, node)
    const isContext = /^(?:ctx|context)$/.test(nameOf(callee.object))
    if (name === 'inject' && (isContext || first.type === 'ArrayExpression')) this.#findServices(first, isContext)
    else if (name === 'plugin') this.#findPlugin(first, true)
    else if (name === 'get' || name === 'on' || name === 'once') {
      const [service = ''] = (this.#text(first) ?? '').split(name === 'get' ? '.' : '/')
      const isEvent = name === 'get' || (this.#text(first) ?? '').includes('/')
      if (GUARDS.has(service) && isEvent) this.#add('service', service, node)
    }
  }

  /** Finds the services of an object that is a plugin. */
  #findPlugin(node: AnyNode, isPlugin = false): void {
    if (node.type !== 'ObjectExpression' || node.properties.length > MAX_PARTS) return
    const memberOf = (name: string) => {
      const found = node.properties.find((one) => one.type === 'Property' && !one.computed && keyOf(one.key) === name)
      return found?.type === 'Property' ? found.value : null
    }
    // Other objects have members of this name.
    if (isPlugin || memberOf('apply')) this.#findServices(memberOf('inject'), true)
  }

  /** Recognizes the exports of a plugin: libraries export a function of this name among many others. */
  #mayBePlugin(): boolean {
    return APPLY.test(this.#code) && (this.#code.match(/\bexports\.\w+ =/g)?.length ?? 0) < MAX_PARTS
  }

  /** Recognizes a function or a class of the file, which can be a plugin. */
  #isOwnPlugin(node: AnyNode): boolean {
    const variable = node.type === 'Identifier' ? this.#variables.get(node) : undefined
    return variable?.defs.some(({ type }) => type === 'FunctionName' || type === 'ClassName') ?? false
  }

  /**
   * Finds the services in `inject`: a list, or an object with lists or with their names.
   *
   * @param isPlugin true where it is certainly a plugin's, so that a list that is not known counts
   */
  #findServices(given: AnyNode | null | undefined, isPlugin: boolean): void {
    if (!given) return
    const node = this.#valueOf(given)
    if (node.type === 'Identifier' && this.#localFunction(node)) return
    const addName = (name: string | null, at: AnyNode) => {
      if (name === null ? isPlugin : GUARDS.has(name.split('.')[0]!)) this.#add('service', name, at)
    }
    if (node.type === 'ArrayExpression')
      for (const one of node.elements) {
        if (one?.type === 'SpreadElement') this.#findServices(one.argument, isPlugin)
        else if (one) for (const text of this.#texts(one)) addName(isKnown(text) ? text : null, one)
      }
    else if (node.type === 'ObjectExpression')
      for (const one of node.properties) {
        if (one.type === 'SpreadElement') {
          this.#findServices(one.argument, isPlugin)
          continue
        }
        const name = one.computed ? this.#text(one.key) : keyOf(one.key)
        if (name === 'required' || name === 'optional') this.#findServices(one.value, isPlugin)
        else addName(name, one)
      }
    // What bundlers write for an export: `inject: () => inject`.
    else if (node.type === 'ArrowFunctionExpression' && node.body.type === 'Identifier')
      this.#findServices(node.body, isPlugin)
    // A method of this name, or no list at all.
    else if (!isFunction(node) && !/^(?:Literal|UnaryExpression)$/.test(node.type)) addName(null, node)
  }

  /** Returns the only value that a name is given, or the expression itself. */
  #valueOf(node: AnyNode): AnyNode {
    if (node.type === 'AssignmentExpression') return this.#valueOf(node.right)
    const variable = node.type === 'Identifier' ? this.#variables.get(node) : undefined
    const sources = (variable && this.#sources.get(variable)) ?? []
    const [source] = sources
    const isOnly = sources.length === 1 && source!.path.length === 0 && source!.node.type !== 'Identifier'
    return isOnly ? source!.node : node
  }
}

/** Expressions that can stand for something of interest, and those that can be a known text. */
const MEANINGFUL: ReadonlySet<string> = new Set(
  'Identifier MemberExpression AwaitExpression ChainExpression ParenthesizedExpression AssignmentExpression LogicalExpression SequenceExpression ImportExpression NewExpression CallExpression ConditionalExpression Literal TemplateLiteral BinaryExpression'.split(
    ' ',
  ),
)
const TEXTUAL: ReadonlySet<string> = new Set(
  [...MEANINGFUL].filter((type) => !/^(?:Await|Import)Expression$/.test(type)),
)

/** Text that is not known, and the sign of it within another. */
const ANY = ['…']
/** Texts of one expression that are followed, and their length in characters. */
const MAX_TEXTS = 16
const MAX_TEXT = 4_000
const isKnown = (text: string): boolean => !text.includes('…')
const isPartlyKnown = (text: string): boolean => text === '' || /[^…]/.test(text)
const limited = (texts: readonly string[]): readonly string[] => (texts.length > MAX_TEXTS ? ANY : texts)
const joined = (starts: readonly string[], ends: readonly string[]): readonly string[] =>
  starts.length * ends.length > MAX_TEXTS || (starts[0]?.length ?? 0) + (ends[0]?.length ?? 0) > MAX_TEXT
    ? ANY
    : starts.flatMap((start) => ends.map((end) => `${start}${end}`))

/** Services of the harness that guard something (0.2.1-rc.2). */
export const GUARDS: ReadonlySet<string> = new Set(['approval', 'credentials', 'sandbox'])

/** Methods that send a request where their argument is a whole address. */
const REQUESTS = /^(?:get|post|put|patch|delete|head|request|fetch|axios|http|ws|download|file|connect)$/
/** Members of a function that pass it on. */
const PASSES_ON = /^(?:call|apply|bind)$/
/** Functions that use nothing of the global object that they get. */
const KEEPS_GLOBAL =
  /^(?:Object|Reflect)\.(?:defineProperty|defineProperties|deleteProperty|hasOwn|has|getOwnPropertyNames|getOwnPropertyDescriptor|getPrototypeOf|is|keys|isFrozen|isExtensible)$|^(?:hasOwnProperty|toString)\.call$/
/** Objects that have everything that code can use. Those of a page, `window` and `self`, are given to everybody there. */
const WHOLE = /^(?:global\.(?:globalThis|global|process|module)|process)$/
const GLOBAL_OBJECT = /^(?:globalThis|global|window|self)$/
const FUNCTION: Member = { module: 'global', path: ['Function'] }
const GLOBAL: Member = { module: 'global', path: ['globalThis'] }
const REQUIRE: Member = { module: 'require', path: [] }
const CONSTRUCTOR: Member = { module: 'constructor', path: [] }
const elementNamed = (name: string | null): Member => ({ module: 'element', path: [(name ?? UNKNOWN).toLowerCase()] })
const isGlobal = (meaning: Meaning | null) => isModule(meaning) && meaning.module === 'global'
const isPage = (meaning: Member) => meaning.module === 'global' && /^(?:window|self)$/.test(meaning.path.join('.'))
/** Returns the name of what leads to everything, as a review tells it. */
const nameOfWhole = (meaning: Member): string =>
  isLoader(meaning) || makesLoader(meaning)
    ? 'require'
    : (meaning.path[0]?.replace('global', 'globalThis').replace('globalThisThis', 'globalThis') ?? meaning.module)
/** Name of a loader in a bundle. */
const LOADER = /^__require\d*$/
/** Functions that load a module by its name, by their own. */
const LOADERS = new Set(
  'require global.module.require module._load process.getBuiltinModule global.process.getBuiltinModule'.split(' '),
)
const LOADER_FACTORIES = new Set(['module.createRequire', 'module.createRequireFromPath'])
/** Functions that return a module, or a function of one, in another form. */
const WRAPPER = /toESM|toModule|interop|import(?:Star|Default)|promisify/i
const EXPORTS = /^(?:exports|module)$/
/** Parts of an object that is a plugin; others have more. */
const MAX_PARTS = 15
/** Matches the function by which a plugin begins. */
const APPLY = /(?:function\s+|exports\.)apply\b|\bapply\s*[:,}=]|(?<![.\w])apply\s*\(/
/** Sockets by which programs are started in containers, outside of all limits. */
const CONTAINERS = /(?:docker|podman|containerd)[\w./-]*\.sock$/

const moduleName = (source: unknown): string =>
  String(source)
    .replace(/^node:/, '')
    .replace(/^(fs|dns|timers|stream)\/promises$/, '$1')
/** Returns the name of the package of a path in it. */
const packageOf = (module: string): string =>
  isBuiltin(module) ? module : (/^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module)

/** Name of a member that is chosen while the code runs. */
const UNKNOWN = '*'

const memberPath = (name: string | null): string[] =>
  name === null || name === 'default' || name === 'promises' ? [] : [name]

function member(meaning: Meaning | null, given: string | null): Meaning | null {
  if (!isModule(meaning) || meaning.module === 'element' || meaning.module === 'constructor') return null
  const { module, path } = meaning
  const name = given !== null && isKnown(given) ? given : null
  if (module === 'global' && path.length === 1 && GLOBAL_OBJECT.test(path[0]!))
    return name === null ? null : globalNamed(name)
  // The modules that loaded it, and those that it loaded.
  if (module === 'global' && path[0] === 'module' && (path[1] === 'children' || name === 'parent'))
    return { module, path: ['module'] }
  // What a module exports is its own.
  if (module === 'global' && path[0] === 'module' && name === 'exports') return null
  if (module === 'global' && path[0] === 'module' && name === 'constructor') return { module: 'module', path: [] }
  if ((module === 'require' && name === 'main') || name === 'mainModule') return { module: 'global', path: ['module'] }
  if (module === 'module' && name === 'Module') return meaning
  // What follows a promise is not known.
  return { module, path: [...path, ...(name === null || name === 'then' ? [UNKNOWN] : memberPath(name))].slice(0, 6) }
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

const isReturnOfThis = (text: string | null): boolean => /^return this;?$/.test(text ?? '')
/** Recognizes `function () { return this }`, the old way to the global object. */
function returnsThis({ body }: FunctionNode): boolean {
  const [only, ...others] = body.type === 'BlockStatement' ? body.body : []
  return others.length === 0 && only?.type === 'ReturnStatement' && only.argument?.type === 'ThisExpression'
}
/** Recognizes `Symbol.for('x')`, which names nothing that the engine or Node has. */
const isSymbol = (node: AnyNode): boolean =>
  node.type === 'CallExpression' && /^(?:Symbol|for)$/.test(nameOf(node.callee))
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

type CallNode = AnyNode & { readonly type: 'CallExpression' | 'NewExpression' }
type FunctionNode = AnyNode & {
  readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'
}
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const isFunction = (node: AnyNode): node is FunctionNode => FUNCTIONS.has(node.type)

interface PatternParts {
  readonly names: AnyNode[]
  /** Of computed keys. */
  readonly code: AnyNode[]
  readonly defaults: (AnyNode & { readonly type: 'AssignmentPattern' })[]
}
/** Returns what a pattern consists of. */
function partsOf(pattern: AnyNode, parts: PatternParts): PatternParts {
  switch (pattern.type) {
    case 'Identifier':
      parts.names.push(pattern)
      break
    case 'AssignmentPattern':
      parts.defaults.push(pattern)
      partsOf(pattern.left, parts)
      break
    case 'RestElement':
      partsOf(pattern.argument, parts)
      break
    case 'Property':
      if (pattern.computed) parts.code.push(pattern.key)
      partsOf(pattern.value, parts)
      break
    case 'ObjectPattern':
      for (const one of pattern.properties) partsOf(one, parts)
      break
    case 'ArrayPattern':
      for (const one of pattern.elements) if (one) partsOf(one, parts)
      break
    case 'MemberExpression':
      parts.code.push(pattern)
      break
  }
  return parts
}
const partsOfPattern = (pattern: AnyNode) => partsOf(pattern, { names: [], code: [], defaults: [] })

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

/** Classes that all code has in common. */
const BUILT_IN = new Set(
  'Array Object String Number Function Promise Map Set RegExp Date Element HTMLElement Node EventTarget Response Request Headers Storage Document XMLHttpRequest WebSocket'.split(
    ' ',
  ),
)
const SHARED = /^(?:JSON|Object|Promise|Reflect|Array|console)$/
const REPLACEABLE =
  /^(?:fetch|XMLHttpRequest|WebSocket|EventSource|eval|Function|setTimeout|setInterval|JSON|Promise|Worker|require)$/
const GLOBALS = new Set([
  ...BUILT_IN,
  ...'process module globalThis window self global fetch EventSource RTCPeerConnection navigator document eval GeneratorFunction AsyncFunction setTimeout setInterval WebAssembly importScripts Worker SharedWorker location open Image JSON Reflect console'.split(
    ' ',
  ),
])
const NETWORK_GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'RTCPeerConnection'])
/** What a page holds of its user. */
const HELD = new Map([
  ['clipboard.read', 'clipboard'],
  ['clipboard.readText', 'clipboard'],
  ['mediaDevices.getUserMedia', 'camera'],
  ['mediaDevices.getDisplayMedia', 'screen'],
  ['geolocation.getCurrentPosition', 'position'],
  ['geolocation.watchPosition', 'position'],
  ['credentials.get', 'passwords'],
])
/** Packages that start programs. */
const PROGRAM_STARTERS = new Set(
  'execa cross-spawn tinyexec nano-spawn node-pty @lydell/node-pty @homebridge/node-pty-prebuilt-multiarch shelljs zx open cluster simple-git dockerode docker-modem'.split(
    ' ',
  ),
)
const BROWSERS =
  /^(?:puppeteer|playwright)(?:-core|-extra|-firefox|-chromium|-webkit)?(?:\/|$)|^selenium-webdriver$|^chrome-launcher$/
/** Modules and their members whose uses mean the same, whatever the arguments are. */
const USES: readonly (readonly [RegExp, CodeFinding])[] = [
  [/^(?:bindings|node-gyp-build|koffi|ffi-napi|ref-napi|pkg-prebuilds|wasi)(?:\.|$)/, 'native-code'],
  [
    /^(?:inspector|inspector\/promises|repl)(?:$|\.(?!(?:url|close|console|waitForDebugger|builtinModules)$))/,
    'runs-text',
  ],
  [/^vm(?:$|\.(?!isContext$))/, 'runs-text'],
  [/^sqlite(?:\.|$)/, 'writes-files'],
  [/^v8\.(?:writeHeapSnapshot|setHeapSnapshotNearHeapLimit)$/, 'writes-files'],
  [/^test\.run$/, 'loads-code'],
  [/^require\.extensions$/, 'loads-code'],
  [/^module\.(?:_load|_compile|_extensions|require|prototype|register|registerHooks|\*)$/, 'loads-code'],
]
const FILE_MODULES = new Set('fs fs-extra graceful-fs rimraf write-file-atomic'.split(' '))
const NETWORK_MODULES = new Set(
  'http https http2 net tls dgram dns undici ws axios got node-fetch cross-fetch ky ofetch superagent request needle socket.io-client eventsource ssh2 node-ssh nodemailer pg mysql mysql2 mongodb mongoose redis ioredis mqtt amqplib kafkajs'.split(
    ' ',
  ),
)
/** Members of these modules that request nothing. */
const NO_REQUEST =
  /^(?:Agent|globalAgent|METHODS|STATUS_CODES|IncomingMessage|ServerResponse|ClientRequest|OutgoingMessage|isIP|isIPv4|isIPv6|constants|BlockList|SocketAddress|maxHeaderSize|validateHeader\w+|Headers|Request|Response|FormData|File|ProxyAgent|setGlobalDispatcher|getGlobalDispatcher|TLSSocket|rootCertificates|createSecureContext|checkServerIdentity|HTTPError|TimeoutError|isAxiosError|AxiosError|CONNECTING|OPEN|CLOSING|CLOSED|sensitiveHeaders)$/

const WRITES =
  /^(?:write|append|rm|unlink|mkdir|mkdtemp|rename|copy|cp|chmod|chown|lchown|lchmod|fchmod|fchown|truncate|ftruncate|symlink|link|utimes|futimes|lutimes|createWriteStream|output|ensure|remove|empty|move|WriteStream)/

/** Returns true if a member of a file module writes; also when the module is passed on as a whole. */
function writesFiles(name: string | null, flags: string | null): boolean {
  if (name === null || name === UNKNOWN) return true
  return /^open(?:Sync)?$/.test(name) ? flags !== 'r' : WRITES.test(name)
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

/** Returns `localhost` for an address of this machine; null for others. */
const localHostOf = (address: string): string | null =>
  /^\w+:\/\/(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?:[:/?#]|$)/.test(address) ? 'localhost' : null
