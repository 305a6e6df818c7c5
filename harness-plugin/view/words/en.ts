import { finding } from './finding/en.ts'
import type { StoreWords } from './types.ts'
import { withoutVersion } from './without-version.ts'

/** The words of another program, as the end of a sentence. */
const said = ([words]: readonly string[]) => (words ? `: “${words}”.` : '.')
const s = (count: number) => (count === 1 ? '' : 's')

export const en: StoreWords = {
  finding,
  title: 'Plugin store',
  subtitle: 'Those whose install command was run by the directory and passed come first.',
  category: 'Category',
  stars: (count) => `${count} star${count === '1' ? '' : 's'}`,
  install: 'Install',
  installNamed: (name) => `Install ${name}`,
  installing: 'Installing',
  queued: 'Queued',
  installed: 'Installed',
  back: 'Back to the list',
  noSummary: 'The directory has no summary of it.',
  source: 'Source',
  sourceOf: (name) => `Source of ${name}`,
  license: 'Licence',
  noLicense: 'None stated',
  package: 'Package',
  language: 'Language',
  check: 'Install check',
  checkedOn: (verdict, date) => (date ? `${verdict}, ${date}` : verdict),
  risks: 'Risk flags',
  noRisks: 'None known',
  builds: 'Blocked builds',
  buildsSentence: 'In the check, build scripts of these packages were not run:',
  pickOne: 'Choose a plugin to read more about it.',
  harnessMissing: (cli) => `“${cli}” was not found on this machine, so nothing can be installed from here.`,
  noProfiles: 'The harness has no profile yet. Start it once, then open this page again.',
  review: {
    title: (name) => `Install ${name}`,
    loading: 'Looking it up…',
    command: 'This will run',
    checkedAs: (command) => `The install check ran: ${command}`,
    profile: 'Into profile',
    rights: 'The plugin’s code will run on this machine with your rights.',
    understood: 'I have read the warnings above.',
    confirm: 'Install',
    cancel: 'Cancel',
    close: 'Close',
  },
  job: {
    title: (name, profile) => `${name} into profile ${profile}`,
    queued: (ahead) => {
      if (ahead === 0) return 'Waits for another program that works on this profile'
      return ahead === 1 ? 'Waits for another install' : `Waits for ${ahead} other installs`
    },
    running: 'Installing…',
    cancelling: 'Cancelling…',
    cancel: 'Cancel',
    hide: 'Hide',
    output: 'Output',
    noOutput: 'No output yet.',
    outputGone: 'There is no output of it.',
    dropped: (count) => `${count} earlier line${s(count)} not kept.`,
    jobs: 'Installs',
  },
  outcome: {
    registered: () => ({
      title: 'Registered',
      next: 'Restart the harness to use it.',
    }),
    updated: ([before, now]) => ({
      title: 'Updated',
      next: `${before && now ? `From ${before} to ${now}. ` : ''}Restart the harness to use the new version.`,
    }),
    'up-to-date': ([, now]) => ({
      title: 'Up to date',
      next: now ? `${now} is the newest version.` : 'There is no newer version.',
    }),
    removed: () => ({
      title: 'Removed',
      next: 'A running harness keeps it until its restart; its part of the web page goes at the next reload.',
    }),
    'not-a-layer': () => ({
      title: 'Not a plugin',
      next: 'The package declares no layer, so the harness would not load it. Its source may tell what it is for.',
    }),
    'build-blocked': (subjects) => ({
      title: 'Build script blocked',
      next: `The package manager did not run the build script${s(subjects.length)} of ${
        subjects.join(', ') || 'a package'
      }. If you trust it, add ${
        subjects.map((name) => `“${withoutVersion(name)}”`).join(', ') || 'the name in the output'
      } under onlyBuiltDependencies in the profile’s pnpm-workspace.yaml and install again.`,
    }),
    'git-prepare-blocked': (subjects) => ({
      title: 'Must be built first',
      next: `The package manager does not build repositories unless told to. If you trust it, add ${
        subjects[0] ? `“${subjects[0]}”` : 'the key in the output'
      } under onlyBuiltDependencies in the profile’s pnpm-workspace.yaml and install again.`,
    }),
    'not-found': (subjects) => ({
      title: 'Not found',
      next: `${
        subjects[0]
          ? `The package registry does not have ${subjects.join(', ')}`
          : 'The code host does not have this repository'
      }, or does not let you read it. The listing may be out of date; look at its source.`,
    }),
    unreachable: () => ({
      title: 'Not reached',
      next: 'The package registry or the code host could not be reached. Check the network and install again.',
    }),
    'stops-harness': (subjects) => ({
      title: 'Stops the harness',
      next: `With this plugin the harness does not start${said(subjects)} Tell its author.`,
    }),
    'breaks-screen': (subjects) => ({
      title: 'Breaks the web page',
      next: `With this plugin the harness starts, but its web page does not${said(subjects)} Tell its author.`,
    }),
    'profile-broken': (subjects) => ({
      title: 'The harness does not start',
      next: `It does not start from this profile without the plugin either${said(subjects)} Repair the profile first.`,
    }),
    'trial-differs': () => ({
      title: 'Not what was tried',
      next: 'The registry sent other files for the profile than for the trial. Install again.',
    }),
    'other-source': (subjects) => ({
      title: 'The name is taken',
      next: `The profile has ${
        subjects[0] ? `“${subjects[0]}”` : 'a package of this name'
      } from elsewhere. Remove that first if this one is to take its place.`,
    }),
    'profile-changed': () => ({
      title: 'The profile changed',
      next: 'Somebody else changed the profile while the plugin was tried. Look at what it has now, then try again.',
    }),
    'disk-full': () => ({
      title: 'The disk is full',
      next: 'Make room on the disk that the harness’s data and the package store are on, then try again.',
    }),
    'pnpm-missing': () => ({
      title: 'pnpm is missing',
      next: 'The harness installs plugins with pnpm, which is not on this machine. Install pnpm and try again.',
    }),
    'harness-missing': () => ({
      title: 'Harness not found',
      next: 'The harness’s program could not be started. Set the harness command in this plugin’s configuration.',
    }),
    'harness-old': () => ({
      title: 'Harness too old',
      next: 'This version of the harness does not know the command. Update the harness, then try again.',
    }),
    'profile-missing': () => ({
      title: 'Profile not found',
      next: 'The profile is no longer there, or its package.json cannot be read. Start the harness with it once.',
    }),
    'not-prepared': (subjects) => ({
      title: 'Nothing was run',
      next: `The profile could not be put aside before the install${
        subjects[0] ? ` (${subjects[0]})` : ''
      }. Check that its directory can be written and that the disk has room, then install again.`,
    }),
    interrupted: () => ({
      title: 'Interrupted',
      next: 'The console ended in the middle of this install. Install again.',
    }),
    'timed-out': () => ({
      title: 'Timed out',
      next: 'It was ended at the time limit. Install again, or raise the limit in this plugin’s configuration.',
    }),
    cancelled: () => ({ title: 'Cancelled', next: 'It was ended at your wish.' }),
    failed: () => ({ title: 'Failed', next: 'The last lines of the output tell why.' }),
  },
  undo: (undo, profile) => {
    if (undo === 'undone')
      return profile?.registered ? 'The profile is as it was, with the plugin registered.' : 'The profile is as it was.'
    const changed = profile?.changed.length ? ` Changed are ${profile.changed.join(', ')}.` : ''
    if (undo === 'changed-elsewhere')
      return `Not undone: somebody else changed the profile meanwhile, so it was left as it is.${changed}`
    return `Not undone: the profile could not be put back. The next install into it tries again.${changed}`
  },
  tried: ({ harness, screen }) => {
    if (!harness) return 'The harness was not started with it first.'
    if (screen) return 'The harness and its web page came up with it in a copy of the profile.'
    return 'The harness came up with it in a copy of the profile. The web page was not tried: no browser opened it.'
  },
  rescue: (command) => `Where it is installed already, this takes it out: ${command}`,
  refused: {
    'not-installable': 'It cannot be installed from here.',
    'bad-token': 'This confirmation was used or ran out. Open it again.',
    'already-running': 'This install is already going on.',
    'unknown-profile': 'There is no such profile. Start the harness with it once.',
    'unknown-listing': 'The directory does not list this plugin any more.',
    untrusted: 'The console refused this page. Open it on this machine, under its own address.',
    directory: 'The directory could not be asked.',
    other: 'This did not work.',
  },
}
