/**
 * The parts of a userscript manager's interface that this script uses, in both dialects.
 *
 * Sources: violentmonkey.github.io/api/gm, tampermonkey.net/documentation.php, docs.scriptcat.org, wiki.greasespot.net
 * and github.com/quoid/userscripts (all as of 2026-08).
 */

import { report } from '../base/report.ts'

export interface ManagerResponse {
  readonly status: number
  /** Of the requested type; some managers return text whatever was requested. */
  readonly response?: unknown
  readonly responseText?: string
}

export interface ManagerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly responseType: 'blob'
  /** Sends no cookies. */
  readonly anonymous: true
  /** ms */
  readonly timeout: number
  readonly onload: (response: ManagerResponse) => void
  readonly onerror: (response: unknown) => void
  readonly ontimeout: () => void
  readonly onabort: () => void
  /** Called last, whatever the outcome. Some managers call nothing else. */
  readonly onloadend: (response: ManagerResponse) => void
  readonly onprogress: (progress: { readonly loaded?: number; readonly total?: number }) => void
}

/** `GM_xmlhttpRequest` returns a handle; `GM.xmlHttpRequest` a promise that may have `abort`, or nothing at all. */
export type ManagerXhr = (request: ManagerRequest) => unknown

/** Name and version of a manager. Reading it needs no grant. */
interface ManagerInfo {
  readonly scriptHandler?: string
  readonly version?: string
}

/** `GM`, of which a manager may have any part. */
interface ManagerObject {
  readonly info?: ManagerInfo
  readonly xmlHttpRequest?: ManagerXhr
  readonly getValue?: (key: string) => Promise<unknown>
  readonly setValue?: (key: string, value: string) => Promise<void>
  readonly addValueChangeListener?: (
    key: string,
    /** @param remote true if another page set the value */
    listener: (key: string, before: unknown, value: unknown, remote?: boolean) => void,
  ) => unknown
  readonly setClipboard?: (text: string, type?: string) => unknown
  readonly registerMenuCommand?: (caption: string, run: () => void) => unknown
  readonly unregisterMenuCommand?: (id: unknown) => unknown
}

// Each of these exists only where a manager grants it: check with typeof.
declare const GM: ManagerObject | undefined
declare const GM_info: ManagerInfo | undefined
declare const GM_xmlhttpRequest: ManagerXhr | undefined
declare const GM_getValue: ((key: string) => unknown) | undefined
declare const GM_setValue: ((key: string, value: string) => unknown) | undefined
declare const GM_addValueChangeListener: ManagerObject['addValueChangeListener']
declare const GM_setClipboard: ((text: string, type?: string) => unknown) | undefined
declare const GM_registerMenuCommand: ((caption: string, run: () => void) => unknown) | undefined
declare const GM_unregisterMenuCommand: ((id: unknown) => unknown) | undefined

/** Small values, shared by all pages of this script, on any site. */
export interface ManagerValues {
  /** Returns undefined for a missing value, or a promise when the manager does not answer at once. May throw. */
  get(key: string): unknown
  set(key: string, value: string): Promise<void>
  /**
   * Calls `onChange` whenever another page has set the value, from now on.
   *
   * @returns true if this manager reports changes; never rejects
   */
  watch(key: string, onChange: () => void): Promise<boolean>
}

/** The functions of the manager of this page, in one dialect; null for each that it lacks. */
export interface Manager {
  /** Name and version of the manager, for diagnostics. */
  readonly name: string
  readonly xhr: ManagerXhr | null
  readonly values: ManagerValues | null
  /** May throw, or return a promise. */
  readonly setClipboard: ((text: string, type: 'text') => unknown) | null
  /** Resolves to a function that removes the command; null when the manager cannot. */
  readonly addMenuCommand: ((caption: string, run: () => void) => Promise<(() => Promise<void>) | null>) | null
}

/** Collects the granted functions: `GM_*` first, because it answers at once, else `GM.*`. */
export function findManager(): Manager {
  const gm: ManagerObject = typeof GM === 'object' ? GM : {}
  const info = typeof GM_info === 'object' ? GM_info : gm.info
  const get = typeof GM_getValue === 'function' ? GM_getValue : gm.getValue?.bind(gm)
  const set = typeof GM_setValue === 'function' ? GM_setValue : gm.setValue?.bind(gm)
  const listen =
    typeof GM_addValueChangeListener === 'function' ? GM_addValueChangeListener : gm.addValueChangeListener?.bind(gm)
  const clipboard = typeof GM_setClipboard === 'function' ? GM_setClipboard : gm.setClipboard?.bind(gm)
  const menu = typeof GM_registerMenuCommand === 'function' ? GM_registerMenuCommand : gm.registerMenuCommand?.bind(gm)
  const removeFromMenu =
    typeof GM_unregisterMenuCommand === 'function' ? GM_unregisterMenuCommand : gm.unregisterMenuCommand?.bind(gm)
  const xhr = typeof GM_xmlhttpRequest === 'function' ? GM_xmlhttpRequest : gm.xmlHttpRequest?.bind(gm)
  return {
    name: [info?.scriptHandler ?? 'unknown', info?.version ?? ''].join(' ').trim(),
    xhr: xhr ?? null,
    values:
      get && set
        ? {
            get,
            set: async (key, value) => {
              await set(key, value)
            },
            async watch(key, onChange) {
              if (!listen) return false
              try {
                await listen(key, (_key, _before, _value, remote) => {
                  if (remote !== false) onChange()
                })
                return true
              } catch (error) {
                report('settings: watch', error)
                return false
              }
            },
          }
        : null,
    setClipboard: clipboard ?? null,
    addMenuCommand: menu
      ? async (caption, run) => {
          const id = await menu(caption, run)
          if (!removeFromMenu) return null
          return async () => {
            // Some managers return nothing: then the caption is the id.
            await removeFromMenu(id ?? caption)
          }
        }
      : null,
  }
}
