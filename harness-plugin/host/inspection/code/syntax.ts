/** The syntax of one file: its tree, the children of each node, and how names are written in it. */
import { type AnyNode, type Options, Parser, type Program } from 'acorn'

/** Longest file that is read, in characters. */
const MAX_CODE = 5_000_000
/** Steps from a name outwards through its scopes, and from a label, of all together. The parser takes them. */
const MAX_STEPS = 40_000_000

export class TooMuchWork extends Error {}

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

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
}

/** Matches what can be other code in a script than in a module: comments of HTML, and a division of `await`. */
const AMBIGUOUS = /<!--|(?:^|\*\/)[^\S\n\r\u2028\u2029]*-->|\bawait\s*\//m

/**
 * Calls a reader with the tree of a file; with both trees where it can be a module and a script of other code. Returns a
 * problem for text that is not JavaScript, or takes too much work.
 */
export function withSyntax<Result>(
  text: string,
  read: (program: Program) => Result,
): readonly Result[] | 'not-javascript' | 'too-large' {
  if (text.length > MAX_CODE) return 'too-large'
  const results: Result[] = []
  // A module and a script differ in few words, such as `with` and `await`.
  for (const sourceType of ['module', 'script'] as const)
    try {
      const allowAwaitOutsideFunction = sourceType === 'module'
      results.push(read(CodeParser.parse(text, { ...OPTIONS, sourceType, allowAwaitOutsideFunction })))
      if (!AMBIGUOUS.test(text)) break
    } catch (error) {
      // A RangeError is the end of the stack: it is nested deeper than an engine runs.
      if (error instanceof TooMuchWork || error instanceof RangeError) return 'too-large'
      if (!(error instanceof SyntaxError)) throw error
    }
  return results.length > 0 ? results : 'not-javascript'
}

export type CallNode = AnyNode & { readonly type: 'CallExpression' | 'NewExpression' }
export type MemberNode = AnyNode & { readonly type: 'MemberExpression' }
export type FunctionNode = AnyNode & {
  readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'
}
export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration'

/** Parts of each kind of node that have code: no names of members and labels, which stand for no variable. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `Program body,ExpressionStatement expression,BlockStatement body,StaticBlock body,WithStatement object body,
  ReturnStatement argument,LabeledStatement body,IfStatement test consequent alternate,ThrowStatement argument,
  SwitchStatement discriminant cases,SwitchCase test consequent,TryStatement block handler finalizer,
  CatchClause param body,WhileStatement test body,DoWhileStatement body test,ForStatement init test update body,
  ForInStatement left right body,ForOfStatement left right body,VariableDeclaration declarations,
  VariableDeclarator id init,FunctionDeclaration params body,FunctionExpression params body,
  ArrowFunctionExpression params body,ClassDeclaration superClass body,ClassExpression superClass body,ClassBody body,
  MethodDefinition key value,PropertyDefinition key value,Property key value,ArrayExpression elements,
  ObjectExpression properties,UnaryExpression argument,UpdateExpression argument,BinaryExpression left right,
  LogicalExpression left right,AssignmentExpression left right,MemberExpression object property,
  ConditionalExpression test consequent alternate,CallExpression callee arguments,NewExpression callee arguments,
  SequenceExpression expressions,YieldExpression argument,AwaitExpression argument,SpreadElement argument,
  TemplateLiteral expressions,TaggedTemplateExpression tag quasi,ImportExpression source options,
  ChainExpression expression,ParenthesizedExpression expression,ObjectPattern properties,ArrayPattern elements,
  RestElement argument,AssignmentPattern left right,ExportDefaultDeclaration declaration,
  ExportNamedDeclaration declaration`
    .split(/,\s*/)
    .map((line) => line.split(' '))
    .map(([type, ...parts]) => [type, parts]),
)

export function forEachChild(node: AnyNode, visit: (child: AnyNode) => void): void {
  // Most nodes are of these kinds. The rest is found by the names of its parts, which takes longer.
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
    case 'ThisExpression':
      return
    case 'CallExpression':
      visit(node.callee)
      for (let index = 0; index < node.arguments.length; index++) visit(node.arguments[index]!)
      return
    case 'MemberExpression':
      visit(node.object)
      if (node.computed) visit(node.property)
      return
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      visit(node.left)
      visit(node.right)
      return
    case 'Property':
      if (node.computed) visit(node.key)
      visit(node.value)
      return
    case 'ExpressionStatement':
      visit(node.expression)
      return
  }
  for (const part of CHILDREN[node.type] ?? []) {
    if (part === 'key' && !(node as { computed?: boolean }).computed) continue
    const child = (node as unknown as Record<string, AnyNode | readonly (AnyNode | null)[] | null>)[part]
    if (Array.isArray(child)) {
      for (const one of child) if (one) visit(one)
    } else if (child) visit(child as AnyNode)
  }
}

/** Calls back with each name that a pattern gives a value to. */
export function forEachName(pattern: AnyNode, visit: (name: AnyNode & { readonly type: 'Identifier' }) => void): void {
  if (pattern.type === 'Identifier') visit(pattern)
  else if (pattern.type === 'Property') forEachName(pattern.value, visit)
  else if (pattern.type === 'AssignmentPattern') forEachName(pattern.left, visit)
  else if (pattern.type !== 'MemberExpression') forEachChild(pattern, (one) => forEachName(one, visit))
}

/** Returns the name of a key or an identifier. */
export const keyOf = (node: AnyNode): string | null =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : null

/** Returns the last name of a chain: `register` of `ctx.tools.register`. */
export function nameOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'ChainExpression') return nameOf(node.expression)
  if (node.type !== 'MemberExpression') return keyOf(node) ?? ''
  return node.computed && node.property.type !== 'Literal' ? '' : (keyOf(node.property) ?? '')
}
