import * as v from 'valibot'
import { codeLine, plainLines, plainName, plainText } from './plain-text.ts'

export { plain, plainLines, plainName, plainText } from './plain-text.ts'

/**
 * Kinds of text in the schemas. A host may send any text; a document is parsed with its schema, which leaves out unknown
 * fields and makes every text plain.
 */
export const Text = v.pipe(
  v.string(),
  v.transform((text) => plainText(text)),
)
export const Name = v.pipe(v.string(), v.transform(plainName))
/** A text that the user agrees to line by line. */
export const Lines = v.pipe(v.string(), v.transform(plainLines))
/** A line of an author's file. */
export const CodeLine = v.pipe(v.string(), v.transform(codeLine))
/** A sentence that quotes a program. */
export const Sentence = v.pipe(
  v.string(),
  v.transform((text) => plainText(text, 500)),
)
/** Text of this program, such as a command or a path, which is never cut. */
export const Exact = v.string()
export const Texts = v.array(Text)
export const TextOrNull = v.nullable(Text)
export const NameOrNull = v.nullable(Name)
export const ExactOrNull = v.nullable(Exact)
/** ISO 8601 in UTC; null when it is unknown. */
export const Instant = v.nullable(v.string())

/** The value of a schema, which nobody changes. */
export type Value<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T
/** Returns the values of a schema's fields, made plain, and nothing else. */
export const publish = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: NoInfer<DeepReadonly<v.InferInput<Schema>>>,
): v.InferOutput<Schema> => v.parse(schema, value)
