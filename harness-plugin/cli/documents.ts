import * as v from 'valibot'
import { DetailsData, ListingData } from '../client/listing-data.ts'
import { FitData, InstalledData, JobData, PastJobData, ReviewData } from '../client/published.ts'
import { AdvisoriesSchema, ProfileAdvisoriesSchema, VersionDiffSchema } from '../protocol/inspection.ts'
import { JOB_STAGES } from '../protocol/jobs.ts'
import { READ_PROBLEMS } from '../protocol/package-facts.ts'
import { DriftSchema, ProfileLockSchema, SyncWarningSchema, UnreadSchema } from '../protocol/profile-lock.ts'
import {
  FindingSchema,
  LeftUpdateSchema,
  PluginStateSchema,
  RepairStepSchema,
  StartSchema,
  UpgradeCheckSchema,
} from '../protocol/profiles.ts'
import { BuildSchema } from '../protocol/review.ts'
import { Instant as instant, Lines, Sentence, Text, Texts, Exact as text } from '../protocol/text.ts'

/**
 * The documents that `--json` writes. Their schema is published with the package and only grows: a field never changes
 * its meaning and is never removed.
 */

const nullable = v.nullable(text)
const YesNoUnknown = v.picklist(['yes', 'no', 'unknown'])
const texts = v.array(text)

const DirectorySchema = v.object({
  url: nullable,
  /** Time at which the directory generated the used index. */
  generated: instant,
  /**
   * - `not-used`: the command needed no index
   * - `current`: it was read within the last six hours, or just now
   * - `stored`: it could not be reached, so an older stored index was used
   * - `unreachable`: it could not be reached, and there is no copy
   */
  state: v.picklist(['not-used', 'current', 'stored', 'unreachable']),
  /** Time at which the copy was read, and its age in ms. */
  readAt: instant,
  ageMs: v.nullable(v.number()),
})
export type DirectoryInfo = v.InferOutput<typeof DirectorySchema>

const SearchSchema = v.object({
  query: text,
  /** Number of matches; `listings` has the first of them. */
  total: v.number(),
  /** Number of further matches that did not pass the install check. */
  hidden: v.number(),
  /** False when no listing has every word; then, and after those with every word, come listings with some of them. */
  everyWord: v.boolean(),
  /** Corrected words, if they differ from the query. */
  meant: nullable,
  /** A correction of words or of a filter that was not applied, because it is not certain. */
  offered: nullable,
  /** Words that no listing has, after the correction. */
  missing: texts,
  /** Parts of the query that have no meaning. */
  problems: texts,
  /** False if the directory does not state which listings passed. */
  verdictsKnown: v.boolean(),
  /** `found` are the words that a listing has; null when it has every word. */
  listings: v.array(
    v.object({
      ...ListingData.entries,
      found: v.nullable(texts),
      /** True if a profile of this machine has it. */
      installed: v.boolean(),
    }),
  ),
})

const DiffSchema = v.object({ id: text, ...VersionDiffSchema.entries })

const IndexSchema = v.object({
  count: v.number(),
  /** Number of listings whose whole record is stored. */
  described: v.number(),
  /** Number of rows in the directory's last answer that broke the contract. */
  rejected: v.number(),
  /** Folder of the stored index; null if there is none. */
  folder: nullable,
  listings: v.array(ListingData),
})

const ListSchema = v.object({
  profile: text,
  /** Time when newer versions were looked for last; null where that was never, so that `latest` is unknown. */
  checkedAt: instant,
  plugins: v.array(InstalledData),
})

const SkippedSchema = v.object({
  id: text,
  reason: v.picklist([
    'not-found',
    'ambiguous',
    'no-command',
    'refused-verdict',
    'incompatible',
    'malware',
    'failed',
    'not-installed',
    'other-source',
    'other-package',
    'installed',
    'held',
    /** Left out by `update --all`: the user disabled it. */
    'off',
    /** Set aside by `update --all`: it gains something, or may do something else than before. */
    'gains',
    /** Set aside by `update --all`: it does not continue what is installed. */
    'past',
    'not-read',
    /** With --dry-run; the message says what would happen. */
    'dry-run',
  ]),
  message: text,
})
export type Skipped = v.InferOutput<typeof SkippedSchema>

/** With an error that the user's yes resolves: the command that agrees to this review, for after that yes. */
const accept = v.optional(text)

const CheckSchema = v.object({
  profile: text,
  /** Digest of all reviews together, for --accept. */
  digest: text,
  accept,
  reviews: v.array(ReviewData),
  skipped: v.array(SkippedSchema),
  /** Of `sync`: what it makes like the file beside the reviewed changes. */
  made: v.optional(v.array(DriftSchema)),
  /** Of `sync`: what is known of the packages that it adds. */
  warnings: v.optional(v.array(SyncWarningSchema)),
  /** Of `sync`: what of the file it does not make, or what still differs after it. */
  left: v.optional(v.array(DriftSchema)),
  /** Of `sync`: lines or entries of the file that it cannot take. */
  unread: v.optional(v.array(UnreadSchema)),
})

const ChangeSchema = v.object({
  ...CheckSchema.entries,
  jobs: v.array(JobData),
  /**
   * With `update --all`: number of plugins that were looked at, and those that it never updates, as they are not installed
   * from the directory.
   */
  checked: v.optional(v.object({ count: v.number(), unmanaged: Texts })),
})

const LockSchema = v.object({
  profile: text,
  /** File that it was written to or compared with; `-` for standard output or input. */
  file: text,
  /** The lock that was written; null with --check. */
  lock: v.nullable(ProfileLockSchema),
  /** Says how the profile differs from the file; empty without --check. */
  drift: v.array(DriftSchema),
})

const DoctorSchema = v.object({
  home: text,
  profile: text,
  /** The Node.js that this program runs on. */
  node: v.object({ path: text, version: text }),
  harness: v.object({
    command: texts,
    path: nullable,
    version: nullable,
    /** True if this version of the program was tested with that version of the harness. */
    tested: YesNoUnknown,
    /** Services that this program relies on inside the harness, and whether the started copy has them. */
    parts: v.array(v.object({ name: Text, use: Text, found: YesNoUnknown })),
  }),
  packageManager: v.object({ name: text, path: nullable, version: nullable }),
  /** Result of starting the harness from a copy of the profile. */
  start: StartSchema,
  /** Most severe first; empty when there are no problems. */
  findings: v.array(
    v.object({
      ...v.omit(FindingSchema, ['state']).entries,
      sentence: Sentence,
      /** Steps that the user can take about a plugin, in order, such as `update`, `switch-off` or `remove`. */
      steps: Texts,
    }),
  ),
  /** Plugins of the profile, and entries that concern the harness, with the state of each in words. */
  plugins: v.array(
    v.object({
      package: Text,
      state: PluginStateSchema.entries.kind,
      sentence: Sentence,
      /** Commands that can help if it does not run. */
      next: texts,
    }),
  ),
  /** Steps that --fix makes or made. Empty with repairable findings alone: then it switches off what stops the harness. */
  steps: v.array(
    v.object({ ...v.pick(RepairStepSchema, ['action', 'version']).entries, package: Text, sentence: Sentence }),
  ),
  /** Broken entries that --fix leaves to the user. */
  left: Texts,
  /** Updates of them that declare to fit, why only the user decides about each, and the command that is the next step. */
  leftUpdates: v.array(
    v.object({ ...LeftUpdateSchema.entries, package: Text, sentence: Sentence, next: v.nullable(text) }),
  ),
  /** Advisories about the packages of the profile; null for a profile that cannot be read. */
  audit: v.nullable(ProfileAdvisoriesSchema),
  /** The job of --fix; null when there was none. */
  repair: v.nullable(JobData),
})

const ShowSchema = v.object({
  ...DetailsData.entries,
  /** False for a package or a repository that the directory does not list: with `--unlisted`. */
  listed: v.boolean(),
  /** About the harness of this machine; null where that is not known in time. */
  fit: v.nullable(FitData),
  /** The version that an install takes; null for one of a repository, and where its registry does not tell in time. */
  release: v.nullable(
    v.object({
      version: Text,
      publishedAt: instant,
      /** Without its dependencies. */
      sizeBytes: v.nullable(v.number()),
      weeklyDownloads: v.nullable(v.number()),
    }),
  ),
  /** Why the version of a package is not known. */
  releaseProblem: v.nullable(v.picklist(READ_PROBLEMS)),
  /** What is known against the version that an install takes and what comes with it; null where it was not told in time. */
  advisories: v.nullable(AdvisoriesSchema),
  /** The plugin in the profile; null where that does not have it. */
  installed: v.nullable(
    v.pick(InstalledData, ['package', 'version', 'latest', 'loaded', 'state', 'doing', 'newsText']),
  ),
  /** Its release notes in Markdown, with `--notes`; null without it. The text is null where they could not be read. */
  notes: v.nullable(v.object({ state: v.picklist(['read', ...READ_PROBLEMS]), text: v.nullable(Lines) })),
})

const UndoSchema = v.object({
  profile: text,
  /** The change that was undone, or is to be; of a redo, the undo. `changes` is what is made of each package. */
  change: v.object({ action: text, ids: texts, endedAt: instant, changes: PastJobData.entries.changes }),
  /** Null with --dry-run. */
  job: v.nullable(JobData),
})

const HistorySchema = v.object({
  profile: text,
  /** Number of jobs that the profile keeps. */
  total: v.number(),
  /** Newest first. */
  jobs: v.array(PastJobData),
})

const HoldSchema = v.object({
  profile: text,
  package: text,
  version: nullable,
  held: v.boolean(),
  reason: nullable,
  /** True if nothing was changed. */
  dryRun: v.boolean(),
})

const OpenSchema = v.object({
  id: text,
  url: text,
  /** False if only its address was written. */
  opened: v.boolean(),
})

const ConfigSchema = v.object({
  file: text,
  settings: v.array(
    v.object({
      key: text,
      /** The stored value. */
      value: nullable,
      /** The value that is in effect, and the option, variable or command that gave it; null for the default. */
      inEffect: v.nullable(v.object({ value: text, from: text })),
    }),
  ),
})

const CapabilitiesSchema = v.object({
  name: text,
  version: text,
  commands: v.array(
    v.object({
      name: text,
      aliases: texts,
      summary: text,
      arguments: v.array(v.object({ name: text, required: v.boolean(), variadic: v.boolean(), description: text })),
      options: v.array(v.object({ flags: text, description: text, choices: v.nullable(texts) })),
      examples: texts,
      /** True if it can change a profile. */
      changes: v.boolean(),
    }),
  ),
  globalOptions: v.array(v.object({ flags: text, description: text, choices: v.nullable(texts) })),
  environment: v.record(v.string(), v.string()),
  exitCodes: v.array(v.object({ code: v.number(), name: text, meaning: text })),
  errors: v.array(v.object({ code: text, exit: v.number(), retryable: v.boolean() })),
  outcomes: v.array(v.object({ kind: text, exit: v.number() })),
  /** Schema of every document, including this one. */
  schema: v.record(v.string(), v.unknown()),
  /** Schema of each line that --events writes. */
  eventSchema: v.record(v.string(), v.unknown()),
  skill: nullable,
})

const TrySchema = v.object({
  spec: text,
  result: v.object({
    command: text,
    /** `passed`, `needs-approval`, `not-a-layer`, `failed` or `timeout`. */
    verdict: text,
    /** Outcome kind of the command, as for a job, and its subjects. */
    kind: text,
    subjects: Texts,
    /** `name@version`; null when nothing was installed. */
    plugin: nullable,
    versions: v.object({ harness: text, packageManager: nullable, node: text }),
    startedAt: text,
    durationMs: v.number(),
    /** Build scripts that were not run, with the exact keys that allow them. */
    blockedBuilds: v.array(BuildSchema),
    /** True if the harness runs it; null if it was not started. */
    runs: v.nullable(v.boolean()),
    /** The harness’s own words if it does not run. */
    why: Texts,
    output: Texts,
  }),
})

const UpgradeSchema = v.object({
  ...UpgradeCheckSchema.entries,
  profile: text,
  plugins: v.array(
    v.object({
      ...v.pick(UpgradeCheckSchema.entries.plugins.item, ['version', 'runs', 'fitting']).entries,
      package: Text,
      /** Its state, or expected state, in that harness. */
      state: PluginStateSchema.entries.kind,
      sentence: Sentence,
    }),
  ),
})

const AuditDocument = v.object({ profile: text, audit: ProfileAdvisoriesSchema })

/** The data of each command's documents. */
export const DATA = {
  search: SearchSchema,
  show: ShowSchema,
  index: IndexSchema,
  list: ListSchema,
  outdated: ListSchema,
  check: CheckSchema,
  install: ChangeSchema,
  update: ChangeSchema,
  remove: ChangeSchema,
  enable: ChangeSchema,
  hold: HoldSchema,
  unhold: HoldSchema,
  disable: ChangeSchema,
  doctor: DoctorSchema,
  undo: UndoSchema,
  redo: UndoSchema,
  try: TrySchema,
  'upgrade-check': UpgradeSchema,
  history: HistorySchema,
  diff: DiffSchema,
  audit: AuditDocument,
  open: OpenSchema,
  config: ConfigSchema,
  lock: LockSchema,
  sync: ChangeSchema,
  capabilities: CapabilitiesSchema,
  help: v.object({ text }),
  version: v.object({ version: text }),
  completions: v.object({ script: text }),
} as const
export type CommandName = keyof typeof DATA
export type DataOf<K extends CommandName> = v.InferOutput<(typeof DATA)[K]>

const ErrorSchema = v.object({
  /** Error code of this program or of a call (`capabilities` lists them), or the outcome kind of a job. */
  code: text,
  message: text,
  /** True if the same command may succeed when it is repeated. */
  retryable: v.boolean(),
  /** Next command to type, or a sentence that says what to do; null if nothing helps. It never agrees to a review. */
  next: nullable,
})

/** With `index-differs`: the command that replaces the stored index, for after the user's yes. */
const ReplaceSchema = v.object({ accept: text })
const SuggestionsSchema = v.object({ suggestions: texts })
/** Data of an error. */
const ERROR_DATA = v.union([
  DiffSchema,
  LockSchema,
  ChangeSchema,
  CheckSchema,
  DoctorSchema,
  UndoSchema,
  TrySchema,
  UpgradeSchema,
  AuditDocument,
  SuggestionsSchema,
  ReplaceSchema,
])

/** Shared parts of documents, by their names in the published schema. */
export const DEFINITIONS = {
  Directory: DirectorySchema,
  Listing: ListingData,
  Review: ReviewData,
  Skipped: SkippedSchema,
  Job: JobData,
  Check: CheckSchema,
  Change: ChangeSchema,
  Doctor: DoctorSchema,
  Undo: UndoSchema,
  Hold: HoldSchema,
  Try: TrySchema,
  UpgradeCheck: UpgradeSchema,
  ProfileLock: ProfileLockSchema,
  Drift: DriftSchema,
} as const

const head = { schema: v.literal(1), directory: DirectorySchema }
const successes = Object.entries(DATA).map(([command, data]) =>
  v.object({ ...head, ok: v.literal(true), command: v.literal(command), data }),
)
const FailureSchema = v.object({
  ...head,
  ok: v.literal(false),
  /** Null when no command was recognised. */
  command: nullable,
  error: ErrorSchema,
  data: v.optional(ERROR_DATA),
})
export const DocumentSchema = v.union([FailureSchema, ...successes])

const stage = v.picklist(JOB_STAGES)
/** One line of --events. */
export const EventSchema = v.union([
  v.object({ event: v.literal('reading'), listings: v.number() }),
  v.object({
    event: v.literal('job'),
    job: text,
    ids: texts,
    action: text,
    state: v.picklist(['queued', 'running', 'cancelling', 'done']),
    stage: v.nullable(stage),
    stages: v.array(stage),
    /** True while the job waits for another program that works on the profile. */
    profileBusy: v.boolean(),
    outcome: nullable,
  }),
  v.object({ event: v.literal('output'), job: text, lines: texts }),
  v.object({ event: v.literal('warning'), message: text }),
])
export type ProgressEvent = v.InferOutput<typeof EventSchema>
