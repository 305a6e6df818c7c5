/**
 * A stand-in for a userscript manager, inside the page: the `GM_*` and `GM.*` functions the script asks for.
 *
 * Requests leave the page through `carrier`, because a manager is not bound by the page's policy: either a function the
 * test put on the window, or an address of the page's own origin that asks on its behalf.
 */
import { readFile } from 'node:fs/promises'

export interface ShimOptions {
  /** Whose functions there are. */
  readonly manager: ManagerName
  readonly carrier:
    | { readonly kind: 'function'; readonly name: string }
    | { readonly kind: 'address'; readonly path: string }
  /** Its values of every site: read at an address, set by a function. @default this site's storage */
  readonly values?: { readonly address: string; readonly setter: string }
}

/** Request and response of a carrier; bodies are base64. */
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

/** Lets a test read and change the state of the manager. */
export interface ShimState {
  /** Texts passed to the manager's clipboard function. */
  readonly clipboard: string[]
  /** Menu commands by caption. */
  readonly menu: Record<string, () => void>
  /** Another page has set a value. */
  receive(key: string, value: unknown): void
}

/** Key of `ShimState` on the window. */
export const SHIM_STATE = '__manager'

/** Source of a script that sets the stand-in up; it must run before the userscript. */
export function shimSource({ manager, ...options }: ShimOptions): string {
  return `(${install})(${JSON.stringify(options)}, ${JSON.stringify(MANAGERS[manager])}, ${JSON.stringify(SHIM_STATE)});`
}

/** Runs in the page, on its own: it must not use anything from outside its body. */
function install(options: Omit<ShimOptions, 'manager'>, shape: ManagerShape, stateName: string): void {
  interface Details extends CarriedRequest {
    readonly onload?: (answer: object) => void
    readonly onerror?: (answer: object) => void
    readonly onabort?: () => void
    readonly onprogress?: (progress: object) => void
  }
  type Listener = (key: string, before: unknown, value: unknown, remote: boolean) => void
  const page = window as unknown as Record<string, unknown>

  const carry = async (request: CarriedRequest): Promise<CarriedAnswer> => {
    const { carrier } = options
    if (carrier.kind === 'function') {
      return (page[carrier.name] as (request: CarriedRequest) => Promise<CarriedAnswer>)(request)
    }
    const answer = await fetch(carrier.path, { headers: { 'x-manager-request': JSON.stringify(request) } })
    return answer.json()
  }

  const ask = (details: Details) => {
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
    return { done, abort }
  }

  const listeners: [key: string, listener: Listener][] = []
  const notify = (key: string, before: unknown, value: unknown, remote: boolean) => {
    for (const [watched, listener] of listeners) if (watched === key) listener(key, before, value, remote)
  }
  const prefix = `${stateName}:`
  const kept = new Map<string, unknown>()
  let keep = (key: string, value: unknown) => localStorage.setItem(prefix + key, JSON.stringify(value))
  if (options.values) {
    const { address, setter } = options.values
    // A manager hands the values over before the script's first line.
    const request = new XMLHttpRequest()
    request.open('GET', address, false)
    request.send()
    for (const [key, value] of Object.entries(JSON.parse(request.responseText))) kept.set(key, value)
    keep = (key, value) => (page[setter] as (key: string, value: unknown) => void)(key, value)
  } else {
    for (const [name, text] of Object.entries(localStorage)) {
      if (name.startsWith(prefix)) kept.set(name.slice(prefix.length), JSON.parse(text))
    }
    addEventListener('storage', ({ key, newValue }) => {
      if (key?.startsWith(prefix)) state.receive(key.slice(prefix.length), JSON.parse(newValue ?? 'null') ?? undefined)
    })
  }
  const state: ShimState = {
    clipboard: [],
    menu: {},
    receive(key, value) {
      const before = kept.get(key)
      kept.set(key, value)
      notify(key, before, value, true)
    },
  }
  page[stateName] = state

  const functions: Record<string, (...args: never[]) => unknown> = {
    getValue: (key: string) => kept.get(key),
    setValue: (key: string, value: unknown) => {
      const before = kept.get(key)
      kept.set(key, value)
      keep(key, value)
      queueMicrotask(() => notify(key, before, value, false))
    },
    addValueChangeListener: (key: string, listener: Listener) => listeners.push([key, listener]),
    setClipboard: (text: string) => void state.clipboard.push(text),
    registerMenuCommand: (caption: string, run: () => void) => {
      state.menu[caption] = run
      return caption
    },
    unregisterMenuCommand: (caption: string) => {
      delete state.menu[caption]
    },
    xmlhttpRequest: (details: Details) => ({ abort: ask(details).abort }),
    xmlHttpRequest: (details: Details) => {
      const { done, abort } = ask(details)
      return shape.aborts ? Object.assign(done, { abort }) : undefined
    },
  }
  if (shape.isApart) {
    // As seen in Firefox 153: what follows has to do with promises and windows of the page, which the sandbox is not.
    AbortSignal.timeout = () => {
      throw new DOMException('AbortSignal.timeout: Could not find window.', 'InvalidStateError')
    }
    const ofPage = new WeakSet<object>()
    page.exportFunction = (own: (...args: unknown[]) => unknown) => {
      const exported = (...args: unknown[]) => own(...args)
      ofPage.add(exported)
      return exported
    }
    const closed = Object.getOwnPropertyDescriptor(ReadableStreamDefaultReader.prototype, 'closed')!
    Object.defineProperty(ReadableStreamDefaultReader.prototype, 'closed', {
      get() {
        const promise = closed.get!.call(this)
        ofPage.add(promise)
        return promise
      },
    })
    const { request } = LockManager.prototype
    LockManager.prototype.request = function (this: LockManager, name: string, ...rest: unknown[]) {
      const granted = rest.pop() as (lock: Lock | null) => object
      const answer = (lock: Lock | null) => {
        const held = granted(lock)
        // The lock is free again at once.
        if (!ofPage.has(granted) || !ofPage.has(held)) throw new Error('Permission denied to access property "then"')
        return held
      }
      return (request as (...args: unknown[]) => Promise<never>).call(this, name, ...rest, answer)
    }
  }

  for (const name of shape.alone) page[`GM_${name}`] = functions[name]
  const later =
    (name: string) =>
    async (...args: never[]) =>
      functions[name]!(...args)
  page.GM = Object.fromEntries(
    shape.ofGM.map((name) => [name, name === 'xmlHttpRequest' ? functions[name] : later(name)]),
  )
}

/**
 * Carries out a request of the manager stand-in, from Node, as a manager does outside the page: only to a host the
 * script's header names with `@connect`.
 */
export async function carryOut(request: CarriedRequest, hosts: ReadonlySet<string>): Promise<CarriedAnswer> {
  if (!URL.canParse(request.url) || !hosts.has(new URL(request.url).hostname)) {
    return { error: `${request.url} is not on a host the script may connect to.` }
  }
  try {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      // A redirect could lead to a host that is not allowed.
      redirect: 'error',
    })
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
    return { status: answer.status, statusText: answer.statusText, headers, body, finalUrl: answer.url }
  } catch (error) {
    return { error: String(error) }
  }
}

/** The hosts a userscript's header lets it connect to. */
export async function connectHosts(userscript: string): Promise<ReadonlySet<string>> {
  const header = (await readFile(userscript, 'utf8')).split('==/UserScript==', 1)[0]!
  return new Set([...header.matchAll(/^\/\/ @connect\s+(\S+)/gm)].map((match) => match[1]!))
}

/**
 * The functions of each userscript manager, for a script that is granted them all.
 *
 * Sources: violentmonkey.github.io/api/gm, tampermonkey.net/documentation.php, docs.scriptcat.org,
 * greasemonkey/greasemonkey `src/bg/api-provider-source.js`, quoid/userscripts `README.md` (all as of 2026-08).
 */
export interface ManagerShape {
  /** Functions on their own, `GM_…`; they answer at once. */
  readonly alone: readonly string[]
  /** Functions of `GM`; they answer by a promise. */
  readonly ofGM: readonly string[]
  /** True if a request returns something that can abort it. */
  readonly aborts: boolean
  /**
   * True if its scripts run apart from the page, in a sandbox of Firefox, whatever the page's policy. So do those of
   * Violentmonkey there, on a page whose policy keeps scripts out, as the code host's does.
   */
  readonly isApart?: boolean
}

const KEPT = ['getValue', 'setValue']
const ALL = [...KEPT, 'addValueChangeListener', 'setClipboard', 'registerMenuCommand', 'unregisterMenuCommand']
const both: ManagerShape = { alone: ['xmlhttpRequest', ...ALL], ofGM: ['xmlHttpRequest', ...ALL], aborts: true }

export const MANAGERS = {
  violentmonkey: both,
  tampermonkey: both,
  scriptcat: both,
  greasemonkey: {
    alone: [],
    ofGM: ['xmlHttpRequest', ...KEPT, 'setClipboard', 'registerMenuCommand'],
    aborts: false,
    isApart: true,
  },
  /** Userscripts, for Safari: no menu. */
  userscripts: { alone: ['xmlhttpRequest'], ofGM: ['xmlHttpRequest', ...KEPT, 'setClipboard'], aborts: true },
} as const satisfies Readonly<Record<string, ManagerShape>>

export type ManagerName = keyof typeof MANAGERS
