import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { stringify } from 'yaml'
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
} from '../index.ts'

/** A component of the document. Looser than JsonSchema, whose type covers draft 7 only. */
type Component = Record<string, unknown>

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

const ABOUT = `A public directory of agent-harness plugins. Read-only, no key, open to every origin.

Every path answers GET, HEAD (the headers of GET, no body) and OPTIONS. Any other method is a 405, any other path under
\`/api/v1/\` a 404; both are JSON errors that every origin may read. Answers carry an ETag: a request with a matching
\`If-None-Match\` is answered with 304 and no body. Bodies are compressed with brotli or gzip when the caller
accepts it.

New ids appear: a reader accepts any category, verdict, risk flag and install kind, and ignores fields that it does not
know. The current ones are

- categories: ${code(CATEGORIES)}
- verdicts: ${code(VERDICTS)}
- risk flags: ${code(RISK_FLAGS)}
- install kinds: ${code(INSTALL_KINDS)}

Free to use, also commercially, without attribution and without warranty. Keep the index and look things up in it
instead of asking for every page view, and prefer one call for the index to many for plugins. A listing is not a
security review.`

const { min, max, default: usual } = PAGE_SIZE

const PARAMETERS: Record<string, Component> = {
  q: {
    description:
      'A string, not words, that the full name, one of the summaries or the description of the repository must contain. Case is ignored in every script; `%` and `_` mean themselves. Spaces around it are dropped. Empty: everything.',
    schema: { type: 'string' },
  },
  category: {
    description: 'A category id. One that no listing has matches nothing. Empty: everything.',
    schema: { type: 'string' },
  },
  limit: {
    description: `Rows on a page. Anything but a whole number of at least ${min} counts as absent; more than ${max} counts as ${max}.`,
    schema: { type: ['integer', 'string'], default: usual },
  },
  installCheck: {
    description: 'A verdict. An unknown one is ignored, without an error.',
    schema: { type: 'string' },
  },
  page: {
    description:
      'From 1. Anything but a whole number of at least 1 counts as absent. A page after the last one is empty.',
    schema: { type: ['integer', 'string'], default: 1 },
  },
}

const required = (description: string, schema: Component): Component => ({ description, required: true, schema })

const HEADERS: Record<string, Component> = {
  'Access-Control-Allow-Origin': required('Open to every origin.', { const: '*' }),
  'Access-Control-Expose-Headers': required('Scripts may read the ETag.', { const: 'ETag' }),
  'Access-Control-Allow-Methods': required('Methods a page may use.', { const: 'GET, HEAD' }),
  'Access-Control-Allow-Headers': required('Headers a page may set, besides the safe ones.', {
    const: 'If-None-Match',
  }),
  'Access-Control-Max-Age': required('Seconds for which a preflight is cached.', { type: 'string', pattern: '^\\d+$' }),
  Allow: required('Methods there are.', { const: 'GET, HEAD, OPTIONS' }),
  ETag: required('Validator of the answer; weak, as one text has several encodings.', {
    type: 'string',
    pattern: '^W/"[^"]+"$',
  }),
  Vary: required('Encodings differ by caller.', { const: 'Accept-Encoding' }),
  'Cache-Control-Plugins': required('How long a cached page is fresh.', { const: 'public, max-age=300, s-maxage=900' }),
  'Cache-Control-Index': required('How long a cached index is fresh.', {
    const: 'public, max-age=3600, s-maxage=21600',
  }),
}

const ref = (kind: string, name: string): Component => ({ $ref: `#/components/${kind}/${name}` })
const headers = (...names: string[]): Component => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
const jsonBody = (schema: string): Component => ({ 'application/json': { schema: ref('schemas', schema) } })

interface Endpoint {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** End of the names of its own components. */
  readonly name: 'Plugins' | 'Index'
  readonly schema: string
  readonly parameters: readonly Component[]
}

/** Returns the headers of a successful answer. */
const answerHeaders = (name: Endpoint['name']): Component => ({
  ...headers('Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'ETag', 'Vary'),
  'Cache-Control': ref('headers', `Cache-Control-${name}`),
})

const notModified = (name: Endpoint['name']): Component => ({
  description: "The caller's cached copy is current.",
  headers: answerHeaders(name),
})

/** Returns the operations of one endpoint: GET as `get` has it, and HEAD and OPTIONS, which follow from it. */
function endpoint({ operationId, summary, description, name, schema, parameters }: Endpoint): Component {
  const common = { '304': ref('responses', `NotModified-${name}`), '5XX': ref('responses', 'ServerError') }
  return {
    parameters,
    get: {
      operationId,
      summary,
      description,
      responses: {
        '200': { description: summary, headers: answerHeaders(name), content: jsonBody(schema) },
        '405': ref('responses', 'MethodNotAllowed'),
        '431': ref('responses', 'TooLong'),
        ...common,
      },
    },
    head: {
      operationId: `${operationId}Head`,
      summary: `${summary}: headers only`,
      responses: { '200': { description: 'The headers of GET.', headers: answerHeaders(name) }, ...common },
    },
    options: {
      operationId: `${operationId}Options`,
      summary: `${summary}: what may be requested`,
      responses: { '204': ref('responses', 'Preflight') },
    },
  }
}

/** Returns the OpenAPI document of the contract. */
export function openapiDocument(): Component {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plugin directory',
      version: '1.0.0',
      summary: 'Which repositories are plugins of an agent harness, and what installs them.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: BASE_URL, description: 'The live directory. Any server that speaks this contract will do.' }],
    security: [],
    paths: {
      '/api/v1/plugins': endpoint({
        operationId: 'listPlugins',
        summary: 'One page of listings',
        description:
          'By stars, descending; equals keep one order on all pages, which is that of the index. The first of a repeated parameter counts. `install` runs as it stands: a caller that means another profile puts its name in.',
        name: 'Plugins',
        schema: 'PluginsPage',
        parameters: Object.keys(PARAMETERS).map((name) => ref('parameters', name)),
      }),
      '/api/v1/index': endpoint({
        operationId: 'getIndex',
        summary: 'The whole catalogue',
        description:
          'One row a listing. It carries no verdict: without a record at hand the answer is "not known", never "verified". Query parameters are ignored.',
        name: 'Index',
        schema: 'IndexDocument',
        parameters: [],
      }),
    },
    components: {
      parameters: Object.fromEntries(
        Object.entries(PARAMETERS).map(([name, parameter]) => [name, { name, in: 'query', ...parameter }]),
      ),
      headers: HEADERS,
      responses: {
        'NotModified-Plugins': notModified('Plugins'),
        'NotModified-Index': notModified('Index'),
        NotFound: {
          description: 'Any other path under `/api/v1/`.',
          headers: headers('Access-Control-Allow-Origin'),
          content: jsonBody('Error'),
        },
        MethodNotAllowed: {
          description: 'Any method but GET, HEAD and OPTIONS.',
          headers: headers('Access-Control-Allow-Origin', 'Allow'),
          content: jsonBody('Error'),
        },
        TooLong: {
          description: 'The address and the headers together are more than the server reads: ask with a shorter `q`.',
          headers: headers('Access-Control-Allow-Origin'),
          content: jsonBody('Error'),
        },
        ServerError: {
          description:
            'The directory failed or is busy. A proxy in front of it may answer without CORS and without JSON.',
          content: jsonBody('Error'),
        },
        Preflight: {
          description: 'What a page of another origin may request.',
          headers: headers(
            'Access-Control-Allow-Origin',
            'Access-Control-Allow-Methods',
            'Access-Control-Allow-Headers',
            'Access-Control-Max-Age',
            'Allow',
          ),
        },
      },
      schemas: componentSchemas(),
    },
  }
}

/** The document's file in the repository. */
export const YAML_FILE = new URL('../openapi.yaml', import.meta.url)

/** Returns the text of that file. */
export function openapiYaml(): string {
  const head = '# Generated from the schemas beside this file by openapi/generate.ts; do not edit.\n'
  return head + stringify(openapiDocument(), { lineWidth: 120, aliasDuplicateObjects: false })
}

// The schemas

const INSTANT = 'ISO 8601 in UTC with milliseconds.'
const FULL_NAME = 'owner/repo, or owner/repo#sub/path for a plugin in a subdirectory. Case is kept; compare folded.'
const ADDRESS = 'An http or https address.'

/** Descriptions of fields, by schema. They are not in the schemas, which clients bundle. */
const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InstallOption: {
    label: 'What the option is called, such as npm or GitHub.',
    cmd: 'The complete command.',
    note: 'What to know before using it; may be empty.',
  },
  PluginRecord: {
    fullName: FULL_NAME,
    summary: 'What it does, in English or whatever language its author wrote.',
    summaryZh: 'The same in Chinese.',
    category: 'One of the 14 category ids, a newer one, or null.',
    stars: 'Stars of the repository.',
    license: 'SPDX id, NOASSERTION, or null.',
    npmPackage: 'Name on the package registry; null when it is published nowhere.',
    installKind: 'npm, github, unknown, or a reserved kind.',
    install: 'The install command, or null when no command can install it.',
    installable: 'True exactly when install is not null. Independent of the verdict.',
    installOptions: 'Ways to install it, the one of install among them.',
    riskFlags: 'What to know before installing it.',
    repoUrl: ADDRESS,
    url: ADDRESS,
    name: 'Name of the plugin.',
    owner: 'Owner of the repository.',
    repo: 'Name of the repository.',
    subpath: 'Subdirectory the plugin lives in.',
    language: 'Main programming language.',
    pushedAt: INSTANT,
    installCheck: 'Verdict of the install check on install; null when untested.',
    installCheckedAt: INSTANT,
    blockedBuilds: 'Packages whose build scripts wait for approval.',
    inRegistry: 'Whether the listing comes from the curated community registry; says nothing of a package registry.',
  },
  PluginsPage: {
    total: 'Listings that match, over all pages.',
    count: 'Listings on this page.',
    results: 'The listings of this page.',
  },
  IndexListing: {
    fullName: FULL_NAME,
    category: 'Category id or null.',
    install: 'The install command, or null.',
    path: '/plugins/<slug>, or null when the listing has no page.',
    npm: 'Name on the package registry, or null.',
  },
  IndexDocument: {
    generated: INSTANT,
    count: 'Number of rows in plugins.',
    site: ADDRESS,
    fields: 'Column names of each row of plugins.',
    plugins: 'One row a listing.',
  },
  Error: { error: 'What is wrong and what to do.' },
}

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
    if (description === undefined) throw new Error(`${name}.${field} has no description. Write one in DESCRIPTIONS.`)
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
function componentSchemas(): Record<string, Component> {
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
