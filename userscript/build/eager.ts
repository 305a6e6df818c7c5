import { type Plugin, parseAst } from 'vite'

/**
 * Puts the functions of some modules into parentheses, which browsers take for a sign that they are called at once: they
 * compile them with the script instead of looking them over first and coming back to each.
 *
 * @param paths ends of the paths of modules whose functions nearly every page calls
 * @throws in the build, for one that is no module of it
 */
export function compileAtOnce(paths: readonly string[]): Plugin {
  const missed = new Set(paths)
  return {
    name: 'compile-at-once',
    enforce: 'post',
    transform(code, id) {
      const path = paths.find((end) => id.endsWith(`/${end}`))
      if (path === undefined) return null
      missed.delete(path)
      return { code: marked(code), map: null }
    },
    buildEnd(error) {
      if (!error && missed.size > 0) throw new Error(`Not in the script: ${[...missed].join(', ')}.`)
    },
  }
}

const MARK = '/* @__PURE__ */ __compiledAtOnce__('

/** Turns the marks into the parentheses they stand for, which no bundler and no formatter would have left there. */
export const withoutMarks = (script: string): string =>
  script
    .replace(/\/\* @__PURE__ \*\/ (?=__compiledAtOnce__\()/g, '')
    // A statement that begins with a parenthesis would go on with the one before it.
    .replace(/(?<=[\w$'"`)\]}]\s*\n\s*)__compiledAtOnce__\(/g, ';(')
    .replaceAll('__compiledAtOnce__(', '(')

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: Node & { readonly name: string }
  readonly key?: Node & { readonly name: string }
  readonly method?: boolean
  readonly computed?: boolean
  readonly async?: boolean
  readonly generator?: boolean
  readonly body?: Node
}

const isNamed = ({ key, computed }: Node): boolean => key?.type === 'Identifier' && !computed
const nameOf = ({ id, key }: Node): string => (id ?? key)!.name

/**
 * Functions that a module declares, and methods of its objects, become arrows, so they must not use `this`. Those that it
 * declares are there when it has run: the order of modules is that of their imports.
 */
export function marked(code: string): string {
  const edits: { at: number; until?: number; text: string }[] = []
  const visit = (node: Node, parent: Node | null) => {
    if (node.type === 'ThisExpression') throw new Error('A function that becomes an arrow must not use `this`.')
    const isOwn = parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration'
    const isDeclared = node.type === 'FunctionDeclaration' && isOwn && !node.generator
    const isMethod = node.type === 'FunctionExpression' && parent?.method && isNamed(parent) && !node.generator
    if (isDeclared || isMethod) {
      const from = isDeclared ? node.start : parent!.start
      const start = `${isDeclared ? `const ${nameOf(node)} =` : `${nameOf(parent!)}:`} ${MARK}${node.async ? 'async ' : ''}`
      edits.push({ at: from, until: code.indexOf('(', isDeclared ? node.id!.end : node.start), text: start })
      edits.push({ at: node.body!.start, text: '=> ' }, { at: node.end, text: isDeclared ? ');' : ')' })
    } else if (node.type === 'ArrowFunctionExpression') {
      edits.push({ at: node.start, text: MARK }, { at: node.end, text: ')' })
    }
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, node)
  }
  visit(parseAst(code) as unknown as Node, null)
  let done = ''
  let from = 0
  for (const { at, until = at, text } of edits.sort((a, b) => a.at - b.at)) {
    done += code.slice(from, at) + text
    from = until
  }
  return done + code.slice(from)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
