import type { InstalledWords } from './types.ts'

export const installed: InstalledWords = {
  installedView: {
    views: 'Views',
    find: 'Find plugins',
    installed: 'Installed',
    title: (profile) => `Installed in profile ${profile}`,
    profile: 'Profile',
    check: 'Check for updates',
    checking: 'Asking for newer versions…',
    checked: (count, number) => {
      if (number === 0) return 'There is nothing newer.'
      return `${count} ha${number === 1 ? 's' : 've'} a newer version.`
    },
    reading: 'Reading the profile…',
    none: 'This profile has no plugins besides the harness’s own.',
    program: (command, version) => `Harness${version ? ` ${version}` : ''}: ${command}`,
    newer: (version) => `${version} is there`,
    from: (spec) => `Installed as ${spec}`,
    details: 'Details',
    detailsOf: (name) => `Details of ${name}`,
    updateNamed: (name) => `Update ${name}`,
    removeNamed: (name) => `Remove ${name}`,
    enable: 'Enable',
    disable: 'Disable',
    enableNamed: (name) => `Enable ${name}`,
    disableNamed: (name) => `Disable ${name}`,
    disabled: 'Disabled',
    missing: 'Its files are not there: the profile names it, but it was not installed.',
    notALayer: 'The harness does not load it: it is no layer of this profile.',
    why: {
      store: 'This is the store itself. Update and remove it by hand, in a terminal.',
      'not-in-directory': 'The directory does not list it, so the store leaves it alone.',
      'other-source': 'It comes from elsewhere than the directory would install it from, so the store leaves it alone.',
      directory: 'The directory could not be asked about it, so the store leaves it alone for now.',
    },
  },
}
