/** Reads from its syntax what one file of JavaScript can do. Nothing runs. */
import type { AnyNode, Expression, Program } from 'acorn'
import { Services } from './harness-services.ts'
import { CONTAINERS, type CodeFacts, likelyHostOf, NETWORK_GLOBALS, PASSES_ON, Powers } from './powers.ts'
import {
  type CallNode,
  type FunctionNode,
  forEachChild,
  forEachName,
  keyOf,
  type MemberNode,
  nameOf,
  withSyntax,
} from './syntax.ts'
import {
  GLOBAL,
  isAlike,
  isLoader,
  isModule,
  isSame,
  isVariable,
  isWhole,
  isWrapper,
  LOADER,
  member,
  nameOfMember,
  nameOfWhole,
  Values,
} from './values.ts'
import { calledFunction, type Meaning, type Member, Names } from './variables.ts'

/** Returns what a file can do; a problem for text that is not JavaScript, or takes too much work. */
export function readCode(text: string): CodeFacts | 'not-javascript' | 'too-large' {
  const read = withSyntax(text, (program) => new CodeReader(text, program).read())
  if (typeof read === 'string') return read
  return {
    findings: read.flatMap((one) => one.findings),
    imports: [...new Set(read.flatMap((one) => one.imports))],
    paths: [...new Set(read.flatMap((one) => one.paths))],
  }
}

/** Methods that send a request where their argument is a whole address. */
const REQUESTS = /^(?:get|post|put|patch|delete|head|request|fetch|axios|http|ws|download|file|connect)$/
/** Packages whose application listens by `listen`. */
const SERVERS = ['express', 'fastify', 'koa', 'polka', 'connect', 'restify']
/** Functions that replace a member of an object by its name: those of shimmer, and what is like it. */
const REPLACES = /^_?(?:massW|w)rap(?:Method)?$/
const READS_ENVIRONMENT = /^(?:read|get|load|require|optional)?_?env(?:ironment)?(?:_?var\w*)?$/i
/** Functions that use nothing of the global object that they get. */
const KEEPS_GLOBAL =
  /^global\.(?:Object|Reflect)\.(?:defineProperty|defineProperties|deleteProperty|hasOwn|has|getOwnPropertyNames|getPrototypeOf|is|keys|isFrozen|isExtensible|prototype\.(?:hasOwnProperty|toString)\.call)$/
/** Recognizes what another file of the package exports, whose own code decides what it does. */
const isOfPackage = (meaning: Meaning | null): boolean => isModule(meaning) && meaning.module.startsWith('.')

const isFolder = (node: AnyNode | undefined): boolean => node?.type === 'Identifier' && node.name === '__dirname'

class CodeReader {
  readonly #program: Program
  readonly #names: Names
  readonly #values: Values
  readonly #powers: Powers
  readonly #services: Services
  #function: FunctionNode | null = null
  /** Call whose result nobody uses. */
  #unused: AnyNode | null = null

  constructor(code: string, program: Program) {
    this.#program = program
    this.#names = new Names(program)
    this.#values = new Values(code, this.#names)
    this.#powers = new Powers(code, this.#values, readCode)
    this.#services = new Services(code, this.#values, this.#powers)
  }

  read(): CodeFacts {
    this.#visit(this.#program)
    const { findings, imports, paths } = this.#powers
    return { findings, imports: [...imports], paths: [...paths] }
  }

  #meaning(node: AnyNode): Meaning | null {
    return node.type === 'Super' ? null : this.#values.of(node)
  }

  /** Finds what an expression or a statement uses. A value that is visited goes where it is not followed. */
  readonly #visit = (node: AnyNode): void => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#visitFunction(node)
        return
      case 'ImportDeclaration':
        this.#powers.load(node, node.source)
        return
      case 'ExportAllDeclaration':
        this.#powers.load(node, node.source)
        this.#powers.noteExport(node.source.value, null, node)
        return
      case 'ExportNamedDeclaration':
        this.#visitExport(node)
        return
      case 'ExpressionStatement':
        if (this.#values.isLoad(node.expression)) this.#visitLoad(node.expression)
        else {
          this.#unused = node.expression
          this.#visit(node.expression)
        }
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
        if (/^(?:join|resolve|URL)$/.test(nameOf(node.callee))) this.#powers.notePath(node)
        this.#visitCall(node)
        // The result of a function was followed to here.
        if (
          calledFunction(node.callee) !== null ||
          (isWrapper(node.callee) && this.#unused !== node) ||
          (isWhole(this.#meaning(node)) && this.#meaning(node.callee) === null)
        )
          this.#noteWhole(node)
        return
      case 'Identifier':
      case 'MemberExpression': {
        const meaning = this.#meaning(node)
        if (isModule(meaning) && meaning.module !== 'constructor') {
          this.#visitLoad(node)
          this.#noteEach(node, meaning, null)
        }
        // The name of a property does not use a variable.
        else if (node.type === 'MemberExpression') this.#visitMember(node)
        return
      }
      case 'Literal':
        if (typeof node.value === 'string' && CONTAINERS.test(node.value))
          this.#powers.add('starts-programs', 'docker', node)
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
      case 'TemplateLiteral':
        if (isFolder(node.expressions[0])) this.#powers.notePath(node)
        break
      case 'BinaryExpression':
        if (isFolder(node.left)) this.#powers.notePath(node)
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
        forEachChild(node, (child) => (child === node.test ? this.#test(child) : this.#visit(child)))
        return
      case 'AssignmentExpression':
        this.#visitAssignment(node)
        return
      case 'TaggedTemplateExpression': {
        const meaning = this.#meaning(node.tag)
        if (isModule(meaning)) this.#powers.note(meaning, [node.quasi], node)
        this.#follow(node.tag)
        this.#visit(node.quasi)
        return
      }
      case 'ObjectExpression':
        this.#services.findInObject(node)
        break
      case 'PropertyDefinition':
        if (keyOf(node.key) === 'inject') this.#services.find(node.value, node.static || undefined)
        break
      case 'ForInStatement':
        // The names of what it has are no use of it.
        this.#follow(node.right)
        this.#visit(node.left)
        this.#visit(node.body)
        return
      case 'CatchClause':
        if (node.param) this.#visitPattern(node.param)
        this.#visit(node.body)
        return
    }
    forEachChild(node, this.#visit)
  }

  /** Visits an expression whose value is followed, or used by nobody: only what is in it counts. */
  readonly #follow = (node: AnyNode): void => {
    const meaning = this.#meaning(node)
    // It is followed as one of those that it can be.
    if (isModule(meaning) && node.type === 'MemberExpression' && this.#isOneOf(node))
      this.#noteEach(node, meaning, null)
    this.#look(node)
  }

  #look(node: AnyNode): void {
    if (isModule(this.#meaning(node))) this.#visitLoad(node)
    else this.#visit(node)
  }

  /** Visits a value that is only looked at: a test whether it is there. */
  #test(node: AnyNode): void {
    if (node.type === 'LogicalExpression') {
      this.#test(node.left)
      this.#test(node.right)
    } else if (node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'ChainExpression')
      this.#look(node)
    else this.#visit(node)
  }

  /** Follows what an expression loads whose use is noted elsewhere: a name given to a module does not use it. */
  #visitLoad(node: AnyNode): void {
    switch (node.type) {
      case 'ImportExpression':
        this.#powers.load(node, node.source)
        if (node.source.type !== 'Literal') this.#visit(node.source)
        if (node.options) this.#visit(node.options)
        break
      case 'CallExpression': {
        const [first] = node.arguments
        this.#follow(node.callee)
        if (first && this.#values.isLoad(node)) this.#powers.load(node, first)
        this.#visitArguments(node, this.#meaning(node.callee))
        break
      }
      case 'LogicalExpression':
      case 'ConditionalExpression': {
        const [tested, ...values] =
          node.type === 'ConditionalExpression'
            ? [node.test, node.consequent, node.alternate]
            : [...(node.operator === '&&' ? [] : [null]), node.left, node.right]
        if (tested) this.#test(tested)
        // The meaning is that of one of them.
        const meaning = this.#meaning(node)
        for (const one of values as AnyNode[])
          if (isAlike(meaning, this.#meaning(one)) || isAlike(this.#meaning(one), meaning)) this.#follow(one)
          else this.#visit(one)
        break
      }
      case 'AssignmentExpression':
        this.#visitAssignment(node)
        break
      case 'MemberExpression':
        if (node.object.type !== 'Super') this.#follow(node.object)
        if (node.computed) this.#visit(node.property)
        break
      default:
        forEachChild(node, this.#follow)
    }
  }

  /** Notes a module that is used as a whole. */
  #noteWhole(node: AnyNode): void {
    const meaning = this.#meaning(node)
    if (isModule(meaning)) this.#powers.note(meaning, null, node)
  }

  /** Recognizes a member that the code chooses among several. */
  #isOneOf = ({ computed, property }: MemberNode): boolean => computed && this.#powers.texts(property).length > 1

  /** Notes the use of a value: of every member that it can be, where the code chooses one of several. */
  #noteEach(node: AnyNode, meaning: Member, args: readonly Expression[] | null, at: AnyNode = node): void {
    const owner = node.type === 'MemberExpression' && this.#isOneOf(node) ? this.#meaning(node.object) : null
    if (node.type !== 'MemberExpression' || !isModule(owner)) {
      this.#powers.note(meaning, args, at)
      return
    }
    for (const name of this.#powers.texts(node.property)) {
      const one = member(owner, name)
      if (isModule(one)) this.#powers.note(one, args, at)
      else if (name === null && isWhole(owner)) this.#powers.add('anything', nameOfWhole(owner), node)
    }
  }

  #visitMember(node: MemberNode): void {
    // A member that is chosen while the code runs.
    if (node.computed) {
      const meaning = this.#meaning(node.object)
      if (isWhole(meaning) && !isLoader(meaning) && !this.#values.isOwnKey(node.property))
        this.#powers.add('anything', nameOfWhole(meaning), node)
      this.#visit(node.property)
    }
    this.#follow(node.object)
  }

  #visitComparison(node: AnyNode & { readonly type: 'BinaryExpression' }): void {
    const { left, right, operator } = node
    if (operator === 'in' || operator === 'instanceof') {
      // A test whether an object has a member, or is of a class, does not use it.
      const [owner, name] = [this.#meaning(right), operator === 'in' ? this.#values.text(left) : null]
      if (name !== null && isModule(owner) && /^(?:global\.)?process\.env$/.test(nameOfMember(owner)))
        this.#powers.add('environment', name, node)
      this.#test(left)
      this.#follow(right)
    } else if (/^[!=]==?$/.test(operator)) for (const one of [left, right]) this.#test(one)
    else for (const one of [left, right]) this.#visit(one)
  }

  #visitAssignment(node: AnyNode & { readonly type: 'AssignmentExpression' }): void {
    const { left, right } = node
    // Properties that lead the page elsewhere when they are set.
    const meaning = this.#meaning(left)
    if (isModule(meaning) && nameOfMember(meaning) === 'global.location' && !(left as Partial<Identifier>).variable)
      this.#powers.requestTo(right, node)
    if (left.type === 'MemberExpression') {
      const { object } = left
      const name = nameOf(left)
      const isOfFile = object.type === 'Identifier' && /^(?:function|class)$/.test(object.variable?.kind ?? '')
      // Many objects have a member of this name.
      const isPlugin = object.type === 'ThisExpression' ? false : isOfFile || undefined
      if (name === 'inject') this.#services.find(right, isPlugin)
      this.#powers.replace(meaning, left)
      this.#powers.send(object, name, right, node)
      this.#follow(object)
      if (left.computed) this.#visit(left.property)
      this.#visit(right)
      return
    }
    // `run ||= other` is either of them.
    if (/^(?:\|\||&&|\?\?)=$/.test(node.operator) && this.#unused !== node) this.#visit(left)
    this.#visitPattern(left)
    this.#give(left, right)
  }

  /** Visits the code in a pattern: its computed keys and default values. */
  #visitPattern(pattern: AnyNode): void {
    if (pattern.type === 'Identifier') return
    if (pattern.type === 'AssignmentPattern') {
      this.#visitPattern(pattern.left)
      this.#give(pattern.left, pattern.right)
    } else if (pattern.type === 'MemberExpression') this.#visit(pattern)
    else forEachChild(pattern, (one, kind) => (kind === 'Pattern' ? this.#visitPattern(one) : this.#visit(one)))
  }

  /** Visits a value that a name gets, which is followed by that name where it stands for nothing else. */
  #give(pattern: AnyNode, value: AnyNode): void {
    const meaning = this.#meaning(value)
    // A variable is read where its name is given.
    if (isModule(meaning) && !isVariable(meaning) && this.#values.isFollowed(pattern, meaning)) this.#follow(value)
    else this.#visit(value)
    if (pattern.type === 'ObjectPattern' && isModule(meaning)) this.#take(pattern, meaning)
  }

  /** Notes the variables of the environment that a pattern takes. */
  #take(pattern: AnyNode & { readonly type: 'ObjectPattern' }, meaning: Member): void {
    for (const one of pattern.properties) {
      if (one.type !== 'Property') continue
      const taken = member(meaning, one.computed ? this.#values.text(one.key) : keyOf(one.key))
      if (isModule(taken) && isVariable(taken)) this.#powers.note(taken, null, one)
      if (one.value.type === 'ObjectPattern' && isModule(taken)) this.#take(one.value, taken)
    }
  }

  #visitReturned(value: AnyNode): void {
    // Its calls are known, and what they are given back is followed.
    const within = this.#function
    const meaning = this.#meaning(value)
    const isKnown = within && this.#names.called.has(within) && isAlike(this.#values.returnedBy(within), meaning)
    // A variable is read here.
    if (isKnown && !(isModule(meaning) && isVariable(meaning))) this.#follow(value)
    else this.#visit(value)
  }

  #visitExport(node: AnyNode & { readonly type: 'ExportNamedDeclaration' }): void {
    const { source, specifiers, declaration } = node
    if (source) {
      this.#powers.load(node, source)
      for (const { local } of specifiers) this.#powers.noteExport(source.value, keyOf(local), node)
      return
    }
    for (const { local, exported } of specifiers) this.#export(local, keyOf(exported))
    if (!declaration) return
    if (declaration.type === 'VariableDeclaration')
      for (const { id } of declaration.declarations) forEachName(id, (name) => this.#export(name, name.name))
    this.#visit(declaration)
  }

  /** Notes what other files get by a name, as values are followed within a file only. */
  #export(local: AnyNode, name: string | null): void {
    if (name === 'inject') this.#services.find((local as Identifier).variable?.sources[0]?.node)
    if (!LOADER.test(keyOf(local) ?? '')) this.#noteWhole(local)
  }

  #visitFunction(node: FunctionNode): void {
    if (this.#values.isBundlersCopy(node)) return
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
    const meaning = this.#meaning(callee)
    if (first && isLoader(meaning)) {
      // Also a constructor returns the module.
      const call = node.type === 'NewExpression' ? { ...node, type: 'CallExpression' as const, optional: false } : node
      this.#visitLoad(call)
      this.#noteWhole(call)
      return
    }
    // A function of another file that is called for one variable: `(0, env.readEnv)('API_TOKEN')`.
    if (first && READS_ENVIRONMENT.test(nameOf(callee)))
      for (const text of this.#powers.texts(first))
        if (/^[A-Z][A-Z\d_]+$/.test(text ?? '')) this.#powers.add('environment', text, node)
    if (isModule(meaning) && meaning.module !== 'constructor') {
      this.#visitLoad(callee)
      this.#noteEach(callee, meaning, args, node)
    } else if (callee.type !== 'Super') {
      const name = nameOf(callee)
      // Only Function is called without `new` and makes code of a text.
      const isConstructor = isModule(meaning) && node.type === 'CallExpression'
      if (first && (isConstructor || name === '_compile')) this.#powers.add('runs-text', null, node)
      if (name === 'listen' && SERVERS.some((one) => this.#powers.imports.has(one)))
        this.#powers.add('listens', null, node)
      // A class that somebody gives: `new options.WebSocket(address)`.
      if (node.type === 'NewExpression' && callee.type === 'MemberExpression' && NETWORK_GLOBALS.has(name))
        this.#powers.note({ module: 'global', path: [name] }, args, node)
      this.#visit(callee)
      if (first && callee.type === 'MemberExpression') {
        // A service of the harness that sends requests.
        const hosts = REQUESTS.test(name) ? this.#powers.texts(first).map((text) => likelyHostOf(text ?? '')) : [null]
        if (name === 'createConnection' || hosts.some((host) => host !== null))
          for (const host of hosts) this.#powers.add('network', host, node)
        this.#services.findInCall(callee.object, name, first)
      }
    }
    this.#visitArguments(node, meaning)
  }

  #visitArguments(node: CallNode, callee: Meaning | null): void {
    const { callee: written, arguments: args } = node
    const [first, second] = args
    if (!first) return
    const isUnused = this.#unused === node
    const name = nameOf(written)
    const used = isModule(callee) ? nameOfMember(callee) : ''
    const called = calledFunction(written)
    const start = called && written.type === 'MemberExpression' ? 1 : 0
    if (name === 'setAttribute' && second && written.type === 'MemberExpression') {
      const attribute = this.#values.text(first) ?? ''
      if (/^on\w/i.test(attribute) && this.#values.text(second) !== 'return;') this.#powers.add('runs-text', null, node)
      this.#powers.send(written.object, attribute, second, node)
    }
    const meaning = this.#meaning(first)
    // All of it at once, as text.
    if (
      used === 'global.JSON.stringify' &&
      isModule(meaning) &&
      /^(?:global\.)?process\.env$/.test(nameOfMember(meaning))
    )
      this.#powers.add('environment', '*', node)
    const isAssigned = isModule(meaning) && used === 'global.Object.assign' && isUnused
    if (isModule(meaning) && second && (used === 'global.Object.defineProperty' || REPLACES.test(name)))
      this.#powers.replace(member(meaning, this.#values.text(second)), node)
    else if (isAssigned) this.#replaceAll(meaning, args.slice(1), node)
    const isLost =
      called !== null &&
      (this.#names.usingArguments.has(called) ||
        // Its arguments are seen in its result only.
        (this.#values.isBundlersCopy(called) && !isModule(this.#meaning(node))))
    const owner =
      written.type === 'MemberExpression' && written.object.type === 'MemberExpression'
        ? this.#meaning(written.object.object)
        : null
    for (const [index, argument] of args.entries()) {
      const parameter = called?.params[index - start]
      const given = this.#meaning(argument)
      const isFollowed =
        (parameter && isModule(given) && !isLost && this.#values.isFollowed(parameter, given)) ||
        // The first argument of these is `this`.
        (index === 0 &&
          PASSES_ON.test(name) &&
          (isSame(given, owner) || (called === null && (isWhole(given) || isAlike(given, GLOBAL))))) ||
        (index === 0 && isAssigned) ||
        (index === 0 && KEEPS_GLOBAL.test(used) && (isUnused || !used.includes('.define'))) ||
        (index === 0 &&
          (isLoader(callee) || (isWrapper(written) && !isOfPackage(callee))) &&
          isModule(this.#meaning(node)))
      if (isFollowed && argument.type !== 'SpreadElement') {
        this.#follow(argument)
        if (parameter?.type === 'ObjectPattern' && isModule(given)) this.#take(parameter, given)
        continue
      }
      const outer = this.#powers.passedTo
      if (isModule(given)) this.#powers.passedTo = node
      this.#visit(argument)
      this.#powers.passedTo = outer
    }
  }

  /** Notes what `Object.assign` replaces of what other code uses; all of it where that is not known. */
  #replaceAll(meaning: Member, given: readonly AnyNode[], node: AnyNode): void {
    for (const one of given)
      for (const property of one.type === 'ObjectExpression' ? one.properties : [null])
        if (property?.type === 'Property' && !property.computed)
          this.#powers.replace(member(meaning, keyOf(property.key)), node)
        else if (isWhole(meaning)) this.#powers.add('changes-others', nameOfWhole(meaning), node)
  }
}

type Identifier = AnyNode & { readonly type: 'Identifier' }
