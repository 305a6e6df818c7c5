import type { Compatibility } from '../../protocol/index.ts'
import type { InstallingWords } from './types.ts'

const s = (count: number) => (count === 1 ? '' : 's')

const MEANS: Readonly<Record<Compatibility['state'], string>> = {
  met: '.',
  unknown: '.',
  refused: '. The harness will refuse it.',
  allowed: '. You have told the harness to accept it anyway.',
  'not-enforced': '. It does not check versions, so the plugin may not work.',
}

export const installing: InstallingWords = {
  review: {
    title: {
      install: (name) => `Install ${name}`,
      approve: (name) => `Approve and install ${name}`,
      update: (name) => `Update ${name}`,
      remove: (name) => `Remove ${name}`,
      enable: (name) => `Enable ${name}`,
      disable: (name) => `Disable ${name}`,
    },
    loading: 'Loading…',
    command: 'This will run',
    checkedAs: (command) => `The check ran: ${command}`,
    spec: 'Installs',
    specPackage: (name) => `The package ${name} from the package registry`,
    specRepository: (name) => `The repository ${name}`,
    profile: {
      install: 'Into profile',
      approve: 'Into profile',
      update: 'In profile',
      remove: 'From profile',
      enable: 'In profile',
      disable: 'In profile',
    },
    currentProfile: (name) => `${name} (current)`,
    does: {
      update: 'The newest version replaces the installed one. The install check may have run another version.',
      remove: 'The plugin is removed from the profile. A running harness may keep it until it restarts.',
      enable: 'The plugin is loaded into the running harness now, and at every start.',
      disable: 'The plugin is unloaded from the running harness. It stays installed and can be enabled again.',
    },
    rights: 'The plugin’s code will run on this machine with your rights.',
    trial: 'It is first started in a test copy of the profile, with the same rights: the test is not a sandbox.',
    trialWithout: 'The harness is first started without it in a test copy of the profile.',
    otherPlugins: {
      off: 'Your other plugins stay off in that copy, unless this one needs them to start.',
      started: 'Your other plugins run in that copy too, with your accounts.',
    },
    noTrial: 'It is not tested in a copy first: that is turned off in the store’s configuration.',
    desktop:
      'It cannot be tested in a copy first, because only the Desktop app can start its profile. A failed install is undone; a plugin that breaks the app is noticed only afterwards.',
    approval: {
      title: 'Scripts that will run',
      keys: (setting) =>
        `They run on this machine with your rights. These keys are added under ${setting} in the profile’s pnpm-workspace.yaml.`,
      otherVersion: 'Other versions ask again.',
      everyVersion:
        'This version of pnpm cannot allow a single version: the scripts of every version of that package may run from now on without asking. pnpm 10.19 and newer can.',
      unknownScripts: 'Its scripts are not known here. Look at its source.',
    },
    compatibility: {
      title: 'Harness',
      loading: 'Checking which versions it supports…',
      unknown: 'It is not known which versions of the harness it supports.',
      sentence: ({ state, harnessVersion, requirements }) => {
        const wants = requirements.length > 0 ? `Requires ${requirements.join(', ')}` : 'Requires no particular version'
        return harnessVersion === null ? `${wants}.` : `${wants}; this harness is ${harnessVersion}${MEANS[state]}`
      },
      caution: 'It is made for another version of the harness and may crash it or damage its data.',
    },
    cautions: {
      'risk-flags': 'It has risk flags.',
      'build-scripts': 'Its build scripts run before the harness is tested with it.',
    },
    understood: 'I have read these warnings.',
    confirm: {
      install: 'Install',
      approve: 'Approve and install',
      update: 'Update',
      remove: 'Remove',
      enable: 'Enable',
      disable: 'Disable',
    },
    again: 'Review again',
    cancel: 'Cancel',
    close: 'Close',
  },
  job: {
    title: {
      install: (name, profile) => `${name} into profile ${profile}`,
      approve: (name, profile) => `${name} into profile ${profile}`,
      update: (name, profile) => `${name} in profile ${profile}`,
      remove: (name, profile) => `${name} from profile ${profile}`,
      enable: (name, profile) => `${name} in profile ${profile}`,
      disable: (name, profile) => `${name} in profile ${profile}`,
    },
    starting: 'Starting…',
    profileBusy: 'Waiting for another program that is using this profile',
    behind: (ahead) => (ahead === 1 ? 'Waiting for another job' : `Waiting for ${ahead} other jobs`),
    running: {
      install: 'Installing…',
      approve: 'Installing…',
      update: 'Updating…',
      remove: 'Removing…',
      enable: 'Enabling…',
      disable: 'Disabling…',
    },
    cancelling: 'Cancelling…',
    cancel: 'Cancel',
    hide: 'Hide',
    details: 'Details',
    recent: 'Recent jobs',
    elapsed: 'Elapsed',
    stages: 'Stages',
    stage: {
      preparing: 'Preparing',
      trying: 'Testing in a copy',
      starting: 'Starting the copy',
      checking: 'Checking',
    },
    working: {
      install: 'Installing',
      approve: 'Installing',
      update: 'Updating',
      remove: 'Removing',
      enable: 'Enabling',
      disable: 'Disabling',
    },
    step: (step, of) => `${step} of ${of}`,
    waiting: 'Waiting',
    cancelNamed: (title) => `Cancel ${title}`,
    ways: { approve: 'Approve…', again: 'Try again…', source: 'Source' },
    log: {
      copy: 'Copy log',
      copied: 'Copied',
      failed: 'Could not copy. Select the output and copy it yourself.',
    },
    output: 'Output',
    noOutput: 'No output yet.',
    outputGone: 'No output was kept.',
    dropped: (count) => `${count} earlier line${s(count)} omitted.`,
  },
}
