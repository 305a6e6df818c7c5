import { type FitCaution, hasAllRequired } from '../../protocol/fit.ts'
import type {
  Caution,
  DeclaredFit,
  Hold,
  JobAction,
  JobStage,
  JobState,
  Past,
  Review,
  StartAgain,
} from '../../protocol/index.ts'
import type { NextStep } from '../../protocol/next-steps.ts'
import { shortVersion } from '../../protocol/package-id.ts'
import { ANY_BUILDS } from '../../protocol/review-facts.ts'
import { formatMinutes } from '../formats.ts'
import type { FactWords } from '../shown-facts.ts'
import { fit } from './fit.ts'
import { updates } from './installed.ts'

const s = (count: number) => (count === 1 ? '' : 's')

/** Says of a plugin that needs another version what that means. */
const MISFIT: Readonly<Partial<Record<DeclaredFit['state'], string>>> = {
  refused: ', which will refuse it.',
  allowed: ', which you have told to accept it anyway.',
  'not-enforced': ', which does not check versions, so the plugin may not work.',
}

/** Effect of a job whose name does not explain it. */
const does: Readonly<Partial<Record<JobAction, string>>> = {
  update: 'The newest version replaces the installed one. The install check may have run another version.',
  remove: 'The plugin is removed from the profile.',
  enable: 'The harness loads the plugin again.',
  disable: 'The harness no longer loads the plugin. It stays installed, and you can enable it again.',
}

const confirm: Readonly<Record<JobAction, string>> = {
  install: 'Install',
  approve: 'Approve and install',
  update: 'Update',
  remove: 'Remove',
  enable: 'Enable',
  disable: 'Disable',
}

/** Says that the plugin is held, which a change of it does not end. */
const holdText = (hold: Hold | null): string | null =>
  hold &&
  [
    updates.held(hold).replace(/[^.!?]$/, '$&.'),
    ...(hold.skips || hold.isUnknown ? [] : ['Then it is held at the new one.']),
  ].join(' ')

/** Says how a change breaks with the past of what it replaces; null when it continues it. */
function pastText(past: Past | null): string | null {
  if (!past) return null
  const { breaks, unknown } = past
  const [before, after] = [past.before, past.after].map((version) => shortVersion(version ?? ''))
  const sentences = breaks.map((one) => {
    if (one.kind === 'history')
      return `The installed commit ${before} is not in the history of ${after}: the repository was rewritten or replaced.`
    if (one.kind === 'publisher')
      return `${after} was published by ${one.after}, who had no part in earlier versions. Those were of ${one.before.join(', ')}.`
    if (one.kind === 'signature') return `The registry signed ${before}. It has no signature of ${after}.`
    return one.after === null
      ? `${after} no longer names the repository ${one.before}.`
      : `${after} names the repository ${one.after}. ${before} names ${one.before}.`
  })
  if (unknown.includes('history'))
    sentences.push('It is unknown if the new commit continues the installed one: the history could not be read.')
  if (unknown.includes('document'))
    sentences.push(
      `It is unknown if this version has the publisher of the installed one: ${past.before === null ? 'which that is could not be read' : 'the registry was not read'}.`,
    )
  return sentences.length > 0 ? sentences.join(' ') : null
}

export const review = {
  title: (action: JobAction, name: string) => `${confirm[action]} ${name}`,
  /** @param name plugin and version, which is lower than the installed one */
  goBack: (name: string) => `Go back to ${name}`,
  loading: 'Loading…',
  /** Title of the fold with the command that accepts the risk. */
  anyway: 'Install anyway',
  fitting: (version: string) => `Review version ${version}, which fits`,
  /** The command that the install check ran, when it differs. */
  checkedAs: (command: string) => `The check ran: ${command}`,
  spec: 'Installs',
  versions: (before: string | null, after: string) =>
    before === null || before === after ? after : `${before} → ${after}`,
  /** Why an update does not take the newest version. */
  passedOver: (reason: string, taken: string) => `${reason} The update takes ${taken}, the newest that fits.`,
  specPackage: (name: string) => `The package ${name}`,
  specRepository: (name: string) => `The repository ${name}`,
  currentProfile: (name: string) => `${name} (current)`,
  does,
  /** Said of a removal, but in the Desktop app, whose profile no undo changes. */
  undoable: 'You can undo that.',
  /** Says what everybody needs to know of the trial. */
  tried: 'Tried in a copy first. If it fails, nothing changes. You can undo it.',
  /** The same where build scripts run before, which can change anything. */
  triedBuilt:
    'Its scripts run, then it is tried in a copy. If it fails, the profile does not change. You can undo it, but not what the scripts did.',
  /** Title of the fold with what few need to read. */
  more: 'More',
  otherVersions: 'Other versions',
  again: 'Review again',
  rights: 'Its code runs with your rights.',
  /** Explains the trial in a copy. The plugin's code runs there too, unless the job removes it. */
  trial:
    'It is first started in a test copy of the profile, with the same rights: the test is not a sandbox. Once it runs, it is watched for about two seconds; later failures go unnoticed.',
  /** Says the most weighty of that where a plugin can do more than a harmless one. */
  runsInCopy: 'Its code runs in that copy too.',
  trialWithout: 'The harness is first started without it in a test copy of the profile.',
  otherPlugins: {
    off: 'Your other plugins stay off in that copy, unless this one needs them to start.',
    started: 'Your other plugins run in that copy too, with your accounts.',
  } satisfies Readonly<Record<NonNullable<Review['otherPlugins']>, string>>,
  noTrial: 'It is not tested in a copy first: that is turned off in the store’s configuration.',
  /** Replaces the sentences about the trial in the Desktop app. */
  desktop:
    'It cannot be tested in a copy first, because only the Desktop app can start its profile. A failed install is undone; a plugin that breaks the app is noticed only afterwards.',
  approval: {
    title: 'Scripts that run with your rights',
    /** Says where they are allowed. */
    written: (keys: readonly string[]) => `Written into the profile’s pnpm-workspace.yaml: ${keys.join(', ')}`,
    /** Effect of a line without a version. */
    everyVersion:
      'From now on, those of every version may run without asking: only pnpm 10.19 and newer allow a single one.',
    unknownScripts: 'Its scripts are unknown. Look at its source.',
  },
  fit: {
    title: 'Harness',
    loading: 'Checking whether it fits…',
    /** Its requirements could not be read. */
    unknown: 'Unknown whether it fits.',
    /** Requirements, version of this harness, and what they mean together. */
    sentence: ({
      state,
      harnessVersion,
      requirements,
      plugin,
      fitting,
      trial,
      problem,
    }: Pick<DeclaredFit, 'state' | 'harnessVersion' | 'requirements' | 'plugin' | 'fitting' | 'trial' | 'problem'>) => {
      if (problem === 'unauthorized')
        return `The registry wants a log-in before it shows ${plugin}. Log in with “pnpm login”, then review it again.`
      if (state === 'not-found')
        return `The package registry or the code host does not have ${plugin}, so it cannot be installed.`
      const wants =
        requirements.length > 0 ? `Requires ${requirements.join(', ')}` : 'Does not say which harness it needs'
      const misfit = MISFIT[state]
      const older = fitting === null ? '' : ` Version ${fitting} declares to fit.`
      if (harnessVersion === null) return `${wants}.`
      const tried = trial ? fit.tried(trial, plugin, `harness ${harnessVersion}`) : ''
      if (tried && hasAllRequired({ state })) return tried
      const compared = misfit
        ? `Needs another version of the harness (${requirements.join(', ')}) than yours, ${harnessVersion}${misfit}`
        : `${wants}; this harness is ${harnessVersion}.`
      return `${tried} ${compared}${older}`.trimStart()
    },
    /** Cautions of the package to acknowledge. */
    cautions: {
      unmet: () => 'It is made for another version of the harness and may crash it or damage its data.',
      'foreign-scope': ({ plugin }) =>
        `Its name, ${plugin}, is in the harness’s own scope, but its repository belongs to somebody else.`,
      shadows: ({ shadows }) =>
        `It comes with its own ${shadows.join(', ')}, which can take the place of the harness’s own and break it.`,
      deprecated: ({ deprecated }) => `Its author has deprecated this version: ${deprecated}`,
    } satisfies Readonly<Record<FitCaution, (fit: DeclaredFit) => string>>,
  },
  facts: {
    loadedAs: {
      title: 'Loaded twice',
      text: (name) =>
        name
          ? `The profile already loads ${name} from the same repository. Remove that first, or both will run.`
          : null,
    },
    commit: {
      title: 'Commit',
      text: (commit) =>
        commit === 'unknown'
          ? 'The commit of its repository could not be read, so other code than this review describes may be installed.'
          : commit
            ? `Only commit ${commit} of its repository is installed.`
            : null,
    },
    held: { title: 'Held', text: holdText },
    past: { title: 'Before', text: pastText },
    blockedBuilds: {
      title: 'Build scripts',
      text: (names) => `You are asked before build scripts of ${names.join(', ')} run.`,
    },
    allowedBuilds: {
      title: 'Build scripts',
      text: (keys, { action }) =>
        `${keys.join(', ').replace(ANY_BUILDS, 'Those of all packages')} ${
          action === 'remove'
            ? 'stay allowed in this profile. To take that back, delete the line in its pnpm-workspace.yaml'
            : 'may run without asking: allowed before in this profile'
        }.`,
    },
  } satisfies FactWords,
  riskCaution: (flag: string, sentence: string) => `${flag}: ${sentence}`,
  /** The verdict has a sentence of its own. */
  cautions: {
    unconfirmed: 'The directory could not be reached, so this is what it said earlier.',
    'other-version': 'The install check ran the newest version. It does not speak for this one.',
    unlisted: 'The directory does not list this source, so nobody has checked it.',
    'build-scripts': 'Its scripts run before the test.',
    past: 'It does not continue what is installed. A repository or a name that was taken over looks like this.',
  } satisfies Readonly<Record<Exclude<Caution, 'verdict' | 'risk-flags'>, string>>,
  warnings: 'Warnings',
  understood: 'I have read these warnings.',
  confirm,
  /** Above the command that installs the present version of the store again. */
  wayBack:
    'The harness keeps running the present version until it restarts. If the new one does not come up then, go back in a terminal:',
  cancel: 'Cancel',
  close: 'Close',
}

const working: Readonly<Record<JobState['action'], string>> = {
  install: 'Installing',
  approve: 'Installing',
  update: 'Updating',
  remove: 'Removing',
  enable: 'Enabling',
  disable: 'Disabling',
  undo: 'Undoing',
  redo: 'Redoing',
  repair: 'Repairing',
  sync: 'Applying the file',
}

const startAgain: Readonly<Record<StartAgain['start'], string>> = {
  'with-others': 'Fails alone. Trying with your other plugins',
  'without-change': 'Fails. Starting without the change to compare',
}

export const job = {
  title: {
    install: (name, profile) => `${name} into profile ${profile}`,
    approve: (name, profile) => `${name} into profile ${profile}`,
    update: (name, profile) => `${name} in profile ${profile}`,
    remove: (name, profile) => `${name} from profile ${profile}`,
    enable: (name, profile) => `${name} in profile ${profile}`,
    disable: (name, profile) => `${name} in profile ${profile}`,
    undo: (name, profile) => `Undo of ${name || 'the last change'} in profile ${profile}`,
    redo: (name, profile) => `Redo of ${name || 'the last change'} in profile ${profile}`,
    repair: (_, profile) => `Repair of profile ${profile}`,
    sync: (_, profile) => `A file to profile ${profile}`,
  } satisfies Readonly<Record<JobState['action'], (name: string, profile: string) => string>>,
  /** It is next. */
  starting: 'Starting…',
  /** It is next, and another program has locked the profile. */
  profileBusy: 'Waiting for another program that is using this profile',
  byOther: (action: JobState['action'], names: string) =>
    `Another program has a job in this profile: ${`${working[action]} ${names}`.trim()}.`,
  /** Other jobs of the same profile come first. */
  behind: (ahead: number) => (ahead === 1 ? 'Waiting for another job' : `Waiting for ${ahead} other jobs`),
  running: (action: JobState['action']) => `${working[action]}…`,
  cancelling: 'Cancelling…',
  cancel: 'Cancel',
  hide: 'Hide',
  details: 'Details',
  elapsed: 'Elapsed',
  stages: 'Stages',
  /** The stage `installing` has the name of the action. */
  stage: {
    preparing: 'Preparing',
    trying: 'Testing in a copy',
    starting: 'Starting the copy',
    checking: 'Checking',
  } satisfies Readonly<Record<Exclude<JobStage, 'installing'>, string>>,
  working,
  /** Replaces the name of that stage where it takes long. */
  startingLong: 'Waiting until all plugins run and the web page loads',
  /** Replaces it for a later start of the copy. */
  again: ({ start, limitMs }: StartAgain) =>
    `${startAgain[start]}, up to ${formatMinutes('en', Math.ceil(limitMs / 60_000))}`,
  /** The command of the job has written nothing for a while. */
  silent: 'The package registry may not be answering.',
  step: (step: number, of: number) => `${step} of ${of}`,
  others: 'Other jobs',
  cancelNamed: (title: string) => `Cancel ${title}`,
  nextSteps: { approve: 'Approve…', retry: 'Try again…', source: 'Source' } satisfies Readonly<
    Record<NextStep, string>
  >,
  report: {
    copy: 'Copy report',
    failed: 'Could not copy. Select the output and copy it yourself.',
  },
  output: 'Output',
  noOutput: 'No output yet.',
  outputGone: 'No output was kept.',
  dropped: (count: number) => `${count} earlier line${s(count)} omitted.`,
}
