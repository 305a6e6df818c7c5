import type { App } from '../../app.ts'
import { copyText } from '../../ui/clipboard.ts'
import { CARD_WORDS } from './card-words.ts'

/**
 * Copies a command and announces it to screen readers.
 *
 * @param command resolves to null when there turns out to be nothing to copy: then nothing is announced
 * @param remark further announcement about a copied command
 * @returns true when the command is on the clipboard
 */
export async function copyCommand(
  app: App,
  command: string | Promise<string | null>,
  remark: () => string = () => '',
): Promise<boolean> {
  const isCopied = await copyText(command, app.manager.setClipboard)
  const text = await command
  const { copied, copyFailed } = CARD_WORDS[app.locale()]
  if (text !== null) app.announcer.say(isCopied ? `${copied(text)} ${remark()}`.trim() : copyFailed(text))
  return isCopied
}
