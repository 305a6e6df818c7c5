/**
 * The calls and events that host and page exchange. Every shape is JSON. Times are ms since 1970, unless a field says
 * otherwise.
 *
 * A new call is one entry of `CALLS` and its implementation in the host. Pages import the types of this file from
 * `index.ts`, so that they do not load the schemas.
 */
import { FullNameSchema, hidePasswords, LIMITS } from '@plugmark/shared/contract'
import {
  isPackageName,
  isProfileName,
  MAX_SPEC_LENGTH,
  type NotInstallableReason,
  parseSpec,
} from '@plugmark/shared/install'
import * as v from 'valibot'
import { FORM_SETTINGS, type FormOption, SERVERS, type SettingName } from '../config.ts'
import type { Fits, Misfit } from './fit.ts'
import type { VersionDiff } from './inspection.ts'
import { type HistoryEntry, JOB_ACTIONS, type Job, type JobState } from './jobs.ts'
import { MAX_CALL_BYTES, MAX_FILE_BYTES, MAX_PLUGINS, MAX_REASON, MAX_SETTING } from './limits.ts'
import type { CatalogueStatus, ListingDetails, ListingsPage, StoreListing } from './listings.ts'
import {
  type PackageVersions,
  REPOSITORY_TEXTS,
  type RepositoryFacts,
  type RepositoryPicture,
  type RepositoryText,
} from './package-facts.ts'
import type { LockProblem, ProfileLock, SyncPlan } from './profile-lock.ts'
import type {
  HarnessUpgrade,
  InstalledPlugin,
  LastChange,
  Profile,
  ProfileCheck,
  RepairPlan,
  UpdateChecks,
  UpgradeCheck,
} from './profiles.ts'
import type { Fit, Review } from './review.ts'
import { type KnownFacts, REVIEW_FACTS } from './review-facts.ts'

interface Call<Input extends v.GenericSchema, Result> {
  readonly input: Input
  /** True if a page may make it also where changes require a log-in. */
  readonly isOpen: boolean
  /** Exists in the types only. The page does not validate results, as it trusts the host. */
  readonly result?: Result
}

/**
 * Declares a call that changes a profile, starts its plugins in a copy, hands out files of a profile, or reviews a change.
 *
 * @param entries the schema of each field of its input; an unknown field makes a call malformed
 */
const call = <Entries extends v.ObjectEntries>(entries: Entries, isOpen = false) => {
  const input = v.strictObject(entries)
  return { returns: <Result>(): Call<typeof input, Result> => ({ input, isOpen }) }
}
/** Declares a call that reads, or fills the store's own cache. */
const openCall = <Entries extends v.ObjectEntries>(entries: Entries) => call(entries, true)

const ListingId = FullNameSchema
const SettingText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_SETTING))
const SettingInput = v.nullable(v.union([SettingText, v.boolean(), v.number()]))
/** Ids that one call may name. */
const MAX_IDS = 100
const ListingIds = v.pipe(v.array(ListingId), v.nonEmpty(), v.maxLength(MAX_IDS), v.readonly())
const Position = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))
const Query = v.pipe(v.string(), v.nonEmpty(), v.maxLength(LIMITS.queryLength))
/** One exact version. No character of it is special in a shell or in an argument list. */
const Version = v.pipe(v.string(), v.maxLength(64), v.regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/))
const PictureUrl = v.pipe(v.string(), v.maxLength(2048), v.regex(/^https?:\/\//))
const ProfileName = v.custom<string>(isProfileName)
const PackageName = v.custom<string>((name) => typeof name === 'string' && isPackageName(name))
const SpecText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_SPEC_LENGTH))
/** Id of a review: a listing, the package of an installed plugin without one, or the source of an install. */
const ReviewedId = v.union([
  ListingId,
  PackageName,
  v.pipe(
    SpecText,
    v.check((text) => parseSpec(text) !== null),
  ),
])
const Reason = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_REASON))
const JobId = v.pipe(v.string(), v.uuid())
const HarnessVersion = v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+(?:-[\w.-]{1,60})?$/))
const Digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))
const Token = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
/** A review that the user agreed to. */
const REVIEWED = {
  id: ReviewedId,
  token: Token,
  acknowledged: v.boolean(),
  /** Holds the plugin at the version that the job leaves, if the job succeeds. */
  hold: v.optional(v.strictObject({ reason: v.nullable(Reason) })),
}

export const CALLS = {
  /** Profiles, program and jobs. Also loads the catalogue when it is stale. */
  overview: openCall({}).returns<Overview>(),
  /** At most 100 rows from a position. Continue with the `next` of the answer. */
  listings: openCall({ from: Position }).returns<ListingsPage>(),
  /** Searches in the directory. Returns its results in its order, and adds them to the catalogue. */
  search: openCall({ query: Query }).returns<readonly StoreListing[]>(),
  /** Fetches the records that the catalogue does not have yet. Returns the rows of these listings. */
  describe: openCall({ ids: ListingIds }).returns<readonly StoreListing[]>(),
  /** Everything known of a listing. Fetches its record when the catalogue does not have it. */
  details: openCall({ id: ListingId, profile: ProfileName }).returns<ListingDetails>(),
  /**
   * Fetches the index again. Returns at once; events report the progress. With `replace`, the user agreed to the
   * `difference` of the status.
   */
  refresh: openCall({ replace: v.optional(v.boolean()) }).returns<CatalogueStatus>(),
  /** Returns the facts that the user must see before they agree to a job, and the token that `start` takes. */
  review: call({
    id: ListingId,
    profile: ProfileName,
    action: v.picklist(JOB_ACTIONS),
    version: v.optional(Version),
  }).returns<Review>(),
  /**
   * Answers as soon as one of the wanted facts of a review is known, with all of them that are: a slow one hides no fast
   * one. Ask again for the others; see `followFacts`.
   */
  facts: openCall({
    id: ReviewedId,
    token: Token,
    wanted: v.pipe(v.array(v.picklist(REVIEW_FACTS)), v.nonEmpty(), v.maxLength(REVIEW_FACTS.length), v.readonly()),
  }).returns<KnownFacts>(),
  /**
   * Compares the files of the package of a review with those of the installed version. Returns null where none is
   * installed, or none is fetched. Takes a second or more.
   */
  diff: openCall({ id: ReviewedId, token: Token }).returns<VersionDiff | null>(),
  /** Compares the files of an installed package with those of another version; with null, of the newest that there is. */
  updateDiff: openCall({
    package: PackageName,
    profile: ProfileName,
    after: v.nullable(Version),
  }).returns<VersionDiff>(),
  /** Returns the versions of a listing's package. Asks its registry. */
  versions: openCall({ id: ListingId, profile: ProfileName }).returns<PackageVersions>(),
  /** Returns facts about a listing's repository. Asks the code host, as the next two do. */
  repositoryFacts: openCall({ id: ListingId, profile: ProfileName }).returns<RepositoryFacts>(),
  /** Returns a text of a listing's repository, in a language if there is one. */
  repositoryText: openCall({
    id: ListingId,
    profile: ProfileName,
    kind: v.picklist(REPOSITORY_TEXTS),
    language: v.picklist(['en', 'zh']),
  }).returns<RepositoryText>(),
  repositoryPicture: openCall({ profile: ProfileName, url: PictureUrl }).returns<RepositoryPicture>(),
  /** Returns how a listing fits the harness. Reads what it declares, which may take some seconds. */
  fit: openCall({ id: ListingId, profile: ProfileName }).returns<Fit>(),
  /** Returns the fit of the listings that were looked at, without a request to any server. */
  fits: openCall({ profile: ProfileName }).returns<Fits>(),
  /** Returns what a repair of a profile would do. Reads from the registry which versions fit this harness. */
  reviewRepair: call({ profile: ProfileName }).returns<RepairPlan>(),
  /** Queues the repair of a profile. @param digest of the reviewed plan, which must still be the same */
  repair: call({ profile: ProfileName, digest: Digest }).returns<Job>(),
  /** Examines a profile, and starts the harness from a copy of it. Returns at once; an event has the result. */
  checkProfile: call({ profile: ProfileName }).returns<ProfileCheck>(),
  /** Returns versions of the harness that are newer than this one, newest first. Asks the registry. */
  harnessVersions: openCall({ profile: ProfileName }).returns<readonly string[]>(),
  /**
   * Checks a profile against another version of the harness by what is declared. Asks the registry about plugins that do
   * not fit. With null, the version is the newest that the registry has.
   */
  checkUpgrade: openCall({ profile: ProfileName, version: v.nullable(HarnessVersion) }).returns<UpgradeCheck>(),
  /** Closes the notice about an upgrade of the harness. */
  dismissUpgrade: openCall({ profile: ProfileName }).returns<null>(),
  /**
   * Reviews the removal of any installed package, or the update of the store itself, by its package and without the
   * directory.
   */
  reviewPackage: call({
    package: PackageName,
    profile: ProfileName,
    action: v.picklist(['remove', 'update']),
  }).returns<Review>(),
  /**
   * Queues the job that enables or disables an installed plugin. Needs no review, because the same call reverts it.
   * `listing` names it in the job; null when it has none.
   */
  switchPlugin: call({
    package: PackageName,
    profile: ProfileName,
    enabled: v.boolean(),
    listing: v.nullable(ListingId),
  }).returns<Job>(),
  /**
   * Reviews the install of a package, a repository at a commit, a folder or a tarball of the host's machine, which the
   * directory does not list. The review's id is the source. No tool of an agent makes this call.
   */
  reviewSpec: call({ spec: SpecText, profile: ProfileName }).returns<Review>(),
  /** Queues the job of a review. `byAgent` is true if the user agreed to an agent's request; the history says so. */
  start: call({ ...REVIEWED, byAgent: v.optional(v.boolean()) }).returns<Job>(),
  /**
   * Queues one job for several reviews of one profile. The job is tried, kept or rolled back as a whole; its outcome has
   * `parts`. Starts none if one review cannot be started, and then refuses as `start` does. Refuses with `malformed` when
   * there are two for one listing, or reviews of several profiles. With `sync`, the token of a plan, it makes the profile as
   * that lock says, and needs a review of each change of the plan.
   */
  startAll: call({
    reviews: v.pipe(v.array(v.strictObject(REVIEWED)), v.maxLength(MAX_PLUGINS), v.readonly()),
    sync: v.optional(Token),
    byAgent: v.optional(v.boolean()),
  }).returns<Job>(),
  /** Returns the change that `undo` reverts; null when no snapshot is kept. */
  lastChange: openCall({ profile: ProfileName }).returns<LastChange | null>(),
  /**
   * Queues the job that undoes the last change of a profile, by the id of that change's job: a later change is left as it
   * is. An undo can be undone too, which makes the change again.
   */
  undo: call({ profile: ProfileName, change: JobId }).returns<Job>(),
  cancel: call({ job: JobId }).returns<Job>(),
  /** Returns the jobs that ran on a profile, of all shells, newest first. */
  history: openCall({ profile: ProfileName }).returns<readonly HistoryEntry[]>(),
  /** Returns the output of a job in the history; empty when none is kept. */
  jobLog: openCall({ profile: ProfileName, job: JobId }).returns<readonly string[]>(),
  installed: openCall({ profile: ProfileName }).returns<readonly InstalledPlugin[]>(),
  /**
   * Returns the same as `installed`, after checking the registry and the code host for newer versions. With `ifDue`, only
   * if an automatic check is due; a failure is then not a refusal.
   */
  checkUpdates: openCall({ profile: ProfileName, ifDue: v.optional(v.boolean()) }).returns<
    readonly InstalledPlugin[]
  >(),
  updateChecks: openCall({ profile: ProfileName }).returns<UpdateChecks>(),
  setUpdateChecks: call({ profile: ProfileName, automatic: v.boolean() }).returns<UpdateChecks>(),
  /** Holds an installed plugin at its version, or ends that. With `skips`, only while that is its newest update. */
  hold: call({
    package: PackageName,
    profile: ProfileName,
    reason: v.nullable(Reason),
    skips: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64))),
  }).returns<null>(),
  unhold: call({ package: PackageName, profile: ProfileName }).returns<null>(),
  /** Returns the lock of a profile, as `plugmark.lock.json` has it. */
  profileLock: call({ profile: ProfileName }).returns<ProfileLock>(),
  /**
   * Returns what makes a profile as a file says: a lock, an old export, a package.json or a list of names. Nothing is
   * reviewed or changed. With `exact`, plugins that a lock has not are removed; with `frozen`, the profile gets exactly the
   * packages of the lock, or nothing changes.
   */
  planSync: call({
    profile: ProfileName,
    text: v.pipe(v.string(), v.maxLength(MAX_FILE_BYTES)),
    exact: v.optional(v.boolean()),
    frozen: v.optional(v.boolean()),
  }).returns<SyncPlan | LockProblem>(),
  /** Returns the store's settings; null where the host of the page has a form of its own for them. */
  configuration: openCall({}).returns<StoreConfiguration | null>(),
  /** Stores settings by name; null unsets one. The harness then reloads the store. */
  configure: call({
    values: v.record(v.picklist(FORM_SETTINGS), SettingInput),
  }).returns<null>(),
  /** Sends one request to a server, to find out if it answers as a directory or a registry does. */
  checkServer: call({
    server: v.picklist(SERVERS),
    address: SettingText,
    /** Proxy for the request to a registry. @default the stored one */
    proxy: v.optional(SettingText),
  }).returns<boolean>(),
}

export type CallName = keyof typeof CALLS
export type CallInput<Name extends CallName> = v.InferOutput<(typeof CALLS)[Name]['input']>
export type CallResult<Name extends CallName> =
  (typeof CALLS)[Name] extends Call<v.GenericSchema, infer Result> ? Result : never

export const CALL_NAMES = Object.keys(CALLS) as CallName[]

/** Reason for a refused call. */
export type RefusalCode =
  /** It did not come from this console's own page. */
  | 'untrusted'
  /** The host requires a log-in, or more rights than this user has. */
  | 'unauthorized'
  /** The store allows changes only where users log in, and the host has no log-in. */
  | 'login-required'
  /** Its input does not match the schema, or is too large. */
  | 'malformed'
  /** There is none of that name. */
  | 'unknown-listing'
  | 'unknown-profile'
  | 'unknown-job'
  /** The registry does not say which version of the harness is the newest. */
  | 'unknown-version'
  /** The listing has no command that installs it; `reason` says why. */
  | 'not-installable'
  /** It would change the store itself, which only updates itself. */
  | 'own-package'
  /** The directory does not list this installed package, so it has no newer version to offer. */
  | 'unlisted-package'
  /** Only an install of a package of the registry has versions to choose. */
  | 'no-versions'
  /** The package declares no plugin that can be enabled or disabled. */
  | 'not-switchable'
  | 'not-installed'
  /** There is no such package, repository, folder or tarball, or it has no package.json with a name. */
  | 'unknown-source'
  /** The registry or the code host of a source did not answer. */
  | 'source-unreachable'
  /** The registry of a source wants a log-in. */
  | 'source-unauthorized'
  /** The profile has a package of that name from another source, which the store does not change. */
  | 'other-source'
  /** The repository of an installed plugin now holds another package; `names` has both. */
  | 'other-package'
  /** Only the Desktop app, while it is running, can do this in its profile. */
  | 'no-plugin-manager'
  /** None of the plugin's build scripts are known to be blocked in this profile. */
  | 'nothing-blocked'
  /**
   * Build scripts were blocked by a package manager of unknown version, so the store does not know how to allow them.
   */
  | 'unknown-package-manager'
  /** The token was used, has expired, or is for another listing. */
  | 'bad-token'
  /** The branch of a repository has another commit than the one that was planned. */
  | 'branch-moved'
  /** The profile has changed since the user saw the plan of its repair. */
  | 'plan-changed'
  /** The review has cautions that were not acknowledged. */
  | 'not-acknowledged'
  /** It lets build scripts run, and the yes was to an agent, whose question does not show them. */
  | 'builds-need-approval'
  /** The harness would refuse this version of the plugin. */
  | 'incompatible'
  /** The plugin, or a package that would be installed with it, is known as malware. */
  | 'malware'
  /** A job of the same listing and profile is queued or running. */
  | 'already-running'
  /** A job is queued or running, which the call would interrupt. */
  | 'job-running'
  /** Checking for newer versions failed. */
  | 'package-manager'
  | 'directory'
  /** A setting is not accepted; the message says which and why. */
  | 'bad-setting'
  /** State that the store keeps in the profile, such as its holds, cannot be read or written. */
  | 'profile-state'
  /** An error of the store itself; details are in the host's log. */
  | 'internal'

export interface Refusal {
  readonly ok: false
  readonly code: RefusalCode
  /** For the user, in English, without a stack or a path. */
  readonly message: string
  /** Names that it is about, for a message in another language. */
  readonly names?: readonly string[]
  /** Reason why a listing is `not-installable`. */
  readonly reason?: NotInstallableReason
}

/** The result of a call, or the reason why there is none. Calls do not throw: the page would get the error's stack. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal

export type { Server, SettingName } from '../config.ts'
export type SettingValue = v.InferOutput<typeof SettingInput>

/** An option of the store's own form, with its value; null when that is not set. */
export type Setting = FormOption & { readonly name: SettingName; readonly value: SettingValue }

export interface StoreConfiguration {
  /** Path of the file that holds them, for the user. */
  readonly file: string
  readonly settings: readonly Setting[]
}

export interface Restart {
  /**
   * - `terminal`: press Ctrl+C in the harness's terminal, then run a command there
   * - `command`: run a command anywhere
   * - `page`: open a web page
   */
  readonly by: 'terminal' | 'command' | 'page'
  /** The command, or the page's address. */
  readonly text: string
}

export interface Overview {
  readonly cli: string
  readonly profiles: readonly Profile[]
  /** The default profile; it may be missing from `profiles`. */
  readonly profile: string
  /** Says if the harness's program was found. */
  readonly harness: 'found' | 'missing'
  /** The program that installs and trials run, with its leading arguments; its version is null until it is known. */
  readonly program: { readonly command: string; readonly version: string | null }
  /** True if `profile` is the Desktop app's, which installs without a trial. */
  readonly desktop: boolean
  /** Instruction to restart the harness; null when the store knows none. */
  readonly restart: Restart | null
  /** An upgrade of the harness that this store runs in, after which plugins of `profile` no longer run; else null. */
  readonly upgrade: HarnessUpgrade | null
  readonly jobs: readonly Job[]
}

/** Sent to every page. */
export type StoreEvent =
  | { readonly type: 'catalogue'; readonly status: CatalogueStatus }
  | { readonly type: 'job'; readonly job: JobState }
  /** New lines of a job's output. `from` is the number of lines before them. */
  | { readonly type: 'output'; readonly job: string; readonly from: number; readonly lines: readonly string[] }
  /** The fit of a listing in a profile, as it is known now. `fits` is null when that is unknown, `misfit` unless it is false. */
  | {
      readonly type: 'fits'
      readonly profile: string
      readonly id: string
      readonly fits: boolean | null
      readonly misfit: Misfit | null
    }
  | { readonly type: 'program'; readonly program: Overview['program'] }
  /** An upgrade of the harness turned plugins off, or the notice about it is no longer needed. */
  | { readonly type: 'upgrade'; readonly upgrade: HarnessUpgrade | null }
  | { readonly type: 'profile-check'; readonly check: ProfileCheck }
  | { readonly type: 'profiles'; readonly profiles: readonly Profile[] }

/** The implementation of every call. It expects a trusted caller and a parsed input: see `serve`. */
export type StoreCalls = {
  [Name in CallName]: (input: CallInput<Name>) => Promise<Answer<CallResult<Name>>>
}

/** A page's connection to its host. Each shell implements it over the connection that its harness has. */
export interface StoreBridge {
  /** Never rejects: a call that got no answer is a refusal. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Answer<CallResult<Name>>>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
}

// How the host serves a call.

export interface CallGuard {
  /** Returns why the caller is not trusted; null when it is. @default the connection itself ensures that */
  readonly check?: () => Refusal | null
  /** Receives an error of the store itself, which the answer does not describe. */
  readonly onFault: (error: unknown) => void
}

/**
 * Serves one call: checks the caller, parses the input, then calls the implementation. Never rejects.
 *
 * @param call name of the call, and `argument` its input, as the connection delivered them
 * @returns the result of the implementation, or a refusal
 */
export async function serve(
  calls: StoreCalls,
  call: string,
  argument: unknown,
  { check = () => null, onFault }: CallGuard,
): Promise<Answer<unknown>> {
  try {
    const untrusted = check()
    if (untrusted) return untrusted
    if (!isCall(call)) return refuse('malformed', 'The store has no such call.')
    const input = parseInput(CALLS[call].input, argument)
    if (input === null) return refuse('malformed', `This is not a call of "${call}".`)
    return await calls[call](input as never)
  } catch (error) {
    onFault(error)
    return refuse('internal', 'Something went wrong. See the store’s log.')
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name)

/** The call with most values is `startAll`: `MAX_PLUGINS` reviews of six values each. */
const MAX_DEPTH = 4
const MAX_VALUES = 6 * MAX_PLUGINS + 10

/**
 * Parses the argument of a call. Stops reading an argument that exceeds the limits.
 *
 * @returns null when it does not match the schema
 */
export function parseInput<T extends v.GenericSchema>(schema: T, argument: unknown): v.InferOutput<T> | null {
  // A schema of an object without keys would take an empty array.
  if (Array.isArray(argument) || !isBounded(argument)) return null
  const parsed = v.safeParse(schema, argument)
  return parsed.success ? parsed.output : null
}

function isBounded(argument: unknown): boolean {
  let values = 0
  let text = 0
  const pending: [value: unknown, depth: number][] = [[argument, 0]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, depth] = next
    if (++values > MAX_VALUES || depth > MAX_DEPTH) return false
    if (typeof value === 'string') text += value.length
    if (text > MAX_CALL_BYTES) return false
    if (typeof value !== 'object' || value === null) continue
    const keys = Object.keys(value)
    if (keys.length > MAX_VALUES) return false
    for (const key of keys) {
      text += key.length
      pending.push([(value as Record<string, unknown>)[key], depth + 1])
    }
  }
  return true
}

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })
export const refuse = (code: RefusalCode, message: string): Refusal => ({
  ok: false,
  code,
  message: hidePasswords(message),
})

export const unknownProfile = (profile: string): Refusal =>
  refuse('unknown-profile', `The profile "${profile}" does not exist. Start the harness with it once.`)

/** Returns the refusal of a call that needs state of a profile which cannot be read or written. */
export const stateProblem = (): Refusal =>
  refuse('profile-state', 'What the store keeps in this profile cannot be read or written. Check the profile.')
