import { expect, test } from 'vitest'
import { documentJsonSchema, eventJsonSchema } from './describe.ts'
import recorded from './recorded-fields.json' with { type: 'json' }

interface Node {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly additionalProperties?: Node | boolean
}

/** Returns every field that a schema describes, by its path, with its types. */
function fieldsOf(node: Node, at: string, found: Record<string, string[]> = {}): Record<string, string[]> {
  const add = (type: string) => {
    found[at] = [...new Set([...(found[at] ?? []), type])].toSorted()
  }
  if (node.$ref) add(node.$ref)
  else if (node.anyOf) for (const one of node.anyOf) fieldsOf(one, at, found)
  else add(node.type ?? typeof (node.const ?? node.enum?.[0]))
  for (const [name, one] of Object.entries(node.properties ?? {}))
    fieldsOf(one, `${at}.${name}${node.required?.includes(name) ? '' : '?'}`, found)
  if (node.items) fieldsOf(node.items, `${at}[]`, found)
  if (typeof node.additionalProperties === 'object') fieldsOf(node.additionalProperties, `${at}.*`, found)
  return found
}

/** Fields of all documents and events, by the command and the part that has them. */
function published(): Record<string, string[]> {
  const { $defs: definitions, anyOf } = documentJsonSchema() as unknown as {
    $defs: Record<string, Node>
    anyOf: Node[]
  }
  const documents = anyOf.flatMap((document) => {
    const command = document.properties?.command?.const
    return Object.entries(
      command ? fieldsOf(document.properties!.data!, `${command}.data`) : fieldsOf(document, 'failure'),
    )
  })
  const parts = Object.entries(definitions).flatMap(([name, part]) => Object.entries(fieldsOf(part, name)))
  const events = (eventJsonSchema().anyOf as Node[]).flatMap((event) =>
    Object.entries(fieldsOf(event, `event ${event.properties?.event?.const}`)),
  )
  return Object.fromEntries([...documents, ...parts, ...events])
}

test('begins every document with the same fields', () => {
  const documents = (documentJsonSchema() as unknown as { anyOf: Node[] }).anyOf
  for (const { required, properties } of documents) {
    const body = properties?.command?.const ? 'data' : 'error'
    expect(required).toEqual(expect.arrayContaining(['schema', 'directory', 'ok', 'command', body]))
  }
})

test('keeps every field that was published, with its types and where it is always there', () => {
  const now = published()
  const was: Readonly<Record<string, readonly string[]>> = recorded
  expect(Object.keys(was).length).toBeGreaterThan(200)
  for (const [field, types] of Object.entries(was)) {
    const part = /^#\/\$defs\/(\w+)$/.exec(types[0] ?? '')?.[1]
    // A part may get fields of its own in one place; those that it had stay.
    if (part !== undefined && now[field]?.join() === 'object')
      for (const [name, of] of Object.entries(was).filter(([name]) => name.startsWith(`${part}.`)))
        expect({ [field + name]: now[field + name.slice(part.length)] }).toEqual({ [field + name]: of })
    else expect({ [field]: now[field] }).toEqual({ [field]: types })
  }
})
