/**
 * The shapes of the contract: one source for the types, the parsers and openapi.yaml.
 *
 * Strict where the contract speaks, open where it is silent: unknown fields are dropped, ids are any string, and
 * `summary`, `summaryZh`, `license` and `category` may be null (the live service sends all four so).
 */
import * as v from 'valibot'
import { LIMITS } from './limits.ts'

const text = (description: string, max: number = LIMITS.textLength) =>
  v.pipe(v.string(), v.maxLength(max), v.description(description))
const nullableText = (description: string) =>
  v.pipe(v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.textLength))), v.description(description))

/** `owner/repo`, or `owner/repo#sub/path` for a plugin in a subdirectory. Case is kept; compare folded. */
export const FullNameSchema = v.pipe(
  v.string(),
  v.maxLength(LIMITS.fullNameLength),
  v.regex(/^[^/\s#]+\/[^/\s#]+(?:#\S+)?$/, 'owner/repo, or owner/repo#sub/path'),
  v.description('owner/repo, or owner/repo#sub/path for a plugin in a subdirectory. Case is kept; compare folded.'),
)

const HttpUrlSchema = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.regex(/^https?:\/\/[^\s]+$/, 'an http or https address'),
  v.description('An http or https address.'),
)

/** ISO 8601 in UTC with milliseconds. */
export const InstantSchema = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'ISO 8601 in UTC with milliseconds'),
  v.description('ISO 8601 in UTC with milliseconds.'),
)

/** One way to install a listing. The verdict of a record belongs to its `install` only, never to another option. */
export const InstallOptionSchema = v.object({
  label: text('What the option is called, such as npm or GitHub.', 200),
  cmd: text('The complete command.', 2000),
  note: text('What a person should know before using it; may be empty.'),
})
export type InstallOption = v.InferOutput<typeof InstallOptionSchema>

/** One listing with everything the directory knows of it: a row of `GET /api/v1/plugins`. */
export const PluginRecordSchema = v.pipe(
  v.object({
    fullName: FullNameSchema,
    summary: nullableText('What it does, in English or whatever language its author wrote.'),
    summaryZh: nullableText('The same in Chinese.'),
    category: nullableText('One of the 14 category ids, a newer one, or null.'),
    stars: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Stars of the repository.')),
    license: nullableText('SPDX id, NOASSERTION, or null.'),
    npmPackage: nullableText('Name on the package registry; null when it is published nowhere.'),
    installKind: text('npm, github, unknown, or a reserved kind.', 100),
    install: nullableText('The install command, or null when no command can install it.'),
    installable: v.pipe(
      v.boolean(),
      v.description('True exactly when install is not null. Says nothing of a verdict.'),
    ),
    installOptions: v.array(InstallOptionSchema),
    riskFlags: v.array(text('A risk flag.', 200)),
    repoUrl: HttpUrlSchema,
    url: HttpUrlSchema,
    // What the live service sends besides (observed 2026-08).
    name: v.optional(v.nullable(text('Name of the plugin.'))),
    owner: v.optional(v.nullable(text('Owner of the repository.'))),
    repo: v.optional(v.nullable(text('Name of the repository.'))),
    subpath: v.optional(v.nullable(text('Subdirectory the plugin lives in.'))),
    language: v.optional(v.nullable(text('Main programming language.'))),
    pushedAt: v.optional(v.nullable(InstantSchema)),
    installCheck: v.optional(v.nullable(text('Verdict of the install check on install; null when untested.', 100))),
    installCheckedAt: v.optional(v.nullable(InstantSchema)),
    blockedBuilds: v.optional(v.nullable(v.array(text('A package whose build script waits for approval.', 300)))),
    inRegistry: v.optional(v.nullable(v.boolean())),
  }),
  v.check(
    (record) => record.installable === (record.install !== null),
    'installable is true exactly when install is not null',
  ),
)
export type PluginRecord = v.InferOutput<typeof PluginRecordSchema>

/** Envelope of `GET /api/v1/plugins`. */
export const PluginsPageSchema = v.object({
  total: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Listings that match, over all pages.')),
  count: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Listings on this page.')),
  results: v.array(PluginRecordSchema),
})

/** The columns of an index row, in the order servers send them. A reader goes by name through `fields`. */
export const INDEX_FIELDS = ['fullName', 'category', 'install', 'path', 'npm'] as const

/** One listing as the index knows it. It carries no verdict. */
export const IndexListingSchema = v.object({
  fullName: FullNameSchema,
  category: nullableText('Category id or null.'),
  install: nullableText('The install command, or null.'),
  path: nullableText('/plugins/<slug>, or null when the listing has no page.'),
  npm: nullableText('Name on the package registry, or null.'),
})
export type IndexListing = v.InferOutput<typeof IndexListingSchema>

/** Document of `GET /api/v1/index`, its rows still undecoded. */
export const IndexDocumentSchema = v.object({
  generated: InstantSchema,
  count: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Number of rows in plugins.')),
  site: HttpUrlSchema,
  fields: v.pipe(
    v.array(v.string()),
    v.check((fields) => fields.includes('fullName'), 'fields names fullName'),
    v.description('Column names of each row of plugins.'),
  ),
  plugins: v.array(v.unknown()),
})
export type IndexDocument = v.InferOutput<typeof IndexDocumentSchema>

/** Body of an answer that is an error. */
export const ErrorBodySchema = v.object({ error: text('What is wrong and what to do.', 1000) })
