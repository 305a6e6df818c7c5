import type { Configuration, Option, Options } from './options.ts'

const NOT_KEYS = 'The configuration must consist of keys and values.'

/**
 * Checks a configuration.
 *
 * @param given keys and values; null or undefined for none
 * @returns the values that are set, without defaults
 * @throws Error with a sentence for a person when a key is unknown or its value is not accepted
 */
export function readConfiguration<O extends Options>(options: O, given: unknown): Configuration<O> {
  if (typeof (given ?? {}) !== 'object' || Array.isArray(given)) throw new Error(NOT_KEYS)
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option === undefined) throw new Error(`"${name}" is not a configuration key.`)
    if (!accepts(option, value)) throw new Error(`"${name}" must be ${expected(option)}.`)
  }
  return Object.fromEntries(set) as Configuration<O>
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

function accepts(option: Option, value: unknown): boolean {
  switch (option.type) {
    case 'text':
      return isText(value) && (option.pattern?.test(value as string) ?? true)
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.every(isText)
    case 'flag':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number' && value >= option.min && value <= option.max
  }
}

function expected(option: Option): string {
  if (option.type === 'flag') return 'true or false'
  if (option.type !== 'number') return option.expected
  return `a number${option.unit ? ` of ${option.unit}` : ''} from ${option.min} to ${option.max}`
}

/** The configuration as options of the host. */
export interface ConfiguredOptions extends Omit<Configuration, 'api' | 'startLimit' | 'timeLimit'> {
  /** Address of the directory. @default the live one */
  readonly baseUrl?: string
  /** Time limit for the start of the harness in a trial, in ms. @default 90_000 */
  readonly startLimitMs?: number
  /** Time limit of one job, in ms. @default 600_000 */
  readonly timeLimitMs?: number
}

/** Converts a checked configuration into options of the host. The host adds the defaults. */
export function toHostOptions({ api, startLimit, timeLimit, ...same }: Configuration): ConfiguredOptions {
  return {
    ...same,
    ...(api === undefined ? {} : { baseUrl: api }),
    ...(startLimit === undefined ? {} : { startLimitMs: startLimit * 1000 }),
    ...(timeLimit === undefined ? {} : { timeLimitMs: timeLimit * 1000 }),
  }
}
