import { CATEGORIES } from '@plugmark/shared/contract'

/** The subset of JSON Schema that the harness enforces. It takes one type a node, so what is absent is left out. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: JsonSchema
  readonly enum?: readonly string[]
  readonly const?: boolean
  readonly oneOf?: readonly JsonSchema[]
}

/** Bounds of the arguments, which the tools hold to. */
export const BOUNDS = { defaultLimit: 8, maxLimit: 20, defaultWaitSeconds: 60, maxWaitSeconds: 120 } as const

/** A tool as agents are offered it. The harness gets these at its start; what they do is loaded later. */
export interface Declaration {
  readonly name: string
  readonly description: string
  readonly title: string
  readonly parameters: JsonSchema
  /** A result; a refusal is another. */
  readonly result: JsonSchema
  /** True if the tool changes nothing; others may then run beside it. */
  readonly readOnly: boolean
}

export type ToolKey = 'search' | 'details' | 'installed' | 'check' | 'install' | 'update' | 'remove' | 'job'

const text: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }
const yesNo: JsonSchema = { type: 'boolean' }
const texts: JsonSchema = { type: 'array', items: text }

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Describes an object that has the required keys always, and no keys but these. */
const fields = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const SHOWN = { command: text, check: text, risks: texts }
/** Why a tool did nothing, and what to do instead. */
export const REFUSAL = fields(
  {
    ok: { type: 'boolean', const: false },
    code: text,
    message: text,
    next: text,
    suggestions: texts,
    job: text,
    ...SHOWN,
  },
  ['ok', 'code', 'message', 'next'],
)

/** Describes the result of a tool. */
const resultOf = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema =>
  fields({ ok: { type: 'boolean', const: true }, ...properties }, ['ok', ...required])

/** Texts of others, by what they are. */
const QUOTED = fields(
  {
    summary: text,
    summaryZh: text,
    package: text,
    category: text,
    license: text,
    language: text,
    source: text,
    risks: texts,
    builds: texts,
    deprecated: text,
  },
  [],
)
const HIT = {
  id: text,
  package: text,
  category: text,
  stars: integer,
  check: text,
  installable: yesNo,
  installed: yesNo,
  risks: texts,
  found: texts,
  quoted: text,
}
const DETAILS = {
  id: text,
  package: text,
  category: text,
  stars: integer,
  license: text,
  language: text,
  source: text,
  page: text,
  pushedAt: text,
  installable: yesNo,
  command: text,
  whyNot: text,
  check: text,
  checkMeans: text,
  risks: listOf(fields({ flag: text, means: text }, ['flag', 'means'])),
  builds: texts,
  sameRepository: texts,
  quoted: QUOTED,
  notes: texts,
  next: text,
}
const CHECK = {
  id: text,
  action: text,
  profile: text,
  ...SHOWN,
  checkMeans: text,
  fits: text,
  license: text,
  builds: texts,
  source: text,
  quoted: QUOTED,
  notes: texts,
  /** Over MCP, the command that a person runs. */
  install: text,
  next: text,
}
const PLUGIN = {
  package: text,
  id: text,
  version: text,
  newer: text,
  newer_later: text,
  loaded: yesNo,
  removable: yesNo,
  state: text,
  state_reason: text,
  why: text,
}
const JOB = {
  job: text,
  action: text,
  id: text,
  command: text,
  state: text,
  stage: text,
  outcome: text,
  succeeded: yesNo,
  message: text,
  profile: text,
  quarantined: text,
  activation: text,
  quoted: texts,
  notes: texts,
}

const jobResult = resultOf(JOB, ['job', 'action', 'state', 'message'])
const id = described(text, 'The plugin’s id (owner/repo or owner/repo#path), package name or repository address.')
const AS_CHECKED = 'As plugmark_check answered it; the person sees it.'
const changing = {
  parameters: fields(
    {
      id,
      command: described(text, AS_CHECKED),
      check: described(text, AS_CHECKED),
      risks: described(texts, 'The same. Default none.'),
    },
    ['id', 'command', 'check'],
  ),
  result: jobResult,
  readOnly: false,
}

export const DECLARATIONS: Readonly<Record<ToolKey, Declaration>> = {
  search: {
    name: 'plugmark_search',
    title: 'Search plugins',
    description:
      'Look up plugins of this harness by what they do. Use it instead of recalling plugin names, which may not ' +
      'exist. Results passed the directory’s install check unless `unchecked` is true. A listing is not a security ' +
      'review.',
    parameters: fields(
      {
        query: described(
          text,
          'Two or three key words of the capability in English or Chinese, a plugin’s name, a repository address or ' +
            'an install command. May be empty with a category.',
        ),
        category: { type: 'string', enum: CATEGORIES, description: 'Only this category.' },
        unchecked: described(
          yesNo,
          'Also plugins that did not pass the install check or were never checked. Default false.',
        ),
        limit: described(integer, `1 to ${BOUNDS.maxLimit}, default ${BOUNDS.defaultLimit}.`),
      },
      ['query'],
    ),
    result: resultOf(
      { matching: integer, plugins: listOf(fields(HIT, ['id', 'check', 'installable'])), notes: texts },
      ['matching', 'plugins', 'notes'],
    ),
    readOnly: true,
  },
  details: {
    name: 'plugmark_details',
    title: 'Show a plugin',
    description:
      'All that the directory says of one plugin: what it does, its install command, the verdict of the install check, ' +
      'risks, licence and source.',
    parameters: fields({ id }, ['id']),
    result: resultOf(DETAILS, ['id', 'installable', 'check', 'checkMeans', 'risks', 'quoted', 'notes']),
    readOnly: true,
  },
  installed: {
    name: 'plugmark_installed',
    title: 'List installed plugins',
    description: 'The plugins that are installed in the profile of this harness, and on request their newer versions.',
    parameters: fields(
      { check_updates: described(yesNo, 'Ask the package registry for newer versions. Default false.') },
      [],
    ),
    result: resultOf(
      { profile: text, count: integer, plugins: listOf(fields(PLUGIN, ['package', 'loaded', 'removable'])) },
      ['profile', 'count', 'plugins'],
    ),
    readOnly: true,
  },
  check: {
    name: 'plugmark_check',
    title: 'Review a change',
    description:
      'Review an install, update or removal without making it: exact command, verdict, risks, and whether the plugin ' +
      'supports this version of the harness. Its command, check and risks are the arguments of the change.',
    parameters: fields(
      { id, action: { type: 'string', enum: ['install', 'update', 'remove'], description: 'Default install.' } },
      ['id'],
    ),
    result: resultOf(CHECK, [
      'id',
      'action',
      'profile',
      'command',
      'check',
      'risks',
      'fits',
      'quoted',
      'notes',
      'next',
    ]),
    readOnly: true,
  },
  install: {
    name: 'plugmark_install',
    title: 'Install a plugin',
    description:
      'Install a plugin that plugmark_check reviewed. A person is asked first; then it is tried in a copy of the ' +
      'profile, and undone if it fails. Never install with plugin_manager or a shell instead.',
    ...changing,
  },
  update: {
    name: 'plugmark_update',
    title: 'Update a plugin',
    description: 'Update an installed plugin to its newest version, after plugmark_check. A person is asked first.',
    ...changing,
  },
  remove: {
    name: 'plugmark_remove',
    title: 'Remove a plugin',
    description: 'Remove an installed plugin from the profile, after plugmark_check. A person is asked first.',
    ...changing,
  },
  job: {
    name: 'plugmark_job',
    title: 'Wait for a job',
    description: 'Wait for an install, update or removal that was not over when its tool answered.',
    parameters: fields(
      {
        job: described(text, 'The `job` of that answer.'),
        wait_seconds: {
          type: 'number',
          description: `0 to ${BOUNDS.maxWaitSeconds}, default ${BOUNDS.defaultWaitSeconds}.`,
        },
      },
      ['job'],
    ),
    result: jobResult,
    readOnly: true,
  },
}
