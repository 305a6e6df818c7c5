import type { Manager } from '../manager/manager.ts'

/**
 * Puts text into the clipboard: the browser's own first, for it says whether it worked, then the manager's.
 *
 * @returns whether either took it
 */
export async function writeClipboard(text: string, manager: Pick<Manager, 'setClipboard'>): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Not allowed, or not there.
  }
  if (manager.setClipboard === null) return false
  try {
    // Userscripts answers false where the browser did not let it.
    return (await manager.setClipboard(text, 'text')) !== false
  } catch {
    return false
  }
}
