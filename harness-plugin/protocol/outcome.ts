/**
 * Outcome of a job, according to the profile's files.
 * - `registered`: the harness boots the plugin as a layer
 * - `updated`: subjects are the versions before and after
 * - `up-to-date`: subjects are the versions before and after, and those of `waitingSubjects` if pnpm does not install a
 *   newer release yet; only the version before if it is not known whether there is a newer release
 * - `removed`: the profile no longer has it
 * - `enabled`, `disabled`: it is installed, and the harness boots it as a layer again, or no longer
 * - `reverted`: the profile is as it was before its last change
 * - `repaired`: the harness starts from the profile; subjects are the layers that were removed from it, and `parts` the
 *   reviewed steps, with the names of packages in place of listings
 * - `nothing-to-do`: no kept change could be undone, or the harness starts from the profile as it is
 * - `not-a-layer`: it was installed as a dependency, but declares no layer
 * - `build-blocked`: its build script, or a dependency's, was blocked; the job `approve` can allow it
 * - `git-prepare-blocked`: its repository must be built first, which the package manager refused; the job `approve` can
 *   allow it
 * - `incompatible`: the harness refuses this version; subjects are `name@version`, the version of the harness, and the
 *   requirements
 * - `not-found`: it, or one of its dependencies, is not in the registry or on the code host
 * - `file-missing`: a tarball of this machine, from which the profile has a package, is gone; subjects are the file and
 *   the package
 * - `too-new`: a version is younger than the person's `minimumReleaseAge`; subjects are the package and, where pnpm says
 *   it, the time when it is old enough, ISO 8601
 * - `no-version`: the registry has no version that was asked for; subjects are `name@range` and the package that asks
 * - `wrong-store`: the profile was installed from another package store; subjects are that and the one in use now
 * - `setting-invalid`: pnpm cannot use a setting of the profile; the subject names it
 * - `build-failed`: a build script failed; subjects are the package and the script
 * - `not-writable`: a file or folder may not be written; the subject is its path
 * - `not-authorized`: the registry asks for a login; the subject is the package
 * - `unsupported`: a package does not run here; subjects are the package, what it wants, and what there is
 * - `git-missing`: git, which a plugin from a code host needs, was not found
 * - `untrusted-certificate`: the certificate of the registry or of a proxy is not trusted; the subject is the error code
 * - `lockfile-unusable`: the profile's pnpm-lock.yaml cannot be read, or does not fit package.json
 * - `untrusted-release`: pnpm is set to refuse a release with weaker proof of its origin than earlier ones had; the subject
 *   is `name@version`
 * - `exotic-dependency`: pnpm does not install dependencies of dependencies from outside a registry; subjects are the
 *   dependency and, where pnpm says it, the package that asks for it
 * - `patch-unusable`: pnpm cannot use a patch of the profile; the subject is its file or its package
 * - `unmet-peers`: pnpm is set to refuse packages without their peers; the subject is such a peer
 * - `hangs-harness`: with the plugin the harness did not come up in time; subjects are the limit in s, and rows that wait
 * - `unreachable`: the registry or the code host could not be reached, or its response could not be read
 * - `damaged`: the download does not match the registry's checksum
 * - `stops-harness`: the harness does not start with it; subjects are the last lines of the harness
 * - `does-not-start`: the harness starts with it, but the plugin does not; subjects are the harness's reasons
 * - `breaks-others`: with it, other rows of the harness no longer run; subjects are the harness's reasons, or ids
 * - `no-effect`: its bundle changes nothing in the harness
 * - `breaks-screen`: the harness starts with it, but its web page does not load; subjects are what the page reported
 * - `profile-broken`: the harness does not start from this profile without it either; subjects as of `stops-harness` or
 *   `breaks-screen`
 * - `trial-differs`: the installed packages are not those of the trial
 * - `other-source`: the profile has a package of this name from another source; the subject is the name
 * - `profile-changed`: another program changed the profile during the trial, or since the change that is to be undone;
 *   then the subjects are the files
 * - `disk-full`: the disk is full
 * - `pnpm-missing`, `harness-missing`: that program could not be started
 * - `not-harness`: the program in the harness's place is another one, which the last line of output names
 * - `harness-old`: the harness does not know the command
 * - `profile-missing`: the profile was deleted
 * - `not-prepared`: the snapshot failed, or a file of the profile could not be read, so nothing was run in the profile;
 *   the subject is the error code
 * - `store-outdated`: a newer version of the store left state in the profile that this one cannot read; nothing was run
 * - `not-begun`: the store's process ended before the job began; reported at its next start
 * - `interrupted`: the store's process ended during the job; reported at its next start
 * - `timed-out`, `cancelled`: the store ended it
 * - `rejected`: the harness does not accept the plugin; the subject is its reason
 * - `failed`: any other reason, which the output shows; the subject is pnpm's own message
 */
export type OutcomeKind =
  | 'registered'
  | 'updated'
  | 'up-to-date'
  | 'removed'
  | 'enabled'
  | 'disabled'
  | 'reverted'
  | 'repaired'
  | 'nothing-to-do'
  | 'not-a-layer'
  | 'build-blocked'
  | 'git-prepare-blocked'
  | 'incompatible'
  | 'not-found'
  | 'file-missing'
  | 'too-new'
  | 'no-version'
  | 'wrong-store'
  | 'setting-invalid'
  | 'build-failed'
  | 'not-writable'
  | 'not-authorized'
  | 'unsupported'
  | 'git-missing'
  | 'untrusted-certificate'
  | 'lockfile-unusable'
  | 'untrusted-release'
  | 'exotic-dependency'
  | 'patch-unusable'
  | 'unmet-peers'
  | 'hangs-harness'
  | 'unreachable'
  | 'damaged'
  | 'stops-harness'
  | 'does-not-start'
  | 'breaks-others'
  | 'no-effect'
  | 'breaks-screen'
  | 'profile-broken'
  | 'trial-differs'
  | 'other-source'
  | 'profile-changed'
  | 'disk-full'
  | 'pnpm-missing'
  | 'harness-missing'
  | 'not-harness'
  | 'harness-old'
  | 'profile-missing'
  | 'not-prepared'
  | 'store-outdated'
  | 'not-begun'
  | 'interrupted'
  | 'timed-out'
  | 'cancelled'
  | 'rejected'
  | 'failed'

/**
 * Result of rolling back the changes of a failed job.
 * - `complete`: the profile's files and `node_modules` are restored. Changes that another program made to the files
 *   meanwhile are kept, and `profile.changed` lists those files
 * - `failed`: restoring failed; the next job of the profile, and the next start of the store, try again
 * - `unreadable`: the snapshot cannot be read, so the profile is as the job left it; the snapshot is in `quarantined`
 */
export type RollbackResult = 'complete' | 'failed' | 'unreadable'

/** The profile after a job. For a job of several plugins, each field is true of all of them. */
export interface ProfileOutcome {
  /** True if the plugin is among the layers that the harness boots. */
  readonly registered: boolean
  /** The same, before the job. */
  readonly registeredBefore: boolean
  /** True if the plugin's package is among the dependencies. */
  readonly dependency: boolean
  /** Files of the profile that differ from before. */
  readonly changed: readonly string[]
}

/** Result of the trial in a copy of the profile. */
export interface TrialReport {
  /** False when the harness does not start on its own from this profile, with the plugin or without it. */
  readonly harnessStarted: boolean
  /**
   * False when neither an open page nor a browser tested it in time; null when the profile has no web page, or nothing
   * of the plugin can be in it.
   */
  readonly pageLoaded: boolean | null
}

/**
 * Says when the job's changes take effect.
 * - `unchanged`: the harness boots the same layers as before
 * - `live`: in the running harness and its open pages
 * - `restart`: at the next start of the harness
 * - `restart-for-page`: the running harness has unloaded the plugin, but open pages keep its browser half until a restart
 */
export type Activation = 'unchanged' | 'live' | 'restart' | 'restart-for-page'

/** The result of one change of a job of several. */
export interface PartOutcome {
  /** The listing's `fullName`. */
  readonly listing: string
  readonly kind: OutcomeKind
  readonly subjects: readonly string[]
}

export interface Outcome {
  readonly kind: OutcomeKind
  /** Subjects of the outcome, such as the packages whose builds were blocked; see the kinds. */
  readonly subjects: readonly string[]
  /**
   * Of a job of several listings: the result of each change that was made, in order. The whole was kept, or rolled back.
   * Empty for any other job.
   */
  readonly parts: readonly PartOutcome[]
  /** Null when there was nothing to roll back: the job succeeded, or nothing was started. */
  readonly rollback: RollbackResult | null
  /**
   * Files and snapshots that could not be read, of this job or an earlier one: their new names in the profile's
   * directory.
   */
  readonly quarantined: readonly string[]
  /** Null when nothing was started, and when the profile cannot be read. */
  readonly profile: ProfileOutcome | null
  /** Null when there was no trial. */
  readonly trial: TrialReport | null
  readonly activation: Activation
  /** When the trial found that the plugin does harm: a command that removes it from a profile. */
  readonly removeCommand: string | null
  /** When incompatible: the harness's own command that accepts the risk. A person runs it, never the store. */
  readonly allowCommand: string | null
}
