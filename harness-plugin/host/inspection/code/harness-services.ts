/** Finds what a plugin asks the harness for: services that guard something, by name, in every form of a plugin. */
import type { AnyNode } from 'acorn'
import type { CodeFinding, Powers } from './powers.ts'
import { isFunction, keyOf, nameOf } from './syntax.ts'
import { isKnown, type Values } from './values.ts'
import { localFunction, onlyValue } from './variables.ts'

/** Services of the harness that guard something (0.2.1-rc.2). */
export const GUARDS: ReadonlySet<string> = new Set(['approval', 'credentials', 'sandbox'])

/**
 * Services by which a plugin does what it cannot do itself, and their methods that do it. The harness gives them only to who
 * asks for them by name; what the code calls its context is then of no account.
 */
const DOES: ReadonlyMap<string, readonly [method: RegExp, kind: CodeFinding]> = new Map([
  ['subprocess', [/./, 'starts-programs']],
  ['shell', [/^(?:run|start)$/, 'starts-programs']],
  ['codeRuntime', [/^run$/, 'runs-text']],
  ['fs', [/^(?:write|edit)/, 'writes-files']],
])
const CONTEXT = /^(?:ctx|context)$/

/** Matches the function by which a plugin begins. */
const PLUGIN = /(?:function\s+|exports\.)apply\b|\bapply\s*[:,}=]|(?<![.\w])apply\s*\(/
/** A library has this function among many exports, a plugin has few. */
const MAX_EXPORTS = 15

/** Returns the service that an expression stands for, also by a name of its own: `const { http } = ctx`. */
function serviceOf(node: AnyNode): string {
  const owner = onlyValue(node)
  if (owner.type === 'MemberExpression') return CONTEXT.test(nameOf(owner.object)) ? nameOf(owner) : ''
  const [source] = (owner.type === 'Identifier' && owner.variable?.sources) || []
  return source?.path.length === 1 && CONTEXT.test(nameOf(source.node)) ? String(source.path[0]) : ''
}

export class Services {
  readonly #values: Values
  readonly #powers: Powers
  readonly #isPlugin: boolean
  /** Lists that were looked through, as those of a plugin or not. */
  readonly #seen = { true: new Set<AnyNode>(), false: new Set<AnyNode>() }

  constructor(code: string, values: Values, powers: Powers) {
    this.#values = values
    this.#powers = powers
    this.#isPlugin = PLUGIN.test(code) && (code.match(/\bexports\.\w+ =/g)?.length ?? 0) < MAX_EXPORTS
  }

  #add(name: string, node: AnyNode): void {
    const [, kind] = DOES.get(name) ?? []
    if (GUARDS.has(name)) this.#powers.add('service', name, node)
    else if (kind) this.#powers.add(kind, null, node)
  }

  /** Finds services in a call of a method: `ctx.inject([…])`, `ctx.get('credentials')`, `ctx.shell.run(…)`. */
  findInCall(owner: AnyNode, name: string, first: AnyNode): void {
    const service = serviceOf(owner)
    const [method, kind] = DOES.get(service) ?? []
    if (method?.test(name)) this.#powers.add(kind!, null, owner)
    else if (service === 'http' || (name === 'http' && CONTEXT.test(nameOf(owner))))
      for (const address of this.#powers.addressesOf(first)) this.#powers.request(address, owner, false)
    else if (name === 'inject') this.find(first, CONTEXT.test(nameOf(owner)))
    else if (name === 'plugin' && CONTEXT.test(nameOf(owner)) && first.type === 'ObjectExpression')
      this.findInObject(first, true)
    else if (name === 'get' || name === 'on' || name === 'once') {
      const text = this.#values.text(first) ?? ''
      const [service = ''] = text.split(name === 'get' ? '.' : '/')
      // Many maps have such names. A listener: `ctx.on('approval/request')`.
      const isAsked = name === 'get' && (CONTEXT.test(nameOf(owner)) || service === 'subprocess')
      if (isAsked || (GUARDS.has(service) && (name === 'get' || text.includes('/')))) this.#add(service, first)
    }
  }

  /** Finds the services of an object with `inject`, which is a plugin if it has `apply` too. */
  findInObject({ properties }: AnyNode & { readonly type: 'ObjectExpression' }, isGiven = false): void {
    const propertyOf = (name: string) =>
      properties.find((one) => one.type === 'Property' && !one.computed && keyOf(one.key) === name) as
        | (AnyNode & { readonly type: 'Property' })
        | undefined
    // Libraries have functions of these names among many.
    const isPlugin = properties.length < MAX_EXPORTS && propertyOf('apply') !== undefined
    this.find(propertyOf('inject')?.value, isGiven || isPlugin)
  }

  /** Finds the services in `inject`: a list, or an object with lists or with their names. */
  find(given: AnyNode | null | undefined, isPlugin = this.#isPlugin): void {
    if (!given) return
    // Other programs have lists of this name too: what is not known counts in a plugin.
    const addName = (name: string | null, at: AnyNode) => {
      if (name !== null) this.#add(name.split('.')[0]!, at)
      else if (isPlugin) this.#powers.add('service', null, at)
    }
    const node = onlyValue(given)
    if (this.#seen[`${isPlugin}`].has(node) || (node.type === 'Identifier' && localFunction(node))) return
    this.#seen[`${isPlugin}`].add(node)
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
    // The form that bundlers write for an export: `inject: () => inject`.
    else if (node.type === 'ArrowFunctionExpression' && node.body.type === 'Identifier') this.find(node.body, isPlugin)
    // A method of this name, or no list at all.
    else if (!isFunction(node) && !/^(?:Literal|UnaryExpression)$/.test(node.type)) addName(null, node)
  }
}
