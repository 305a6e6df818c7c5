import type { Activation, JobAction } from '../../../bridge/index.ts'
import type { OutcomesWords } from './types.ts'

/** The words of another program, as the end of a sentence. */
const said = ([words]: readonly string[]) => (words ? `: “${words}”.` : '.')
const s = (count: number) => (count === 1 ? '' : 's')

const inUse = (activation: Activation): string =>
  activation === 'live' ? 'The running harness uses it already.' : 'Restart the harness to use it.'
const PAGE_KEEPS = 'The running harness no longer has it, but its part of the web page stays until a restart.'

/** The profile after the job, at the start of a sentence. */
const withIt: Readonly<Record<JobAction, string>> = {
  install: 'With this plugin',
  approve: 'With this plugin',
  update: 'With the newest version',
  enable: 'With this plugin',
  disable: 'Without this plugin',
  remove: 'Without this plugin',
}

export const outcomes: OutcomesWords = {
  outcome: {
    registered: ({ activation }) => ({
      title: 'Installed',
      next: activation === 'unchanged' ? 'The profile had this version already.' : inUse(activation),
    }),
    updated: ({ subjects: [before, now], activation }) => ({
      title: 'Updated',
      next: `${before && now && before !== now ? `From ${before} to ${now}. ` : ''}${
        activation === 'live'
          ? 'The running harness uses the new version already.'
          : 'Restart the harness to use the new version.'
      }`,
    }),
    'up-to-date': ({ subjects: [, now] }) => ({
      title: 'Up to date',
      next: now ? `${now} is the newest version.` : 'There is no newer version.',
    }),
    removed: ({ activation }) => ({
      title: 'Removed',
      next: {
        unchanged: 'The harness did not load it.',
        live: 'The running harness no longer has it either, nor have its open pages.',
        restart: 'A harness that is running keeps it until its restart.',
        'restart-for-page': PAGE_KEEPS,
      }[activation],
    }),
    enabled: ({ activation }) => ({ title: 'Enabled', next: inUse(activation) }),
    disabled: ({ activation }) => ({
      title: 'Disabled',
      next: `It stays installed, and the harness does not load it. ${
        {
          unchanged: '',
          live: 'The running harness has unloaded it, and so have its open pages.',
          restart: 'A harness that is running keeps it until its restart.',
          'restart-for-page': PAGE_KEEPS,
        }[activation]
      }`.trim(),
    }),
    'not-a-layer': () => ({
      title: 'Not a plugin',
      next: 'The package declares no layer, so the harness would not load it. Its source may tell what it is for.',
    }),
    'build-blocked': ({ subjects }) => ({
      title: 'Build script blocked',
      next: `The package manager did not run the build script${s(subjects.length)} of ${
        subjects.join(', ') || 'a package'
      }, without which the plugin may not work. Look at what would run and approve it, or leave it.`,
    }),
    'git-prepare-blocked': ({ subjects: [key] }) => ({
      title: 'Must be built first',
      next: `The package manager does not build a repository unless it is told to${
        key ? `, for “${key}” here` : ''
      }. Look at what would run and approve it, or leave it.`,
    }),
    incompatible: ({ subjects: [plugin, harness, asks] }) => ({
      title: 'Refused by the harness',
      next: `${
        plugin && harness
          ? `${plugin} asks for ${asks}, and this harness is ${harness}`
          : 'The plugin is made for another version of the harness'
      }. Update the harness, or wait for a version of the plugin that fits.`,
    }),
    'not-found': ({ subjects }) => ({
      title: 'Not found',
      next: `${
        subjects[0]
          ? `The package registry does not have ${subjects.join(', ')}`
          : 'The code host does not have this repository'
      }, or does not let you read it. The listing may be out of date; look at its source.`,
    }),
    'file-missing': ({ subjects: [file, name] }) => ({
      title: 'A file is gone',
      next: `The profile has ${name ? `“${name}”` : 'a package'} from ${
        file ? `“${file}”` : 'a file'
      }, which is not there any more, and the package manager needs it whenever the profile changes. Put the file back or remove that package, then try again.`,
    }),
    unreachable: () => ({
      title: 'Not reached',
      next: 'The package registry or the code host could not be reached, or did not answer properly. Check the network, then try again.',
    }),
    damaged: () => ({
      title: 'Damaged on the way',
      next: 'What came is not what the package registry had announced: it was cut short or changed on the way. Try again; if it stays so, leave it.',
    }),
    'stops-harness': ({ subjects, action }) => ({
      title: 'Stops the harness',
      next: `${withIt[action]} the harness does not start${said(subjects)} Tell its author.`,
    }),
    'does-not-start': ({ subjects, action }) => ({
      title: 'Does not start',
      next: `${withIt[action]} the harness starts, but the plugin does not${said(subjects)} Tell its author.`,
    }),
    'breaks-others': ({ subjects, action }) => ({
      title: 'Breaks other plugins',
      next: `${withIt[action]} other parts of the harness no longer run${said(subjects)} Tell its author.`,
    }),
    'no-effect': () => ({
      title: 'Has no effect',
      next: 'It installs, but changes nothing in this harness. It may be made for another version; look at its source.',
    }),
    rejected: ({ subjects }) => ({
      title: 'The harness refuses it',
      next: `The harness does not take this plugin${said(subjects)} Tell its author.`,
    }),
    'breaks-screen': ({ subjects, action }) => ({
      title: 'Breaks the web page',
      next: `${withIt[action]} the harness starts, but its web page does not${said(subjects)} Tell its author.`,
    }),
    'profile-broken': ({ subjects }) => ({
      title: 'The harness does not start',
      next: `It does not start from this profile as it is either${said(subjects)} Repair the profile first.`,
    }),
    'trial-differs': () => ({
      title: 'Not what was tried',
      next: 'The registry sent other files for the profile than for the trial. Try again.',
    }),
    'other-source': ({ subjects }) => ({
      title: 'The name is taken',
      next: `The profile has ${
        subjects[0] ? `“${subjects[0]}”` : 'a package of this name'
      } from elsewhere. Remove that by hand first if this one is to take its place.`,
    }),
    'profile-changed': () => ({
      title: 'The profile changed',
      next: 'Somebody else changed the profile while this was tried in a copy. Look at what it has now, then try again.',
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
      next: 'The harness’s program could not be started. Set `command` in this plugin’s configuration.',
    }),
    'not-harness': () => ({
      title: 'Not the harness',
      next: 'The program that should be the harness is another one, which the output names; nothing was changed. Set `command` in this plugin’s configuration.',
    }),
    'harness-old': () => ({
      title: 'Harness too old',
      next: 'This version of the harness does not know the command. Update the harness, then try again.',
    }),
    'profile-missing': () => ({
      title: 'Profile not found',
      next: 'The profile is no longer there, or its package.json cannot be read. Start the harness with it once.',
    }),
    'not-prepared': ({ subjects }) => ({
      title: 'Nothing was run',
      next: `The profile could not be made ready for it${
        subjects[0] ? ` (${subjects[0]})` : ''
      }. Check that its files are in order, that its directory can be written and that the disk has room, then try again.`,
    }),
    'not-begun': () => ({
      title: 'Not started',
      next: 'The program that the store runs in ended before this began, so nothing was changed. Try again.',
    }),
    interrupted: () => ({
      title: 'Interrupted',
      next: 'The program that ran it ended in the middle. Try again.',
    }),
    'timed-out': () => ({
      title: 'Timed out',
      next: 'It was ended at the time limit. Try again, or raise the limit in this plugin’s configuration.',
    }),
    cancelled: () => ({ title: 'Cancelled', next: 'You cancelled it.' }),
    failed: () => ({ title: 'Failed', next: 'The last lines of the output tell why.' }),
  },
  undo: (undo, profile) => {
    const changed = profile?.changed ?? []
    const files = changed.join(', ')
    if (undo === 'failed')
      return `Not undone: the profile could not be put back. The next job in it tries again.${files && ` Changed are ${files}.`}`
    if (undo === 'unreadable')
      return `Not undone: what had been put aside of the profile could not be read, so it is as the job left it.${files && ` Changed are ${files}.`}`
    const asItWas = `The profile is as it was${profile?.registered ? ', with the plugin installed' : ''}.`
    if (!files) return asItWas
    const again = changed.includes('package.json') ? ' If it lists other packages now, install them again.' : ''
    return `${asItWas} Somebody else changed ${files} meanwhile; that was kept.${again}`
  },
  setAside: (names) =>
    `What could not be read is now in the profile’s directory as ${names.map((name) => `“${name}”`).join(', ')}.`,
  tried: ({ harness, screen }) => {
    if (!harness)
      return 'The command worked in a test copy. Whether the harness starts with it could not be tested: this profile does not start by itself, with or without the plugin.'
    if (screen === null) return 'It started fine in a test copy.'
    if (screen) return 'It started fine in a test copy, web page included.'
    return 'It started fine in a test copy. Its web page was not tested: no browser was open.'
  },
  restart: {
    terminal: 'End the harness where it runs, with Ctrl+C, and start it again:',
    command: 'Restart the harness with this command:',
    page: 'Restart the harness',
  },
  allow:
    'To install it all the same, at the risk that it crashes the harness or damages its data, run this yourself, then try again:',
  rescue: 'Where it is installed already, this command takes it out:',
}
