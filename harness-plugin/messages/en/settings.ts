import type { SettingName } from '../../protocol/index.ts'

/** Words of the store's own settings. Each setting brings its sentence from the configuration. */
export const settings = {
  open: 'Settings…',
  title: 'Settings of the store',
  names: {
    api: 'Directory',
    registry: 'Package registry',
    proxy: 'Proxy',
    trial: 'Test before installing',
    startLimit: 'Time limit of a start',
    timeLimit: 'Time limit of an install',
    restart: 'Restart',
  } satisfies Record<SettingName, string>,
  ifEmpty: (text: string) => `If empty: ${text}.`,
  seconds: 'seconds',
  check: 'Check',
  checking: 'Checking…',
  answers: 'It answers.',
  silent: 'It does not answer as it should. Check the address and the network.',
  more: 'More settings',
  save: 'Save',
  saved: 'Saved. The store is loaded again with these settings.',
  kept: (file: string) => `Kept in ${file}, where all other settings are.`,
}
