import type { CommandsContext } from './harness.ts'

/** The slash command that opens the store. */
export const COMMAND = 'plugins'

const PREFIX = 'Plugmark: '

/**
 * What the command answers. The page that ran it learns the words from there: an answer carries no more than its text,
 * which is also what the conversation shows.
 */
const answerFor = (words: string): { text?: string } => (words === '' ? {} : { text: PREFIX + words })

/** The words in an answer of the command; empty when there were none. */
export const wordsIn = (text: string | undefined): string => (text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : '')

/** @throws Error when another plugin has the name */
export function offerCommand({ commands }: CommandsContext): void {
  commands.register({
    name: COMMAND,
    description: 'Open the plugin store',
    input: { hint: 'words to look for' },
    handler: ({ rawInput }) => ({ kind: 'success', ...answerFor(rawInput.trim()) }),
  })
}
