import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import {
  INDEX_FIELDS,
  IndexDocumentSchema,
  IndexListingSchema,
  InstallOptionSchema,
  InstantSchema,
  PAGE_SIZE,
  PluginRecordSchema,
  WholeNumberSchema,
} from '../index.ts'
import { DESCRIPTIONS } from './descriptions.ts'

/** A component of the document. Looser than JsonSchema, whose type covers draft 7 only. */
export type Component = Record<string, unknown>

type Described = Component & { properties: Record<string, Component> }

/**
 * Envelope of `GET /api/v1/plugins`. Clients parse its rows one by one, so that one bad row does not reject the others.
 */
const PluginsPageSchema = v.object({
  total: WholeNumberSchema,
  count: WholeNumberSchema,
  results: v.array(PluginRecordSchema),
})

const ErrorBodySchema = v.object({ error: v.pipe(v.string(), v.maxLength(1000)) })

/** The documented schemas, by their name in the document. */
const definitions = {
  InstallOption: InstallOptionSchema,
  PluginRecord: PluginRecordSchema,
  PluginsPage: PluginsPageSchema,
  IndexDocument: IndexDocumentSchema,
  IndexListing: IndexListingSchema,
  Error: ErrorBodySchema,
}

/** JSON Schema of the `v.check` on PluginRecordSchema, which the generator cannot translate. */
const installableMeansInstall: Component = {
  if: { properties: { installable: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { install: { type: 'string' } } },
  else: { properties: { install: { type: 'null' } } },
}

/** JSON Schemas of the checks on single values. */
const CHECKED = new Map<unknown, JsonSchema>([
  [WholeNumberSchema.pipe[1], { type: 'integer', minimum: 0 }],
  [InstantSchema.pipe[1], { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` }],
])

/** Rules of the contract for columns that the schemas accept more loosely. */
const PATTERNS: Record<string, Component> = {
  install: { pattern: '^\\S+ plugin --profile \\S+ add \\S+$' },
  npm: { minLength: 1 },
  npmPackage: { minLength: 1 },
}

function addPatterns(properties: Record<string, Component>): Record<string, Component> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...PATTERNS[name] }]),
  )
}

/** Adds the description of each field. A reference has its own. */
function addDescriptions(name: string, schema: Described): Described {
  const properties = Object.entries(schema.properties).map(([field, property]) => {
    const description = DESCRIPTIONS[name]?.[field]
    if (description === undefined) throw new Error(`${name}.${field} has no description. Write one in descriptions.ts.`)
    return [field, '$ref' in property ? property : { ...property, description }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Rewrites a nullable schema to one type array, as OpenAPI 3.1 does and tools show best. */
function flattenNullable(schema: Component): Component {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const { type, ...value } = anyOf[0] as Component
  return { ...value, ...rest, type: [type, 'null'] }
}

/** Applies `change` to every object of a schema, innermost first. */
function mapSchema(schema: unknown, change: (schema: Component) => Component): unknown {
  if (Array.isArray(schema)) return schema.map((item) => mapSchema(item, change))
  if (typeof schema !== 'object' || schema === null) return schema
  return change(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapSchema(value, change)])))
}

/**
 * Returns the components of openapi.yaml. Objects stay open: a server may add fields, and readers ignore unknown ones.
 * An index row is a tuple of the columns that `fields` names, so its object schema becomes a tuple.
 */
export function componentSchemas(): Record<string, Component> {
  const generated = toJsonSchemaDefs(definitions, {
    target: 'draft-2020-12',
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'check' ? { ...jsonSchema, ...CHECKED.get(valibotAction) } : null,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as Record<keyof typeof definitions, JsonSchema>
  const plain = mapSchema(generated, flattenNullable) as Record<keyof typeof definitions, Described>
  const { IndexListing, IndexDocument, PluginRecord, PluginsPage, ...rest } = Object.fromEntries(
    Object.entries(plain).map(([name, schema]) => [name, addDescriptions(name, schema)]),
  ) as typeof plain
  const columns = addPatterns(IndexListing.properties)
  return {
    ...rest,
    PluginRecord: { ...PluginRecord, properties: addPatterns(PluginRecord.properties), ...installableMeansInstall },
    PluginsPage: {
      ...PluginsPage,
      properties: {
        ...PluginsPage.properties,
        results: { ...PluginsPage.properties.results, maxItems: PAGE_SIZE.max },
      },
    },
    IndexDocument: {
      ...IndexDocument,
      properties: {
        ...IndexDocument.properties,
        fields: { ...IndexDocument.properties.fields, const: [...INDEX_FIELDS] },
        plugins: { type: 'array', items: { $ref: '#/components/schemas/IndexRow' } },
      },
    },
    IndexRow: {
      description: 'One listing; its columns in the order of fields.',
      type: 'array',
      prefixItems: INDEX_FIELDS.map((field) => columns[field]),
      minItems: INDEX_FIELDS.length,
      maxItems: INDEX_FIELDS.length,
    },
  }
}
