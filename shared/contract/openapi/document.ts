import { stringify } from 'yaml'
import { BASE_URL, CATEGORIES, INSTALL_KINDS, PAGE_SIZE, RISK_FLAGS, VERDICTS } from '../index.ts'
import { type Component, componentSchemas } from './schemas.ts'

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
}

const ref = (kind: string, name: string): Component => ({ $ref: `#/components/${kind}/${name}` })
const headers = (...names: string[]): Component => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
const jsonBody = (schema: string): Component => ({ 'application/json': { schema: ref('schemas', schema) } })

interface Endpoint {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly cacheControl: string
  readonly schema: string
  readonly parameters: readonly Component[]
}

/** Returns the operations of one endpoint: GET as given, and HEAD and OPTIONS, which follow from it. */
function endpoint({ operationId, summary, description, cacheControl, schema, parameters }: Endpoint): Component {
  const answerHeaders = {
    ...headers('Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'ETag', 'Vary'),
    'Cache-Control': required('How long a cached copy is fresh.', { const: cacheControl }),
  }
  const notModified = { description: "The caller's cached copy is current.", headers: answerHeaders }
  const serverError = ref('responses', 'ServerError')
  return {
    parameters,
    get: {
      operationId,
      summary,
      description,
      responses: {
        '200': { description: summary, headers: answerHeaders, content: jsonBody(schema) },
        '304': notModified,
        '405': ref('responses', 'MethodNotAllowed'),
        '431': ref('responses', 'TooLong'),
        '5XX': serverError,
      },
    },
    head: {
      operationId: `${operationId}Head`,
      summary: `${summary}: headers only`,
      responses: {
        '200': { description: 'The headers of GET.', headers: answerHeaders },
        '304': notModified,
        '5XX': serverError,
      },
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
        cacheControl: 'public, max-age=300, s-maxage=900',
        schema: 'PluginsPage',
        parameters: Object.keys(PARAMETERS).map((name) => ref('parameters', name)),
      }),
      '/api/v1/index': endpoint({
        operationId: 'getIndex',
        summary: 'The whole catalogue',
        description:
          'One row a listing. It carries no verdict: without a record at hand the answer is "not known", never "verified". Query parameters are ignored.',
        cacheControl: 'public, max-age=3600, s-maxage=21600',
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
