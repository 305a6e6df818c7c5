/** The syntax of one file: its tree, the children of each node, and how names are written in it. */
import { type AnyNode, type Options, Parser, type Program } from 'acorn'
import { base } from 'acorn-walk'

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

type Visit = (child: AnyNode, kind?: string) => void
const {
  Function: ofFunction,
  Class: ofClass,
  ...others
} = base as Record<
  string,
  (node: AnyNode, visit: Visit, call: (child: AnyNode, visit: Visit, kind?: string) => void) => void
>
const CHILDREN: typeof others = {
  ...others,
  FunctionDeclaration: ofFunction!,
  FunctionExpression: ofFunction!,
  ArrowFunctionExpression: ofFunction!,
  ClassDeclaration: ofClass!,
  ClassExpression: ofClass!,
}
const visitChild = (child: AnyNode, visit: Visit, kind?: string): void => visit(child, kind)

/** Calls back with each child that has code, and `Pattern` for one that is given a value: no names of members or labels. */
export const forEachChild = (node: AnyNode, visit: Visit): void => CHILDREN[node.type]!(node, visit, visitChild)

/** Calls back with each name that a pattern gives a value to. */
export function forEachName(pattern: AnyNode, visit: (name: AnyNode & { readonly type: 'Identifier' }) => void): void {
  if (pattern.type === 'Identifier') visit(pattern)
  else if (pattern.type !== 'MemberExpression')
    forEachChild(pattern, (one, kind) => {
      if (kind === 'Pattern') forEachName(one, visit)
    })
}

/** Returns the name of a key or an identifier. */
export const keyOf = (node: AnyNode): string | null =>
  node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : null

/** Returns the last name of a chain: `register` of `ctx.tools.register`, and of `(0, tools.register)`. */
export function nameOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'ChainExpression') return nameOf(node.expression)
  if (node.type === 'SequenceExpression') return nameOf(node.expressions.at(-1)!)
  if (node.type !== 'MemberExpression') return keyOf(node) ?? ''
  return node.computed && node.property.type !== 'Literal' ? '' : (keyOf(node.property) ?? '')
}
