import fc from 'fast-check'
import type { createCatalogue as CreateCatalogue } from '../catalogue.ts'
import { type Command, calmCommands, troubledCommands } from './commands.ts'
import { Scenario } from './scenario.ts'

/** What the runs came to, to be printed: a property that never had a request to judge proves nothing. */
export interface Tally {
  runs: number
  commands: number
  requests: number
  successes: number
}

export interface CheckOptions {
  readonly seed: number
  readonly runs: number
  /** Whether storage and clock work all the time. */
  readonly calm: boolean
  /** @default true; false to learn only that there is a counterexample */
  readonly shrink?: boolean
}

/**
 * Drives an engine through random scenarios.
 *
 * @throws {Error} with a shortest counterexample, when a rule is broken
 */
export async function check(createCatalogue: typeof CreateCatalogue, options: CheckOptions): Promise<Tally> {
  const { seed, runs, calm, shrink = true } = options
  const tally: Tally = { runs: 0, commands: 0, requests: 0, successes: 0 }
  const property = fc.asyncProperty(calm ? calmCommands : troubledCommands, async (commands) => {
    const { requests } = await play(createCatalogue, commands)
    tally.runs++
    tally.commands += commands.length
    tally.requests += requests.length
    tally.successes += requests.filter(({ storedAt }) => storedAt !== null).length
  })
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: !shrink })
  return tally
}

async function play(createCatalogue: typeof CreateCatalogue, commands: readonly Command[]) {
  const scenario = new Scenario(createCatalogue)
  scenario.open(0)
  for (const command of commands) await command.happen(scenario)
  await scenario.recover()
  if (scenario.rules.violations.length > 0) throw new Error(scenario.rules.violations.join('\n'))
  return scenario.server
}
