import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  BASE_URL,
  CATEGORIES,
  INDEX_FIELDS,
  INSTALL_KINDS,
  IndexDocumentSchema,
  IndexListingSchema,
  InstallOptionSchema,
  InstantSchema,
  PAGE_SIZE,
  PluginRecordSchema,
  RISK_FLAGS,
  VERDICTS,
  WholeNumberSchema,
} from './index.ts'

type Component = Record<string, unknown>
interface Described {
  readonly properties: Readonly<Record<string, Component & { readonly description?: string }>>
  readonly required: readonly string[]
}

const source = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8')
const document = parse(source)
const documented: Readonly<Record<string, Described>> = document.components.schemas

/** JSON Schemas of the checks on single values. */
const CHECKED = new Map<unknown, JsonSchema>([
  [WholeNumberSchema.pipe[1], { type: 'integer', minimum: 0 }],
  [InstantSchema.pipe[1], { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` }],
])
const schemas = toJsonSchemaDefs(
  {
    InstallOption: InstallOptionSchema,
    PluginRecord: PluginRecordSchema,
    IndexDocument: IndexDocumentSchema,
    IndexListing: IndexListingSchema,
  },
  {
    target: 'draft-2020-12',
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'check' ? { ...jsonSchema, ...CHECKED.get(valibotAction) } : null,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  },
) as unknown as Readonly<Record<string, Described>>

/** Returns a schema whose null is one of its types, as OpenAPI 3.1 has it. */
function flattenNullable({ anyOf, ...schema }: Component): Component {
  if (!Array.isArray(anyOf)) return schema
  const { type, ...value } = anyOf[0]
  return { ...value, ...schema, type: [type, 'null'] }
}
/** Returns what the document says of each field of a schema, with any description. */
const propertiesOf = (name: string) =>
  Object.entries(schemas[name]!.properties).map(
    ([field, schema]) => [field, { ...flattenNullable(schema), description: expect.stringMatching(/./) }] as const,
  )

test.for(['InstallOption', 'PluginRecord', 'IndexDocument'])(
  'documents each field of %s as clients read it',
  (name) => {
    const { properties, required } = documented[name]!
    expect(Object.keys(properties)).toEqual(Object.keys(schemas[name]!.properties))
    expect(required).toEqual(schemas[name]!.required)
    for (const [field, schema] of propertiesOf(name)) {
      // The document says what a row of the index is; clients read each by itself.
      const read = field === 'plugins' ? { type: 'array' } : schema
      expect(properties[field], field).toMatchObject(read)
    }
  },
)

test('documents the columns of the index in their order', () => {
  const { IndexRow, IndexDocument } = document.components.schemas
  expect(IndexDocument.properties.fields.const).toEqual(INDEX_FIELDS)
  const columns = new Map(propertiesOf('IndexListing'))
  expect(IndexRow.prefixItems).toMatchObject(INDEX_FIELDS.map((field) => columns.get(field)))
  expect([IndexRow.minItems, IndexRow.maxItems]).toEqual([INDEX_FIELDS.length, INDEX_FIELDS.length])
})

test('names every id, the live directory and the page sizes', () => {
  for (const id of [...CATEGORIES, ...VERDICTS, ...RISK_FLAGS, ...INSTALL_KINDS])
    expect(document.info.description).toContain(`\`${id}\``)
  expect(documented.PluginRecord!.properties.category!.description).toContain(`${CATEGORIES.length} category ids`)
  expect(document.servers[0].url).toBe(BASE_URL)
  const { limit } = document.components.parameters
  expect(limit.schema.default).toBe(PAGE_SIZE.default)
  expect(limit.description).toContain(`more than ${PAGE_SIZE.max} counts as ${PAGE_SIZE.max}`)
  expect(documented.PluginsPage!.properties.results!.maxItems).toBe(PAGE_SIZE.max)
})

test('refuses a record that says it can be installed and has no command', () => {
  const record = { installable: true, install: null }
  const { if: condition, then, else: otherwise } = document.components.schemas.PluginRecord
  const validate = new Ajv2020({ strict: false }).compile({ if: condition, then, else: otherwise })
  expect(validate(record)).toBe(false)
  expect(validate({ ...record, installable: false })).toBe(true)
  expect(validate({ installable: false, install: 'dsh plugin --profile web add x' })).toBe(false)
})

test('allows the numbers out of range that its descriptions mention', () => {
  const { limit, page } = document.components.parameters
  for (const { schema, description } of [limit, page]) {
    expect(description).toContain('counts as absent')
    const validate = new Ajv2020({ strict: false }).compile(schema)
    for (const value of [1, 0, -3, 5000, '2.5', 'many', '']) expect(validate(value), String(value)).toBe(true)
  }
})

test('breaks no recommended rule of the OpenAPI linter', async () => {
  const problems = await lintFromString({
    source,
    absoluteRef: 'openapi.yaml',
    config: await createConfig({ extends: ['recommended'] }),
  })
  const errors = problems.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual([])
})
