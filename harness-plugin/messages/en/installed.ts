import type {
  Drift,
  Hold,
  InstalledPlugin,
  JobState,
  LockProblem,
  PackageChange,
  PluginNews,
  SettingName,
  SyncWarning,
  UnmanagedReason,
  Unread,
  WaitingRelease,
} from '../../protocol/index.ts'
import { versionText } from '../../protocol/package-id.ts'
import { ANY_BUILDS } from '../../protocol/review-facts.ts'
import { formatMinutes, formatTime } from '../formats.ts'

const unmanagedReason: Readonly<Record<UnmanagedReason, string>> = {
  store: 'This is the store itself. It is removed in a terminal.',
  'not-in-directory': 'It is not in the directory, so it is not updated here.',
  'other-source': 'It comes from another source than the directory’s, so it is not updated here.',
  directory: 'Directory not reachable, so it cannot be updated here for now.',
}

export const installedView = {
  views: 'Views',
  find: 'Find plugins',
  installed: 'Installed',
  /** Its name where the page around it lists installed plugins too. */
  updates: 'Updates and jobs',
  pages: { plugins: 'Plugins', history: 'History', maintenance: 'Maintenance' },
  title: (profile: string) => `Installed in profile ${profile}`,
  profile: 'Profile',
  check: 'Check for updates',
  checking: 'Checking for updates…',
  /** Number of plugins with a newer version. @param isWaiting true if another one will have one soon */
  checked: (count: string, number: number, isWaiting: boolean, held = 0) => {
    if (number === 0 && held > 0) return held === 1 ? '1 update is held.' : `${held} updates are held.`
    if (number === 0) return isWaiting ? 'No update is available yet.' : 'Everything is up to date.'
    return `${count} update${number === 1 ? '' : 's'} available.`
  },
  reading: 'Loading installed plugins…',
  none: 'This profile has no plugins besides the harness’s own.',
  /** The harness that jobs start: its version, or else the name of its program. */
  program: (command: string, version: string | null) => `This harness is ${version ?? command.split(/[\\/]/).at(-1)}.`,
  search: 'Search installed plugins',
  /** Number of advisories about a plugin and what is installed with it. */
  advisories: (count: number) =>
    count === 1
      ? 'One known problem, of it or of what it installs: see Maintenance.'
      : `${count} known problems, of it or of what it installs: see Maintenance.`,
  waiting: ({ version, until, pnpm, minutes }: WaitingRelease) =>
    `${version} is available from ${formatTime('en', Date.parse(until))}: pnpm ${pnpm} waits ${formatMinutes('en', minutes)} after a release.`,
  /** A release that is old enough, and that pnpm did not look for: it keeps what a registry said. */
  unseen: ({ version, until, pnpm, minutes }: WaitingRelease) =>
    `Its registry has ${version}, but pnpm ${pnpm} asks it again only ${formatMinutes('en', minutes)} after it last did: on ${formatTime('en', Date.parse(until))} at the latest. Choose version ${version} to have it now.`,
  /** Read out in place of “1.0.0 → 1.1.0”. */
  newer: (installed: string, newest: string) => `${installed}, ${newest} available`,
  from: (spec: string) => `Installed as ${spec}`,
  listedAs: (source: string) => `The directory now installs it as ${source}`,
  /** Says what became of a plugin where it came from. */
  news: (news: PluginNews): string => {
    if (news.kind === 'deprecated') return `Its author has deprecated the installed version: ${news.message}`
    if (news.kind === 'withdrawn') return 'The installed version was withdrawn: its registry no longer has it.'
    if (news.kind === 'moved-back')
      return `The newest version is now ${news.latest}, which is older than the installed one.`
    if (news.kind === 'archived') return 'Its repository is archived: it gets no more changes.'
    return `Its repository is now ${news.to}.`
  },
  updateProblem: {
    'not-found': 'Its package, or the branch of its repository, no longer exists, so there are no updates.',
    unauthorized:
      'Whether there is a newer version is not known: its registry wants a log-in. Log in with “pnpm login”, then check again.',
    'no-answer': 'Whether there is a newer version is not known: its source did not answer, or is gone.',
  } satisfies Readonly<Record<NonNullable<InstalledPlugin['updateProblem']>, string>>,
  details: 'Details',
  detailsOf: (name: string) => `Details of ${name}`,
  updateNamed: (name: string) => `Update ${name}`,
  releases: 'Release notes',
  moreFor: (name: string) => `More for ${name}`,
  enabledNamed: (name: string) => `Enable ${name}`,
  enabled: 'Enabled',
  disabled: 'Disabled',
  afterRestart: 'Takes effect when the harness restarts',
  unmanagedReason,
}

/** Shells by the names that the history has. */
const clients: Readonly<Record<string, string>> = {
  dsh: 'harness',
  koishi: 'Koishi console',
  cli: 'command line',
  agent: 'agent',
}

/** Says what an undo or a redo made of a plugin, without a full stop. @param now its version, or what it is */
export function nowIs(name: string, now: string): string {
  if (now === 'removed') return `${name} is no longer installed`
  if (now === 'enabled' || now === 'disabled') return `${name} is ${now} again`
  return now === 'installed' ? `${name} is installed again` : `${name} ${now} is installed again`
}

export const history = {
  title: 'History',
  none: 'Nothing was changed in this profile yet.',
  loading: 'Loading the history…',
  loadingLog: 'Loading the log…',
  older: (count: number) => `Show ${count} older`,
  /** Opens the details of a plugin. */
  open: (name: string) => `Details of ${name}`,
  /** Marks the last change. */
  isUndone: 'Undo takes this back',
  isRedone: 'Redo takes this back',
  withoutHolds: 'Holding a plugin changes nothing in the profile, so it is not listed here.',
  /** Describes the end of a job, with its plugins; without them for a job of the whole profile. */
  named: (title: string, names: string) => (names === '' ? title : `${title}: ${names}`),
  /** @param client name of a shell; empty when it is unknown */
  client: (client: string) => (Object.hasOwn(clients, client) ? clients[client]! : client),
  change: ({ name, before, after }: PackageChange) => {
    const [was, is] = [before && versionText(before), after && versionText(after)]
    if (after === null) return `Removed ${name} ${was ?? ''}`.trimEnd()
    // Of missing files the version is unknown.
    if (before === null || (is && !was)) return `Installed ${name} ${is ?? ''}`.trimEnd()
    if (was !== is) return `Updated ${name} ${was} → ${is}`
    return `${after.enabled ? 'Enabled' : 'Disabled'} ${name} ${is}`.trimEnd()
  },
  /** Describes what an undo or a redo made of a plugin, as its outcome does. */
  result: ({ name, before, after }: PackageChange) => {
    if (after === null) return nowIs(name, 'removed')
    if (before === null) return nowIs(name, versionText(after) || 'installed')
    const [was, is] = [versionText(before), versionText(after)]
    return was === is ? nowIs(name, after.enabled ? 'enabled' : 'disabled') : `${name} ${was} → ${is}`
  },
}

export const undo = {
  made: {
    install: (names) => `Installed ${names}`,
    approve: (names) => `Installed ${names}`,
    update: (names) => `Updated ${names}`,
    remove: (names) => `Removed ${names}`,
    enable: (names) => `Enabled ${names}`,
    disable: (names) => `Disabled ${names}`,
    undo: (names) => (names === '' ? 'Undid a change' : `Undid a change: ${names}`),
    redo: (names) => (names === '' ? 'Redid a change' : `Redid a change: ${names}`),
    repair: () => 'Repaired the profile',
    sync: () => 'Applied a file of plugins',
  } satisfies Readonly<Record<JobState['action'], (names: string) => string>>,
  last: (change: string) => `Last change: ${change}.`,
  open: 'Undo…',
  openRedo: 'Redo…',
  title: 'Undo the last change',
  titleRedo: 'Redo the change that was undone',
  brings: 'Afterwards:',
  changed: (files: readonly string[], isRedo: boolean) =>
    `Another program has changed ${files.join(', ')} since, so this change cannot be ${isRedo ? 'redone' : 'undone'}.`,
  means: 'The profile’s files and packages are restored as they were before. You can take that back.',
  confirm: 'Undo',
  redo: 'Redo',
}

export const updates = {
  /** Read out after the name of the view. */
  count: (count: string, number: number) => `${count} update${number === 1 ? '' : 's'}`,
  title: 'Updates',
  checkedAt: (ago: string) => `Checked ${ago}.`,
  /** Stands beside what was known before, which stays. */
  unknownSince: (time: string) => `Some known problems have not been looked up since ${time}.`,
  automatic: 'Check for updates automatically',
  asks: 'At most every six hours while the store, or the page of DeepSeek Harness, is open. Asks the package registry for newest versions and known problems, and the code host for newest commits.',
  all: 'Update all',
  allTitle: (profile: string) => `Update plugins in profile ${profile}`,
  setAside: (count: number) =>
    count === 1
      ? '1 update is set aside: see what is new in it, then tick it.'
      : `${count} updates are set aside: see what is new in them, then tick what you want.`,
  confirm: (count: number) => (count < 2 ? 'Update' : `Update ${count} plugins`),
  holdThis: 'Hold this version…',
  unhold: 'Stop holding',
  /** Skips one update; the next one is offered again. */
  skip: (version: string) => `Skip ${version}`,
  unskip: 'Offer it again',
  hold: 'Hold',
  holdTitle: (name: string, version: string) => `Hold ${name} ${version}`.trim(),
  holdMeans: 'No update of it is offered until you stop holding it.',
  reason: 'Reason (optional)',
  held: ({ reason, skips, isUnknown }: Omit<Hold, 'since'>): string => {
    if (isUnknown) return 'Which plugins are held cannot be read. Check the profile to repair that.'
    if (skips) return `You skipped ${skips}.`
    return reason === null ? 'Held at this version.' : `Held at this version: ${reason}`
  },
}

/** Texts about the file that says which plugins a profile has. */
export const profileLock = {
  menu: 'Plugins as a file',
  save: 'Save as a file',
  saved: (file: string) => `Your browser saves it as ${file}.`,
  make: 'Apply a file…',
  title: (profile: string) => `Apply a file to profile ${profile}`,
  confirm: (count: number) => (count === 0 ? 'Apply' : count === 1 ? 'Install' : `Install ${count} plugins`),
  present: 'Already installed.',
  made: (drift: string) => `Becomes as in the file. ${drift}`,
  warnings: {
    problems: (names) =>
      `${names.length === 1 ? 'One known problem' : `${names.length} known problems`} in packages that come with it: ${names.join('; ')}.`,
    'not-looked-up': (names) => `Known problems could not be looked up: ${names.join(', ')}.`,
    platform: (names) =>
      `Not for this system, or without a native part for it, by their package.json: ${names.join(', ')}.`,
    builds: (keys) =>
      `Build scripts that may run without asking, as allowed before: ${keys.join(', ').replace(ANY_BUILDS, 'those of all packages')}.`,
  } satisfies Readonly<Record<SyncWarning['kind'], (names: readonly string[]) => string>>,
  holds: (reason: string | null) => `Stays held at its version${reason === null ? '.' : `: ${reason}`}`,
  same: 'Nothing to do: the profile has every plugin of the file.',
  unread: {
    'not-understood': 'This is not a package or a repository.',
    'not-listed': 'The directory does not list it. Install it by hand.',
    several: 'Several plugins have this name. Write owner/repo.',
    'folder-at-commit': 'A folder of a repository cannot be installed at one commit. Install it by hand.',
    'no-commit':
      'No branch or tag of its repository has this commit: its history was rewritten, or a fork has it. It was left out.',
    'commit-unknown':
      'It could not be read whether a branch or tag of its repository has this commit. It was left out; try again.',
    'not-there':
      'It was left out: this profile asks the registry named here, which does not have it. To ask another: “plugmark config registry ADDRESS”, or Package registry in the store’s settings.',
    'other-bytes': 'Its registry has other bytes under this version than the file says. It was left out.',
    'no-version': 'Its registry has no such version, or did not answer.',
    'other-lock':
      'The pnpm-lock.yaml in the file cannot be used here, or has it from somewhere else than the file says, so only the versions of plugins were taken, without their packages.',
  } satisfies Readonly<Record<Unread['why'], string>>,
  unreadable: 'The browser could not read the file. Choose it again.',
  problems: {
    'not-json': (where: string) => `It is not JSON: ${where}`,
    'other-form': (where: string) =>
      `It is not a lock (plugmark.lock.json), a package.json with dependencies, or a list with one plugin a line.${where && ` It goes wrong at: ${where}.`}`,
    newer: (format: string) => `A newer Plugmark wrote it (format ${format}). Update Plugmark, then try again.`,
    'no-lock': () => 'It is a list of plugins. Only a lock says what else a profile has, and what it must not have.',
    'too-long': (most: string) => `It has more than ${most} plugins.`,
    'too-big': () => 'It is too long for a page. Use “plugmark sync” in a terminal.',
    'not-frozen': (names: string) =>
      `The profile cannot have exactly its packages, because of ${names}. Without --frozen you get the same versions of the plugins.`,
  } satisfies Readonly<Record<LockProblem['problem'], (where: string) => string>>,
  /** Says one difference between a file and a profile. */
  drift: ({ kind, name, wanted, found }: Drift): string => {
    if (kind === 'held' && wanted === null) return `${name} is held here, and not in the file.`
    if (kind === 'held') return `${name} is held in the file${wanted === '' ? '' : ` (${wanted})`}, and not so here.`
    if (kind === 'off') return `${name} is ${wanted} in the file, and ${found} here.`
    if (kind === 'order') return `The harness loads in this order in the file: ${wanted}; and here: ${found}.`
    if (kind === 'setting')
      return `pnpm setting ${name}: ${wanted ?? 'nothing'} in the file, ${found ?? 'nothing'} here.`
    if (kind === 'patch')
      return `${name} changes the code of a package, which no review shows: ${wanted === null ? 'it is only here' : `${found === null ? 'it is only in the file' : 'it differs'}. Read it in the file`}.`
    if (kind === 'packages') return `Packages that plugins need differ, ${found} of them: ${name}.`
    if (kind === 'local') return `The file only names ${name}, without a source: install it by hand.`
    if (kind === 'harness' && (found === null || wanted === null))
      return `The harness’s own ${name} is ${found === null ? 'in the file, and not here' : 'here, and not in the file'}. No sync changes that.`
    const named = (value: string) => `${name} ${value}`.trim()
    if (found === null) return `${named(wanted ?? '')} is in the file, and not here.`
    return wanted === null
      ? `${named(found)} is here, and not in the file.`
      : `${name} is ${wanted} in the file, and ${found} here.`
  },
}

/** Words of the store's own settings. Each setting has its sentence from the configuration. */
export const settings = {
  open: 'Settings…',
  title: 'Settings of the store',
  names: {
    api: 'Directory',
    registry: 'Package registry',
    proxy: 'Proxy',
    trial: 'Test before installing',
    startLimit: 'Time limit of a start',
    timeLimit: 'Time limit of an install',
    restart: 'Restart',
  } satisfies Record<SettingName, string>,
  ifEmpty: (text: string) => `If empty: ${text}.`,
  seconds: 'seconds',
  check: 'Check',
  checking: 'Checking…',
  answers: 'It answers.',
  silent: 'It does not answer as it should. Check the address and the network.',
  more: 'More settings',
  save: 'Save',
  saved: 'Saved. The store is loaded again with these settings.',
  kept: (file: string) => `Kept in ${file}, where all other settings are.`,
}
