/** Checks responses against openapi.yaml. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

type Json = { readonly [key: string]: Json }

const document: Json = parse(readFileSync(new URL('../../shared/contract/openapi.yaml', import.meta.url), 'utf8'))

/** Parts of a schema that tell one object from another and describe none completely. */
const CONDITIONS = ['if', 'then', 'else']

/** Closes every object: a server of the contract may add fields, this one must not do so by accident. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, CONDITIONS.includes(key) ? value : closed(value)]),
  )
  return inner.type === 'object' ? { ...inner, additionalProperties: false } : inner
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
ajv.addSchema({ $id: 'api', components: closed(document.components) } as AnySchema)
const compiled = new Map<string, ValidateFunction>()

/** The schema behind a reference into the document, or one that stands in its place. */
function validator(schema: Json): ValidateFunction {
  const key = JSON.stringify(schema)
  let validate = compiled.get(key)
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(key.replaceAll('"#/', '"api#/')))
    compiled.set(key, validate)
  }
  return validate
}

function resolved(node: Json | undefined): Json | undefined {
  const reference = node?.$ref as unknown
  if (typeof reference !== 'string') return node
  return reference
    .slice(2)
    .split('/')
    .reduce<Json | undefined>((at, name) => at?.[name], document)
}

const problemsOf = (where: string, validate: ValidateFunction, value: unknown): string[] =>
  validate(value) ? [] : (validate.errors ?? []).map((e) => `${where}${e.instancePath} ${e.message}`)

/** Returns the document's description of an answer, or undefined for an unknown path, method or status. */
function described(method: string, path: string, status: number): Json | undefined {
  if (status === 404) return resolved({ $ref: '#/components/responses/NotFound' } as unknown as Json)
  const operations = document.paths?.[path]
  // A method the document does not know is answered as it says for the path's GET.
  const { responses } = operations?.[method.toLowerCase()] ?? operations?.get ?? {}
  return resolved(responses?.[status] ?? responses?.[`${String(status)[0]}XX`])
}

/**
 * Everything that is wrong with an answer; its body is read from a copy.
 *
 * @param parts `body` leaves the headers out, which the live service's quirks change
 */
export async function violations(
  request: Pick<Request, 'method' | 'url'>,
  response: Response,
  parts: 'all' | 'body' = 'all',
): Promise<string[]> {
  const { pathname } = new URL(request.url)
  const description = described(request.method, pathname, response.status)
  if (description === undefined) return [`${request.method} ${pathname}: nothing is said of ${response.status}`]
  const problems: string[] = []
  for (const [name, header] of Object.entries(parts === 'all' ? (description.headers ?? {}) : {})) {
    const { required, schema } = resolved(header)!
    const value = response.headers.get(name)
    if (value !== null) problems.push(...problemsOf(`${name}: `, validator(schema!), value))
    else if (required) problems.push(`${name}: missing`)
  }
  const text = await response.clone().text()
  const schema = description.content?.['application/json']?.schema
  if (schema === undefined || request.method === 'HEAD') {
    if (text !== '') problems.push('a body where there is none')
  } else if (!response.headers.get('content-type')?.startsWith('application/json')) {
    problems.push('not application/json')
  } else {
    problems.push(...problemsOf('body', validator(schema), JSON.parse(text)))
  }
  return problems
}
