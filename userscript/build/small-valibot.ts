/**
 * The part of valibot that the schemas in the userscript use, in a sixth of its size. The build puts it in valibot's place:
 * each page of the code host parses the whole script. The tests compare both.
 */

interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  /** @throws Issue */
  run(value: unknown): unknown
}

class Issue {
  /** Keys from the outermost value to the one that is wrong. */
  readonly path: (string | number)[] = []
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

const rule = <T>(type: string, accepts: (value: T) => boolean, message = `Expected ${type}`): Schema => ({
  type,
  run(value) {
    if (accepts(value as T)) return value
    throw new Issue(message)
  },
})

/*@__NO_SIDE_EFFECTS__*/
export const string = () => rule('string', (value) => typeof value === 'string')
/*@__NO_SIDE_EFFECTS__*/
export const boolean = () => rule('boolean', (value) => typeof value === 'boolean')
/*@__NO_SIDE_EFFECTS__*/
export const number = () => rule('number', (value) => typeof value === 'number' && !Number.isNaN(value))
/*@__NO_SIDE_EFFECTS__*/
export const unknown = () => rule('unknown', () => true)
/*@__NO_SIDE_EFFECTS__*/
export const literal = (only: unknown) => rule('literal', (value) => value === only)
/*@__NO_SIDE_EFFECTS__*/
export const picklist = (options: readonly unknown[]) => rule('picklist', (value) => options.includes(value))
/*@__NO_SIDE_EFFECTS__*/
export const check = (accepts: (value: unknown) => boolean, message: string) => rule('check', accepts, message)
/*@__NO_SIDE_EFFECTS__*/
export const regex = (pattern: RegExp, message: string) => check((text) => pattern.test(text as string), message)
/*@__NO_SIDE_EFFECTS__*/
export const maxLength = (max: number) => rule('max_length', ({ length }: { length: number }) => length <= max)

/*@__NO_SIDE_EFFECTS__*/
export const nullable = ({ run }: Schema): Schema => ({
  type: 'nullable',
  run: (value) => (value === null ? value : run(value)),
})

/*@__NO_SIDE_EFFECTS__*/
export const optional = ({ run }: Schema): Schema => ({
  type: 'optional',
  run: (value) => (value === undefined ? value : run(value)),
})

/*@__NO_SIDE_EFFECTS__*/
export const pipe = (...steps: readonly [Schema, ...Schema[]]): Schema => ({
  ...steps[0],
  run: (value) => steps.reduce((output, { run }) => run(output), value),
})

/*@__NO_SIDE_EFFECTS__*/
export const array = (item: Schema): Schema => ({
  type: 'array',
  run(value) {
    if (!Array.isArray(value)) throw new Issue('Expected array')
    return Array.from(value, (each, at) => runAt(at, item, each))
  },
})

/*@__NO_SIDE_EFFECTS__*/
export const object = (entries: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  entries,
  run(value) {
    if (!(value instanceof Object)) throw new Issue('Expected object')
    const output: Record<string, unknown> = {}
    for (const [key, schema] of Object.entries(entries)) {
      const inner = (value as Record<string, unknown>)[key]
      if (inner !== undefined || schema.type !== 'optional') output[key] = runAt(key, schema, inner)
    }
    return output
  },
})

function runAt(key: string | number, { run }: Schema, value: unknown): unknown {
  try {
    return run(value)
  } catch (issue) {
    if (issue instanceof Issue) issue.path.unshift(key)
    throw issue
  }
}

export function safeParse({ run }: Schema, value: unknown) {
  try {
    return { success: true, output: run(value) }
  } catch (issue) {
    return { success: false, issues: [issue as Issue] }
  }
}

export const is = (schema: Schema, value: unknown): boolean => safeParse(schema, value).success

export const getDotPath = ({ path }: Issue): string | null => path.join('.') || null
