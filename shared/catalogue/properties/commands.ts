import fc from 'fast-check'
import { DOCUMENT_KINDS } from './documents.ts'
import type { Scenario } from './scenario.ts'
import type { ServerMode } from './simulated-server.ts'
import type { StorageMode } from './simulated-storage.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** One thing that happens. */
export interface Command {
  happen(scenario: Scenario): void | Promise<void>
}

/** A command with values of its own, named so that a counterexample can be read. */
function command<T>(
  name: string,
  given: fc.Arbitrary<T>,
  happen: (scenario: Scenario, given: T) => void | Promise<void>,
): fc.Arbitrary<Command> {
  return given.map((value) => ({
    happen: (scenario) => happen(scenario, value),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }))
}

const choice = fc.nat(30)
const lapse = fc.oneof(
  fc.constantFrom(SECOND, 61 * SECOND, 16 * MINUTE, HOUR, 5.9 * HOUR, 6.1 * HOUR, 6.1 * HOUR, 31 * DAY),
  fc.nat(13 * HOUR),
)
const serverMode = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<ServerMode>('good', 'older', 'fails') },
  { weight: 3, arbitrary: fc.constantFrom<ServerMode>('other site', 'hangs', ...DOCUMENT_KINDS) },
)
const storageMode = fc.constantFrom<StorageMode>('works', 'works', 'refuses writes', 'refuses all', 'hangs')
const junk = fc.constantFrom<unknown>(undefined, null, 7, '', '\nno end', '\na\tb\n', { schema: 1 }, { schema: 99 })
const setBy = fc.constantFrom(-40 * DAY, -7 * HOUR, -10 * MINUTE, 10 * MINUTE, 7 * HOUR, 40 * DAY)

const often = [
  command('step', fc.array(choice, { minLength: 1, maxLength: 30, size: 'max' }), (scenario, choices) =>
    scenario.step(choices),
  ),
  command('lookUp', fc.tuple(choice, fc.nat(1023)), (scenario, [tab, mask]) => scenario.lookUp(tab, mask)),
  command('pass', lapse, (scenario, ms) => scenario.world.pass(ms)),
]
const sometimes = [
  command('open', fc.integer({ min: -20, max: 20 }), (scenario, skewMs) => scenario.open(skewMs)),
  command('close', fc.tuple(choice, fc.boolean()), (scenario, [tab, losing]) => scenario.close(tab, losing)),
  command('passBy', fc.tuple(fc.integer({ min: -20, max: 20 }), fc.boolean()), (scenario, [skewMs, losing]) =>
    scenario.passBy(skewMs, losing),
  ),
  command('refresh', choice, (scenario, tab) => scenario.refresh(tab)),
  command('press', choice, (scenario, tab) => scenario.press(tab)),
  command('publish', fc.constant(null), (scenario) => scenario.server.publish()),
  command('turnServer', serverMode, (scenario, mode) => scenario.turnServer(mode)),
]
const trouble = [
  command('setClock', setBy, (scenario, byMs) => scenario.setClock(byMs)),
  command('turnStorage', storageMode, (scenario, mode) => scenario.turnStorage(mode)),
  command('damage', fc.tuple(fc.nat(600), junk), (scenario, [at, value]) => scenario.damage(at, value)),
]

const weighted = (weight: number, arbitraries: fc.Arbitrary<Command>[]) =>
  arbitraries.map((arbitrary) => ({ weight, arbitrary }))

/** What happens on a machine where storage and clock work. */
export const calmCommands = fc.array(fc.oneof(...weighted(9, often), ...weighted(3, sometimes)), {
  maxLength: 80,
  size: 'max',
})

/** The same with storage that fails or is damaged, and a clock that is set. */
export const troubledCommands = fc.array(
  fc.oneof(...weighted(9, often), ...weighted(3, sometimes), ...weighted(2, trouble)),
  { maxLength: 80, size: 'max' },
)
