import type { App } from '../app.ts'

/**
 * Copies a command and says so to screen readers: by the browser, which reports whether it worked, else by the manager.
 *
 * @returns whether either took it
 */
export async function copyCommand({ manager, messages, say }: App, command: string): Promise<boolean> {
  const isCopied = (await writeByBrowser(command)) || (await writeByManager(command, manager))
  const { copied, copyFailed } = messages()
  say(isCopied ? copied(command) : copyFailed(command))
  return isCopied
}

async function writeByBrowser(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Not allowed, or not there.
    return false
  }
}

async function writeByManager(text: string, { setClipboard }: App['manager']): Promise<boolean> {
  if (setClipboard === null) return false
  try {
    // Userscripts resolves to false where the browser refused.
    return (await setClipboard(text, 'text')) !== false
  } catch {
    return false
  }
}
