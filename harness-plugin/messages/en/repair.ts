import type { Finding, LeftUpdate, Outcome, OutcomeKind, RepairStep } from '../../protocol/index.ts'
import { installedView } from './installed.ts'
import { pluginState } from './plugin-states.ts'

const finding = ({ kind, subjects, state, news }: Pick<Finding, 'kind' | 'subjects' | 'state' | 'news'>): string => {
  const names = subjects.join(', ')
  const [first = '', second = ''] = subjects
  return {
    'harness-missing': 'The harness’s program was not found.',
    'not-harness': 'The program that was found is not the harness.',
    'package-manager-missing': 'pnpm was not found, and the harness installs plugins with it.',
    'profile-missing': `The profile does not exist.${names && ` There are: ${names}.`}`,
    'profile-unreadable': `The profile cannot be read. Correct this file: ${names}`,
    'does-not-start': `The harness does not start from this profile${names ? `: ${names}` : '.'}`,
    'node-too-old': `Node.js ${first} is too old for the harness: ${second} Install a newer one.`,
    'start-unknown': `Whether the harness starts from this profile could not be found out: ${subjects.join(' ')}`,
    'harness-changed': `This harness lacks what the store relies on, so parts of the store will not work: ${names}. Please report this.`,
    'plugin-broken': `${names}: ${state === null ? '' : pluginState.sentence(state)}`,
    'row-inactive': `A part of a plugin does not run: ${names}`,
    'layer-not-installed': `The files of ${names} are missing: the profile loads it, and it is not installed.`,
    'plugin-news': `${names}: ${news ? installedView.news(news) : ''}`,
    malware: `${second} is known as malware${first === second ? '' : `, and comes with ${first}`}. Remove it.`,
    'layer-twice': `The profile lists ${names} twice.`,
    'layer-not-enabled': `${names} is installed, and off.`,
    'page-part-broken': `A plugin’s part of the web page is broken, so the page does not load: ${names}`,
    'page-does-not-load': `The harness starts, but its web page does not load: ${names}`,
    'trial-removed': 'Files of a test that nothing needs any more were removed.',
    'job-running': 'Another program has a job of this profile. Check it again when that has ended.',
    'harness-locked': `The harness left ${names} in the profile, and waits up to two minutes for it. If no harness is starting or installing now, delete it.`,
    'job-unfinished': 'An earlier job could not be rolled back.',
    'job-recovered': 'An earlier job was interrupted. The profile was restored.',
    'journal-unreadable': 'The journal of an earlier job cannot be read.',
    'store-outdated': 'A newer version of Plugmark left an unfinished job in this profile. Update Plugmark.',
    'state-unreadable': `What the store keeps in this profile cannot be read: ${names}. Until it is repaired, every plugin counts as held and nothing is undone.`,
    'state-newer': `A newer version of Plugmark wrote ${names}. Update Plugmark.`,
    'cache-unreadable': `Files that the store writes again by itself cannot be read: ${names}.`,
    'unreadable-kept': `What could not be read is kept as ${names} in the profile’s folder.`,
  }[kind]
}

const step = ({ action, name, version, state }: RepairStep): string =>
  ({
    enable: `Load ${name} again`,
    install: `Install the files of ${name} again`,
    update: `Install ${name} ${version}, which declares to fit harness ${state.harnessVersion}`,
    unpin: `Remove the override that pins ${name}`,
    'take-out': `No longer load ${name}, which is not installed`,
  })[action]

/** Says why a repair does not make an update. */
const leaves = ({ version, why }: LeftUpdate): string =>
  ({
    held: `Version ${version} declares to fit. It is held: stop holding it to update it.`,
    malware: `Version ${version} declares to fit, and is known as malware or comes with it.`,
    unknown: `Version ${version} declares to fit. Its known problems could not be looked up: review the update yourself.`,
    builds: `Version ${version} declares to fit. Build scripts may run with it without asking: review the update yourself.`,
  })[why]

/** Steps of a repair that were made, by the kind of their outcome. */
const DONE: Readonly<Partial<Record<OutcomeKind, (names: string) => string>>> = {
  enabled: (names) => `It loads ${names} again.`,
  registered: (names) => `The files of ${names} are there again.`,
  updated: (names) => `It has ${names} now.`,
  repaired: (names) => `It no longer pins ${names}.`,
  disabled: (names) => `It no longer loads ${names}.`,
}

/** Returns what a repair did to a profile. */
export function repaired({
  subjects,
  parts = [],
}: Pick<Outcome, 'subjects'> & Partial<Pick<Outcome, 'parts'>>): string {
  const namesOf = (kind: string) =>
    parts.filter((part) => part.kind === kind).map(({ listing, subjects }) => [listing, ...subjects].join(' '))
  const done = Object.entries(DONE).flatMap(([kind, sentence]) => {
    const names = namesOf(kind)
    return names.length > 0 ? sentence(names.join(', ')) : []
  })
  const off =
    subjects.length > 0
      ? [
          `It no longer loads ${subjects.join(', ')}, which did not work. What is installed stays installed, and can be enabled again.`,
        ]
      : []
  return ['The harness starts with this profile.', ...done, ...off, 'Nothing else in it was changed.'].join(' ')
}

export const repair = {
  needed: (count: number) =>
    count === 1
      ? 'One plugin of this profile does not work as it should'
      : `${count} plugins of this profile do not work as they should`,
  open: 'What to do…',
  title: (profile: string) => `Repair profile ${profile}`,
  loading: 'Finding out what can be repaired…',
  does: 'This will be done:',
  step,
  leaves,
  left: 'Left as it is, because only you can decide:',
  /** Above what is left, when there is nothing to agree to. */
  nothing: 'You decide what happens with it:',
  fine: 'Nothing needs a repair.',
  how: 'All of it is tried in a copy of the profile first, where the plugins’ code runs, and is kept or taken back as a whole. If the harness does not start, the fewest plugins that stop it are switched off; they stay installed.',
  start:
    'If the harness does not start from this profile, the fewest plugins that stop it are switched off; they stay installed. This is tried in a copy first.',
  confirm: 'Repair',
}

export const profileCheck = {
  title: 'Harness and profile',
  check: 'Check profile',
  checking: 'Starting the harness from a copy of this profile…',
  start: {
    starts: 'The harness starts from this profile.',
    'does-not-start': 'The harness does not start from this profile.',
    'not-tried': 'Whether the harness starts from this profile is not known.',
  },
  at: (time: string) => `Checked ${time}`,
  finding,
}

/** Check of a profile against another version of the harness. */
export const upgradeCheck = {
  title: 'Before you upgrade the harness',
  about:
    'Shows which plugins of this profile declare to fit another version. The registry is asked for the versions of the harness, and about plugins that do not fit.',
  version: 'Harness version',
  newest: 'newest',
  check: 'Check',
  checking: 'Checking…',
  badVersion: 'This is not a version, such as 0.2.1.',
  noVersion: 'The registry does not say which version is the newest. Enter one.',
  fits: (version: string) => `Nothing in this profile speaks against harness ${version}.`,
  doesNotFit: (version: string, count: number) =>
    count === 1
      ? `One plugin of this profile does not fit harness ${version}.`
      : `${count} plugins of this profile do not fit harness ${version}.`,
  columns: { plugin: 'Plugin', installed: 'Installed', fits: 'Fits', newer: 'Version that fits' },
  answer: { yes: 'Yes', no: 'No', unknown: 'Not declared' },
}
