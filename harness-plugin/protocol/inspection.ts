import * as v from 'valibot'
import { READ_PROBLEMS } from './package-facts.ts'
import { CodeLine, Instant, NameOrNull, Text, TextOrNull, Texts, type Value } from './text.ts'

/** Abilities of a plugin, the most far-reaching first. */
export const ABILITIES = [
  /** Scripts that the package manager runs during the install, where the user allows it. */
  'install-scripts',
  /** Programs and libraries for the processor, which cannot be read. */
  'native-code',
  'starts-programs',
  /** Runs text as code, also what the harness runs of its patch. */
  'runs-text',
  /** Services of the harness that guard something. */
  'service',
  /** Gives `process`, the global object or a loader to something that cannot be followed: it could do anything from there. */
  'anything',
  /** Prototypes, globals and modules that other code uses, which it replaces. */
  'changes-others',
  /** Rows of others that its patch changes. */
  'changes-rows',
  /** Loads code by a name that is known only while it runs. */
  'loads-code',
  'writes-files',
  /** Reads environment variables. */
  'environment',
  /** Data that a page holds of its user, such as cookies and the clipboard. */
  'reads-page',
  /** Sends requests, to the named hosts or to others. */
  'network',
  /** Talks to hosts without looking at their certificates: whoever is between them can read and change it. */
  'unverified',
  /** Accepts connections. */
  'listens',
  /** Packages that are installed with it. Their code is not read. */
  'dependency',
] as const
export type AbilityKind = (typeof ABILITIES)[number]

const AbilitySchema = v.object({
  kind: v.picklist(ABILITIES),
  /** Its subjects, such as programs, hosts and variables, in order; also the version range of a dependency. */
  names: Texts,
  /** Variables of the environment that tell nothing, such as NO_COLOR, which are not named. */
  harmless: v.number(),
  /** True if some of it is decided only while the code runs. */
  more: v.boolean(),
  /** True in an update if the installed version does it too, but not with what this one uses. */
  isAgain: v.optional(v.boolean()),
  /** First places in its files, lines from 1; empty for what package.json says. */
  places: v.array(v.object({ file: Text, line: v.number() })),
})
export type Ability = Value<typeof AbilitySchema>

const UnreadSchema = v.object({
  file: Text,
  reason: v.picklist([
    /** It was read, but nobody can check it. */
    'minified',
    /** Its code is made while it runs. */
    'packed',
    /** Signs in it turn round the direction of its text, so that people read it in another order than it runs. */
    'reordered',
    /** It could not be parsed. */
    'not-javascript',
    'too-large',
    /** The other code of the package is too much to read it as well. */
    'too-much',
    /** Its language is not read. */
    'typescript',
    /** The registry describes other dependencies or install scripts than it does. */
    'other-manifest',
    /** The code host serves it with other contents than were committed and read. */
    'rewritten',
    // Entries that no package manager unpacks as they stand.
    'link',
    'device',
    'bad-name',
    // Files of an update that may do something else than those of the installed version.
    /** A program or library for the processor with other bytes. */
    'native',
  ]),
})
export type UnreadFile = Value<typeof UnreadSchema>

const InstallScriptSchema = v.object({
  /** Its name and command, as the ability names it. */
  script: Text,
  /** Files that it runs, with their text. */
  files: v.array(
    v.object({
      file: Text,
      lines: v.array(CodeLine),
      /** True if more lines follow. */
      more: v.boolean(),
    }),
  ),
})
export type InstallScript = Value<typeof InstallScriptSchema>

/** Reasons why a package could not be read. */
const UNREAD_PROBLEMS = [
  ...READ_PROBLEMS,
  /** It comes from a folder, a tarball or another host, which are not read. */
  'not-a-registry-package',
  /** The repository did not tell the commit that would be installed. */
  'unknown-commit',
  'no-such-commit',
  /** The code host did not answer, or wants a log-in. */
  'repository-unreachable',
  'no-git',
  'no-such-version',
  /** Its tarball is not the one that the registry describes. */
  'other-digest',
  /** The registry gives no digest that its tarball could be compared with. */
  'no-digest',
  /** Package managers may unpack other files from it than those that are read here. */
  'ambiguous',
  /** The code host serves some files with other contents than were committed. */
  'rewritten',
  'too-many-files',
  /** Reading it exceeded the limit on time or memory. */
  'too-slow',
  'failed',
] as const

export const AdvisorySchema = v.object({
  /** `name@version` that it is about. */
  package: Text,
  /** The way to it: `name@version` of the plugin first, the package itself last. */
  path: Texts,
  title: Text,
  severity: Text,
  url: Text,
  /** True for a package that was published to do harm. */
  isMalware: v.boolean(),
  /** Newer version of the plugin that comes without it; null when none is known. */
  without: TextOrNull,
})
export type Advisory = Value<typeof AdvisorySchema>

/** Advisories about plugins and the packages that are installed with them. */
export const AdvisoriesSchema = v.object({
  /** Versions of packages that were looked up. */
  asked: v.number(),
  unknown: v.array(
    v.object({
      /** Registry that did not tell; null for packages that none was asked about. */
      host: TextOrNull,
      packages: v.number(),
      names: Texts,
      reason: v.picklist([
        ...READ_PROBLEMS,
        /** The registry has no advisories to ask for. */
        'no-advisories',
        // Sources that no registry knows.
        'repository',
        'folder',
        'tarball',
        /** Its registry has no version in the range. */
        'no-such-version',
        /** More packages are installed than are asked about before an install. */
        'too-many',
        'too-slow',
      ]),
    }),
  ),
  /** Malware first. */
  found: v.array(AdvisorySchema),
})
export type Advisories = Value<typeof AdvisoriesSchema>

const SIGNATURE_UNKNOWN = [
  // Of the registry's keys.
  ...READ_PROBLEMS.filter((problem) => problem !== 'not-found'),
  /** The registry gives none for this version, or does not have it. */
  'no-signature',
  /** The registry does not publish its keys. */
  'no-keys',
  /** It is signed with a key that is not among the registry's. */
  'unknown-key',
  /** It is signed with a key that was not in use any more at the time of the release. */
  'expired-key',
  /** It is signed with a key of a kind that is not known here. */
  'unusable-key',
  /** It is right, but the package that it is about was not read. */
  'not-read',
] as const

const BUILD_UNKNOWN = [
  // Of the statement, which the registry names: `not-found` if it does not have it.
  ...READ_PROBLEMS,
  /** The registry names no statement for this version, as mirrors do. */
  'none',
  /** It is signed by somebody who is not known here, such as a newer authority or a build service of another kind. */
  'unknown-signer',
  /** The package that it is about was not read. */
  'not-read',
  /** Verifying it exceeded the limit on time or memory. */
  'too-slow',
  'failed',
] as const

const PnpmRefusalSchema = v.object({
  /** `release-age`: it is too new. */
  rule: v.picklist(['release-age']),
  /** Time from which it installs the version; null when that is unknown. */
  until: Instant,
  /** Newest version that it installs now; null when there is none. */
  passing: TextOrNull,
})
export type PnpmRefusal = Value<typeof PnpmRefusalSchema>

const OriginSchema = v.object({
  /** The registry's signature of this version. */
  signature: v.variant('state', [
    v.object({ state: v.literal('valid') }),
    v.object({ state: v.literal('wrong') }),
    v.object({ state: v.literal('unknown'), reason: v.picklist(SIGNATURE_UNKNOWN) }),
  ]),
  /** The builder of this version, by a statement of the build service that Sigstore signed. */
  build: v.variant('state', [
    v.object({
      state: v.literal('signed'),
      /** Host and path, such as `github.com/owner/name`. */
      repository: Text,
      commit: TextOrNull,
      /** True if it is the repository of the listing, false if not; null when it is not listed. */
      isListed: v.nullable(v.boolean()),
    }),
    /** `other-signature`: it is not signed by whom it names. `other-package`: it is about another package. */
    v.object({ state: v.literal('wrong'), reason: v.picklist(['other-signature', 'other-package']) }),
    v.object({ state: v.literal('unknown'), reason: v.picklist(BUILD_UNKNOWN) }),
  ]),
  publishedAt: Instant,
  publisher: NameOrNull,
  /** Repository that the package names, if the listing names another. Null where its past is compared (`Past`). */
  otherRepository: TextOrNull,
  /**
   * Version that the registry has a build statement of, where it has none of this one: the installed version, or else the
   * one before this.
   */
  lostBuildStatement: TextOrNull,
  /** Settings of the profile's pnpm that keep it from installing this version; null when pnpm does not tell them. */
  refusals: v.nullable(v.array(PnpmRefusalSchema)),
})
export type Origin = Value<typeof OriginSchema>

/** Facts about the package of a review, read from its registry and its files. Nothing of it was run. */
export const InspectionSchema = v.object({
  /** `name@version` that was read. */
  plugin: Text,
  /** Installed version that it was compared with: then only what is new is listed. Null when all is listed. */
  before: TextOrNull,
  /** Null while it is not known yet. */
  code: v.nullable(
    v.variant('state', [
      v.object({
        state: v.literal('read'),
        /** Of the files that its entries, its rows, its patch or an install reach. Of an update, those that are new. */
        abilities: v.array(AbilitySchema),
        /** Of its other files, which nothing was seen to load. */
        others: v.array(AbilitySchema),
        /** Commands that an install would run, for each script among the abilities. */
        scripts: v.array(InstallScriptSchema),
        /** Files that differ from the installed version, and files that either has; null when it was not compared. */
        files: v.nullable(v.object({ changed: v.number(), all: v.number() })),
        /** Files that could not be read in full. Of an update, those that the installed version has too are left out. */
        unread: v.array(UnreadSchema),
      }),
      v.object({ state: v.literal('unknown'), reason: v.picklist(UNREAD_PROBLEMS) }),
    ]),
  ),
  /** Null when the registry was not asked or did not answer. */
  origin: v.nullable(OriginSchema),
  /** About the plugin and what is installed with it; null when it is not known yet. */
  advisories: v.nullable(AdvisoriesSchema),
})
export type Inspection = Value<typeof InspectionSchema>
export type CodeReading = NonNullable<Inspection['code']>

/** Advisories about the packages of a profile. */
export const ProfileAdvisoriesSchema = v.variant('state', [
  v.object({ state: v.literal('read'), ...AdvisoriesSchema.entries }),
  v.object({ state: v.literal('no-lockfile') }),
])
export type ProfileAdvisories = Value<typeof ProfileAdvisoriesSchema>

/** Uses of a file in a package, the most far-reaching first. */
export const FILE_ROLES = [
  /** Its package.json, and files that an install runs and that are not its own code. */
  'scripts',
  'patch',
  /** A program or library for the processor, which cannot be read. */
  'native',
  'entry',
  'code',
  'other',
] as const

const ChangedFileSchema = v.object({
  path: Text,
  role: v.picklist(FILE_ROLES),
  /** Sizes in bytes; null when the version does not have the file. */
  sizeBefore: v.nullable(v.number()),
  sizeAfter: v.nullable(v.number()),
  /**
   * Reason why it is shown on demand only; null for a file that people write. `unordered`: comparing it took too long, so these
   * are the lines that only one version has. `not-read`: it is a link, or has a name that no honest program gives.
   */
  folded: v.nullable(v.picklist(['minified', 'generated', 'binary', 'long', 'unordered', 'not-read'])),
  /**
   * Lines that differ, with `+`, `-` or a space before each, and `@@` before a part. They are the author's text. A
   * long line is in parts, each of which but the first begins with `↪`.
   */
  lines: v.array(CodeLine),
  /** True if more lines differ than these. */
  more: v.boolean(),
})
export type ChangedFile = Value<typeof ChangedFileSchema>

/** Differences of two versions of a package, or two commits of a repository. */
export const VersionDiffSchema = v.object({
  /** Name of the package; of a repository, `github:owner/repo`. */
  package: Text,
  before: TextOrNull,
  after: TextOrNull,
  /** Address that compares the commits of both; null when they are unknown. */
  compareUrl: TextOrNull,
  files: v.variant('state', [
    v.object({ state: v.literal('read'), changed: v.array(ChangedFileSchema), more: v.number() }),
    v.object({ state: v.literal('unknown'), reason: v.picklist(UNREAD_PROBLEMS) }),
  ]),
})
export type VersionDiff = Value<typeof VersionDiffSchema>
