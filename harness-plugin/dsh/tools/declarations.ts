import { CATEGORIES } from '@plugmark/shared/contract'
import type { JsonSchema } from './services.ts'

/** Bounds of the arguments, which the tools hold to. */
export const BOUNDS = { defaultLimit: 8, maxLimit: 20, maxWaitSeconds: 120 } as const

/** A tool as agents are told of it. The harness has these from its start; what they do is loaded later. */
export interface Declaration {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly output: JsonSchema
  /** Whether it changes nothing, so that others may run beside it. */
  readonly readOnly: boolean
}

export type ToolKey = 'search' | 'details' | 'installed' | 'install' | 'update' | 'remove' | 'job'

const text: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }
const yesNo: JsonSchema = { type: 'boolean' }
const texts: JsonSchema = { type: 'array', items: text }

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** An object of these keys alone, of which the required ones are always there. */
const fields = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const REFUSAL = fields({ ok: { type: 'boolean', const: false }, code: text, message: text }, ['ok', 'code', 'message'])

/** What a tool answers: its result, marked as such, or why there is none. */
const answerOf = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  oneOf: [fields({ ok: { type: 'boolean', const: true }, ...properties }, ['ok', ...required]), REFUSAL],
})

const HIT = {
  id: text,
  category: text,
  stars: integer,
  check: text,
  checkedAt: text,
  installable: yesNo,
  installed: yesNo,
  risks: texts,
  quoted: text,
}
const DETAILS = {
  id: text,
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
  checkedAt: text,
  checkMeans: text,
  risks: listOf(fields({ flag: text, means: text }, ['flag', 'means'])),
  builds: texts,
  sameRepository: texts,
  quoted: fields({ summary: text, summaryZh: text }, []),
  notes: texts,
}
const PLUGIN = { package: text, id: text, version: text, newer: text, loaded: yesNo, removable: yesNo, why: text }
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
}

const jobAnswer = answerOf(JOB, ['job', 'action', 'state', 'message'])
const byId = fields({ id: { type: 'string', description: 'The plugin’s id: owner/repo or owner/repo#path.' } }, ['id'])
const changing = { parameters: byId, output: jobAnswer, readOnly: false }

export const DECLARATIONS: Readonly<Record<ToolKey, Declaration>> = {
  search: {
    name: 'plugmark_search',
    description:
      'Look up plugins of this harness by what they do. Use it instead of recalling plugin names, which may not ' +
      'exist. Words in English or Chinese; a few key words find more than a sentence. Results passed the directory’s ' +
      'install check unless `unchecked` is true. A listing is not a security review.',
    parameters: fields(
      {
        query: {
          type: 'string',
          description: 'Key words of the capability, or a plugin’s name. May be empty with a category.',
        },
        category: { type: 'string', enum: CATEGORIES, description: 'Only of this category.' },
        unchecked: {
          type: 'boolean',
          description: 'Also what did not pass the install check or was never checked. Default false.',
        },
        limit: { type: 'integer', description: `1 to ${BOUNDS.maxLimit}, default ${BOUNDS.defaultLimit}.` },
      },
      ['query'],
    ),
    output: answerOf(
      { matching: integer, plugins: listOf(fields(HIT, ['id', 'check', 'installable', 'installed'])), notes: texts },
      ['matching', 'plugins', 'notes'],
    ),
    readOnly: true,
  },
  details: {
    name: 'plugmark_details',
    description:
      'All that the directory says of one plugin: its exact install command for this profile, the verdict of the ' +
      'install check, risks, licence and source.',
    parameters: byId,
    output: answerOf(DETAILS, ['id', 'installable', 'check', 'checkMeans', 'risks', 'quoted', 'notes']),
    readOnly: true,
  },
  installed: {
    name: 'plugmark_installed',
    description:
      'The plugins that are installed in the profile this harness runs from, and which of them can be updated.',
    parameters: fields(
      {
        check_updates: { type: 'boolean', description: 'Ask the package registry for newer versions. Default false.' },
      },
      [],
    ),
    output: answerOf(
      { profile: text, count: integer, plugins: listOf(fields(PLUGIN, ['package', 'loaded', 'removable'])) },
      ['profile', 'count', 'plugins'],
    ),
    readOnly: true,
  },
  install: {
    name: 'plugmark_install',
    description:
      'Install a plugin into the profile this harness runs from. A person is asked first. It is tried in a copy of ' +
      'the profile first. The answer says whether it is active at once or after a restart. Look the plugin up first.',
    ...changing,
  },
  update: {
    name: 'plugmark_update',
    description: 'Update an installed plugin to its newest version. A person is asked first.',
    ...changing,
  },
  remove: {
    name: 'plugmark_remove',
    description: 'Remove an installed plugin from the profile this harness runs from. A person is asked first.',
    ...changing,
  },
  job: {
    name: 'plugmark_job',
    description: 'How an install, update or removal stands that was not over when its tool answered.',
    parameters: fields(
      {
        job: { type: 'string', description: 'The job that the tool answered with.' },
        wait_seconds: {
          type: 'number',
          description: `Wait this long for its end, 0 to ${BOUNDS.maxWaitSeconds}. Default 0.`,
        },
      },
      ['job'],
    ),
    output: jobAnswer,
    readOnly: true,
  },
}
