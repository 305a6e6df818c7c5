/** Finds what a plugin asks the harness for: services that guard something, by name, in every form of a plugin. */
import type { AnyNode } from 'acorn'
import { localFunction, onlyValue } from './names.ts'
import type { CodeFinding, Powers } from './powers.ts'
import { isFunction, keyOf, nameOf } from './syntax.ts'
import { isKnown, type Values } from './values.ts'

/** Services of the harness that guard something (0.2.1-rc.2). */
export const GUARDS: ReadonlySet<string> = new Set(['approval', 'credentials', 'sandbox'])

/** Services by which a plugin does what it cannot do itself, and their methods that do it. `subprocess` has no other use. */
const DOES: ReadonlyMap<string, readonly [method: RegExp, kind: CodeFinding]> = new Map([
  ['subprocess', [/./, 'starts-programs']],
  ['shell', [/^(?:run|start)$/, 'starts-programs']],
  ['codeRuntime', [/^run$/, 'runs-text']],
  ['fs', [/^(?:write|edit)/, 'writes-files']],
])
const CONTEXT = /^(?:ctx|context)$/

/** Parts of an object that is a plugin; others have more. */
const MAX_PARTS = 15
/** Matches the function by which a plugin begins. */
const APPLY = /(?:function\s+|exports\.)apply\b|\bapply\s*[:,}=]|(?<![.\w])apply\s*\(/

export class Services {
  readonly #code: string
  readonly #values: Values
  readonly #powers: Powers
  #mayBePlugin: boolean | null = null
  /** Lists that were looked through, as those of a plugin or not. */
  readonly #seen = { true: new Set<AnyNode>(), false: new Set<AnyNode>() }

  constructor(code: string, values: Values, powers: Powers) {
    this.#code = code
    this.#values = values
    this.#powers = powers
  }

  #add(name: string, node: AnyNode): void {
    if (GUARDS.has(name)) this.#powers.add('service', name, node)
    else if (name === 'subprocess') this.#powers.add('starts-programs', null, node)
  }

  /** Finds services in a call of a method: `ctx.inject([…])`, `ctx.get('credentials')`, `ctx.shell.run(…)`. */
  findInCall(owner: AnyNode, name: string, first: AnyNode): void {
    const service = owner.type === 'MemberExpression' && CONTEXT.test(nameOf(owner.object)) ? nameOf(owner) : ''
    const [method, kind] = DOES.get(service) ?? []
    if (method?.test(name)) this.#powers.add(kind!, null, owner)
    else if (service === 'http' || (name === 'http' && CONTEXT.test(nameOf(owner))))
      for (const address of this.#powers.texts(first)) this.#powers.request(address, owner, false)
    else if (name === 'inject') {
      const isContext = CONTEXT.test(nameOf(owner))
      if (isContext || first.type === 'ArrayExpression') this.find(first, isContext)
    } else if (name === 'plugin') this.findPlugin(first, true)
    else if (name === 'get' || name === 'on' || name === 'once') {
      const text = this.#values.text(first) ?? ''
      const [service = ''] = text.split(name === 'get' ? '.' : '/')
      // A listener: `ctx.on('approval/request')`.
      if (name === 'get' || text.includes('/')) this.#add(service, first)
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
      if (name !== null) this.#add(name.split('.')[0]!, at)
      else if (isPlugin) this.#powers.add('service', null, at)
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
