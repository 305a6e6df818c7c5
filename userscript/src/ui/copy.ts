import { report } from '../base/report.ts'
import { defineWords, type Locale } from '../i18n/index.ts'
import type { Announcer } from './live-region.ts'

/** A manager's function. It may throw, or return a promise. */
type ManagerClipboard = ((text: string, type: 'text') => unknown) | null

/**
 * Outcome of a copy. It is `superseded` when the text of a copy that was started later was known before its own, and
 * `nothing` when there turned out to be no text.
 */
export type CopyOutcome = 'copied' | 'refused' | 'superseded' | 'nothing'

const WORDS = defineWords({
  en: {
    copied: (command: string) => `Copied: ${command}`,
    copyFailed: (command: string) => `Could not copy. Select the command and copy it manually: ${command}`,
  },
  zh: {
    copied: (command) => `已复制：${command}`,
    copyFailed: (command) => `复制失败，请选中命令手动复制：${command}`,
  },
})

/** The copies that have not ended, in the order of their start. */
const running = new Set<AbortController>()

/**
 * Copies a command and announces it to screen readers.
 *
 * @param command resolves to null when there turns out to be nothing to copy: then nothing is announced
 * @param remark further announcement about a copied command
 */
export async function copyCommand(
  {
    manager,
    announcer,
    locale,
  }: { readonly manager: { readonly setClipboard: ManagerClipboard }; announcer: Announcer; locale: () => Locale },
  command: string | Promise<string | null>,
  remark: () => string = () => '',
): Promise<CopyOutcome> {
  const outcome = await copyText(command, manager.setClipboard)
  if (outcome === 'superseded' || outcome === 'nothing') return outcome
  const text = (await command)!
  const { copied, copyFailed } = WORDS[locale()]
  announcer.say(outcome === 'copied' ? `${copied(text)} ${remark()}`.trim() : copyFailed(text))
  return outcome
}

/**
 * Copies text: by the browser, which reports the result, else by the manager. Supersedes the copies that were started
 * before, so that the clipboard has what was requested last; but only once there is a text to copy in place of theirs.
 *
 * @param text a promise if the text is not known yet; null for nothing
 * @throws when the promise rejects, unless the copy was superseded before
 */
export async function copyText(text: string | Promise<string | null>, manager: ManagerClipboard): Promise<CopyOutcome> {
  const earlier = [...running]
  const own = new AbortController()
  const { signal } = own
  running.add(own)
  const supersedeEarlier = (known: string | null) => {
    if (known !== null && !signal.aborted) for (const copy of earlier) copy.abort()
    return known
  }
  const superseded = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  // A command that is a string races nothing.
  superseded.catch(() => {})
  const wanted = typeof text === 'string' ? text : Promise.race([text.then(supersedeEarlier), superseded])
  if (typeof text === 'string') supersedeEarlier(text)
  try {
    if (typeof wanted !== 'string' && (await writePromised(wanted))) return 'copied'
    const known = await wanted
    if (known === null) return 'nothing'
    if (await writeByBrowser(known)) return 'copied'
    if (signal.aborted) return 'superseded'
    return (await writeByManager(known, manager)) ? 'copied' : 'refused'
  } catch (error) {
    if (signal.aborted) return 'superseded'
    throw error
  } finally {
    running.delete(own)
  }
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

/** Time for which a button shows that it has copied. ms */
const COPIED_MS = 2000

const copiedTimers = new WeakMap<Element, ReturnType<typeof setTimeout>>()

/** Shows for a moment on an element that its text was copied. A second copy restarts the time. */
export function showCopied(copied: Element, show: (isCopied: boolean) => void): void {
  clearTimeout(copiedTimers.get(copied))
  show(true)
  copiedTimers.set(
    copied,
    setTimeout(() => show(false), COPIED_MS),
  )
}
