/**
 * A stand-in for a userscript manager, inside the page: the `GM_*` and `GM.*` functions the script asks for.
 *
 * Requests leave the page through `carrier`, for a manager is not bound by the page's policy: either a function the
 * test put on the window, or an address of the page's own origin that asks on its behalf.
 */
export interface ShimOptions {
  /** Which functions there are; a real manager has one dialect or both. */
  readonly dialect: 'GM_' | 'GM.'
  readonly carrier:
    | { readonly kind: 'function'; readonly name: string }
    | { readonly kind: 'address'; readonly path: string }
  /** Values the manager holds before the script first runs. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** What a carrier is given, and what it gives back: the body as base64. */
export interface CarriedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
export type CarriedAnswer =
  | {
      readonly status: number
      readonly statusText: string
      /** Lines, each ended by CR LF. */
      readonly headers: string
      readonly body: string
      readonly finalUrl: string
    }
  | { readonly error: string }

/** What a test can see and do in the manager. */
export interface ShimState {
  /** Texts given to the manager's clipboard function. */
  readonly clipboard: string[]
  /** Menu commands by caption. */
  readonly menu: Record<string, () => void>
}

/** Where `ShimState` lies on the window. */
export const SHIM_STATE = '__manager'

/** Source of a script that sets the stand-in up; it must run before the userscript. */
export function shimSource(options: ShimOptions): string {
  return `(${install})(${JSON.stringify(options)}, ${JSON.stringify(SHIM_STATE)});`
}

/** Runs in the page, on its own: it must not use anything from outside its body. */
function install(options: ShimOptions, stateName: string): void {
  interface Details extends CarriedRequest {
    readonly onload?: (answer: object) => void
    readonly onerror?: (answer: object) => void
    readonly onabort?: () => void
    readonly onprogress?: (progress: object) => void
  }
  const page = window as unknown as Record<string, unknown>
  const state: ShimState = { clipboard: [], menu: {} }
  page[stateName] = state

  const carry = async (request: CarriedRequest): Promise<CarriedAnswer> => {
    const { carrier } = options
    if (carrier.kind === 'function') {
      return (page[carrier.name] as (request: CarriedRequest) => Promise<CarriedAnswer>)(request)
    }
    const answer = await fetch(carrier.path, { headers: { 'x-manager-request': JSON.stringify(request) } })
    return answer.json()
  }

  const xhr = (details: Details) => {
    let aborted = false
    const { method, url, headers } = details
    const done = carry({ method, url, headers: { ...headers } }).then(
      (answer) => {
        if (aborted) return
        if ('error' in answer) return details.onerror?.(answer)
        const bytes = Uint8Array.from(atob(answer.body), (character) => character.charCodeAt(0))
        details.onprogress?.({ loaded: bytes.length, total: bytes.length, lengthComputable: true })
        if (aborted) return
        details.onload?.({ ...answer, responseHeaders: answer.headers, response: new Blob([bytes]), readyState: 4 })
      },
      (error: unknown) => details.onerror?.({ error: String(error) }),
    )
    const abort = () => {
      aborted = true
      details.onabort?.()
    }
    return options.dialect === 'GM.' ? Object.assign(done, { abort }) : { abort }
  }

  const at = (key: string) => `${stateName}:${key}`
  const set = (key: string, value: unknown) => localStorage.setItem(at(key), JSON.stringify(value))
  const get = (key: string): unknown => JSON.parse(localStorage.getItem(at(key)) ?? 'null') ?? undefined
  for (const [key, value] of Object.entries(options.values ?? {})) if (get(key) === undefined) set(key, value)

  const setClipboard = (text: string) => void state.clipboard.push(text)
  const registerMenuCommand = (caption: string, run: () => void) => {
    state.menu[caption] = run
    return caption
  }

  if (options.dialect === 'GM_') {
    page.GM_xmlhttpRequest = xhr
    page.GM_getValue = get
    page.GM_setValue = set
    page.GM_setClipboard = setClipboard
    page.GM_registerMenuCommand = registerMenuCommand
  } else {
    page.GM = {
      xmlHttpRequest: xhr,
      getValue: async (key: string) => get(key),
      setValue: async (key: string, value: unknown) => set(key, value),
      setClipboard: async (text: string) => setClipboard(text),
      registerMenuCommand: async (caption: string, run: () => void) => registerMenuCommand(caption, run),
    }
  }
}
