import * as v from 'valibot'
import { Exact, ExactOrNull, Name, Text, TextOrNull, Texts, type Value } from './text.ts'

export const JOB_ACTIONS = [
  /** Runs the listing's install command. The review of a plugin that is installed but disabled is an `enable`. */
  'install',
  /**
   * The same, after allowing the build scripts that were blocked. For an installed plugin, its review is an `update` with
   * an approval.
   */
  'approve',
  /** Installs the newest version of an installed plugin. */
  'update',
  'remove',
  /**
   * Makes an installed plugin a layer that the harness boots. A running harness with a plugin manager does so at once, any
   * other at its next start.
   */
  'enable',
  /** Ends that. */
  'disable',
] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** Actions of a job on a profile as a whole. */
export const PROFILE_ACTIONS = [
  /** Reverts the profile's last change. */
  'undo',
  /** Reverts an undo. */
  'redo',
  /** Makes the reviewed steps of a repair, and makes the harness start from the profile again. */
  'repair',
  /** Makes a profile as a lock says. */
  'sync',
] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]

/** Effect of an undo on a plugin, where that is not another version. */
export type RevertedTo = 'removed' | 'installed' | 'enabled' | 'disabled'

/** The stages of a job, in their order. */
export const JOB_STAGES = [
  /** The profile is copied. */
  'preparing',
  /** The command runs in the copy. */
  'trying',
  /** The harness starts from the copy. */
  'starting',
  /** The command runs in the profile. */
  'installing',
  /** The profile is verified, then kept or rolled back. */
  'checking',
] as const
export type JobStage = (typeof JOB_STAGES)[number]
export const STAGES_WITHOUT_TRIAL = JOB_STAGES.filter((stage) => stage !== 'trying' && stage !== 'starting')

/**
 * Outcomes of a job, according to the profile's files. Each is one because the user does something else after it: what that
 * is, stands in `OUTCOMES` of next-steps.ts. Causes with the same next step are one outcome, and its subjects tell them
 * apart.
 */
export const OUTCOME_KINDS = [
  /** The harness boots the plugin as a layer. */
  'registered',
  /** Subjects: the versions before and after. */
  'updated',
  /** The profile no longer has it. */
  'removed',
  /** It is installed, and the harness boots it as a layer again. */
  'enabled',
  /** It is installed, and the harness no longer boots it. */
  'disabled',
  /**
   * The profile is as it was before its last change. Subjects: each plugin that differs, followed by what it is now: a
   * version, or a `RevertedTo`.
   */
  'reverted',
  /** The profile is as it was before an undo. Subjects as of `reverted`. */
  'redone',
  /**
   * The harness starts from the profile. Subjects: the layers that were removed from it; `parts`: the reviewed steps, with
   * the names of packages in place of listings.
   */
  'repaired',
  /** The profile is as its lock says. */
  'synced',
  /** The profile is not as the lock says. Subjects: what differs. */
  'not-synced',
  /**
   * The lock would install what nobody may install unseen. Subjects: that package, and the one that needs it by the lock and
   * not by its own package.json; without that one, it is known as malware.
   */
  'unsafe-lock',
  /**
   * The profile was as the job would have made it. Subjects of an update: the versions before and after, and those of
   * `waitingSubjects` if pnpm does not install a newer release yet; only the version before if it is unknown whether there
   * is a newer release.
   */
  'nothing-to-do',
  /** It was installed as a dependency, but declares no layer. */
  'not-a-layer',
  /** Its build script, a dependency's, or the build of its repository was blocked. The job `approve` can allow it. */
  'build-blocked',
  /** The harness refuses this version. Subjects: `name@version`, the version of the harness, and the requirements. */
  'incompatible',
  /** It, or one of its dependencies, is not in the registry or on the code host. */
  'not-found',
  /**
   * A tarball of this machine, or a branch of a repository, from which the profile has a package, is missing. Subjects:
   * the file or the spec, and the package.
   */
  'file-missing',
  /**
   * A version is younger than the user's `minimumReleaseAge`. Subjects: the package and, where pnpm says it, the time
   * when it is old enough, ISO 8601.
   */
  'too-new',
  /**
   * Pnpm cannot work with its settings, a patch, or the profile's packages or lockfile as they are. Subject: pnpm's
   * sentence.
   */
  'pnpm-unusable',
  /**
   * A file or folder could not be read or written, or there is no space for it. Subjects: the system's error code, and the
   * path where it is known.
   */
  'disk-error',
  /** The registry, or git, may not read it. Subjects: `registry` and the package, or `ssh` and what that says. */
  'not-authorized',
  /** With the plugin the harness did not come up in time. Subjects: the limit in s, and rows that wait. */
  'hangs-harness',
  /**
   * The registry or the code host could not be reached, or its response could not be read. Subjects: `certificate` and
   * why that is not trusted, if that is the cause.
   */
  'unreachable',
  /** The download does not match the registry's checksum. */
  'damaged',
  /** The harness does not start with it. Subjects: the last lines of the harness. */
  'stops-harness',
  /** The harness starts with it, but the plugin does not. Subjects: the harness's reasons. */
  'does-not-start',
  /** With it, other rows of the harness no longer run. Subjects: the harness's reasons, or ids. */
  'breaks-others',
  /** Its layer changes nothing in the harness. */
  'no-effect',
  /** The harness starts with it, but its web page does not load. Subjects: what the page reported. */
  'breaks-screen',
  /**
   * The harness does not start from this profile without it either, or a repair did not find the plugin that keeps it, or
   * its web page, from starting. Subjects: as of `stops-harness` or `breaks-screen`.
   */
  'profile-broken',
  /**
   * The package manager got something else than what was reviewed, or than the trial had. Subjects: the packages; of a
   * review, what it named and what came, as `name@version`, with digests where the version is the same.
   */
  'source-changed',
  /** The profile has a package of this name from another source. Subject: the name. */
  'other-source',
  /**
   * Another program changed the profile during the trial, or since the change that is to be undone; then the subjects are
   * the files.
   */
  'profile-changed',
  /**
   * A program could not be started, is another program, or does not know the command. Subject: `harness`, `pnpm` or `git`.
   */
  'program-missing',
  /** The profile was deleted. */
  'profile-missing',
  /** A newer version of the store left state in the profile that this one cannot read. Nothing was run. */
  'store-outdated',
  /**
   * The store's process ended before or during the job. Reported at its next start. Subject: the name of a lock that the
   * harness left in the profile, which was removed.
   */
  'interrupted',
  /** The store ended it at a time limit. */
  'timed-out',
  /** The store ended it because somebody cancelled it. */
  'cancelled',
  /** The harness does not accept the plugin. Subject: its reason. */
  'rejected',
  /**
   * Any other reason: pnpm refused, a build script failed. Subject: pnpm's own sentence; without it the output says why.
   * Or the store could not use a file of the profile. Subjects: why, and `profile`.
   */
  'failed',
] as const
export type OutcomeKind = (typeof OUTCOME_KINDS)[number]
const Kind = v.picklist(OUTCOME_KINDS)

/** Most names of a kind that an outcome tells. */
const MOST_ADDED = 5
/** Names that a plugin chose: those that nobody could type or read are left out, and so are all after the first few. */
const AddedNames = v.pipe(
  v.array(v.string()),
  v.transform((names) => names.filter((name) => /^\w[\w.:-]{0,47}$/.test(name)).slice(0, MOST_ADDED)),
)
/** Labels of a few words, which a plugin chose as well. */
const AddedLabels = v.pipe(
  v.array(v.string()),
  v.transform((labels) =>
    labels.filter((label) => /^[\p{L}\p{N}][\p{L}\p{N} .&_+-]{0,29}$/u.test(label)).slice(0, MOST_ADDED),
  ),
)
/** Parts that a plugin adds to the harness, as they were seen there. */
export const AddsSchema = v.object({
  /** Names of slash commands, without the slash. */
  commands: AddedNames,
  /** Names of tools of agents. */
  tools: AddedNames,
  /** Labels of its pages in the harness's Settings, in the language of the page that showed them; missing when none did. */
  settings: v.optional(AddedLabels),
})
export type Adds = Value<typeof AddsSchema>

export const OutcomeSchema = v.object({
  kind: Kind,
  /** Subjects of the outcome, such as the packages whose builds were blocked; see the kinds. */
  subjects: Texts,
  /**
   * Of a job of several listings: the result of each change that was made, in order. The whole was kept, or rolled back.
   * Empty for any other job.
   */
  parts: v.array(
    v.object({
      /** The listing's `fullName`. */
      listing: Text,
      kind: Kind,
      subjects: Texts,
    }),
  ),
  /** Result of rolling back a failed job. Null when there was nothing to roll back: the job succeeded, or never began. */
  rollback: v.nullable(
    v.picklist([
      /**
       * The profile's files and `node_modules` are restored. Changes that another program made to the files meanwhile are
       * kept, and `profile.changed` lists those files.
       */
      'complete',
      /**
       * The same, but a package that another program installed meanwhile is not in `node_modules`, or the holds of the job's
       * plugins could not be restored.
       */
      'partial',
      /** The job had not begun to change the profile, but the files in `profile.changed` changed during its trial. */
      'changed',
      /** Restoring failed. The next job of the profile, and the next start of the store, try again. */
      'failed',
      /** The snapshot cannot be read, so the profile is as the job left it. The snapshot is in `quarantined`. */
      'unreadable',
    ]),
  ),
  /**
   * Files and snapshots that could not be read, of this job or an earlier one: their new names in the profile's
   * directory.
   */
  quarantined: v.array(Exact),
  /** The profile after the job. Null when nothing was started, and when the profile cannot be read. */
  profile: v.nullable(
    v.object({
      /** True if the plugin is among the layers that the harness boots; of several, if all are. */
      registered: v.boolean(),
      /** The same, before the job. */
      registeredBefore: v.boolean(),
      /** True if the plugin's package is among the dependencies. */
      dependency: v.boolean(),
      /** Files of the profile that differ from before. */
      changed: v.array(Exact),
    }),
  ),
  /** Result of the trial in a copy of the profile. Null when there was no trial. */
  trial: v.nullable(
    v.object({
      /** False when the harness does not start on its own from this profile, with the plugin or without it. */
      harnessStarted: v.boolean(),
      /**
       * False when neither an open page nor a browser tested it in time; null when the profile has no web page, or nothing
       * of the plugin can be in it.
       */
      pageLoaded: v.nullable(v.boolean()),
    }),
  ),
  /** Names that the plugins add to the harness, or an update beyond the version before. Missing when it could not be seen. */
  adds: v.optional(AddsSchema),
  /** Time when the job's changes take effect. */
  activation: v.picklist([
    /** The harness boots the same layers as before. */
    'unchanged',
    /** At once, in the running harness and its open pages. */
    'live',
    /** At the next start of the harness. */
    'restart',
    /** The running harness has unloaded the plugin, but open pages keep its browser half until a restart. */
    'restart-for-page',
    /** A harness that runs from the profile applies it by itself; this process does not see if one did. */
    'restart-unless-applied',
  ]),
  /** When the trial found that the plugin does harm: a command that removes it from a profile. */
  removeCommand: ExactOrNull,
  /** When incompatible: the harness's own command that accepts the risk. The user runs it, never the store. */
  allowCommand: ExactOrNull,
})
export type Outcome = Value<typeof OutcomeSchema>
export type PartOutcome = Outcome['parts'][number]
export type RollbackResult = NonNullable<Outcome['rollback']>
export type ProfileOutcome = NonNullable<Outcome['profile']>
export type TrialReport = NonNullable<Outcome['trial']>
export type Activation = Outcome['activation']

const JobFacts = v.object({
  id: Exact,
  /** In a job of several listings, the action of the first. */
  action: v.picklist([...JOB_ACTIONS, ...PROFILE_ACTIONS]),
  /** The listing's `fullName`; of several, the first; of an undo, that of the change it reverts; null for a repair. */
  listing: TextOrNull,
  /** The other listings of a job of several. */
  more: Texts,
  /** Null when no command makes it. */
  command: ExactOrNull,
  queuedAt: v.number(),
})

export const JobSchema = v.object({
  ...JobFacts.entries,
  profile: Exact,
  state: v.picklist(['queued', 'running', 'cancelling', 'done']),
  /** The stages of this job, in order; empty before it runs. */
  stages: v.array(v.picklist(JOB_STAGES)),
  /** Null before the job runs and after it ended. */
  stage: v.nullable(v.picklist(JOB_STAGES)),
  /** Number of jobs of the same profile before it. */
  position: v.number(),
  /** True if it is next, and waits for another program that has locked the profile. */
  profileBusy: v.boolean(),
  startedAt: v.nullable(v.number()),
  endedAt: v.nullable(v.number()),
  /**
   * The harness that was started from the copy. A page loads it in a hidden frame to test the plugin's browser half; the
   * frame reports to the host itself. Null when there is nothing to load.
   */
  trial: v.nullable(v.object({ url: Exact })),
  /** What the harness is started from the copy again for, and the time limit of that start; null for the first one. */
  again: v.nullable(
    v.object({
      start: v.picklist([
        /** The plugin did not pass without the other plugins, which it may need. */
        'with-others',
        /** It did not pass: without it, the profile may be no better. */
        'without-change',
      ]),
      limitMs: v.number(),
    }),
  ),
  outcome: v.nullable(OutcomeSchema),
  /** Its last lines of output, without terminal codes. */
  output: Texts,
  /** Number of earlier lines that were discarded. */
  dropped: v.number(),
})
export type Job = Value<typeof JobSchema>
/** A job without its output. */
export type JobState = Omit<Job, 'output' | 'dropped'>
export type StartAgain = NonNullable<Job['again']>

/** A dependency of a profile before or after a job. */
const InstalledVersionSchema = v.object({
  /** Null when the package is missing or has no version. */
  version: TextOrNull,
  /** Abbreviated commit of a dependency from a repository; null for any other. */
  commit: TextOrNull,
  /** True if the harness boots it as a layer. */
  enabled: v.boolean(),
})

/** A job that ran on a profile, as the profile keeps it for all shells. */
export const HistoryEntrySchema = v.object({
  ...JobFacts.entries,
  startedAt: v.number(),
  endedAt: v.number(),
  /** Shell that ran it: `dsh`, `koishi` or `cli`; `agent` for an agent of the harness; empty when it is unknown. */
  client: Name,
  outcome: OutcomeSchema,
  /** Dependencies that it changed. Empty for a job that failed and was rolled back. */
  changes: v.array(
    v.object({
      name: Text,
      /** Null when the job added it. */
      before: v.nullable(InstalledVersionSchema),
      /** Null when the job removed it. */
      after: v.nullable(InstalledVersionSchema),
    }),
  ),
})
export type HistoryEntry = Value<typeof HistoryEntrySchema>
export type PackageChange = HistoryEntry['changes'][number]
