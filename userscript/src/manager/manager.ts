import type { ManagerObject, ManagerXhr } from './types.ts'

// Each of these exists only where a manager grants it: ask with typeof, never assume.
declare const GM: ManagerObject | undefined
declare const GM_xmlhttpRequest: ManagerXhr | undefined
declare const GM_getValue: ((key: string) => unknown) | undefined
declare const GM_setValue: ((key: string, value: string) => unknown) | undefined
declare const GM_setClipboard: ((text: string, type?: string) => unknown) | undefined
declare const GM_registerMenuCommand: ((caption: string, run: () => void) => unknown) | undefined

/** What the manager of this page offers, in one dialect; null for what it does not have. */
export interface Manager {
  readonly xhr: ManagerXhr | null
  /** Small values, shared by all pages of this script. Reading something absent gives undefined. */
  readonly values: { get(key: string): Promise<unknown>; set(key: string, value: string): Promise<void> } | null
  readonly setClipboard: ((text: string) => Promise<void>) | null
  readonly addMenuCommand: ((caption: string, run: () => void) => Promise<void>) | null
}

/** Looks at what the manager granted: `GM_*` first, for it answers at once, else `GM.*`. */
export function findManager(): Manager {
  const gm: ManagerObject = typeof GM === 'object' && GM !== null ? GM : {}
  const get = typeof GM_getValue === 'function' ? GM_getValue : gm.getValue?.bind(gm)
  const set = typeof GM_setValue === 'function' ? GM_setValue : gm.setValue?.bind(gm)
  const clipboard = typeof GM_setClipboard === 'function' ? GM_setClipboard : gm.setClipboard?.bind(gm)
  const menu = typeof GM_registerMenuCommand === 'function' ? GM_registerMenuCommand : gm.registerMenuCommand?.bind(gm)
  const xhr = typeof GM_xmlhttpRequest === 'function' ? GM_xmlhttpRequest : gm.xmlHttpRequest?.bind(gm)
  return {
    xhr: xhr ?? null,
    values:
      get && set
        ? {
            get: async (key) => get(key),
            set: async (key, value) => {
              await set(key, value)
            },
          }
        : null,
    setClipboard: clipboard
      ? async (text) => {
          await clipboard(text, 'text')
        }
      : null,
    addMenuCommand: menu
      ? async (caption, run) => {
          await menu(caption, run)
        }
      : null,
  }
}
