import { finding } from './finding/en.ts'
import { installed } from './installed/en.ts'
import { installing } from './installing/en.ts'
import { outcomes } from './outcomes/en.ts'
import type { StoreWords } from './types.ts'

export const en: StoreWords = {
  finding,
  ...installed,
  ...installing,
  ...outcomes,
  title: 'Plugin store',
  subtitle: 'Plugins that passed their install check, unless you ask for others.',
  broken: 'The store met an error and cannot show this.',
  category: 'Category',
  stars: (count) => `${count} star${count === '1' ? '' : 's'}`,
  install: 'Install',
  installNamed: (name) => `Install ${name}`,
  queued: 'Queued',
  installed: 'Installed',
  update: 'Update',
  remove: 'Remove',
  byHand: 'Nothing can be installed from here: copy the command and run it where your harness is.',
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
  harnessMissing: (cli) =>
    `“${cli}” was not found on this machine, so nothing can be installed from here. Set \`command\` in this plugin’s configuration.`,
  desktop:
    'In the Desktop app plugins cannot be tried in a copy of the profile first: its own plugin manager installs them.',
  noProfiles: 'The harness has no profile yet. Start it once, then open this page again.',
  refused: {
    unauthorized: 'Log in with an account that may install plugins, then try again.',
    untrusted: 'The store refused this page. Open it on this machine, under its own address.',
    malformed: 'The store did not understand this page. Reload it.',
    'unknown-listing': 'The directory does not list this plugin any more.',
    'unknown-profile': 'There is no such profile. Start the harness with it once.',
    'unknown-job': 'The store no longer knows this job.',
    'not-installable': 'It cannot be installed from here.',
    'not-installed': 'The profile does not have this plugin.',
    'other-source': 'The profile has a package of this name from elsewhere, which the store leaves alone.',
    'no-plugin-manager':
      'Only the harness that runs from this profile can do this, with its plugin manager. Open the store there.',
    'nothing-blocked': 'No build script of it is known to be blocked any more. Install it again to find out.',
    'unknown-package-manager':
      'pnpm did not say which version it is, so it is not known how to allow these scripts. Check that “pnpm --version” works, then install the plugin again.',
    'bad-token': 'This confirmation was used or ran out. Look at it again.',
    'not-acknowledged': 'Confirm first that you have read the warnings.',
    incompatible: 'This harness would refuse this version of the plugin. Look again to read why.',
    'already-running': 'A job of this plugin is already going on.',
    'package-manager': 'pnpm and git could not say what is newer. Check the network, then try again.',
    directory: 'The directory could not be asked.',
    internal: 'This did not work. Its log has more.',
  },
}
