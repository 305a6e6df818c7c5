/**
 * The data of plugins, reviews and jobs as programs and agents read it. The command line publishes these schemas with the
 * package, so they only grow: a field is never removed and never changes its meaning.
 */
import * as v from 'valibot'

const text = v.string()
const texts = v.array(text)
const nullableText = v.nullable(text)
/** ISO 8601 in UTC. */
export const InstantSchema = v.nullable(text)

export const ListingSchema = v.object({
  /** `owner/repo`, or `owner/repo#sub/path`. */
  id: text,
  /** True once its record was fetched. Until then, fields that the index lacks are null or empty. */
  described: v.boolean(),
  package: nullableText,
  category: nullableText,
  summary: nullableText,
  summaryZh: nullableText,
  stars: v.nullable(v.number()),
  license: nullableText,
  language: nullableText,
  /** `passed`, `needs-approval`, `not-a-layer`, `failed` or `timeout`; null when it is unknown. */
  verdict: nullableText,
  checkedAt: InstantSchema,
  risks: texts,
  blockedBuilds: texts,
  /** True if a command installs it, with any verdict. */
  installable: v.boolean(),
  source: nullableText,
})
export type ListingData = v.InferOutput<typeof ListingSchema>

export const DetailsSchema = v.object({
  ...ListingSchema.entries,
  /** The exact command for the profile; null when there is none, and then `reason` says why. */
  command: nullableText,
  profile: text,
  reason: nullableText,
  riskMeanings: v.array(v.object({ flag: text, meaning: text })),
  options: v.array(v.object({ label: text, note: text, command: nullableText })),
  /** Other listings of the same repository. */
  siblings: texts,
  page: nullableText,
  pushedAt: InstantSchema,
})
export type DetailsData = v.InferOutput<typeof DetailsSchema>

/** Fit of a plugin with the harness of this machine. */
export const FitSchema = v.object({
  /** `runs`, `does-not-run`, `declared-to-fit`, `declared-not-to-fit`, `not-declared`, `not-found` or `unknown`. */
  state: text,
  /** `name@version` that this is about. */
  plugin: nullableText,
  harnessVersion: nullableText,
  requirements: texts,
  triedAt: InstantSchema,
  /** Newest other version that declares to fit, if this one does not. */
  fitting: nullableText,
  /** All of it in words. */
  sentence: text,
})

export const InstalledSchema = v.object({
  package: text,
  id: nullableText,
  spec: text,
  version: nullableText,
  /** A newer version, or the first characters of the newest commit; null when there is none or it was not looked up. */
  latest: nullableText,
  /** The newest version, if the package manager does not install it yet, with the time from which it does; else null. */
  waiting: v.nullable(v.object({ version: text, until: text, message: text })),
  /** True when the harness boots it. */
  loaded: v.boolean(),
  /** Its state in the harness, such as `running`, `off` or `refused`; `doing` describes it, with the reason. */
  state: text,
  doing: text,
  /** Commands that can help if it does not run. */
  next: texts,
  /** Null unless a person holds its version, which leaves it out of `update --all`. */
  held: v.nullable(v.object({ reason: nullableText, since: InstantSchema })),
  verdict: nullableText,
  checkedAt: InstantSchema,
  /** True if the store can update and remove it; otherwise `why` has the reason. */
  managed: v.boolean(),
  why: nullableText,
})
export type InstalledData = v.InferOutput<typeof InstalledSchema>

const BuildSchema = v.object({
  package: text,
  version: nullableText,
  /** The key that allows these scripts. */
  key: text,
  /** Commands by the name of their script; empty when they are unknown. */
  scripts: v.record(v.string(), v.string()),
})

const CompatibilitySchema = v.object({
  state: v.picklist(['met', 'refused', 'allowed', 'not-enforced', 'unknown', 'not-found']),
  plugin: text,
  harnessVersion: nullableText,
  requirements: texts,
  allowCommand: nullableText,
  /** Reason why the package could not be read; null if it was. */
  problem: v.nullable(v.picklist(['not-found', 'unauthorized', 'busy', 'unreachable', 'unreadable', 'too-large'])),
  /** True if its name is in the harness’s own scope, and its repository belongs to somebody else. */
  foreignScope: v.boolean(),
  /** Packages of the harness among its dependencies. */
  shadows: texts,
  /** The author’s message; null unless that version is deprecated. */
  deprecated: nullableText,
  /** Newest other version that declares to be compatible, if this one does not. */
  fitting: nullableText,
  /** Last trial of this version in this version of the harness, on this machine. */
  trial: v.nullable(v.object({ runs: v.boolean(), at: v.number(), why: texts })),
})

export const ReviewSchema = v.object({
  id: text,
  package: nullableText,
  action: v.picklist(['install', 'approve', 'update', 'remove', 'enable', 'disable']),
  command: nullableText,
  /** The command that the install check ran. */
  checkedCommand: text,
  verdict: nullableText,
  checkedAt: InstantSchema,
  cautions: texts,
  risks: texts,
  blockedBuilds: texts,
  license: nullableText,
  source: text,
  /** True if it is first tried in a copy of the profile, where its code runs too. */
  trial: v.boolean(),
  /** Treatment of the profile's other plugins in the trial; null without a trial or without other plugins. */
  otherPlugins: nullableText,
  /** Build scripts that must be allowed by their keys. */
  builds: v.array(BuildSchema),
  /** Setting of the profile’s pnpm-workspace.yaml that keeps the keys; null without build scripts. */
  buildSetting: nullableText,
  /** Version in the profile that is replaced; null if there is none, or it is unknown. */
  installed: nullableText,
  compatibility: v.nullable(CompatibilitySchema),
  /** Newest version, if an update leaves it out because it does not fit. */
  passedOver: v.nullable(CompatibilitySchema),
  /** Reason for a refusal; null if it would not be refused. */
  refusal: v.nullable(v.object({ code: text, message: text })),
})
export type ReviewData = v.InferOutput<typeof ReviewSchema>

export const OutcomeSchema = v.object({
  kind: text,
  title: text,
  message: text,
  /** Subjects of the outcome: packages, keys, versions, or lines of a program's output. */
  subjects: texts,
  /** Outcomes of the plugins in a job of several, up to the one where it stopped. */
  parts: v.array(v.object({ id: text, kind: text, subjects: texts })),
  /** `complete` if the profile is unchanged; null if there was nothing to roll back. */
  rollback: nullableText,
  /** Files of the profile that differ from before. */
  changed: texts,
  /** Names, in the profile's folder, of unreadable files that were kept. */
  quarantined: texts,
  /** `unchanged`, `live`, `restart` or `restart-for-page`. */
  activation: text,
  trial: v.nullable(v.object({ harnessStarted: v.boolean(), pageLoaded: v.nullable(v.boolean()) })),
  /** Commands for a person to run, never for an agent. */
  removeCommand: nullableText,
  allowCommand: nullableText,
})

export const JobSchema = v.object({
  /** Ids of its plugins. It changes all of them or none. */
  ids: texts,
  action: text,
  job: text,
  command: nullableText,
  outcome: OutcomeSchema,
  /** The last lines of its output. */
  output: texts,
  /** File with its whole log; null when none is kept. */
  log: nullableText,
})
export type JobData = v.InferOutput<typeof JobSchema>
