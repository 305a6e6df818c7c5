import type {
  Activation,
  Adds,
  JobState,
  Outcome,
  OutcomeKind,
  ProfileOutcome,
  Restart,
  TrialReport,
} from '../../protocol/index.ts'
import { parseWaiting, type Remedy, remedyFor } from '../../protocol/next-steps.ts'
import { isCommit, splitPackageId } from '../../protocol/package-id.ts'
import { formatTime } from '../formats.ts'
import { installedView, nowIs } from './installed.ts'
import { uses } from './plugin-states.ts'
import { repaired } from './repair.ts'

/** Quotes another program, as the end of a sentence. */
const quoted = ([words]: readonly string[]) => (words ? `: “${words}”.` : '.')
const s = (count: number) => (count === 1 ? '' : 's')

const IF_APPLIED = 'A running harness applies this within seconds.'
const inUse = (activation: Activation): string => {
  if (activation === 'restart-unless-applied') return IF_APPLIED
  return activation === 'live' ? 'The running harness is already using it.' : 'Restart the harness to use it.'
}
/** Tells how to use a plugin: by what was seen of it, and when. */
function howToUse({ activation, adds = NOTHING }: Ending): string {
  const isNow = activation === 'live'
  const ways = uses(adds, isNow)
  if (isNow) return (ways.length > 0 ? ways : [inUse(activation), 'See its README for how to use it.']).join(' ')
  return [inUse(activation), ...ways].join(' ')
}
/** Tells what an update adds; empty when that is nothing, or not known. */
function newParts({ commands, tools }: Adds): string {
  const parts = [...commands.map((name) => `/${name}`), ...tools.map((name) => `the tool ${name}`)]
  return parts.length > 0 ? ` New: ${parts.join(', ')}.` : ''
}
const NOTHING: Adds = { commands: [], tools: [] }
const PAGE_KEEPS = 'The running harness has unloaded it, but its part of the web page stays until a restart.'
/** Effect on a running harness when it no longer loads a plugin. */
const UNLOADED = {
  live: 'The running harness and its open pages have unloaded it.',
  restart: 'A running harness keeps it until it restarts.',
  'restart-for-page': PAGE_KEEPS,
  'restart-unless-applied': IF_APPLIED,
}

/** Describes the profile after the job, at the start of a sentence. */
const afterAction: Readonly<Record<JobState['action'], string>> = {
  install: 'With this plugin',
  approve: 'With this plugin',
  update: 'With the newest version',
  enable: 'With this plugin',
  disable: 'Without this plugin',
  remove: 'Without this plugin',
  undo: 'Without the last change',
  redo: 'With the change that was undone',
  repair: 'Repaired',
  sync: 'With what the file has',
}

/** Tells what is there after an undo or a redo: the subjects are each plugin and what it is now. */
function reverted({ subjects, activation }: Ending, otherwise: string): string {
  const changes = subjects.flatMap((name, index) =>
    index % 2 === 0 ? `${nowIs(name, subjects[index + 1] ?? '')}.` : [],
  )
  const what = changes.length > 0 ? changes : [otherwise]
  const effect = {
    unchanged: '',
    live: '',
    restart: 'This takes effect when the harness restarts.',
    'restart-for-page': PAGE_KEEPS,
    'restart-unless-applied': IF_APPLIED,
  }[activation]
  return [...what, effect].filter(Boolean).join(' ')
}

/** The values of an outcome that its text depends on. */
type Ending = Pick<Outcome, 'subjects' | 'activation'> &
  Partial<Pick<Outcome, 'parts' | 'adds' | 'rollback'>> & {
    readonly action: JobState['action']
    /** What helps, where a caller quotes the subjects apart. @default what they tell */
    readonly remedy?: Remedy | null
  }

/** Outcome of a job, in two or three words. */
const outcomeTitle: Readonly<Record<OutcomeKind, string>> = {
  registered: 'Installed',
  updated: 'Updated',
  removed: 'Removed',
  enabled: 'Enabled',
  disabled: 'Disabled',
  reverted: 'Undone',
  redone: 'Redone',
  repaired: 'Repaired',
  synced: 'File applied',
  'not-synced': 'File not applied',
  'unsafe-lock': 'Unsafe file',
  'nothing-to-do': 'Nothing to do',
  'not-a-layer': 'Not a plugin',
  'build-blocked': 'Build script blocked',
  incompatible: 'Does not fit this harness',
  'not-found': 'Not found',
  'file-missing': 'File missing',
  'too-new': 'Too new',
  'pnpm-unusable': 'pnpm cannot work here',
  'not-authorized': 'Not allowed to read it',
  'hangs-harness': 'Harness does not come up',
  unreachable: 'Could not connect',
  damaged: 'Download damaged',
  'stops-harness': 'Breaks the harness',
  'does-not-start': 'Plugin does not start',
  'breaks-others': 'Breaks other plugins',
  'no-effect': 'Has no effect',
  rejected: 'Rejected by the harness',
  'breaks-screen': 'Breaks the web page',
  'profile-broken': 'The harness does not start',
  'source-changed': 'Not what was reviewed',
  'other-source': 'Name already in use',
  'profile-changed': 'Profile changed',
  'disk-error': 'Disk error',
  'program-missing': 'Program not found',
  'profile-missing': 'Profile not found',
  'store-outdated': 'Update Plugmark first',
  interrupted: 'Interrupted',
  'timed-out': 'Timed out',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

/** Tells why an update brought nothing. */
function notUpdated([, now, ...waiting]: readonly string[]): string {
  const release = parseWaiting(waiting)
  if (release !== null) return installedView[release.isUnseen ? 'unseen' : 'waiting'](release)
  return now ? `${now} is the newest version.` : 'No newer version was found.'
}

/** Tells what helps after a sentence of pnpm, or of the store about a file of the profile. */
function helpAfter({ subjects, remedy = remedyFor(subjects) }: Ending): string {
  switch (remedy) {
    case 'strictPeerDependencies':
    case 'blockExoticSubdeps':
      return `Your pnpm is set to refuse that. To install it anyway, put “${remedy}: false” into the profile’s pnpm-workspace.yaml.`
    case 'trustPolicy':
      return 'pnpm is set to refuse releases with weaker proof of their origin than earlier ones (trustPolicy). That can be a release of an older line, which never had such proof, or one that somebody else published; pnpm cannot tell which. Ask the plugin’s author, or take a newer release that has the proof. To install this one anyway, add it to trustPolicyExclude in the profile’s pnpm-workspace.yaml.'
    case 'machine':
      return 'Install what it needs, then try again; if there is none for this machine, tell the plugin’s author.'
    case 'build':
      return 'A compiler or another program may be missing, which the output names. If not, report this to the plugin’s author.'
    case 'profile':
      return 'Check that the profile’s files are intact, then try again.'
    default:
      return 'Try again; if it fails again, report this to the plugin’s author.'
  }
}

/** Explains the outcome of a job, and names the next step. */
const outcomeNext: Readonly<Record<OutcomeKind, (ending: Ending) => string>> = {
  registered: (ending) =>
    ending.activation === 'unchanged' ? 'The profile already had this version.' : howToUse(ending),
  updated: ({ subjects: [before, now], activation, adds = NOTHING }) =>
    `${before && now && before !== now ? `From ${before} to ${now}. ` : ''}${
      activation === 'live'
        ? 'The running harness is already using the new version.'
        : activation === 'unchanged'
          ? 'It stays off.'
          : 'Restart the harness to use the new version.'
    }${newParts(adds)}`,
  removed: ({ activation }) => ({ unchanged: 'The harness was not loading it.', ...UNLOADED })[activation],
  enabled: howToUse,
  disabled: ({ activation }) =>
    `It stays installed, but the harness does not load it. ${{ unchanged: '', ...UNLOADED }[activation]}`.trim(),
  reverted: (outcome) => reverted(outcome, 'The profile is as it was before its last change.'),
  redone: (outcome) => reverted(outcome, 'The profile is as it was before the undo.'),
  repaired: (outcome) => repaired(outcome),
  synced: ({ activation }) =>
    `The profile is as the file says.${activation === 'unchanged' || activation === 'live' ? '' : ` ${inUse(activation)}`}`,
  'not-synced': ({ subjects }) =>
    `The package manager made something else than the file says${subjects[0] ? `: ${subjects.join(', ')}` : ''}. Write the file again where it was made, or try again.`,
  'unsafe-lock': ({ subjects: [name = '', by] }) =>
    `The file would install ${name}, which ${by ? `${by} does not ask for` : 'is known as malware'}. Do not use this file.`,
  'nothing-to-do': ({ action, subjects }) =>
    ({
      install: 'The profile already has this plugin.',
      approve: 'The profile already has this plugin.',
      update: notUpdated(subjects),
      remove: 'The profile does not have this plugin any more.',
      enable: 'It is on already.',
      disable: 'It is off already.',
      undo: 'There is no change of this profile to undo.',
      redo: 'There is no change of this profile to redo.',
      repair: 'The harness starts with this profile as it is.',
      sync: 'The profile is as the file says already.',
    })[action],
  'not-a-layer': () =>
    'The package is not a plugin of the harness, which would not load it. Its source may say what it is for.',
  'build-blocked': ({ subjects }) =>
    `The build script${s(subjects.length)} of ${
      subjects.map((id) => splitPackageId(id).name).join(', ') || 'a package'
    } did not run. See what would run, then approve it.`,
  incompatible: ({ subjects: [plugin, harness, asks] }) =>
    `${
      plugin && harness && asks
        ? `${plugin} needs another version of the harness (${asks}) than yours, ${harness}`
        : 'The plugin is made for another version of the harness'
    }. Update the harness, or wait for a version of the plugin that fits.`,
  'not-found': ({ subjects }) =>
    `${
      subjects[0] === undefined
        ? 'The code host does not have this repository'
        : isCommit(subjects[0])
          ? `The code host does not have commit ${subjects[0]}`
          : `The package registry does not have ${subjects.join(', ')}`
    }, or does not allow you to read it. ${
      isCommit(subjects[0] ?? '')
        ? 'The history of its repository may have been rewritten, or only a fork has it. Take another commit.'
        : 'The directory may be out of date; look at its source.'
    }`,
  'file-missing': ({ subjects: [file, name] }) =>
    `The profile installs ${name ? `“${name}”` : 'a package'} from ${
      file ? `“${file}”` : 'a file'
    }, which no longer exists. The package manager needs it for every change to the profile. Restore it or remove that package, then try again.`,
  'too-new': ({ subjects: [name, at] }) =>
    `pnpm is set to wait before it installs new releases (minimumReleaseAge), and ${name ?? 'a package'} is too new${
      at ? ` until ${formatTime('en', Date.parse(at))}` : ''
    }. Try again then, or add it to minimumReleaseAgeExclude in the profile’s pnpm-workspace.yaml.`,
  'pnpm-unusable': ({ subjects, remedy = remedyFor(subjects) }) =>
    `A setting or a file stops pnpm${quoted(subjects)} ${
      remedy === 'reinstall'
        ? 'Start the store with the same user and settings as before, or run “pnpm install --no-frozen-lockfile” in the profile’s folder'
        : 'Correct that setting or patch in the profile’s pnpm-workspace.yaml or .npmrc, or in pnpm’s own config.yaml'
    }, then try again.`,
  'not-authorized': ({ subjects: [by, what] }) =>
    by === 'ssh'
      ? `git could not read the repository over SSH${what ? `: “${what}”` : ''}. Give the code host your SSH key, or accept the host’s key, until “git ls-remote” with that address works in a terminal. Then try again.`
      : `The package registry does not allow you to read ${what ?? 'this package'}. Put a valid token for it into your .npmrc, then try again.`,
  'hangs-harness': ({ subjects: [seconds, row], action }) =>
    `${afterAction[action]} the harness did not come up within ${seconds} seconds${row ? `; it waits for ${row}` : ''}. Report this to the plugin’s author. If this machine is slow, raise startLimit in the store’s configuration.`,
  unreachable: ({ subjects: [by, why] }) =>
    by === 'certificate'
      ? `The package registry or a proxy shows a certificate that is not trusted here${why ? ` (${why})` : ''}. Set NODE_EXTRA_CA_CERTS to your organisation’s certificate, or check the clock, then try again.`
      : 'Could not reach the package registry or the code host, or the response was not valid. Check the network, then try again.',
  damaged: () =>
    'The download does not match what the package registry announced: it was cut off or changed on the way. Try again. If this happens again, do not install it.',
  'stops-harness': ({ subjects, action }) =>
    `${afterAction[action]} the harness does not start${quoted(subjects)} Report this to the plugin’s author.`,
  'does-not-start': ({ subjects, action }) =>
    `${afterAction[action]} the harness starts, but the plugin does not${quoted(subjects)} Report this to the plugin’s author.`,
  'breaks-others': ({ subjects, action }) =>
    `${afterAction[action]} other parts of the harness stop working${quoted(subjects)} Report this to the plugin’s author.`,
  'no-effect': () =>
    'It can be installed, but changes nothing in this harness. It may be made for another version; look at its source.',
  rejected: ({ subjects }) =>
    `The harness does not accept this plugin${quoted(subjects)} Report this to the plugin’s author.`,
  'breaks-screen': ({ subjects, action }) =>
    `${afterAction[action]} the harness starts, but its web page does not load${quoted(subjects)} Report this to the plugin’s author.`,
  'profile-broken': ({ subjects, action }) =>
    action === 'repair'
      ? `The harness does not start with this profile as it should${quoted(subjects)} No plugin is without doubt the cause. If a start took too long, or nothing could try the web page: close other programs, keep a page of the store open, then try again.`
      : `Even without this change, the harness does not start with this profile${quoted(subjects)} Repair the profile first.`,
  'source-changed': ({ subjects }) => {
    const [reviewed = '', found = ''] = subjects
    if (subjects.length === 2 && splitPackageId(reviewed).name === splitPackageId(found).name)
      return `You agreed to ${reviewed}, and its source now gives ${found}. Review it again.`
    const names = `${subjects.slice(0, 3).join(', ')}${subjects.length > 3 ? ` and ${subjects.length - 3} more` : ''}`
    return `The package registry or the code host gave something else than was reviewed or tried${names && `: ${names}`}. Review it again.`
  },
  'other-source': ({ subjects }) =>
    `The profile already has ${
      subjects[0] ? `“${subjects[0]}”` : 'a package with this name'
    } from another source. To replace it, first remove it in a terminal.`,
  'profile-changed': ({ subjects, action }) =>
    action === 'undo' || action === 'redo'
      ? `Another program has changed ${subjects.join(', ') || 'the profile'} since, so ${action === 'redo' ? 'the undone change was not redone' : 'the last change was not undone'}.`
      : 'The profile was changed meanwhile. Check what it contains now, then try again.',
  'disk-error': ({ subjects: [code, path] }) =>
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disk is full. Free up space on the disk that holds the harness’s data and the package store, then try again.'
      : `The system did not allow reading or writing ${path ? `“${path}”` : 'files of the profile'}${
          code ? ` (${code})` : ''
        }. Check that they are intact, and who may write them, then try again.`,
  'program-missing': ({ subjects: [program] }) =>
    program === 'git'
      ? 'This plugin comes from a code host, for which pnpm needs git. Install git, then try again.'
      : program === 'pnpm'
        ? 'The harness installs plugins with pnpm, which was not found on this machine. Install pnpm, then try again.'
        : 'The harness’s command could not be run, or runs another program or a version that is too old; the output names it. Update it, or name the right one: in the store’s configuration (`command`), or with --harness.',
  'profile-missing': () =>
    'The profile no longer exists, or its package.json cannot be read. Start the harness with it once.',
  'store-outdated': () =>
    'A newer version of Plugmark has worked on this profile, and this one cannot read what it left. Nothing was run. Update Plugmark here, then try again.',
  interrupted: ({ subjects: [lock], rollback }) =>
    `The program running the store ended before this job did. ${rollback === null ? 'Nothing was changed. ' : ''}${lock ? `${lock}, which the harness left in the profile, was removed. ` : ''}Try again.`,
  'timed-out': () => 'It was stopped at the time limit. Try again. The store’s configuration can raise the limit.',
  cancelled: () => 'You cancelled it.',
  failed: (ending) =>
    `${ending.subjects[0] ? `The command failed${quoted(ending.subjects)}` : 'The last lines of the output say why.'} ${helpAfter(ending)}`,
}

export const outcomes = {
  outcomeTitle,
  outcomeNext,
  /** State of the profile after a job without success. */
  rollback: (rollback: NonNullable<Outcome['rollback']>, profile: ProfileOutcome | null): string => {
    const changed = profile?.changed ?? []
    const files = changed.join(', ')
    if (rollback === 'failed')
      return `Not undone: the profile could not be restored. The next job in this profile will try again.${files && ` Changed files: ${files}.`}`
    if (rollback === 'unreadable')
      return `Not undone: the backup of the profile could not be read, so the profile stays as the job left it.${files && ` Changed files: ${files}.`}`
    if (rollback === 'partial')
      return `Undone, but packages that another program installed in the meantime are missing, or holds could not be restored. Check the plugins and their holds.${files && ` Changed files: ${files}.`}`
    if (rollback === 'changed')
      return `The plugin was tried in a copy, but files of the profile itself changed meanwhile: ${files}. The plugin or another program wrote them.`
    const asItWas = `The profile is unchanged${profile?.registered ? ', with the plugin still installed' : ''}.`
    if (!files) return asItWas
    const again = changed.includes('package.json')
      ? ' If package.json now lists other packages, install them again.'
      : ''
    return `${asItWas} Another program changed ${files} in the meantime; those changes were kept.${again}`
  },
  quarantined: (names: readonly string[]) =>
    `What could not be read was moved to ${names.map((name) => `“${name}”`).join(', ')} in the profile’s folder.`,
  trial: ({ harnessStarted, pageLoaded }: TrialReport): string => {
    if (!harnessStarted)
      return 'The command worked in a test copy. Whether the harness starts with it could not be tested: this profile does not start on its own, with or without the plugin.'
    const watched = 'It was watched there for about two seconds.'
    if (pageLoaded === null) return `It started fine in a test copy. ${watched}`
    if (pageLoaded) return `It started fine in a test copy, web page included. ${watched}`
    return `It started fine in a test copy. ${watched} Its part of the web page was parsed but not seen: no page of the store was open and no browser was found, or the page did not answer.`
  },
  /** Precedes the command that restarts the harness, or labels the link to the page that does. */
  restart: {
    terminal: 'Stop the harness with Ctrl+C in its terminal, then start it again:',
    command: 'Restart the harness with this command:',
    page: 'Restart the harness',
  } satisfies Readonly<Record<Restart['by'], string>>,
  /** Precedes the harness's command that accepts a plugin which it refuses. */
  allowCommand:
    'To install it anyway, at the risk of crashing the harness or damaging its data, run this command yourself, then try again:',
  /** Precedes a command that removes a harmful plugin by hand. */
  removeCommand: 'If it is already installed, remove it with this command:',
}
