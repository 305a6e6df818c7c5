import { CARD_PHRASES } from './card.ts'
import { SETTINGS_PHRASES } from './settings.ts'
import { SUMMARY_PHRASES } from './summary.ts'
import type { Phrases } from './types.ts'

export const en: Phrases = {
  pluginOf: (fullName) => `plugin ${fullName}`,
  badgeOf: (text, name) => `${text}, ${name}`,
  isPlugin: 'Plugin for DeepSeek Harness',
  pluginCount: (count) => `${count} plugins`,
  copyCommandOf: (fullName) => `Copy the install command of ${fullName}`,
  chooseCommand: (fullName) => `Choose an install command of ${fullName}`,
  noCommand: 'Cannot be installed with one command. ',
  copied: (command) => `Copied: ${command}`,
  copyFailed: (command) => `Could not copy. Select the command and copy it yourself: ${command}`,
  unreachable: { text: 'Directory not reachable.', retry: 'Retry', retrying: 'Retrying…' },
  card: CARD_PHRASES.en,
  settings: SETTINGS_PHRASES.en,
  summary: SUMMARY_PHRASES.en,
}
