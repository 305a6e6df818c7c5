/**
 * The parts of a userscript manager's interface this script uses, in both dialects.
 *
 * Sources: violentmonkey.github.io/api/gm, tampermonkey.net/documentation.php, docs.scriptcat.org, wiki.greasespot.net
 * and github.com/quoid/userscripts (all as of 2026-08).
 */

/** What a manager hands to the callbacks of a request. */
export interface ManagerResponse {
  readonly status: number
  /** Of the kind that was asked for; some managers give text whatever was asked. */
  readonly response?: unknown
  readonly responseText?: string
}

export interface ManagerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly responseType: 'blob'
  /** Without the cookies of the address. */
  readonly anonymous: true
  /** ms */
  readonly timeout: number
  readonly onload: (response: ManagerResponse) => void
  readonly onerror: (response: unknown) => void
  readonly ontimeout: () => void
  readonly onabort: () => void
  readonly onprogress: (progress: { readonly loaded?: number; readonly total?: number }) => void
}

/** `GM_xmlhttpRequest` returns a handle; `GM.xmlHttpRequest` a promise that may have `abort`, or nothing at all. */
export type ManagerXhr = (request: ManagerRequest) => unknown

/** `GM`, of which a manager may have any part. */
export interface ManagerObject {
  readonly xmlHttpRequest?: ManagerXhr
  readonly getValue?: (key: string) => Promise<unknown>
  readonly setValue?: (key: string, value: string) => Promise<void>
  readonly addValueChangeListener?: (
    key: string,
    /** @param remote whether another page set the value */
    listener: (key: string, before: unknown, value: unknown, remote?: boolean) => void,
  ) => unknown
  readonly setClipboard?: (text: string, type?: string) => unknown
  readonly registerMenuCommand?: (caption: string, run: () => void) => unknown
}
