import type {
  AbilityKind,
  Advisories,
  ChangedFile,
  CodeReading,
  Origin,
  PnpmRefusal,
  UnreadFile,
} from '../../protocol/index.ts'

/** Why something could not be read, as the end of a sentence. */
const UNREAD = {
  unauthorized: 'the registry wants a log-in',
  busy: 'the registry asks to wait',
  unreachable: 'the registry did not answer',
  'too-slow': 'it took too long',
  failed: 'the reader failed',
}

const changedFiles = ({ changed, all }: { readonly changed: number; readonly all: number }) =>
  `${changed} of ${all === 1 ? 'one file' : `${all} files`} changed`

/** Words of what was read of a package before an install. `names` is a list, empty when none is known. */
export const inspection = {
  loading: 'Reading its code…',
  notRead: (reason: string) => `Not read: ${reason}.`,
  reasons: {
    ...UNREAD,
    'not-found': 'the registry does not have it',
    unreadable: 'its package is damaged',
    'too-large': 'its package is too large',
    'not-a-registry-package': 'only packages of a registry and repositories of the code host are read',
    'unknown-commit': 'its repository did not tell which commit would be installed',
    'no-such-commit': 'its repository does not have this commit',
    'repository-unreachable': 'the code host did not answer, or wants a log-in',
    'no-git': 'git was not found on this machine',
    'no-such-version': 'the registry does not have this version',
    'other-digest': 'its package is not the one that the registry describes',
    'no-digest': 'the registry does not say which package is the right one',
    ambiguous: 'its archive can be unpacked in more than one way, which hides files',
    rewritten: 'the code host serves some of its files with other contents than were committed',
    'too-many-files': 'its package has too many files',
  } satisfies Readonly<Record<(CodeReading & { readonly state: 'unknown' })['reason'], string>>,
  code: {
    title: 'What it can do',
    /** Title of the rest of it, in a fold below. */
    rest: 'Its code',
    gained: (before: string) => `New compared with ${before}`,
    /** @param files number of files that changed, of all; null when it is not known */
    nothingGained: (files: { readonly changed: number; readonly all: number } | null) =>
      `Nothing new seen${files === null ? '' : `; ${changedFiles(files)}`}.`,
    /** @param unread number of files that differ and could not be read whole */
    nothingSeen: (unread: number, files: { readonly changed: number; readonly all: number } | null) =>
      `Nothing new seen in what could be read${files === null ? '' : `; ${changedFiles(files)}`}, and ${unread === 1 ? 'one could' : `${unread} could`} not be read whole.`,
    runsFile: (file: string) => `What it would run: ${file}`,
    linesFollow: '…',
    /** Lists the abilities that an update gains, in one line. */
    gainsLine: (title: string, abilities: readonly string[]) => `${title}: ${abilities.join('; ')}.`,
    noneKnown: 'What is new in it is not known.',
    beforeUnread: 'What is new in it is not known: the installed version could not be read.',
    nothing: 'Nothing seen that writes files, starts programs or uses the network.',
    limits: 'Code can hide what it does.',
    andMore: (names: string, count: number) => `${names} and ${count} more`,
    /** Follows a list that is not all of it: the code chooses others while it runs. */
    andOthers: (names: string) => `${names}, and others`,
    /** Says of an update that it does in other places, or with something else, what the installed version does as well. */
    again: (ability: string) => `${ability}, in another way than before`,
    /** @param names variables; `harmless` others only tell how to print, or where */
    andHarmless: (names: string, harmless: number) => `${names} and ${harmless} that tell nothing`,
    /** All variables of the environment. */
    allVariables: 'all of them',
    /** Data of the user that a page holds. */
    held: {
      cookies: 'cookies',
      clipboard: 'clipboard',
      camera: 'camera',
      microphone: 'microphone',
      screen: 'screen',
      position: 'position',
      passwords: 'passwords',
    },
    /** Joins what files can do that nothing was seen to load. */
    others: (abilities: readonly string[]) =>
      `Also in it, in files that nothing was seen to load: ${abilities.join('; ')}`,
    /** Number of packages that come with it. */
    packages: (count: number, names: string) =>
      `${count === 1 ? 'One package comes' : `${count} packages come`} with it, not read${names && `: ${names}`}`,
    newPackages: (count: number, names: string) =>
      `${count === 1 ? 'One new package comes' : `${count} new packages come`} with it, not read: ${names}`,
    /** Says what it can do by the directory, with what was read as the other ground. */
    flagged: {
      'not-seen': (flag: string) => `${flag}: the directory says so; not seen in its code`,
      'not-read': (flag: string) => `${flag}: the directory says so; its code was not read`,
    },
    flags: {
      'install script': 'Can run a script during the install',
      'terminal surface': 'Can run programs',
      'requires credentials': 'Asks for credentials',
    },
    /** Says the same of scripts that the profile has allowed before. */
    allowedScripts: (names: string) => `Will run during the install, as allowed before: ${names}`,
    abilities: {
      'install-scripts': (names) => `Runs during the install, which pnpm 10 and newer ask about first: ${names}`,
      anything: (names) => `Passes on ${names}: what is done with that cannot be seen, and could be anything`,
      'native-code': (names, more) =>
        names
          ? `Contains programs that cannot be read: ${names}${more ? ', and loads such programs' : ''}`
          : 'Loads programs that cannot be read',
      'starts-programs': (names) => `Starts other programs${names && `: ${names}`}`,
      'runs-text': () => 'Runs text as code',
      service: (names, more) =>
        names
          ? `Uses what guards the harness: ${names}${more ? ', and services that it chooses while it runs' : ''}`
          : 'Uses services of the harness that it chooses while it runs',
      'changes-others': (names) => `Replaces what other code uses: ${names}`,
      'changes-rows': (names) => `Changes parts of the harness: ${names}`,
      'loads-code': (names) => `Loads code that it chooses while it runs${names && `: ${names}`}`,
      'writes-files': () => 'Writes files',
      environment: (names) => `Reads environment variables${names && `: ${names}`}`,
      'reads-page': (names) => `Reads from the page: ${names}`,
      network: (names, more) =>
        names
          ? `Talks to ${names}${more ? ', and to addresses that it chooses while it runs' : ''}`
          : 'Talks to addresses that it chooses while it runs',
      unverified: () => 'Does not check whom it talks to: others on the way could read and change it',
      listens: () => 'Accepts network connections',
    } satisfies Readonly<Record<Exclude<AbilityKind, 'dependency'>, (names: string, more: boolean) => string>>,
    unread: {
      minified: (files) => `Minified, which makes it hard to check: ${files}`,
      packed: (files) => `Packed, so that its code cannot be read: ${files}`,
      reordered: (files) => `Has signs that show its code in another order than it runs: ${files}`,
      'not-javascript': (files) => `Not readable as JavaScript: ${files}`,
      'too-large': (files) => `Too large to read: ${files}`,
      'too-much': (files) => `Not read, because there is too much code: ${files}`,
      typescript: (files) => `TypeScript, which is not read: ${files}`,
      'other-manifest': (files) => `The registry describes other dependencies or install scripts than: ${files}`,
      rewritten: (files) => `The code host serves it with other contents than were read: ${files}`,
      link: (files) => `Links, which do not belong in a package: ${files}`,
      device: (files) => `Neither files nor folders: ${files}`,
      'bad-name': (files) => `Files with broken names: ${files}`,
      native: (files) => `Programs with other contents than before, which cannot be read: ${files}`,
    } satisfies Readonly<Record<UnreadFile['reason'], (files: string) => string>>,
  },
  origin: {
    title: 'Origin',
    signature: {
      valid: 'The registry signed this version.',
      wrong: 'The registry’s signature is wrong: this is not what it published.',
      unknown: (reason: string) => `Its signature could not be checked: ${reason}.`,
    },
    /** Why the registry's signature is unknown, as the end of a sentence. */
    signatureReasons: {
      ...UNREAD,
      unreadable: 'the registry’s keys cannot be read',
      'too-large': 'the registry’s keys cannot be read',
      'no-signature': 'this registry gives none',
      'no-keys': 'this registry does not publish its keys',
      'unknown-key': 'its key is not among those of the registry',
      'expired-key': 'its key was out of use when this version was published',
      'unusable-key': 'its key is of a kind that is not known here',
      'not-read': 'the package was not read',
    } satisfies Readonly<Record<(Origin['signature'] & { readonly state: 'unknown' })['reason'], string>>,
    build: {
      /** @param commit first characters of the commit, or null */
      signed: (repository: string, commit: string | null) =>
        commit === null ? `Built by ${repository} (signed).` : `Built by ${repository} at ${commit} (signed).`,
      other: (repository: string, commit: string | null) =>
        `Built by ${commit === null ? repository : `${repository} at ${commit}`} (signed), which is not the repository that the directory names.`,
      wrong: (reason: string) => `Its build statement is wrong: ${reason}.`,
      wrongReasons: {
        'other-signature': 'it is not signed by whom it names',
        'other-package': 'it is about another package',
      } satisfies Readonly<Record<(Origin['build'] & { readonly state: 'wrong' })['reason'], string>>,
      none: 'This registry has no statement of who built it.',
      unknown: (reason: string) => `Who built it could not be checked: ${reason}.`,
      unknownReasons: {
        ...UNREAD,
        'not-found': 'the statement is not known at this registry',
        unreadable: 'the statement cannot be read',
        'too-large': 'the statement is too large',
        'unknown-signer': 'the statement is signed by an authority that is not known here',
        'not-read': 'the package was not read',
      } satisfies Readonly<
        Record<Exclude<(Origin['build'] & { readonly state: 'unknown' })['reason'], 'none'>, string>
      >,
    },
    refusals: {
      'release-age': (until: string | null, passing: string | null) =>
        `pnpm waits with it${until === null ? '' : ` until ${until}`} (minimumReleaseAge). ${passing === null ? 'It installs no other.' : `It installs ${passing}.`}`,
    } satisfies Readonly<Record<PnpmRefusal['rule'], (until: string | null, passing: string | null) => string>>,
    silent: 'Not signed. Builder not stated.',
    published: (age: string, publisher: string | null) =>
      publisher === null ? `Published ${age}.` : `Published ${age} by ${publisher}.`,
    otherRepository: (address: string) => `It names another repository than the directory does: ${address}.`,
    lostBuildStatement: (before: string) => `${before} says who built it; this version does not.`,
  },
  advisories: {
    title: 'Known problems',
    notYet: 'Not known yet.',
    notLookedUp: 'Not looked up: the registry did not answer in time.',
    noLockfile: (profile: string) => `Profile ${profile} has no lockfile, so its packages are unknown.`,
    advisory: (severity: string, title: string) => (severity ? `${title} (${severity}).` : `${title}.`),
    malware: (title: string) => `Malware: ${title}. Do not install it, and remove it where you have it.`,
    without: (version: string) => `Version ${version} comes without it.`,
    noneWithout: 'No newer version is known to come without it.',
    asked: (packages: number, found: number) =>
      `${found === 0 ? 'No known problem' : found === 1 ? 'One known problem' : `${found} known problems`}${packages === 1 ? '' : ` in ${packages} packages`}.`,
    /** Stands on a fold in place of why. */
    notKnown: 'Known problems unknown.',
    notPublished: 'This registry does not publish known problems.',
    unknown: (names: string, host: string | null, reason: string) =>
      `Known problems of ${names}${host === null ? '' : `, from ${host},`} cannot be looked up: ${reason}.`,
    /** Why it is unknown, as the end of a sentence about one or several packages. */
    reasons: {
      ...UNREAD,
      'not-found': 'not in the registry',
      unreadable: 'the registry’s answer cannot be read',
      'too-large': 'the registry’s answer is too large',
      'no-advisories': 'the registry has no advisories to ask for',
      repository: 'it is from a repository, and only registries publish them',
      folder: 'it is from a folder, and only registries publish them',
      tarball: 'it is from a tarball, and only registries publish them',
      'no-such-version': 'the registry has no such version',
      'too-many': 'it installs too many packages to ask about all of them',
    } satisfies Readonly<Record<Advisories['unknown'][number]['reason'], string>>,
  },
}

export const diff = {
  read: 'Read the change',
  title: (name: string) => `Changes in ${name}`,
  loading: 'Reading both versions…',
  count: (files: string, count: number) => (count === 1 ? 'One file differs.' : `${files} files differ.`),
  commits: 'Compare the named commits',
  roles: {
    scripts: 'scripts',
    patch: 'patch',
    native: 'program',
    entry: 'entry',
    code: 'code',
    other: 'other',
  } satisfies Readonly<Record<ChangedFile['role'], string>>,
  folded: {
    minified: 'Minified: shown by statement.',
    generated: 'A source map, which does not run.',
    binary: 'Not text.',
    long: 'Long: only the first lines are shown.',
    unordered: 'Too long to compare: these lines are only in one version.',
    'not-read': 'Not read: a link, or a name that files of packages do not have.',
  } satisfies Readonly<Record<NonNullable<ChangedFile['folded']>, string>>,
  isNew: (size: string) => `new, ${size}`,
  isRemoved: 'removed',
  sizes: (before: string, after: string) => `${before} → ${after}`,
  same: 'The files of both are the same.',
  moreFiles: (files: string, count: number) => `${files} more ${count === 1 ? 'file differs' : 'files differ'}.`,
  showMore: (lines: string) => `Show ${lines} more lines`,
  cut: 'More differs than is shown.',
  authors: 'Written by its author, and not run.',
}
