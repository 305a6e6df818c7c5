/**
 * The lock of a profile: one file, `plugmark.lock.json`, that says which plugins a profile has, exactly, and that is made
 * to be reviewed in a pull request.
 *
 * - **Written** from the profile's own files alone, and sorted: the same profile gives the same bytes on every machine. No
 *   date, no path of the machine and no secret is in it.
 * - **Compared** with the lock that the profile would give now: a range in package.json may differ, a version, a commit or
 *   an integrity may not.
 * - **Made** by the same review, trial, transaction and undo as every change: a sync is one job that writes what the
 *   profile's own files say, with the package manager's own lock, and has the package manager install that once. Where the
 *   file has no such lock, it installs the plugins in their versions and at their commits, and says what still differs.
 *
 * It has no rows of the profile's patch. A row can set anything of any plugin and of the harness, such as a command that it
 * runs, and no inspection reads that. Which rows are a plugin's own, only its installed patch says, which CI does not have.
 * And a running harness writes into that file, so that no job does.
 */
import { MAX_SPEC_LENGTH } from '@plugmark/shared/install'
import * as v from 'valibot'
import { MAX_PLUGINS, MAX_REASON } from './limits.ts'
import { Text, TextOrNull, Texts, type Value } from './text.ts'

/** Format of the file. */
export const LOCK_FORMAT = 2

const Short = v.pipe(v.string(), v.maxLength(MAX_SPEC_LENGTH))
/** A version, and no range or tag: of these, nobody knows what they install. */
const Version = v.nullable(v.pipe(v.string(), v.maxLength(256), v.regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/)))
/** Of a hold that the user set. */
const Held = v.nullable(v.object({ reason: v.nullable(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_REASON))) }))

const LockedPluginSchema = v.object({
  name: Short,
  /** Its spec in the profile's package.json; null for one that only this machine has, such as a folder. */
  spec: v.nullable(Short),
  version: Version,
  /** As the package manager's lock has it; null for what it has none of. */
  integrity: v.nullable(Short),
  /** Of its repository; null for a package of a registry. */
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))),
  /** True if the harness does not load it. */
  off: v.boolean(),
  held: Held,
})

/** Settings of pnpm-workspace.yaml that decide what is installed; none of them lets a package run anything. */
export const LOCKED_SETTINGS = [
  'overrides',
  'packageExtensions',
  'patchedDependencies',
  'peerDependencyRules',
  'ignoredOptionalDependencies',
  'autoInstallPeers',
  'dedupePeerDependents',
  'strictPeerDependencies',
  'supportedArchitectures',
] as const

/** Returns false for a value that is nested so deep that comparing or writing it could fail; a setting has four levels. */
const isShallow = (value: unknown, depth = 10): boolean =>
  Object(value) !== value || (depth > 0 && Object.values(value as object).every((one) => isShallow(one, depth - 1)))
const SettingSchema = v.optional(
  v.pipe(
    v.unknown(),
    v.check((value) => isShallow(value)),
  ),
)

/** Returns true for the path of a patch file inside of a profile, and of no hidden folder. */
export const isPatchPath = (path: string): boolean =>
  path.length <= 300 && /^(?!node_modules\/)(?:[\w@+-][\w@+. -]*\/)*[\w@+-][\w@+. -]*\.patch$/.test(path)

export const ProfileLockSchema = v.object({
  plugmark: v.literal(LOCK_FORMAT),
  /** Version of the harness that it was made with; null when that was unknown. */
  harness: v.nullable(Short),
  /** By name. */
  plugins: v.pipe(
    v.array(LockedPluginSchema),
    v.maxLength(MAX_PLUGINS),
    v.check((plugins) => new Set(plugins.map(({ name }) => name)).size === plugins.length),
  ),
  /** The layers that the harness boots, in their order. */
  layers: v.pipe(v.array(Short), v.maxLength(2 * MAX_PLUGINS)),
  settings: v.optional(v.object(v.entriesFromList(LOCKED_SETTINGS, SettingSchema)), {}),
  /** Lines of the patch files that these settings name, by their path in the profile. */
  patches: v.optional(
    v.pipe(
      v.record(v.string(), v.array(v.string())),
      v.check((patches) => Object.keys(patches).every(isPatchPath)),
    ),
    {},
  ),
  /** Names what installed it, such as `pnpm@11.28.11`; null when that was unknown. */
  packageManager: v.nullable(Short),
  /**
   * Lines of the package manager's own lock; null where there is none, or it names what only this machine has or may know.
   */
  packages: v.nullable(v.array(v.string())),
})
export type ProfileLock = Value<typeof ProfileLockSchema>
export type LockedPlugin = ProfileLock['plugins'][number]
export type LockedHold = LockedPlugin['held']

/** A difference between a lock and a profile. */
export const DriftSchema = v.object({
  /**
   * `content` is other bytes of the same version. `harness`, its version or a layer of its own, and `local`, a plugin
   * without a source, are no drift.
   */
  kind: v.picklist([
    ...(['missing', 'extra', 'version', 'commit', 'content', 'source'] as const),
    ...(['off', 'held', 'order', 'packages', 'setting', 'patch', 'harness', 'local'] as const),
  ]),
  /** Name of the plugin; of what differs beside them, what that is. Of packages the first ones. */
  name: Text,
  /** All packages that differ; missing for anything else. */
  names: v.optional(Texts),
  /** In the file, and in the profile; null for nothing. */
  wanted: TextOrNull,
  found: TextOrNull,
})
export type Drift = Value<typeof DriftSchema>

/** Returns true for a difference that a sync can end. */
export const isDrift = ({ kind }: Drift): boolean => kind !== 'harness' && kind !== 'local'

/** A line of a list, or an entry of another file, that a sync cannot take. */
export const UnreadSchema = v.object({
  /** Number of the line, or the name of the entry. */
  at: Text,
  text: Text,
  why: v.picklist([
    ...(['not-understood', 'not-listed', 'not-there', 'no-version', 'folder-at-commit', 'no-commit'] as const),
    'commit-unknown',
    /** Several listings have this name. */
    'several',
    'other-bytes',
    /** The package manager's lock in the file cannot be used here, or is not what the file says of its plugins. */
    'other-lock',
  ]),
})
export type Unread = Value<typeof UnreadSchema>

/** Says what a user must know of the packages that a sync adds, beside the reviews of its plugins. */
export const SyncWarningSchema = v.object({
  /**
   * Known problems, each with its package; packages whose problems could not be looked up; keys of build scripts that run;
   * packages that are not for this system.
   */
  kind: v.picklist(['problems', 'not-looked-up', 'builds', 'platform']),
  names: Texts,
})
export type SyncWarning = Value<typeof SyncWarningSchema>

/** Why a file cannot be read, and where. */
export interface LockProblem {
  readonly problem: 'not-json' | 'other-form' | 'newer' | 'too-long' | 'no-lock' | 'not-frozen' | 'too-big'
  readonly where: string
}

/** A change that a sync makes with a review. */
export interface PlannedChange {
  readonly id: string
  readonly action: 'install' | 'remove'
  /** True if `id` is a spec. */
  readonly isSpec: boolean
  readonly version: string | null
  /** Commit that the lock has; null for any. */
  readonly commit: string | null
  /** Null when it is not known yet. */
  readonly package: string | null
  readonly hold: LockedHold
}

/** Says what a sync would do, before its changes are reviewed. */
export interface SyncPlan {
  /** Changes that the store makes, each with the hold that it gets. */
  readonly changes: readonly PlannedChange[]
  /** Names that a list asks for and the profile has. */
  readonly present: readonly string[]
  /** Names the sync for `startAll`, which makes the profile as the lock says; null for single installs and removals. */
  readonly token: string | null
  /** Differences that it makes beside these changes. */
  readonly made: readonly Drift[]
  readonly warnings: readonly SyncWarning[]
  /** Differences that stay, by what is known now. */
  readonly left: readonly Drift[]
  readonly unread: readonly Unread[]
}
