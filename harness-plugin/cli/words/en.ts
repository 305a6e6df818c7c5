import { BASE_URL } from '@plugmark/shared/contract'
import type { IndexDifference } from '@plugmark/shared/index-cache'
import type { Problem } from '../../host/index.ts'
import type { PackageChange, Unread } from '../../protocol/index.ts'
import { versionText } from '../../protocol/package-id.ts'
import type { FactName } from '../../protocol/review-facts.ts'
import type { Key } from '../../search/facets.ts'
import type { DataOf, Skipped } from '../documents.ts'

/** Version of an index. */
type IndexVersion = IndexDifference['stored']

/** Problems of background work; each text is shown once. */
const problems: Readonly<Record<Problem, string>> = {
  'directory-unread': 'The directory could not be read.',
  'index-unfetched': 'The directory’s index could not be fetched.',
  'index-refused': 'The directory’s index was fetched, and is not used.',
  'index-unreadable': 'The stored index cannot be read.',
  'index-damaged': 'The stored index is damaged and is not used.',
  'index-unsaved': 'The index cannot be stored, so it is read again each time.',
  'index-locked': 'Another program has been reading the directory for a long time.',
  'listings-unreadable': 'The stored index cannot be read.',
  'listings-unsaved': 'The index cannot be stored, so it is read again each time.',
  'builds-unsaved': 'The list of blocked build scripts cannot be stored.',
  'recovery-failed':
    'A profile could not be restored from the state before an interrupted job. The next job in it tries again.',
  'declarations-unreadable': 'What plugins declare about the harness could not be read from the disk.',
  'declarations-unsaved': 'What plugins declare about the harness could not be stored.',
  background: 'Something failed in the background.',
}

const FACTS: Readonly<Record<FactName, string>> = {
  fit: 'whether it runs here',
  advisories: 'known problems',
  code: 'what it can do',
  origin: 'where it comes from',
}

/** An installed plugin that somebody wants to install. */
export interface AlreadyInstalled {
  readonly version: string | null
  /** Null if there is no newer version, or it is unknown. */
  readonly latest: string | null
  readonly update: string
  /** False if newer versions are unknown. */
  readonly isChecked: boolean
}

/** An update of all plugins that updates none. */
interface NothingToUpdate {
  readonly profile: string
  /** Number of plugins that were looked at, and of those with an update that was left out. */
  readonly count: number
  readonly skipped: number
  /** Plugins that are not installed from the directory. */
  readonly unmanaged: readonly string[]
}

interface Described {
  readonly description: string
  readonly argChoices?: readonly string[] | undefined
  readonly defaultValue?: unknown
}

/** Texts for the user at a terminal. Texts that the store's screen shares are in `messages`. */
export const en = {
  about: 'Finds, reviews and installs plugins of your agent harness.',
  titles: {
    'Usage:': 'Usage:',
    'Arguments:': 'Arguments:',
    'Options:': 'Options:',
    examples: 'Examples:',
    topics: 'Topics of plugmark help:',
  },
  groups: {
    common: 'Commands:',
    plugins: 'More about plugins:',
    profile: 'Profile:',
    programs: 'Scripts and agents:',
    program: 'This program:',
  },
  commands: {
    search: 'Find plugins that install',
    show: 'Show one plugin: version, check, risks, licence',
    install: 'Install plugins, each tested in a copy first',
    list: 'List the plugins of a profile',
    update: 'Update plugins of a profile',
    remove: 'Remove plugins from a profile',
    undo: 'Undo the last change of a profile',
    redo: 'Make the change again that was undone',
    doctor: 'Check harness and profile; --fix repairs the profile',
    open: 'Open the page of a plugin, its source or its releases',
    check: 'Review an install without changing anything',
    outdated: 'List the plugins that have a newer version',
    diff: 'Show the files that two versions of a plugin differ in',
    enable: 'Make the harness load an installed plugin again',
    disable: 'Keep a plugin installed, but stop loading it',
    hold: 'Keep a plugin at its version: update --all skips it',
    unhold: 'Stop holding a plugin',
    try: 'Test an install and a start in a throw-away home',
    audit: 'See what is known against the packages of a profile',
    history: 'List the changes of a profile, or show one',
    lock: 'Write down the plugins of a profile exactly, or compare',
    sync: 'Make a profile as a lock file says',
    'upgrade-check': 'See what another version of the harness would break',
    mcp: 'Serve the read-only tools of agents over MCP',
    capabilities: 'Describe commands, exit codes and schemas as data',
    index: 'Show the stored index and its age',
    config: 'List, store or delete settings, such as the profile',
    completions: 'Print a completion script for your shell',
    help: 'Show the help of a command or a topic',
  },
  /** Say in the help of a command what its name does not. */
  descriptions: {
    undo: 'Undo the last change of a profile, whichever client made it. It goes one change back: a second undo changes nothing, and redo makes the change again. At a terminal it shows the change and asks first; elsewhere it does not ask.',
    redo: 'Make the change again that was just undone, as long as the profile has not changed since. At a terminal it shows the change and asks first; elsewhere it does not ask.',
  },
  arguments: {
    words: 'words and filters, such as category:memory or stars:1000: plugmark help filters',
    install:
      'as for show; or name@version, github:owner/repo#commit, or the path of a folder or a tarball, which nobody has checked',
    id: 'owner/repo, owner/repo#path, a package name, an address of the repository or an install command',
    shell: 'shell that the script is for',
    spec: 'owner/repo of a plugin, name of a package, github:owner/repo, or the path of a folder or a tarball',
    job: 'beginning of the id of a job',
    version: 'version of the harness; without it, the newest that the registry has',
    lock: 'file to write, or to compare with; - for standard output or input (default: plugmark.lock.json)',
    sync: 'a lock, a package.json, or a list with a name or owner/repo a line; - for standard input (default: plugmark.lock.json)',
    before: 'a version; without it, the installed one, or the one before the other',
    after: 'a version; without it, the newest',
    key: 'a setting',
    value: 'its value, from now on',
  },
  options: {
    json: 'write one JSON document to standard output',
    events: 'write progress as NDJSON to standard error',
    directory: 'address of the directory',
    harness: 'program of the harness',
    home: 'home of the harness',
    quiet: 'write no progress, warnings and counts',
    verbose: 'show the whole review: source, origin, known problems and command too',
    color: 'when to colour: auto (at a terminal), always or never',
    help: 'show this help',
    version: 'show the version',
    profile: 'profile of the harness; needed where there are several',
    all: 'also what did not pass its install check',
    notes: 'print its release notes, which the code host is asked for',
    limit: 'how many to show',
    accept: 'agree to the review that ends with this code',
    allowBuild: 'allow the build script of this package, as a review names it; may be repeated',
    allowVerdict: 'install although the install check ended with this result',
    dryRun: 'review only, and change nothing',
    what: 'what to open: its page in the directory, its source or its releases',
    unset: 'delete the setting',
    reason: 'why it is held, for whoever reads the list',
    run: 'agree that the code of the plugin runs on this machine',
    unlisted: 'also take packages and repositories that the directory does not list and nobody has checked',
    check: 'write nothing, and say how the profile differs from the file: 0 if it does not, 8 if it does',
    exact: 'also remove plugins that the lock has not',
    frozen: 'install exactly the packages of the lock, or change nothing',
    updateAll: 'every plugin that has an update, except those that can do more than before or could not be read',
    includeSetAside: 'with --all: also those that can do more than before or could not be read',
    refresh: 'read the directory now',
    replace: 'read it now, and keep it even if it is of another site or older than the stored index',
    fix: 'repair the profile, so that the harness starts from it again',
  },
  /** Topics of the help that are not commands. */
  helpTopics: {
    filters: 'What a search can be narrowed by; commas separate several values',
    options: 'What every command takes, such as --json, --quiet and --harness',
    environment: 'PLUGMARK_API, DSH_HOME and others; options come before them',
    'exit-codes': 'What the program ends with',
  },
  /** Filters of a search, whose values stand behind these texts, but for those of `is`. */
  filters: {
    category: 'what it is for',
    risk: 'what it may do, as the directory says',
    license: 'its licence',
    language: 'its programming language',
    owner: 'owner of its repository',
    stars: 'at least so many; ..50 for at most',
    pushed: 'changed in this year, month or day, or later; ..2026-08 for earlier ones',
    fits: 'known to fit this harness',
    is: 'installs (the default: passed its install check, or needs your approval of a build script), passed, needs-approval, all (also what failed), installable (has a command), installed, or new (since you last searched for that)',
    sort: 'in this order',
  } satisfies Readonly<Record<Key, string>>,
  /** Environment variables that are read, for people and agents. */
  environment: {
    PLUGMARK_API: 'Address of the directory, unless --directory gives another.',
    PLUGMARK_HARNESS: 'The harness’s program, unless --harness gives another.',
    PLUGMARK_REGISTRY: 'Address of the package registry, before the setting.',
    DSH_HOME: 'The harness home, unless --home gives another.',
    XDG_STATE_HOME: 'The stored index is kept in the folder plugmark below it (default: ~/.local/state).',
    XDG_CONFIG_HOME: 'Settings of plugmark config are kept in the folder plugmark below it (default: ~/.config).',
    NO_COLOR: 'Turns colour off when it is set.',
    LC_ALL: 'Language of what people read, before LC_MESSAGES and LANG: English or Chinese.',
  },
  /** Meanings of the exit codes. */
  exits: {
    done: 'Done.',
    failed: 'Failed, or there is nothing to undo or redo; the profile is unchanged, unless the outcome says otherwise.',
    usage: 'The command line is wrong; nothing was done.',
    'not-listed': 'Not found, not listed, not installed, or ambiguous; nothing was done.',
    consent:
      'A person must agree first; nothing was changed. The document holds the review and the command that accepts it.',
    refused: 'Refused by its install check, its fit or a policy; nothing was changed.',
    unreachable:
      'The directory cannot be reached and there is no stored index, or it is not enough for this; or no registry tells outdated or update --all what is newer.',
    missing: 'The harness, its package manager, git or the profile is missing, or Node.js or the harness is too old.',
    drifted: 'The profile differs from its lock: only of lock --check.',
    cancelled: 'Cancelled; the profile is unchanged.',
  },
  moreOptions: 'Options of every command, such as --json: plugmark help options',
  alreadyInstalled: ({ version, latest, update, isChecked }: AlreadyInstalled) =>
    `${version ?? 'It'} is installed already. ${latest !== null ? `${latest} is available: ${update}` : isChecked ? 'There is no newer version.' : `To update it: ${update}`}`,
  newest: (version: string) => `It is at its newest version, ${version}.`,
  installedOff: (version: string | null, enable: string) =>
    `${version ?? 'It'} is installed already, and off. To use it: ${enable}`,
  holds: ({ package: name, version, held, reason, dryRun }: DataOf<'hold'>) =>
    held
      ? `${name}${version === null ? '' : ` ${version}`} ${dryRun ? 'would be' : 'is'} held: update --all leaves it out.${reason === null ? '' : ` Reason: ${reason}`}`
      : `${name} ${dryRun ? 'would no longer be' : 'is no longer'} held.`,
  alreadySwitched: (on: boolean) => `It is ${on ? 'on' : 'off'} already. Nothing was changed.`,
  wouldSwitch: (on: boolean) => `It would be ${on ? 'enabled' : 'disabled'}.`,
  leftOut: (reason: string | null, unhold: string) =>
    `It is held${reason === null ? '' : ` (${reason})`}. To update it again: ${unhold}`,
  /** @param why what it gains, or why that is not known */
  setAside: (why: string, update: string) => `${why} To update it: ${update}`,
  dryRun: 'Nothing was changed.',
  switchesOff: (names: string) => `Switch off ${names}. It stays installed.`,
  undoneBy: (undo: string) => `To undo it: ${undo}`,
  /** Says before an undo or a redo what it makes of a package. */
  makes({ name, before, after }: PackageChange, isRedo: boolean) {
    const was = before && versionText(before)
    const is = after && versionText(after)
    if (after === null) return `This removes ${name} ${was ?? ''}`.trimEnd()
    if (before === null || (is && !was)) return `This installs ${name} ${is}`.trimEnd()
    if (was !== is) return `This ${isRedo ? 'updates' : 'puts back'}: ${name} ${was} → ${is}`
    return `This ${after.enabled ? 'enables' : 'disables'} ${name}`
  },
  /** Names facts that a question no longer waits for. */
  notKnownYet: (names: readonly FactName[]) => `Not known yet: ${names.map((name) => FACTS[name]).join(', ')}.`,
  /** Titles of facts of a plugin or a review. */
  factTitles: { willRun: 'What will run', version: 'Version', package: 'Package', page: 'Directory page' },
  redoneBy: (redo: string) => `To make it again: ${redo}`,
  nothingToUpdate: ({ profile, count, skipped, unmanaged }: NothingToUpdate) =>
    [
      `Nothing to update: ${count} plugin${count === 1 ? '' : 's'} of profile ${profile} looked at${skipped > 0 ? `, ${skipped} left out` : ''}.`,
      ...(unmanaged.length > 0
        ? [`Never updated here, as not installed from the directory: ${unmanaged.join(', ')}.`]
        : []),
    ].join(' '),
  leftOutOfLock: (places: string) =>
    `Others cannot sync ${places}: the file has the name, but not the source, which is on this machine or has a secret.`,
  noPackagesInLock:
    'Written without pnpm-lock.yaml: the profile has none that can be read, or it has a secret or a path of this machine. A sync takes the versions of plugins, not of what they need.',
  lockWritten: (file: string, count: number) => `Wrote ${file}, with ${count} plugin${count === 1 ? '' : 's'}.`,
  asFile: (profile: string) => `Profile ${profile} is as the file says. Nothing was changed.`,
  same: (profile: string, file: string) => `Profile ${profile} is as ${file} says.`,
  unreadLine: ({ at, text }: Pick<Unread, 'at' | 'text'>, why: string) =>
    `${/^\d+$/.test(at) ? `Line ${at}, ` : ''}“${text}”: ${why}`,
  lastChange: (change: string, profile: string, at: string) => `Last change of profile ${profile}, ${at}: ${change}.`,
  undoneAt: (profile: string, at: string) => `Undone in profile ${profile}, ${at}:`,
  outcome: 'Outcome',
  ended: 'Ended',
  client: 'Run by',
  log: 'Log',
  logIn: (file: string) => `Log: ${file}`,
  /** Below a file whose lines were joined, in `diff`. */
  minified: 'Minified: --json has the statements that differ.',
  olderJobs: (count: number) => `${count} older; --limit shows more.`,
  opened: (url: string) => `Opened ${url}`,
  notOpened: (url: string) => `${url} could not be opened here.`,
  /** @param from option, variable or command that gave a setting its value */
  setBy: (value: string, from: string) => `${value}  (by ${from})`,
  notSet: {
    directory: `not set: ${BASE_URL}`,
    harness: 'not set: dsh, on PATH',
    home: 'not set: DSH_HOME, or ~/.dsh',
    profile: 'not set: the only one, where there is only one',
    registry: 'not set: that of .npmrc, or npm’s own',
    proxy: 'not set: that of the environment, or none',
  },
  waitsFor: (host: string) => `Waiting for the directory ${host}`,
  reading: (listings: number) => `Reading the directory… ${listings}`,
  stored: (age: string | null, problem: string) =>
    `${problem} Using the stored index${age === null ? '' : `, read ${age}`}.`,
  problems,
  asking: 'Asking the registry and the code host',
  starting: 'Starting the harness from a copy of the profile',
  trying: 'Installing and starting it in a throw-away home',
  job: (name: string, text: string) => (name === '' ? text : `${name}  ${text}`),
  recovered: (name: string) =>
    `An earlier job${name === '' ? '' : ` of ${name}`} was interrupted. The profile was restored.`,
  harnessMissing: (program: string) =>
    /[\\/]/.test(program)
      ? `The harness was not found: there is no program ${program}.`
      : `The harness was not found: none of the folders on PATH has a program ${program}.`,
  fixWith: (command: string) => `${command} repairs what is marked with +.`,
  notFound: 'not found',
  joined: (one: string, other: string) => `${one} ${other}`,
  next: (next: string) => `Next: ${next}`,
  suggestions: 'Did you mean:',
  failed: 'Error: ',
  /** Description of an option or an argument in the help. */
  described: ({ description, argChoices, defaultValue }: Described) => {
    const more = [
      ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
      ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ]
    return more.length === 0 ? description : `${description} (${more.join(', ')})`
  },
  /** Error of a command line, from commander's code and message. */
  usage(code: string, message: string) {
    if (code === 'commander.help') return 'No command was given.'
    if (code === 'commander.missingArgument')
      return 'Name a plugin: owner/repo, its package, or the address of its repository.'
    if (/'(--yes|-y)'/.test(message))
      return 'There is no --yes: --accept CODE agrees to one review. Where nobody can answer, the command writes its review, and the command with this code.'
    const [, option, typed, value = typed, argument, choices] =
      /^(?:Option '(.+?)' argument '(.*)' is|Command-argument value '(.*)' is) invalid(?: for argument '(.*)')?\. Allowed choices are (.*)\.$/is.exec(
        message,
      ) ?? []
    const name = option?.match(/--[\w-]+/)?.[0] ?? argument
    if (choices !== undefined) return `"${value}" is not a valid ${name}. Choose from: ${choices}.`
    return `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/\n\((Did you mean .*\?)\)$/, '. $1')
  },
  failures: {
    internal: (message: string) => `Something went wrong: ${message}`,
    updatesToNewest: 'An update goes to the newest version, an install to the one that you name.',
    installsUnlisted: {
      npm: 'To install the package of exactly this name, which nobody has checked, add --unlisted.',
      github: 'To install this repository, which nobody has checked, type github: before its name.',
    },
    noFile: (path: string) => `There is no file ${path}.`,
    file: (path: string, code: string) => `${path} cannot be read or written (${code}).`,
    correct: 'Correct what was found, then try again.',
    cancelled: 'Cancelled.',
    address: (url: string, source: string | null) =>
      `"${url}" cannot be the address of a directory${source === null ? '' : ` (${source})`}: it takes an http or https address without user, query or hash.`,
    webAddress: (url: string) => `"${url}" is not an http or https address.`,
    addressFrom: (source: string) => `The address is from ${source}.`,
    unknownCommand: (name: string, suggestion: string | null) =>
      `There is no command "${name}".${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
    unknownFilter: (name: string, known: string) => `"${name}:" is not a filter.${known && ` Filters: ${known}.`}`,
    /** @param isExample true where a filter takes any number, date or name */
    unknownValue: (filter: string, known: string, isExample: boolean) =>
      `"${filter}" has no value that this filter knows${isExample ? `, such as: ${known}.` : `.${known && ` It knows: ${known}.`}`}`,
    searchesNoUpdates: 'A search does not look for newer versions.',
    notWritten: (reason: string) => `The output could not be written: ${reason}`,
    notALock: (file: string) => `"${file}" is not a lock, so it was not replaced. Name another file.`,
    drifted: (count: number, profile: string, file: string) =>
      `Profile ${profile} differs from ${file} in ${count === 1 ? 'one place' : `${count} places`}.`,
    advisories: (count: number) => (count === 1 ? 'One advisory.' : `${count} advisories.`),
    advisoriesUnknown: 'What is known against some packages could not be found out.',
    noJob: (id: string, count: number) =>
      count > 1 ? `${count} jobs begin with "${id}".` : `The profile has no job "${id}".`,
    noPage: (id: string) => `${id} has no such page.`,
    valueOrUnset: 'Name a setting with a value, or with --unset.',
    settingsUnreadable: (file: string) => `The settings in ${file} cannot be read. Repair or delete that file.`,
    settingsUnsaved: (reason: string) => `The settings cannot be saved: ${reason}`,
    profileName: (name: string) => `"${name}" cannot be the name of a profile.`,
    limit: (text: string) => `--limit takes a whole number from 1 to 99999, not "${text}".`,
    askToReplace: 'Show this to a person. Only after their yes, run the command in data.accept.',
    indexDiffers: (offered: IndexVersion, stored: IndexVersion) =>
      `The directory’s index is from ${offered.site}, published ${offered.generated}; the stored one is from ${stored.site}, published ${stored.generated}. The stored one was kept.`,
    nodeTooOld: (version: string) => `plugmark needs Node.js 20.12 or newer; this is ${version}.`,
    mcpWithJson: 'mcp speaks its own protocol on standard output, without --json.',
    reasonTooLong: (longest: number) => `The reason of a hold has at most ${longest} characters.`,
    namesOrAll: 'Either name the plugins to update, or use --all.',
    severalProfiles: (names: readonly string[]) =>
      `There are several profiles: ${names.join(', ')}. Name one with --profile, or once for all with: plugmark config profile NAME`,
    unknownProfile: (name: string, names: readonly string[]) =>
      `There is no profile "${name}" that can be read. There are: ${names.join(', ')}.`,
    noProfile: (home: string) => `No profile can be read in ${home}. Another home is named with --home.`,
    asksRegistry: '--unlisted looks for it outside of the directory.',
    /** Says where the name of a profile is from that nobody typed. */
    profileSet: 'Its name was stored with “plugmark config profile”.',
    createProfile: 'The harness makes a profile at its first command with it.',
    folderDeleted: 'The folder that this runs in was deleted. Change to another folder, then try again.',
    nameShell: (shells: string) => `Name your shell: ${shells}.`,
    noBuildOfKey: (key: string) => `No build script of "${key}" is known to be blocked.`,
    buildKeys: (keys: readonly string[]) => `Its build scripts must be allowed by name: ${keys.join(', ')}.`,
    reviewChanged: 'This code is of another review. Review it again.',
    consent: 'A person must agree to the review first.',
    showReview: 'Show the review to a person. Only after their yes, run the command in data.accept.',
    others: (id: string, command: string) => `Without ${id}, the others can be changed: ${command}`,
    getProgram: {
      harness:
        'Install DeepSeek Harness (https://github.com/deepseek-ai/deepseek-harness). If you have it, name its program: plugmark config harness PATH',
      pnpm: 'Install pnpm: corepack enable pnpm, or npm install --global pnpm',
    },
    linesLeft: (count: number, places: string) =>
      `${count === 1 ? 'One line or entry' : `${count} lines or entries`} of the file ${count === 1 ? 'was' : 'were'} left out: ${places}.`,
    someLeft: (done: number, left: string) => `${done === 0 ? 'Nothing' : done} changed. Left unchanged: ${left}.`,
    onlyVersion: (plugin: string) => `There is no version before ${plugin}, so there is nothing to compare.`,
    oneSetAside: {
      gains: 'Nothing was updated: the only update can do more than the installed version.',
      past: 'Nothing was updated: the only update does not continue the installed version.',
      'not-read': 'Nothing was updated: it could not be read whether the only update can do more.',
    },
    allSetAside: (count: number) =>
      `Nothing was updated: each of the ${count} updates can do more than the installed version, or could not be read.`,
    includeSetAside: (command: string) => `Look at each of them. To update all of them at once: ${command}`,
    nothingTo: {
      undo: (profile: string, isUndone: boolean) =>
        isUndone
          ? `Undo goes one change back, and the last change of profile ${profile} is undone. To take an earlier install back: plugmark remove NAME. All changes: plugmark history.`
          : `Nothing to undo in profile ${profile}.`,
      redo: (profile: string) => `Nothing to redo: the last change of profile ${profile} is not an undo.`,
    },
    asked: (registry: string) => `The profile’s registry is ${registry}.`,
    /** Next steps. */
    repeat: 'Run the same command again.',
    checkNetwork: 'Check the network and the address of the registry, then try again.',
    /** Where an option or a variable, which comes before the stored setting, gave the address of the directory. */
    giveAnother: (source: string) => `Try again, or give ${source} another address.`,
    tryAgain: 'Try again, or name another directory: plugmark config directory URL',
    waitForFit: 'Wait for a version that fits this harness, or update the harness.',
    /** @param isYou true for somebody at a terminal, false for a program, which must not accept it itself */
    allow: (command: string, isYou: boolean) => `${isYou ? 'You' : 'A person'} may accept the risk and run: ${command}`,
  },
  found: (shown: number, total: number, hidden: number) =>
    total === 0
      ? hidden > 0
        ? 'Nothing that matches passed the install check.'
        : 'Nothing matches. Try fewer or other words, in English or Chinese.'
      : `${shown} of ${total}${shown < total ? `; --limit ${total} shows all` : ''}`,
  showOne: 'plugmark show NAME says more of one.',
  /** Explain the marks of `search`. */
  marks: {
    '✓': 'passed the install check',
    '!': 'needs your approval of a build script',
    '✗': 'failed',
    '?': 'failed, or not checked',
  },
  hidden: (count: string) =>
    `${count} more did not pass the install check or ${count === '1' ? 'was' : 'were'} not checked; --all shows ${count === '1' ? 'it' : 'them'}.`,
  onlyNames: 'The directory did not answer, so what did not pass was searched only by its name and category.',
  firstLook: 'Nothing is new at the first look. From now on, is:new shows what was added since the last search for it.',
  meant: (words: string) => `Showing results for: ${words}`,
  offered: (words: string) => `Did you mean: ${words}?`,
  installedInAny: (profiles: string) => `Installed in any of these profiles: ${profiles}. Name one with --profile.`,
  index: {
    described: 'With their record',
    readAt: 'Read',
    when: (time: string, ago: string) => `${time}, ${ago}`,
    madeAt: 'Made by the directory',
    folder: 'Folder',
  },
  command: 'Command',
  packageRegistry: 'The package registry',
  install: 'Install',
  refusedInstall: 'Refused, because of its install check.',
  noCommand: 'No command',
  otherWays: 'Other ways',
  installedIn: (version: string | null, profile: string) =>
    [...(version === null ? [] : [version]), `in profile ${profile}`].join(' '),
  directory: 'Directory',
  onlyIndex: 'The stored index has only these facts.',
  profileHas: (profile: string, count: number) =>
    count === 0 ? `Profile ${profile} has no plugins.` : `Profile ${profile}`,
  noUpdates: (profile: string) => `Nothing in profile ${profile} has an update.`,
  neverChecked: 'Newer versions were not looked for yet: run “plugmark outdated”.',
  newer: (version: string) => `update ${version}`,
  on: 'on',
  off: 'off',
  isPlugmark: 'This is Plugmark.',
  mcpAtTerminal: 'An MCP client starts this program, and talks to it on standard input. Ctrl+C ends it.',
  digest: 'Code',
  /** Says what the code of a review is for. */
  codeMeans: (command: string) => `${command} installs exactly this, and does not ask.`,
  risk: 'Risk',
  builds: 'Build scripts',
  consentTitle: (count: number, profile: string) =>
    count < 2 ? `Profile ${profile}` : `${count} plugins, profile ${profile}`,
  /** End the review of several plugins. */
  several: {
    rights: 'Their code runs with your rights.',
    builds: 'These come with at least one of the plugins; which one is not known.',
    tried: 'Tried in a copy first. A job that fails changes nothing, and the last job can be undone.',
  },
  /** Says where the rest of a review is. */
  rest: (by: 'd' | '--verbose', isRemoval: boolean) =>
    isRemoval ? `${by} shows the command.` : `${by} shows source, origin and command.`,
  /** Joins a name and the sentence that explains it. */
  explained: (name: string, sentence: string) => `${name}. ${sentence}`,
  labelled: (id: string, text: string) => `${id}: ${text}`,
  question: {
    install: 'Install?',
    undo: 'Undo it?',
    redo: 'Redo it?',
    update: 'Update?',
    remove: 'Remove?',
    sync: 'Apply the file to the profile?',
    run: 'Run it?',
    repair: 'Repair it?',
    builds: 'Allow these build scripts and continue?',
    /** Where build scripts run that were allowed before. */
    allowedBuilds: {
      install: 'Install, and run its build scripts?',
      update: 'Update, and run the build scripts?',
      sync: 'Apply the file to the profile, and run the build scripts?',
    },
  },
  yes: ['y', 'yes'] as readonly string[],
  /** Ask for all of the review. */
  details: ['d', 'details', '?'] as readonly string[],
  /** Stands behind a question. */
  answers: ' [y/N] ',
  declined: 'Nothing was changed.',
  /** Reasons that the message of a skipped plugin does not say itself. */
  skipped: {
    'not-found': 'not found',
    'no-command': 'no command',
    'refused-verdict': 'refused by its install check',
    incompatible: 'incompatible',
    malware: 'malware',
    ambiguous: 'ambiguous',
    'other-source': 'from another source',
    'other-package': 'another package',
    failed: 'failed',
    'not-installed': 'not installed',
  } as Readonly<Partial<Record<Skipped['reason'], string>>>,
  skippedTitle: 'Left unchanged:',
  /** Texts about the fit of a plugin. */
  fit: {
    known: (done: number, total: number) =>
      `Whether they fit is known for ${done} of ${total} plugins: those that you looked at.`,
    /** @param spec what is added, as the harness gets it */
    runsHere: (spec: string) =>
      `The code of ${spec} runs on this machine, with your rights. What it installs is removed afterwards.`,
    agreeToRun: 'A person must agree first that its code runs on this machine.',
    addRun: 'Ask a person. Only after their yes, add --run.',
    noBackground:
      'This runs a plugin’s code, so it must be started in the foreground of a terminal or by a job that waits for it.',
    cancelled: 'Cancelled. Nothing of it is kept.',
    badSpec: (spec: string) =>
      `There is no package, repository, folder or tarball “${spec}”, or it has no package.json.`,
    noRepository: (spec: string) =>
      `The code host does not have the repository “${spec}”, or does not let you read it.`,
    checkName: 'Check its name, or the registry: plugmark config registry',
    notInRegistry: (name: string, registry: string) => `${name} is not in ${registry}.`,
    /** With one harness. */
    notPassed: ({ verdict, runs }: { readonly verdict: string; readonly runs: boolean | null }): string => {
      if (verdict === 'needs-approval') return 'It needs approval of a build script.'
      if (verdict === 'not-a-layer') return 'It installs, but is no plugin that this harness loads.'
      if (verdict !== 'passed') return 'It does not install in this harness.'
      return runs === false ? 'It does not run in this harness.' : 'Whether it runs in this harness is not known.'
    },
    readWhy: 'The result says why. Report it to the plugin’s author, or try another harness with --harness PATH.',
    runs: 'runs',
    doesNotRun: 'does not run',
    versionOrHarness: 'Name a version or a program with --harness, not both.',
    badVersion: (version: string) => `“${version}” is not a version. An example is 0.2.1.`,
    noVersion:
      'The registry does not say which version of the harness is the newest. Name one, as in “plugmark upgrade-check 1.2.3”, or a program with --harness.',
    doesNotFit: (version: string, names: string) =>
      names === '' ? `This profile does not fit harness ${version}.` : `These do not fit harness ${version}: ${names}.`,
    afterUpgrade: (command: string) => `A version declares to fit. After the upgrade, run: ${command}`,
    keepHarness: 'Keep the present harness until there is a version that fits.',
    declaresNot: (version: string) => `Declares not to fit harness ${version}.`,
    notSaid: 'It does not say which harness it needs: a start with --harness PATH tells.',
    pageBroken: (text: string) => `The web page does not load${text && `: ${text}`}`,
    pageNotTried: 'The web page was not tried: no browser was found.',
    fitting: (version: string) => `Version ${version} declares to fit.`,
    upgradeTitle: (version: string, isStarted: boolean) =>
      isStarted
        ? `A copy of this profile, started by harness ${version}:`
        : `By what is declared, under harness ${version}:`,
    doesNotStart: (why: string) => `The harness does not start: ${why}`,
    startNotTried: (why: string) => `Whether the harness starts is unknown: ${why}`,
    unknownStart: (version: string) => `Whether harness ${version} starts from this profile could not be found out.`,
  },
}

export type Words = typeof en
