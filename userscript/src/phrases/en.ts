import type { Phrases } from './types.ts'

export const en: Phrases = {
  pluginPrefix: 'Plugin: ',
  isPlugin: 'In the plugin directory',
  pluginCount: (count) => `${count} plugins`,
  copyCommandOf: (fullName) => `Copy the install command of ${fullName}`,
  chooseCommand: 'Choose an install command to copy',
  noCommand: 'No one-line install.',
  copied: (command) => `Copied: ${command}`,
  copyFailed: (command) => `Could not copy. Select and copy it yourself: ${command}`,
  profileCommand: 'Profile name',
  askProfile: 'Profile that copied commands install into (letters, digits, dots, hyphens and underscores):',
  badProfile: (name) => `“${name}” cannot be a profile name. Start with a letter or digit; 64 characters at most.`,
}
