import { report } from '../base/report.ts'

/** A manager's function. It may throw, or return a promise. */
type ManagerClipboard = ((text: string, type: 'text') => unknown) | null

/**
 * Copies a text: by the browser, which reports the result, else by the manager.
 *
 * @param text a promise if the text is not known yet; null for nothing
 * @returns true if either copied it
 */
export async function copyText(text: string | Promise<string | null>, manager: ManagerClipboard): Promise<boolean> {
  if (typeof text !== 'string' && (await writePromised(text))) return true
  const known = await text
  return known !== null && ((await writeByBrowser(known)) || (await writeByManager(known, manager)))
}

/** WebKit accepts a later text only as a promise that is passed during the click event. */
async function writePromised(text: Promise<string | null>): Promise<boolean> {
  try {
    const blob = text.then((known) => {
      if (known === null) throw new Error('There is nothing to copy.')
      return new Blob([known], { type: 'text/plain' })
    })
    // Some browsers do not read it, and then nobody handles its rejection.
    blob.catch(() => {})
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch (error) {
    if ((await text.catch(() => null)) !== null) report('clipboard: write', error)
    return false
  }
}

async function writeByBrowser(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    // Not allowed, or not supported.
    report('clipboard: writeText', error)
    return false
  }
}

async function writeByManager(text: string, setClipboard: ManagerClipboard): Promise<boolean> {
  if (setClipboard === null) return false
  try {
    // Userscripts resolves to false when the browser refused.
    return (await setClipboard(text, 'text')) !== false
  } catch (error) {
    report('clipboard: manager', error)
    return false
  }
}
