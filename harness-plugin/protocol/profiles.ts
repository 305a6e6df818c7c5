import * as v from 'valibot'
import { type Advisory, AdvisorySchema, type ProfileAdvisories } from './inspection.ts'
import { AddsSchema, type JobState, type PackageChange } from './jobs.ts'
import { HoldSchema } from './review.ts'
import { Exact, ExactOrNull, Sentence, Text, TextOrNull, Texts, type Value } from './text.ts'

export interface Profile {
  readonly name: string
  /** `dsh.profile.bundles`: the layers that the harness boots. */
  readonly layers: readonly string[]
  /** Names and specs of its dependencies, redacted. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Job that another program runs on this profile; missing when there is none. */
  readonly otherJob?: Pick<JobState, 'action' | 'listing' | 'more'>
}

/** State of an installed plugin in the harness. */
export const PluginStateSchema = v.object({
  kind: v.picklist([
    /** Its rows run in the harness, or ran when this version was last started in it. */
    'running',
    /** The harness starts it as a layer; no run has been observed. */
    'loaded',
    /** As `loaded`; it ran under the version of the harness before this one. */
    'untried',
    /** It is installed, but no layer: the user disabled it. */
    'off',
    /** It declares no layer, so the harness never loads it. */
    'not-a-layer',
    /** This version of the harness does not accept it; `why` has what it declares. */
    'refused',
    /** It was started and does not run; `why` quotes the harness. */
    'does-not-start',
    /** It runs, but its part of the web page keeps the page from loading; `why` quotes the page. */
    'breaks-page',
    /** The profile lists it, but its files are missing. */
    'package-missing',
    /** It ran before an upgrade of the harness, and is not a layer any more. */
    'layer-missing',
    /** It comes with the packages of the harness in `why`, which replace the harness's own. */
    'shadows-harness',
    /** An entry of the profile pins the version of a package of the harness; `why` names the entry. */
    'pins-harness',
    /** Another plugin's row has the same id as one of its rows; `why` has that id, and what runs there. */
    'replaced',
  ]),
  why: v.array(Sentence),
  /** Null when it is unknown. */
  harnessVersion: TextOrNull,
  /** Steps that the user can take about it, in the order in which they are offered. */
  steps: v.array(v.picklist(['update', 'enable', 'install', 'switch-off', 'remove', 'allow-version', 'report'])),
  /** When refused: the harness's own command that accepts the risk. The user runs it, never the store. */
  allowCommand: ExactOrNull,
  /** While it runs: what it was seen to add to the harness. Missing when nobody saw it. */
  adds: v.optional(AddsSchema),
  /** It ran when it was last started; it is unknown whether it runs now. */
  atLastStart: v.optional(v.literal(true)),
  /**
   * What the harness uses of it only once it restarts: a version, or null where it then no longer loads it. Missing when it
   * uses that already, and when it is unknown.
   */
  atRestart: v.optional(TextOrNull),
})
export type PluginState = Value<typeof PluginStateSchema>
export type PluginStateKind = PluginState['kind']
export type PluginStep = PluginState['steps'][number]

/** An entry of a profile, and its state in the harness. */
const EntryStateSchema = v.object({ name: Text, state: PluginStateSchema })
export type EntryState = Value<typeof EntryStateSchema>

/** News of an installed plugin where it came from. */
export const PluginNewsSchema = v.variant('kind', [
  /** Its author has deprecated the installed version. */
  v.object({ kind: v.literal('deprecated'), message: Text }),
  /** Its registry no longer has the installed version. */
  v.object({ kind: v.literal('withdrawn') }),
  /** The newest version is now older than the installed one. */
  v.object({ kind: v.literal('moved-back'), latest: Text }),
  /** The owner of its repository has archived it. */
  v.object({ kind: v.literal('archived') }),
  /** Its repository has another name or owner. */
  v.object({ kind: v.literal('renamed'), to: Text }),
])
export type PluginNews = Value<typeof PluginNewsSchema>

/** A dependency of a profile, as the profile's files describe it. */
export const InstalledSchema = v.object({
  /** Package name. */
  name: Text,
  /** Its spec in the profile's package.json, such as `^1.2.0` or `github:owner/repo`; redacted, as it may hold a password. */
  spec: Text,
  /** The installed version; null when the package is missing or has no version. */
  version: TextOrNull,
  /**
   * The newest version of the registry that pnpm installs now, if it is newer, or the abbreviated newest commit of its
   * repository; null when there is none or `checkUpdates` was not called.
   */
  latest: TextOrNull,
  /** The newest version, if pnpm does not install it yet, because it waits for some time after a release; else null. */
  waiting: v.nullable(
    v.object({
      version: Text,
      /** Time from which pnpm installs it, ISO 8601, in whole minutes. */
      until: Exact,
      /** Major version of pnpm. */
      pnpm: v.number(),
      /** Length of the wait: the setting `minimumReleaseAge`, or pnpm's default. */
      minutes: v.number(),
    }),
  ),
  /** A version that the user keeps: it is left out when all plugins are updated. Null when it is not held. */
  hold: v.nullable(HoldSchema),
  /** `fullName` of its listing, found by its repository or its package. */
  listing: TextOrNull,
  /** Reason why newer versions are unknown: its source does not have it, wants a log-in, or did not answer; else null. */
  updateProblem: v.nullable(v.picklist(['not-found', 'unauthorized', 'no-answer'])),
  /** Source from which the directory installs it now, when it differs from the profile's; else null. */
  directorySource: TextOrNull,
  /** Advisories about it and what is installed with it, as of the last check for newer versions; none before. */
  advisories: v.array(AdvisorySchema),
  /** News of it where it came from, as of the last check for newer versions; none before. */
  news: v.array(PluginNewsSchema),
  /** Its state in the harness. */
  state: PluginStateSchema,
  /** True if the harness boots it as a layer. */
  layer: v.boolean(),
  /** Null when it cannot be enabled or disabled. */
  enabled: v.nullable(v.boolean()),
  /** True if the running harness enables and disables it at once, false if that takes a restart. */
  switchesLive: v.boolean(),
  /** True if the store can update and remove it. */
  removable: v.boolean(),
  /** Reason why the store does not update or remove it. Null when it is removable. */
  unmanagedReason: v.nullable(
    v.picklist([
      /** It is this store. */
      'store',
      /** No listing installs it. */
      'not-in-directory',
      /** The listing of that name would install it from another source. */
      'other-source',
      /** The directory could not be reached. */
      'directory',
    ]),
  ),
})
export type InstalledPlugin = Value<typeof InstalledSchema>
export type WaitingRelease = NonNullable<InstalledPlugin['waiting']>
export type UnmanagedReason = NonNullable<InstalledPlugin['unmanagedReason']>

/** The last change of a profile, whose snapshot is kept. */
export interface LastChange {
  readonly job: Pick<JobState, 'id' | 'action' | 'listing' | 'more' | 'command' | 'startedAt'>
  /** Time when it was stored, ms since 1970. */
  readonly endedAt: number
  /** Files of the profile that another program has changed since, so that the change cannot be undone. */
  readonly changed: readonly string[]
  /** Dependencies that an undo changes. */
  readonly packages: readonly PackageChange[]
  /** What is known against what an undo brings back, as far as the last checks for updates found it; malware first. */
  readonly advisories: readonly Advisory[]
}

/** Automatic checks for updates of a profile's plugins. */
export interface UpdateChecks {
  /** True if an open store checks by itself: at most every six hours, sooner after a failure. */
  readonly automatic: boolean
  /** Time of the last successful check, ms since 1970; null before the first. */
  readonly checkedAt: number | null
  /**
   * Time since which some known problems were not looked up, ms since 1970; null when all were. Those of a version that
   * came after the last check are unknown since then. Earlier ones stay.
   */
  readonly unknownSince: number | null
}

/** An upgrade of the harness since the profile was last inspected. */
export interface HarnessUpgrade {
  readonly from: string
  readonly to: string
  /** Packages that ran before the upgrade and no longer run. */
  readonly off: readonly string[]
  /** Number of packages that ran before. */
  readonly total: number
}

export const FindingSchema = v.object({
  kind: v.picklist([
    /** Its program cannot be started. */
    'harness-missing',
    /** The program does not answer `--version` as the harness does. */
    'not-harness',
    /** Pnpm is not on the PATH of jobs. */
    'package-manager-missing',
    /** The home has no such profile. Subjects: its profiles. */
    'profile-missing',
    /** The profile's package.json cannot be parsed. Subject: file, line and error. */
    'profile-unreadable',
    /** The harness does not start from the profile. Subjects: lines of its output. */
    'does-not-start',
    /** Node.js is too old for the harness. Subjects: its version, if known, and what the harness needs of it. */
    'node-too-old',
    /** It could not be found out if the harness starts. Subjects: the reason. */
    'start-unknown',
    /** The harness lacks parts that the store relies on: a newer version changed them. Subjects: their names. */
    'harness-changed',
    /** A plugin, or an entry about the harness, does not work as the profile says. Subject: its name. */
    'plugin-broken',
    /** The harness starts, but a row of no plugin does not run. Subject: the row and its state. */
    'row-inactive',
    /** A package of the profile is known as malware. Subjects: the plugin that it comes with, and the package. */
    'malware',
    /** Something became of a plugin where it came from. Subject: its name; `news` says what. */
    'plugin-news',
    /** `dsh.profile.bundles` has a layer twice. Subject: its name. */
    'layer-twice',
    /** `dsh.profile.bundles` has a layer whose package is not installed. Subject: its name. */
    'layer-not-installed',
    /**
     * A dependency declares a layer that is not in `dsh.profile.bundles`, for example because it was disabled. Subject: its
     * name.
     */
    'layer-not-enabled',
    /** A plugin's part of the web page does not parse or is missing. Subject: file and error. */
    'page-part-broken',
    /** The harness starts, but its page does not load in a browser. Subject: the page's report. */
    'page-does-not-load',
    /** Trials of jobs that no longer exist were removed. Subjects: the ids of the jobs. */
    'trial-removed',
    /** Another program runs a job of this profile. Subjects: the known ids. */
    'job-running',
    /** A lock that the harness left and waits for. Subject: its name. */
    'harness-locked',
    /** An earlier job could not be rolled back. Subject: its id. */
    'job-unfinished',
    /** An interrupted job was rolled back just now, or had never begun. Subject: its id. */
    'job-recovered',
    /** An earlier job's journal cannot be read. */
    'journal-unreadable',
    /** A newer version of the store left an unfinished job, which only that version can finish. */
    'store-outdated',
    /** Unreadable files were kept in the profile's directory under these names. */
    'unreadable-kept',
    /** Files that the store keeps about the profile cannot be read, and a decision depends on them. */
    'state-unreadable',
    /** A newer version of the store wrote such files. */
    'state-newer',
    /** Stored files that the store writes again by itself cannot be read. */
    'cache-unreadable',
  ]),
  /** Names of packages, files or jobs, or lines of output. */
  subjects: Texts,
  severity: v.picklist([
    /** Jobs fail, or the harness does not start. */
    'error',
    /** Something does not work as the profile says. */
    'warning',
    /** No action is needed. */
    'note',
  ]),
  /** True if `repair` can solve it. */
  repairable: v.boolean(),
  /** News of the plugin of `plugin-news`; missing otherwise. */
  news: v.optional(PluginNewsSchema),
  /** State of the plugin of `plugin-broken`, with the reason and the steps that the user can take; else null. */
  state: v.nullable(PluginStateSchema),
})
export type Finding = Value<typeof FindingSchema>
export type FindingKind = Finding['kind']

/** The result of examining a profile, without paths of this machine. */
export interface ProfileCheck {
  readonly profile: string
  /**
   * Result of starting the harness from a copy of the profile: it came up and stayed up, it did not, or it is unknown
   * because a program is missing, another program is working on the profile, or it took too long. Null while the check
   * runs.
   */
  readonly start: 'starts' | 'does-not-start' | 'not-tried' | null
  /** Most severe first; empty when there are no problems. */
  readonly findings: readonly Finding[]
  /** Advisories about its packages; null while the check runs, and for a profile that cannot be read. */
  readonly audit: ProfileAdvisories | null
  /** End of the check, in ms since 1970; null while it runs. */
  readonly checkedAt: number | null
}

export const RepairStepSchema = v.object({
  ...EntryStateSchema.entries,
  action: v.picklist([
    /** The profile loads the plugin again. */
    'enable',
    /** The plugin's missing files are installed again. */
    'install',
    /** The plugin is updated to `version`, which declares to fit this harness. */
    'update',
    /** An override that pins a package of the harness is removed. */
    'unpin',
    /** The profile no longer loads a plugin that nothing installs. */
    'take-out',
  ]),
  /** Version that is installed; null where the step installs none, or the one of the lockfile. */
  version: TextOrNull,
  /** Digest by which its registry describes that version; null where it does not. */
  integrity: TextOrNull,
})
export type RepairStep = Value<typeof RepairStepSchema>
export type RepairAction = RepairStep['action']

/** An update that declares to fit the harness, and that only the user decides about. */
export const LeftUpdateSchema = v.object({
  version: Text,
  why: v.picklist([
    'held',
    'malware',
    /** Known problems of it, or of a package that comes with it, could not be looked up. */
    'unknown',
    /** The profile allows build scripts that may come with it. */
    'builds',
  ]),
})
export type LeftUpdate = Value<typeof LeftUpdateSchema>

/** A broken entry that a repair leaves to the user. */
interface LeftEntry extends EntryState {
  /** Null when no update declares to fit. */
  readonly update: LeftUpdate | null
}

/** Steps of a repair of a profile, and the entries that it leaves to the user. */
export interface RepairPlan {
  readonly profile: string
  readonly steps: readonly RepairStep[]
  /** Broken entries without a safe step. */
  readonly left: readonly LeftEntry[]
  /** Digest of the steps: the call `repair` does exactly these. */
  readonly digest: string
}

/** Result of starting a copy of the profile, with the harness's own words when it does not start. */
export const StartSchema = v.object({ state: v.picklist(['starts', 'does-not-start', 'not-tried']), why: Texts })

/** A profile under another version of the harness. */
export const UpgradeCheckSchema = v.object({
  harnessVersion: Exact,
  start: v.object({
    ...StartSchema.entries,
    /** `yes` if its web page loads; unknown when nobody tried it. A page that does not load is quoted in `why`. */
    page: v.picklist(['yes', 'no', 'unknown']),
  }),
  plugins: v.array(
    v.object({
      name: Text,
      version: TextOrNull,
      state: PluginStateSchema,
      /** `no` when it does not run, or declares not to fit; unknown when it was not started and declares nothing. */
      runs: v.picklist(['yes', 'no', 'unknown']),
      /** Version that declares to fit, when this one does not run; null when none is known. */
      fitting: TextOrNull,
    }),
  ),
})
export type UpgradeCheck = Value<typeof UpgradeCheckSchema>
export type UpgradedPlugin = UpgradeCheck['plugins'][number]
