import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OUTCOME_KINDS } from '../../protocol/jobs.ts'
import { ENVIRONMENT } from '../cli-settings.ts'
import type { DataOf } from '../documents.ts'
import { EXIT_MEANINGS, EXITS, type Exit } from '../exit-codes.ts'
import { exitOfOutcome, isRetryable, OWN_ERRORS, REFUSALS } from '../failure.ts'
import { documentJsonSchema, eventJsonSchema } from '../json-schema.ts'
import manifest from '../package.json' with { type: 'json' }

/** Describes the features of the program for agents. */
export function capabilities(described: Pick<DataOf<'capabilities'>, 'commands' | 'globalOptions'>) {
  return {
    name: manifest.name,
    version: manifest.version,
    ...described,
    environment: ENVIRONMENT,
    exitCodes: (Object.keys(EXITS) as Exit[]).map((name) => ({
      code: EXITS[name],
      name,
      meaning: EXIT_MEANINGS[name],
    })),
    errors: Object.entries({ ...REFUSALS, ...OWN_ERRORS }).map(([code, exit]) => ({
      code,
      exit: EXITS[exit],
      retryable: isRetryable(code),
    })),
    outcomes: OUTCOME_KINDS.map((kind) => ({ kind, exit: EXITS[exitOfOutcome(kind)] })),
    schema: documentJsonSchema(),
    eventSchema: eventJsonSchema(),
    skill: skillFile(),
  } satisfies DataOf<'capabilities'>
}

/** Returns the path of the skill, which is packed beside the bundle. */
const skillFile = (): string => join(dirname(fileURLToPath(import.meta.url)), '..', 'skill', 'SKILL.md')
