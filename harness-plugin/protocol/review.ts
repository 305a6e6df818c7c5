import { VERDICTS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { JOB_ACTIONS } from './jobs.ts'
import { READ_PROBLEMS } from './package-facts.ts'
import { Exact, ExactOrNull, Instant, Lines, Name, NameOrNull, Text, TextOrNull, Texts, type Value } from './text.ts'

/** One start of a plugin's version in the harness's version, on this machine. */
const PluginTrialSchema = v.object({
  runs: v.boolean(),
  /** True if it is its part of the web page that does not run. */
  breaksPage: v.boolean(),
  /** Ms since 1970. */
  at: v.number(),
  /** Quotes the harness when it did not run. */
  why: Texts,
})
export type PluginTrial = Value<typeof PluginTrialSchema>

/** Fit of a plugin by its declaration, with what the harness does of one that does not fit. */
export const DeclaredFitSchema = v.object({
  state: v.picklist([
    /** It requires something of the harness, and all of that is met. */
    'declared-to-fit',
    /** It declares nothing about the harness. */
    'not-declared',
    /** Something is not met, and the harness would refuse the plugin. */
    'refused',
    /** Something is not met, and the user told the harness to accept this version anyway. */
    'allowed',
    /** Something is not met, and this harness does not check it. */
    'not-enforced',
    /** The version of the harness is unknown, or the package could not be read; then `problem` has the reason. */
    'unknown',
    /** The registry or the code host does not have the plugin. */
    'not-found',
  ]),
  /** `name@version` that an install would take; its source when it was not found. */
  plugin: Text,
  /** Null when it is unknown. */
  harnessVersion: TextOrNull,
  /** Such as `dsh ^0.2.0`: those that are not met, or all when all are met. Empty when there are none. */
  requirements: Texts,
  /** When refused: the harness's own command that accepts the risk. The user runs it, never the store. */
  allowCommand: ExactOrNull,
  /** Reason why the package could not be read; null when it was. */
  problem: v.nullable(v.picklist(READ_PROBLEMS)),
  /** True if its name is in the harness's own scope, and its repository belongs to somebody else. */
  foreignScope: v.boolean(),
  /** Address of the registry that it would come from; null for what is from none, or when that is unknown. */
  registry: ExactOrNull,
  /** Digest by which that registry describes its tarball, such as `sha512-…`; null when it gives none. */
  integrity: ExactOrNull,
  /** Packages of the harness among its dependencies, which can take the place of the harness's own. */
  shadows: Texts,
  /** The author's message; null unless that version is deprecated. */
  deprecated: TextOrNull,
  /** When unmet: the newest other version that declares to fit; null when none is known. */
  fitting: TextOrNull,
  /** The last trial of this version in this version of the harness; null when there was none. */
  trial: v.nullable(PluginTrialSchema),
})
export type DeclaredFit = Value<typeof DeclaredFitSchema>
export type DeclaredFitState = DeclaredFit['state']

/** Fit of a plugin with one version of the harness. */
export const FitSchema = v.object({
  /** A trial outranks a declaration. */
  state: v.picklist([
    /** This version of the plugin ran in this version of the harness. */
    'runs',
    /** It was tried and did not start; `why` quotes the harness. */
    'does-not-run',
    /** By `engines.dsh`, else by its peers, according to the harness's own rule. */
    'declared-to-fit',
    'declared-not-to-fit',
    /** It declares nothing about the harness. */
    'not-declared',
    /** The registry or the code host does not have it. */
    'not-found',
    /** Its declaration, or the version of the harness, could not be read. */
    'unknown',
  ]),
  /** `name@version` that this is about; null when it is unknown. */
  plugin: TextOrNull,
  /** Null when it is unknown. */
  harnessVersion: TextOrNull,
  /** Version of the harness that it declares to need, compared with this one; null when it is neither or unknown. */
  needs: v.nullable(v.picklist(['newer', 'older'])),
  /** Its declared requirements, such as `dsh ^0.2.0`. */
  requirements: Texts,
  /** True if it was tried, and it is its part of the web page that does not run. */
  breaksPage: v.boolean(),
  /** Quotes the harness when the plugin does not run. */
  why: Texts,
  /** Time of the trial, in ms since 1970; null when there was none. */
  triedAt: v.nullable(v.number()),
  /** When it does not fit: the newest other version that declares to fit; null when none is known. */
  fitting: TextOrNull,
})
export type Fit = Value<typeof FitSchema>
export type FitState = Fit['state']

/** A package with install scripts. */
export const BuildSchema = v.object({
  package: Text,
  /** Null when it is unknown. */
  version: TextOrNull,
  /** The exact key that allows these scripts, and no other version's. */
  key: Exact,
  /** Commands by the name of their script, such as `postinstall`. Empty when they are unknown. */
  scripts: v.record(Name, Lines),
})
export type BuildRequest = Value<typeof BuildSchema>

/** A version that the user keeps. */
export const HoldSchema = v.object({
  /** In the user's words; null when none was given. */
  reason: TextOrNull,
  /** Ms since 1970; null when it is unknown. */
  since: v.nullable(v.number()),
  /** The one update that is skipped, as `latest` names it; without it, none is offered. */
  skips: v.optional(Text),
  /** True when the holds cannot be read: any plugin may be held, so that each counts as held. */
  isUnknown: v.optional(v.boolean()),
})
export type Hold = Value<typeof HoldSchema>

/** Differences of a new version or commit from the past of what it replaces. A takeover looks so, and a rewrite does. */
const BreakSchema = v.variant('kind', [
  /** The installed commit is not an ancestor of the new one. */
  v.object({ kind: v.literal('history') }),
  /** Nobody who published or maintained an earlier version published this one. */
  v.object({ kind: v.literal('publisher'), before: Texts, after: Text }),
  /** The registry signed the installed version, and gives no signature of this one. */
  v.object({ kind: v.literal('signature') }),
  /** The package no longer names the repository that the installed version names. */
  v.object({ kind: v.literal('repository'), before: Text, after: TextOrNull }),
])
export type Break = Value<typeof BreakSchema>

/** Comparison of what a change fetches with what it replaces. */
const PastSchema = v.object({
  /** Installed version or commit; null when it is unknown. */
  before: TextOrNull,
  /** Version or commit that is fetched; null when it is unknown. */
  after: TextOrNull,
  breaks: v.array(BreakSchema),
  /** Parts that are unknown. `document`: the registry's own, which has all others but the history. */
  unknown: v.array(v.picklist(['history', 'publisher', 'document'])),
})
export type Past = Value<typeof PastSchema>

/**
 * The facts of a review. Every client publishes all of them, and shows those that tell a user something.
 * `messages/shown-facts.ts` says where a new one goes.
 */
export const ReviewSchema = v.object({
  id: Text,
  profile: Exact,
  action: v.picklist(JOB_ACTIONS),
  /** The version that the user chose, or the newest that fits the harness; null for the newest. */
  version: TextOrNull,
  /** The version in the profile that the job replaces; null when there is none, or it is unknown. */
  installed: TextOrNull,
  /** The newest version, when an update leaves it out because it is known not to fit; otherwise null. */
  passedOver: v.nullable(DeclaredFitSchema),
  /** Another package that the profile loads from the same repository, so that both would run; null for none. */
  loadedAs: TextOrNull,
  /**
   * The commit of its repository that will be installed, in 40 hex digits, or `unknown` when it could not be read. Null
   * when it is from no repository, or nothing is fetched.
   */
  commit: TextOrNull,
  /** Digest of the files of a folder or a tarball; null for any other source. Where it differs, they have changed. */
  contents: ExactOrNull,
  /** Of the plugin that it replaces with another version; null when nobody holds that. */
  held: v.nullable(HoldSchema),
  /** Null when it replaces nothing, or something newer. */
  past: v.nullable(PastSchema),
  /** The exact command that will run; null when the plugin manager does it without a command. */
  command: ExactOrNull,
  /** The command that the install check ran, in the profile of the check; empty for a package without a listing. */
  checkedCommand: Exact,
  /** Null when it is unknown. */
  verdict: v.nullable(v.picklist(VERDICTS)),
  /** Null when it is unknown. */
  checkedAt: Instant,
  riskFlags: v.array(Name),
  /** Packages whose build scripts the install check did not run, if nothing else here says what becomes of them. */
  blockedBuilds: Texts,
  /**
   * Keys of build scripts that may run without asking, because the profile allows them already: of this change, or, for a
   * removal, those that stay allowed. `*` stands for every package. Also those of which it is unknown if they come with it.
   */
  allowedBuilds: Texts,
  license: NameOrNull,
  repoUrl: Text,
  /** After `approve`: the scripts that will be allowed, and the setting of pnpm-workspace.yaml that will allow them. */
  approval: v.nullable(
    v.object({ setting: v.picklist(['onlyBuiltDependencies', 'allowBuilds']), builds: v.array(BuildSchema) }),
  ),
  /** True if the plugin is first tested in a copy of the profile, where its code runs too. */
  trial: v.boolean(),
  /**
   * The profile's other plugins in the trial: `off` until the new plugin turns out not to start without them, or
   * `started`. Null when there is no trial or no other plugin.
   */
  otherPlugins: v.nullable(v.picklist(['off', 'started'])),
  /** True if the profile is the Desktop app's, for which a trial is impossible. */
  desktop: v.boolean(),
  /** Cautions that the user must acknowledge before the job can start. */
  cautions: v.array(
    v.picklist([
      'verdict',
      /** The directory could not be asked whether its record is still so. */
      'unconfirmed',
      'other-version',
      'unlisted',
      'risk-flags',
      'build-scripts',
      /** It breaks with the past of what it replaces. */
      'past',
    ]),
  ),
  /** For an update of the store itself: a command that installs the present version again; otherwise null. */
  wayBack: ExactOrNull,
})

export type Review = Value<typeof ReviewSchema> & {
  /** Starts one such job: of this action and listing, from this source, in this profile. */
  readonly token: string
  readonly expiresAt: number
}
export type Caution = Review['cautions'][number]
