import type { RefusalCode } from '../../protocol/index.ts'
import { details, facets, finding, keys } from './finding.ts'
import { fit } from './fit.ts'
import { diff, inspection } from './inspection.ts'
import { history, installedView, profileLock, settings, undo, updates } from './installed.ts'
import { job, review } from './jobs.ts'
import { outcomes } from './outcomes.ts'
import { pluginState, upgrade } from './plugin-states.ts'
import { profileCheck, repair, upgradeCheck } from './repair.ts'

/** Reason for a refused call, and the next step. */
const refused: Readonly<Record<RefusalCode, string>> = {
  unauthorized: 'Log in with an account that may install plugins, then try again.',
  untrusted: 'The store does not trust this page. Open it on this machine, at its own address and not through a proxy.',
  'login-required':
    'Changes need a log-in. Enable the console’s auth plugin, or turn off `requireLogin` in the store’s configuration.',
  malformed: 'The page and the store are different versions. Reload the page.',
  'unknown-listing': 'The directory no longer lists this plugin.',
  'unknown-profile': 'This profile does not exist. Start the harness with it once.',
  'unknown-job': 'This job is no longer known. The latest jobs are under History.',
  'unknown-version': 'The registry does not say which version of the harness is the newest.',
  'not-installable': 'This plugin cannot be installed from here.',
  'own-package': 'The store cannot change itself like this. Use the command line of the harness.',
  'unlisted-package': 'The directory does not list this package. Install it again from its source.',
  'no-versions': 'Only a package of the registry has versions to choose. Install it without one.',
  'not-switchable': 'This package is not a plugin. Remove it instead.',
  'not-installed': 'This plugin is not installed in the profile.',
  'unknown-source':
    'There is no such package, repository, folder or tarball, or it has no package.json with a name. A path must begin with / or ~/.',
  'source-unreachable': 'Its registry or code host did not answer. Check the network, then try again.',
  'source-unauthorized': 'Its registry wants a log-in. Log in with “pnpm login”, then try again.',
  'other-source': 'The profile has this plugin from another source. Remove that one first.',
  'other-package': 'Its repository now holds another package. Remove the installed one first to install that.',
  'no-plugin-manager': 'Only the Desktop app can change this profile. Open the store there.',
  'nothing-blocked': 'None of its build scripts are known to be blocked. Install it again to find out.',
  'unknown-package-manager':
    'The version of pnpm is unknown, so these scripts cannot be allowed. Check that “pnpm --version” works, then install the plugin again.',
  'bad-token': 'This review has expired or was already used. Review it again.',
  'branch-moved': 'Its branch has another commit now. Review it again.',
  'plan-changed': 'The profile has changed. Review it again.',
  'not-acknowledged': 'First confirm that you have read the warnings.',
  'builds-need-approval': 'Its build scripts must be seen and allowed first. Review it in the store.',
  incompatible: 'This harness would refuse this version of the plugin. Review it again to see why.',
  malware:
    'It is known as malware, or would install a package that is. The store does not install it. Remove it where you have it.',
  'already-running': 'This plugin already has a job in progress. Wait until it has ended, or cancel it.',
  'job-running': 'A job is in progress. Save the settings when it has ended.',
  'package-manager': 'Could not check for newer versions. Check the network, then try again.',
  directory: 'Directory not reachable. Check the network and the directory’s address, then try again.',
  'bad-setting': 'One of the values is not accepted.',
  'profile-state':
    'What the store keeps in this profile cannot be read or written. Check the profile: the check names the file, and says how to repair it.',
  internal: 'Something went wrong. See the store’s log.',
}

export const en = {
  facets,
  keys,
  finding,
  details,
  fit,
  pluginState,
  upgrade,
  repair,
  profileCheck,
  upgradeCheck,
  history,
  settings,
  unlisted: {
    notListed: (source: string) => `The directory does not list ${source}.`,
    install: (source: string) => `Install ${source} without a check…`,
    relativePath: 'A path must begin with / or ~/.',
    /** Names what was looked for, by where. */
    notFound: {
      registry: (name: string) => `The package registry has no ${name}.`,
      codeHost: (name: string) => `The code host has no ${name} whose package.json names a package.`,
      disk: (path: string) => `There is no folder or tarball ${path} whose package.json names a package.`,
    },
    /** Offered for a word, which may be misspelt. */
    lookUp: (name: string) => `Look for ${name} in the package registry…`,
  },
  undo,
  profileLock,
  updates,
  installedView,
  review,
  job,
  inspection,
  diff,
  ...outcomes,
  title: 'Plugin store',
  broken: 'Something went wrong and this cannot be shown.',
  stars: (count: string) => `${count} star${count === '1' ? '' : 's'}`,
  /** Opens a review, whose button has the word alone. */
  install: 'Install…',
  installNamed: (name: string) => `Install ${name}`,
  /** Of a plugin that failed its install check, or declares not to fit. */
  installAnyway: 'Install anyway…',
  /** Less than a minute ago. */
  justNow: 'just now',
  queued: 'Queued',
  installed: 'Installed',
  update: 'Update…',
  remove: 'Remove…',
  /** Shown beside a command when nothing can be installed from here. */
  byHand: 'Plugins cannot be installed from here. Copy the command and run it on the machine your harness is on.',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not copy. Select the command and copy it yourself.',
  back: 'Back to the list',
  noSummary: 'No summary in the directory.',
  source: 'Source',
  sourceOf: (name: string) => `Source of ${name}`,
  check: 'Install check',
  harnessMissing: (cli: string) =>
    `“${cli}” was not found on this machine, so plugins cannot be installed from here. Set \`command\` in the store’s configuration.`,
  /** In the Desktop app. */
  desktop:
    'The Desktop app’s own plugin manager installs plugins; they cannot be tested in a copy of the profile first.',
  noProfiles: 'The harness has no profile yet. Start it once, then open this page again.',
  refused,
}

export type Texts = typeof en
