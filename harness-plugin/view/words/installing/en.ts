import type { Compatibility } from '../../../bridge/index.ts'
import type { InstallingWords } from './types.ts'

const s = (count: number) => (count === 1 ? '' : 's')

const MEANS: Readonly<Record<Compatibility['state'], string>> = {
  met: '.',
  unknown: '.',
  refused: ': the harness refuses it, so it is not started.',
  allowed: '. The harness was told to take it all the same.',
  'not-enforced': ', which does not look at that: it may not work.',
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
    loading: 'Looking it up…',
    command: 'This will run',
    checkedAs: (command) => `It ran: ${command}`,
    spec: 'What',
    specPackage: (name) => `${name} on the package registry, as this listing says`,
    specRepository: (name) => `The repository ${name}, as this listing says`,
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
      update: 'The newest version takes the place of the one that is there. The install check may have run another.',
      remove:
        'The plugin leaves the profile. A harness that is running may keep it until its restart; the end of the job says so.',
      enable: 'The harness’s plugin manager loads it into the running harness, and at every start from then on.',
      disable:
        'The harness’s plugin manager unloads it from the running harness. It stays installed, and can be enabled.',
    },
    rights: 'The plugin’s code will run on this machine with your rights.',
    trial: 'It is tried in a copy of the profile first, and runs there with the same rights: a trial is no sandbox.',
    trialWithout: 'First the harness is started without it, from a copy of the profile.',
    others: {
      off: 'Your other plugins stay off in that copy, unless this one does not start without them.',
      started: 'Your other plugins run in that copy too, with your accounts.',
    },
    noTrial: 'It is not tried in a copy first: this plugin’s configuration says so.',
    desktop:
      'It cannot be tried in a copy first: only the Desktop app starts its profile. What does not come through is undone; what breaks the app shows only then.',
    approval: {
      title: 'Scripts that will run',
      keys: (setting) =>
        `They run on this machine with your rights. These exact keys go under ${setting} in the profile’s pnpm-workspace.yaml.`,
      otherVersion: 'Another version asks again.',
      everyVersion:
        'This pnpm knows no keys with a version: under a bare name, the scripts of every version of that package may run from then on, unasked. pnpm 10.19 and newer can allow one version.',
      unknownScripts: 'What it runs is not known here; look at its source.',
    },
    compatibility: {
      title: 'Harness',
      loading: 'Looking up which versions it asks for…',
      unknown: 'Which versions of the harness it asks for is not known beforehand.',
      sentence: ({ state, harness, asks }) => {
        const wants = asks.length > 0 ? `It asks for ${asks.join(', ')}` : 'It asks for no version'
        return harness === null ? `${wants}.` : `${wants}; this harness is ${harness}${MEANS[state]}`
      },
      caution: 'It is made for another version of the harness: it may crash it or damage its data.',
    },
    cautions: {
      'risk-flags': 'It has risk flags.',
      'build-scripts': 'Its build scripts run before the harness is tried with it.',
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
    again: 'Look again',
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
    profileBusy: 'Waits for another program that works on this profile',
    behind: (ahead) => (ahead === 1 ? 'Waits for another job' : `Waits for ${ahead} other jobs`),
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
      trying: 'Trying in a copy',
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
      copy: 'Copy the log',
      copied: 'Copied',
      failed: 'Not copied: select the output and copy it by hand.',
    },
    output: 'Output',
    noOutput: 'No output yet.',
    outputGone: 'There is no output of it.',
    dropped: (count) => `${count} earlier line${s(count)} not kept.`,
  },
}
