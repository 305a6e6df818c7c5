/**
 * The shapes of the contract: one source for the types and the parsers. openapi.test.ts holds openapi.yaml against it.
 *
 * Unknown fields are dropped, ids may be any string, and `summary`, `summaryZh`, `license` and `category` may be null,
 * as on the live service.
 */
import * as v from 'valibot'
import { LIMITS } from './constants.ts'

const text = (max: number = LIMITS.textLength) => v.pipe(v.string(), v.maxLength(max))
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.maxLength(LIMITS.listLength))
const nullableText = v.nullable(text())
const optionalText = v.optional(nullableText)
/** A count, or an instant in ms since 1970. */
export const WholeNumberSchema = v.pipe(
  v.number(),
  v.check((number) => Number.isInteger(number) && number >= 0, 'a whole number from 0'),
)

/** Characters that are invisible, reverse the text beside them, or control a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const PrintableSchema = v.check((text: string) => !UNPRINTABLE.test(text), 'without control or invisible characters')

/** `owner/repo`, or `owner/repo#sub/path` for a plugin in a subdirectory. Case is kept; compare by `listingKey`. */
export const FullNameSchema = v.pipe(
  v.string(),
  v.maxLength(LIMITS.fullNameLength),
  v.regex(/^[^/\s#]+\/[^/\s#]+(?:#\S+)?$/, 'owner/repo, or owner/repo#sub/path'),
  PrintableSchema,
)

const HttpUrlSchema = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.regex(/^https?:\/\/[^\s]+$/, 'an http or https address'),
  PrintableSchema,
)

/** ISO 8601 in UTC with milliseconds. */
export const InstantSchema = v.pipe(
  v.string(),
  v.check(
    (text) => new Date(Date.parse(text) || 0).toISOString() === text,
    'a date as ISO 8601 has it, in UTC with milliseconds',
  ),
)

/** One way to install a listing. The verdict of a record belongs to its `install` only, never to another option. */
export const InstallOptionSchema = v.object({
  label: text(200),
  cmd: text(2000),
  note: text(),
})
export type InstallOption = v.InferOutput<typeof InstallOptionSchema>

/** A complete listing: a row of `GET /api/v1/plugins`. */
export const PluginRecordSchema = v.pipe(
  v.object({
    fullName: FullNameSchema,
    summary: nullableText,
    summaryZh: nullableText,
    category: nullableText,
    stars: WholeNumberSchema,
    license: nullableText,
    npmPackage: nullableText,
    installKind: text(100),
    install: nullableText,
    installable: v.boolean(),
    installOptions: list(InstallOptionSchema),
    riskFlags: list(text(200)),
    repoUrl: HttpUrlSchema,
    url: HttpUrlSchema,
    // Fields that the live service adds (observed 2026-08).
    name: optionalText,
    owner: optionalText,
    repo: optionalText,
    subpath: optionalText,
    language: optionalText,
    pushedAt: v.optional(v.nullable(InstantSchema)),
    installCheck: v.optional(v.nullable(text(100))),
    installCheckedAt: v.optional(v.nullable(InstantSchema)),
    blockedBuilds: v.optional(v.nullable(list(text(300)))),
    // In the curated community registry, which is not a package registry.
    inRegistry: v.optional(v.nullable(v.boolean())),
  }),
  v.check(
    (record) => record.installable === (record.install !== null),
    'installable is true exactly when install is not null',
  ),
)
export type PluginRecord = v.InferOutput<typeof PluginRecordSchema>

/** The columns of an index row, in the order of current servers. Readers find them by name in `fields`. */
export const INDEX_FIELDS = ['fullName', 'category', 'install', 'path', 'npm'] as const

/**
 * Path of a listing's page: `/plugins/`, and segments of letters, digits, `.`, `_`, `~`, `-` and percent escapes that do
 * not begin with a dot, so that it cannot lead out of `/plugins/`.
 */
export const LISTING_PATH = /^\/plugins(?:\/(?!\.|%2[eE])[\w.~%-]+)+$/

/** A listing of the index. It carries no verdict. */
export const IndexListingSchema = v.object({
  fullName: FullNameSchema,
  category: nullableText,
  install: nullableText,
  path: v.nullable(
    v.pipe(v.string(), v.maxLength(LIMITS.textLength), v.regex(LISTING_PATH, 'a path such as /plugins/owner-repo')),
  ),
  npm: nullableText,
})
export type IndexListing = v.InferOutput<typeof IndexListingSchema>

/** Document of `GET /api/v1/index`, its rows undecoded. */
export const IndexDocumentSchema = v.object({
  generated: InstantSchema,
  count: WholeNumberSchema,
  site: HttpUrlSchema,
  fields: v.pipe(
    list(v.string()),
    v.check((fields) => fields.includes('fullName'), 'fields names fullName'),
  ),
  plugins: v.array(v.unknown()),
})
export type IndexDocument = v.InferOutput<typeof IndexDocumentSchema>
