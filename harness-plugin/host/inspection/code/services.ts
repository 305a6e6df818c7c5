/** Finds what a plugin asks the harness for: services that guard something, by name, in every form of a plugin. */
import type { AnyNode } from 'acorn'
import { localFunction, onlyValue } from './names.ts'
import { isFunction, keyOf, nameOf } from './syntax.ts'
import { isKnown, type Values } from './values.ts'

/** Services of the harness that guard something (0.2.1-rc.2). */
export const GUARDS: ReadonlySet<string> = new Set(['approval', 'credentials', 'sandbox'])

/** Parts of an object that is a plugin; others have more. */
const MAX_PARTS = 15
/** Matches the function by which a plugin begins. */
const APPLY = /(?:function\s+|exports\.)apply\b|\bapply\s*[:,}=]|(?<![.\w])apply\s*\(/

export class Services {
  readonly #code: string
  readonly #values: Values
  readonly #add: (name: string | null, node: AnyNode) => void
  #mayBePlugin: boolean | null = null
  /** Lists that were looked through, as those of a plugin or not. */
  readonly #seen = { true: new Set<AnyNode>(), false: new Set<AnyNode>() }

  constructor(code: string, values: Values, add: (name: string | null, node: AnyNode) => void) {
    this.#code = code
    this.#values = values
    this.#add = add
  }

  /** Finds services in a call of a method: `ctx.inject([…])`, `ctx.get('credentials')`, `ctx.plugin({ inject })`. */
  findInCall(owner: AnyNode, name: string, first: AnyNode): void {
    if (name === 'inject') {
      const isContext = /^(?:ctx|context)$/.test(nameOf(owner))
      if (isContext || first.type === 'ArrayExpression') this.find(first, isContext)
    } else if (name === 'plugin') this.findPlugin(first, true)
    else if (name === 'get' || name === 'on' || name === 'once') {
      const text = this.#values.text(first) ?? ''
      const [service = ''] = text.split(name === 'get' ? '.' : '/')
      // A listener: `ctx.on('approval/request')`.
      if (GUARDS.has(service) && (name === 'get' || text.includes('/'))) this.#add(service, first)
    }
  }

  /** Finds the services of an object that is a plugin. */
  findPlugin(node: AnyNode, isPlugin = false): void {
    if (node.type !== 'ObjectExpression' || node.properties.length > MAX_PARTS) return
    const memberOf = (name: string) => {
      const found = node.properties.find((one) => one.type === 'Property' && !one.computed && keyOf(one.key) === name)
      return found?.type === 'Property' ? found.value : null
    }
    // Other objects have members of this name.
    if (isPlugin || memberOf('apply')) this.find(memberOf('inject'), true)
  }

  /** Finds the services of exports, which are a plugin's unless they are a library's, with this function among many. */
  findExported(given: AnyNode | null | undefined): void {
    this.#mayBePlugin ??= APPLY.test(this.#code) && (this.#code.match(/\bexports\.\w+ =/g)?.length ?? 0) < MAX_PARTS
    this.find(given, this.#mayBePlugin)
  }

  /**
   * Finds the services in `inject`: a list, or an object with lists or with their names.
   *
   * @param isPlugin true where it is certainly a plugin's, so that a list that is not known counts
   */
  find(given: AnyNode | null | undefined, isPlugin: boolean): void {
    if (!given) return
    const node = onlyValue(given)
    if (this.#seen[`${isPlugin}`].has(node) || (node.type === 'Identifier' && localFunction(node))) return
    this.#seen[`${isPlugin}`].add(node)
    const addName = (name: string | null, at: AnyNode) => {
      if (name === null ? isPlugin : GUARDS.has(name.split('.')[0]!)) this.#add(name, at)
    }
    if (node.type === 'ArrayExpression')
      for (const one of node.elements) {
        if (one?.type === 'SpreadElement') this.find(one.argument, isPlugin)
        else if (one) for (const text of this.#values.texts(one)) addName(isKnown(text) ? text : null, one)
      }
    else if (node.type === 'ObjectExpression')
      for (const one of node.properties) {
        if (one.type === 'SpreadElement') {
          this.find(one.argument, isPlugin)
          continue
        }
        const name = one.computed ? this.#values.text(one.key) : keyOf(one.key)
        if (name === 'required' || name === 'optional') this.find(one.value, isPlugin)
        else addName(name, one)
      }
    // What bundlers write for an export: `inject: () => inject`.
    else if (node.type === 'ArrowFunctionExpression' && node.body.type === 'Identifier') this.find(node.body, isPlugin)
    // A method of this name, or no list at all.
    else if (!isFunction(node) && !/^(?:Literal|UnaryExpression)$/.test(node.type)) addName(null, node)
  }
}
