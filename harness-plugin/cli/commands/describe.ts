import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { OUTCOME_KINDS } from '../../protocol/jobs.ts'
import { OUTCOMES } from '../../protocol/next-steps.ts'
import type { Key } from '../../search/facets.ts'
import { KEYS } from '../../search/query.ts'
import { type DataOf, DEFINITIONS, DocumentSchema, EventSchema } from '../documents.ts'
import { EXITS, type Exit, exitOf, type FailureCode, isRetryable, OWN_ERRORS, REFUSALS } from '../failure.ts'
import { filterValues, hasExamples } from '../filters.ts'
import manifest from '../package.json' with { type: 'json' }
import { items } from '../text/columns.ts'
import { en } from '../words/en.ts'
import type { Words } from '../words/index.ts'

/** Describes the features of the program for agents. */
export function capabilities(described: Pick<DataOf<'capabilities'>, 'commands' | 'globalOptions'>) {
  return {
    name: manifest.name,
    version: manifest.version,
    ...described,
    environment: en.environment,
    exitCodes: (Object.keys(EXITS) as Exit[]).map((name) => ({
      code: EXITS[name],
      name,
      meaning: en.exits[name],
    })),
    errors: (Object.keys({ ...REFUSALS, ...OWN_ERRORS }) as FailureCode[]).map((code) => ({
      code,
      exit: EXITS[exitOf(code)],
      retryable: isRetryable(code),
    })),
    outcomes: OUTCOME_KINDS.map((kind) => ({ kind, exit: EXITS[OUTCOMES[kind].exit] })),
    schema: documentJsonSchema(),
    eventSchema: eventJsonSchema(),
    // Packed beside the bundle.
    skill: join(dirname(fileURLToPath(import.meta.url)), '..', 'skill', 'SKILL.md'),
  } satisfies DataOf<'capabilities'>
}

const filterText = (key: Key, filters: Words['filters']): string =>
  hasExamples(key) || key === 'is' ? filters[key] : `${filters[key]}: ${filterValues(key).join(', ')}`

/** The schemas make text plain and check names, which JSON Schema does not express. */
const OPTIONS: ConversionConfig = { errorMode: 'throw', ignoreActions: ['transform', 'check'] }

/** Returns the JSON Schema (draft 7) of every document, which is published with the package. */
export const documentJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(DocumentSchema, { ...OPTIONS, definitions: DEFINITIONS }),
  title: 'What plugmark writes with --json, version 1',
})

/** Returns the JSON Schema of each line that --events writes. */
export const eventJsonSchema = (): Record<string, unknown> => ({
  ...toJsonSchema(EventSchema, OPTIONS),
  title: 'A line that plugmark writes with --events, version 1',
})

/**
 * Returns the text of `plugmark help TOPIC`; null when there is no such topic.
 *
 * @param options those of every command, with their descriptions
 */
export function helpTopic(
  topic: string,
  { helpTopics, filters, environment, exits }: Words,
  { options, columns }: { readonly options: readonly (readonly [string, string])[]; readonly columns: number },
): string | null {
  const rows: Readonly<Record<keyof Words['helpTopics'], readonly (readonly [string, string])[]>> = {
    filters: KEYS.map((key) => [`${key}:${hasExamples(key) ? filterValues(key)[0] : ''}`, filterText(key, filters)]),
    options,
    environment: Object.entries(environment),
    'exit-codes': (Object.keys(EXITS) as Exit[]).map((name) => [String(EXITS[name]), exits[name]]),
  }
  if (!Object.hasOwn(rows, topic)) return null
  const name = topic as keyof Words['helpTopics']
  return `${helpTopics[name]}\n\n${items(rows[name], columns).join('\n')}\n`
}
