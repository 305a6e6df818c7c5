import { isProfileName } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { HostOptions } from '../host/index.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const seconds = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most))

const ConfigSchema = v.strictObject({
  api: v.optional(text),
  cli: v.optional(text),
  command: v.optional(v.pipe(v.array(text), v.nonEmpty())),
  home: v.optional(text),
  profile: v.optional(v.custom<string>(isProfileName)),
  registry: v.optional(text),
  proxy: v.optional(text),
  trial: v.optional(v.boolean()),
  startLimit: v.optional(seconds(5, 600)),
  timeLimit: v.optional(seconds(10, 86_400)),
  restart: v.optional(text),
})

const NOT_KEYS = 'The configuration must consist of keys and values.'

/** What each key must be, for the sentence that says it is not. */
const EXPECTED: Readonly<Record<keyof typeof ConfigSchema.entries, string>> = {
  api: 'the address of a directory',
  cli: 'the name of a program',
  command: 'a list: a program and its leading arguments',
  home: 'a folder',
  profile: 'the name of a profile',
  registry: 'the address of a package registry',
  proxy: 'the address of a proxy',
  trial: 'true or false',
  startLimit: 'a number of seconds from 5 to 600',
  timeLimit: 'a number of seconds from 10 to 86400',
  restart: 'a command, or the address of a page',
}

/**
 * Reads the configuration of the store's row in the profile's patch.
 *
 * @returns options of the host; what is not configured is left out
 * @throws Error with a sentence for a person when it has no sense
 */
export function readConfig(config: unknown): HostOptions {
  if (Array.isArray(config)) throw new Error(NOT_KEYS)
  const read = v.safeParse(ConfigSchema, config ?? {})
  if (!read.success) throw new Error(problemOf(read.issues[0]))
  const { api, startLimit, timeLimit, ...same } = read.output
  return {
    ...defined(same),
    ...(api === undefined ? {} : { baseUrl: api }),
    ...(startLimit === undefined ? {} : { startLimitMs: startLimit * 1000 }),
    ...(timeLimit === undefined ? {} : { timeLimitMs: timeLimit * 1000 }),
  }
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const key = issue.path?.[0]?.key
  if (typeof key !== 'string') return NOT_KEYS
  if (!Object.hasOwn(EXPECTED, key)) return `"${key}" is not a configuration key.`
  return `"${key}" must be ${EXPECTED[key as keyof typeof EXPECTED]}.`
}

/** Without the keys that have no value, which would stand in the way of a default. */
const defined = <T extends object>(object: T) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
