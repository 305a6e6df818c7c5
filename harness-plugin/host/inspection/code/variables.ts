/** Finds which variable each name stands for, and what it is given: one walk over a file's syntax. */
import type { AnyNode, Program } from 'acorn'
import { type CallNode, type FunctionNode, forEachChild, forEachName, isFunction, keyOf } from './syntax.ts'

declare module 'acorn' {
  interface Node {
    /** Variable that an identifier stands for; undefined for a global. */
    variable?: Variable | undefined
    /** Its value, or the round in which that was nothing of interest. */
    meaning?: Meaning | number
    /** Texts that it can be, or the round in which they were unknown. */
    texts?: readonly string[] | number
  }
}

/** Names what a value stands for: a member of a module, a global, or known text. */
export type Meaning = Member | Texts
interface Texts {
  /** Those that it can be, with … for a part that is not known. */
  readonly texts: readonly string[]
}
export interface Member {
  /**
   * Name of a module; `global` for globals, `require` for a function that loads modules, `constructor` for a constructor of
   * something unknown, `element` for one of a page.
   */
  readonly module: string
  readonly path: readonly string[]
}

/** A value that a name is given, or a part of it. */
export interface Source {
  readonly node: AnyNode
  readonly path: readonly (string | AnyNode)[]
}

export class Variable {
  readonly name: string
  readonly kind: 'import' | 'parameter' | 'function' | 'class' | 'other'
  /** Module and member that an import names. */
  imported: { readonly source: string; readonly name: string | null } | null = null
  /** Function that it stands for. */
  called: FunctionNode | null = null
  readonly sources: Source[] = []
  /** True if it is also given values that are not among its sources. */
  isOpen = false
  meaning: Meaning | number = 0
  /** Variable of the same name around its scope. */
  outer: Variable | undefined
  constructor(name: string, kind: Variable['kind']) {
    this.name = name
    this.kind = kind
  }
}

const WHOLE: Source['path'] = []

export class Names {
  readonly variables: Variable[] = []
  /** Values that each function returns. */
  readonly returns = new Map<FunctionNode, AnyNode[]>()
  /** Functions whose calls are known, so that what they return is followed. */
  readonly called = new Set<FunctionNode>()
  readonly #calls: CallNode[] = []
  /** By name: those that are visible where the walk is. */
  readonly #visible = new Map<string, Variable>()
  #function: FunctionNode | null = null
  /** Function whose `arguments` are visible. */
  #argumentsOf: FunctionNode | null = null
  /** Functions that use their arguments without a name. */
  readonly usingArguments = new Set<FunctionNode>()

  constructor(program: Program) {
    const [declared, vars] = [this.#lexical(program.body), new Map<string, Variable>()]
    for (const one of program.body) this.#findVars(one, vars)
    this.#inScope([...declared.values(), ...vars.values()], program)
    // The wrapper of a module of CommonJS gives these their first values, which `var` keeps.
    for (const name of ['require', 'module']) {
      const sources = vars.get(name)?.sources
      // Much code has another `module`.
      if (name === 'require' || sources?.length === 0)
        sources?.push({ node: { type: 'Identifier', name, start: 0, end: 0 }, path: WHOLE })
    }
    for (const call of this.#calls) this.#bindArguments(call)
  }

  #declare(name: string, kind: Variable['kind'], among: Map<string, Variable>): Variable {
    const known = among.get(name)
    if (known) return known
    const variable = new Variable(name, kind)
    this.variables.push(variable)
    among.set(name, variable)
    return variable
  }

  /** Declares what the statements of one block declare in it. */
  #lexical(statements: readonly AnyNode[], declared = new Map<string, Variable>()): Map<string, Variable> {
    for (const one of statements) {
      if (one.type === 'ImportDeclaration')
        for (const specifier of one.specifiers) {
          const variable = this.#declare(specifier.local.name, 'import', declared)
          const { imported } = specifier as { imported?: { name?: string; value?: unknown } }
          const name = imported === undefined ? null : String(imported.name ?? imported.value)
          variable.imported = { source: String(one.source.value), name }
        }
      const { declaration } = one as { declaration?: AnyNode | null }
      const statement = declaration ?? one
      if (statement.type === 'VariableDeclaration' && statement.kind !== 'var')
        for (const { id } of statement.declarations)
          forEachName(id, ({ name }) => this.#declare(name, 'other', declared))
      else if (statement.type === 'FunctionDeclaration' && statement.id)
        this.#declare(statement.id.name, 'function', declared)
      else if (statement.type === 'ClassDeclaration' && statement.id)
        this.#declare(statement.id.name, 'class', declared)
    }
    return declared
  }

  /** Declares what a statement and those in it declare by `var`, which belongs to the whole function. */
  #findVars(statement: AnyNode, declared: Map<string, Variable>): void {
    if (statement.type === 'VariableDeclaration') {
      if (statement.kind === 'var')
        for (const { id } of statement.declarations)
          forEachName(id, ({ name }) => this.#declare(name, 'other', declared))
    } else if (HAS_STATEMENTS.test(statement.type)) forEachChild(statement, (one) => this.#findVars(one, declared))
  }

  /** Walks through a node within which some variables are visible. */
  #inScope(declared: readonly Variable[], node: AnyNode): void {
    this.#enter(declared)
    forEachChild(node, this.#walk)
    this.#leave(declared)
  }

  #enter(declared: readonly Variable[]): void {
    for (const one of declared) {
      one.outer = this.#visible.get(one.name)
      this.#visible.set(one.name, one)
    }
  }

  #leave(declared: readonly Variable[]): void {
    for (const { name, outer } of declared) {
      if (outer) this.#visible.set(name, outer)
      else this.#visible.delete(name)
    }
  }

  readonly #walk = (node: AnyNode): void => {
    switch (node.type) {
      case 'Identifier':
        // In a function, `arguments` is its own.
        if (node.name === 'arguments' && this.#argumentsOf) {
          node.variable = ARGUMENTS
          this.usingArguments.add(this.#argumentsOf)
        } else node.variable = this.#visible.get(node.name)
        return
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#walkFunction(node)
        return
      case 'BlockStatement':
      case 'StaticBlock':
        this.#inScope([...this.#lexical(node.body).values()], node)
        return
      case 'SwitchStatement':
        this.#inScope([...this.#lexical(node.cases.flatMap(({ consequent }) => consequent)).values()], node)
        return
      case 'ForStatement':
        this.#inScope([...this.#lexical(node.init ? [node.init] : []).values()], node)
        return
      case 'ForInStatement':
      case 'ForOfStatement': {
        this.#inScope([...this.#lexical([node.left]).values()], node)
        const { left } = node
        for (const one of left.type === 'VariableDeclaration' ? left.declarations : [{ id: left }]) this.#open(one.id)
        return
      }
      case 'CatchClause': {
        const declared = new Map<string, Variable>()
        if (node.param) forEachName(node.param, ({ name }) => this.#declare(name, 'other', declared))
        this.#inScope([...declared.values()], node)
        return
      }
      case 'ClassExpression': {
        const declared = new Map<string, Variable>()
        if (node.id) this.#declare(node.id.name, 'class', declared)
        this.#inScope([...declared.values()], node)
        return
      }
      case 'ExportNamedDeclaration':
        if (!node.source) for (const { local } of node.specifiers) this.#walk(local)
        break
      case 'VariableDeclarator':
        forEachChild(node, this.#walk)
        if (node.init) this.#bind(node.id, node.init)
        return
      case 'AssignmentExpression':
        forEachChild(node, this.#walk)
        if (/^(?:\?\?|&&|\|\|)?=$/.test(node.operator)) this.#bind(node.left, node.right)
        else this.#open(node.left)
        return
      case 'UpdateExpression':
        forEachChild(node, this.#walk)
        this.#open(node.argument)
        return
      case 'CallExpression':
      case 'NewExpression':
        this.#calls.push(node)
        break
      case 'ReturnStatement':
        if (node.argument && this.#function) this.returns.get(this.#function)!.push(node.argument)
        break
    }
    forEachChild(node, this.#walk)
  }

  #walkFunction(node: FunctionNode): void {
    if (node.type === 'FunctionDeclaration' && node.id) {
      this.#walk(node.id)
      if (node.id.variable) node.id.variable.called = node
    }
    const [outer, outerArguments] = [this.#function, this.#argumentsOf]
    this.#function = node
    if (node.type !== 'ArrowFunctionExpression') this.#argumentsOf = node
    const declared = new Map<string, Variable>()
    for (const parameter of node.params)
      forEachName(parameter, ({ name }) => this.#declare(name, 'parameter', declared))
    if (node.type === 'FunctionExpression' && node.id && !declared.has(node.id.name))
      this.#declare(node.id.name, 'function', declared).called = node
    const parameters = [...declared.values()]
    this.#enter(parameters)
    for (const parameter of node.params) {
      this.#walk(parameter)
      if (parameter.type === 'AssignmentPattern') this.#bind(parameter.left, parameter.right)
    }
    // Default values do not see what the body declares.
    const { body } = node
    if (body.type === 'BlockStatement') {
      this.returns.set(node, [])
      for (const one of body.body) this.#findVars(one, declared)
      const ofBody = [...this.#lexical(body.body, declared).values()].slice(parameters.length)
      this.#inScope(ofBody, body)
    } else {
      this.returns.set(node, [body])
      this.#walk(body)
    }
    this.#leave(parameters)
    this.#function = outer
    this.#argumentsOf = outerArguments
  }

  /** Notes what the names of a pattern are given: `const { spawn: run } = …`. */
  #bind(pattern: AnyNode, node: AnyNode, path: Source['path'] = WHOLE): void {
    if (pattern.type === 'Identifier') {
      const { variable } = pattern
      if (!variable) return
      variable.sources.push({ node, path })
      if (path.length === 0 && isFunction(node)) variable.called = node
    } else if (pattern.type === 'AssignmentPattern') {
      this.#bind(pattern.left, node, path)
      this.#bind(pattern.left, pattern.right)
    } else if (pattern.type === 'RestElement') this.#bind(pattern.argument, node, path)
    else if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties)
        if (property.type === 'RestElement') this.#bind(property, node, path)
        else {
          const { key, computed, value } = property
          this.#bind(value, node, [...path, computed ? key : (keyOf(key) ?? key)])
        }
    else this.#open(pattern)
  }

  #open(pattern: AnyNode): void {
    forEachName(pattern, ({ variable }) => {
      if (variable) variable.isOpen = true
    })
  }

  /** Gives the parameters of a function of the file what a call gives it. */
  #bindArguments({ callee, arguments: given }: CallNode): void {
    const called = calledFunction(callee)
    if (called === null) return
    this.called.add(called)
    const isByCall = callee.type === 'MemberExpression'
    for (const [index, parameter] of called.params.entries()) {
      const argument = given[isByCall ? index + 1 : index]
      if (argument?.type === 'SpreadElement') return
      if (argument) this.#bind(parameter, argument)
    }
  }
}

const HAS_STATEMENTS =
  /^(?!Expression|Class|Function|Return|Throw|Import|ExportDefault)\w*(?:Statement|Clause|Case|Declaration)$/
/** Values that a function is called with. */
const ARGUMENTS = new Variable('arguments', 'parameter')

/** Returns the function of the file that a call runs, also by `call`; null when it is another. */
export function calledFunction(callee: AnyNode): FunctionNode | null {
  if (callee.type !== 'MemberExpression') return localFunction(callee)
  return callee.property.type === 'Identifier' && callee.property.name === 'call' && !callee.computed
    ? localFunction(callee.object)
    : null
}

/** Returns the function of the file that an expression stands for. */
export function localFunction(node: AnyNode): FunctionNode | null {
  if (isFunction(node)) return node
  if (node.type !== 'Identifier' || !node.variable) return null
  const { called, isOpen, sources } = node.variable
  return isOpen || sources.some((one) => one.node !== called) ? null : called
}

/** Returns the only value that a name is given, or the expression itself. */
export function onlyValue(node: AnyNode): AnyNode {
  if (node.type === 'AssignmentExpression') return onlyValue(node.right)
  const { sources = [] } = (node.type === 'Identifier' && node.variable) || {}
  const [source] = sources
  return sources.length === 1 && source!.path.length === 0 && source!.node.type !== 'Identifier' ? source!.node : node
}
