import type { InstalledWords } from './types.ts'

export const installed: InstalledWords = {
  installedView: {
    views: 'Views',
    find: 'Find plugins',
    installed: 'Installed',
    title: (profile) => `Installed in profile ${profile}`,
    profile: 'Profile',
    check: 'Check for updates',
    checking: 'Checking for updates…',
    checked: (count, number) => {
      if (number === 0) return 'Everything is up to date.'
      return `${count} update${number === 1 ? '' : 's'} available.`
    },
    reading: 'Loading installed plugins…',
    none: 'This profile has no plugins besides the harness’s own.',
    program: (command, version) => `Harness${version ? ` ${version}` : ''}: ${command}`,
    newer: (version) => `${version} available`,
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
    missing: 'Its files are missing: the profile lists it, but it is not installed.',
    notALayer: 'The harness does not load it: it is not a layer of this profile.',
    unmanagedReason: {
      store: 'This is the store itself. Manage it in a terminal.',
      'not-in-directory': 'It is not in the directory. Manage it in a terminal.',
      'other-source': 'It comes from another source than the directory’s. Manage it in a terminal.',
      directory: 'Directory not reachable, so it cannot be managed here for now.',
    },
  },
}
