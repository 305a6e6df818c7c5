import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import type { ManagerValues } from '../manager/manager.ts'
import { CHANGED_KEY } from '../start/stored-start.ts'
import { fromStored, type Settings, storedKeys, toStored } from './settings.ts'

/** Longest time for which a page waits for a manager; a later answer still applies. ms */
const READ_TIMEOUT_MS = 250

/** Time between two reads of the settings in a visible page whose manager reports no changes. ms */
const POLL_MS = 2_000

type SettingsListener = (now: Settings, before: Settings, isOwn: boolean) => void

/**
 * The settings that the manager stores, the same in every tab.
 *
 * Each setting is a value of its own, and a change writes only that. So it need not wait until the others are read,
 * nothing is replaced by defaults while a manager's values are missing, and two tabs never undo each other's changes.
 *
 * Other tabs read again when they are told that something changed: by an event of the manager, by what a tab of this
 * origin stores for the next start, or, where there is neither, by regular reads while the page is visible. Only the
 * manager's values count, because any script of the site can write to its storage.
 */
export class SettingsStore {
  /** Resolves when the stored settings are read; undefined when the manager returned them synchronously. */
  readonly opening: Promise<void> | undefined
  readonly #values: ManagerValues | null
  readonly #listeners = createListeners<Parameters<SettingsListener>>()
  readonly #readListeners = createListeners()
  readonly #storageKey: string
  /** Null where the browser or the manager's sandbox has none. */
  #channel: BroadcastChannel | null = null
  /** The stored values, as of the last read. One that is missing later is kept: nothing deletes any. */
  readonly #stored = new Map<string, string>()
  /** Values that this tab has written and not read again yet. */
  readonly #written = new Map<string, string>()
  /** Keys of those that the manager has accepted. */
  readonly #accepted = new Set<string>()
  #current = fromStored(this.#stored)
  #isOpen = false

  /**
   * @param values null when the manager stores nothing: then a change lasts for this tab
   * @param storageKey what a tab of this origin stores under it when settings have changed
   */
  constructor(values: ManagerValues | null, storageKey: string) {
    this.#values = values
    this.#storageKey = storageKey
    const reading = this.#read()
    this.opening =
      reading &&
      Promise.race([reading, new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS))]).then(() => this.#open())
    if (!this.opening) void this.#open()
  }

  get current(): Settings {
    return this.#current
  }

  /** The value that the last change has set, in any tab; empty before the first one. */
  get stamp(): string {
    return this.#written.get(CHANGED_KEY) ?? this.#stored.get(CHANGED_KEY) ?? ''
  }

  /** Applies a change at once, here and in the other tabs, even if the manager cannot store it. */
  readonly change = (patch: Partial<Settings>): void => {
    void this.#write(toStored(patch, this.#current))
    this.#update(true)
  }

  /** @param listener called when the settings have changed; `isOwn` when they were changed in this tab */
  readonly onChange = (listener: SettingsListener, signal?: AbortSignal): void => this.#listeners.add(listener, signal)

  /** @param listener called when the stored settings have been read again, whether or not they differ */
  readonly onRead = this.#readListeners.add

  async #open(): Promise<void> {
    this.#isOpen = true
    const read = () => void this.#read()
    addEventListener('storage', ({ key }) => {
      if (key === this.#storageKey) read()
    })
    try {
      // A browser does not deliver a message to a page that it keeps for Back, but evicts the page, whose manager has old
      // values. It is loaded again when the user returns (seen in Chromium).
      this.#channel = new BroadcastChannel(this.#storageKey)
      this.#channel.onmessage = read
    } catch (error) {
      report('settings: channel', error)
    }
    const isWatched = await this.#values?.watch(CHANGED_KEY, read)
    if (this.#values) onVisible(read, isWatched ? null : POLL_MS)
  }

  #update(isOwn: boolean): void {
    const before = this.#current
    this.#current = fromStored(new Map([...this.#stored, ...this.#written]))
    if (this.#isOpen && JSON.stringify(before) !== JSON.stringify(this.#current))
      this.#listeners.call(this.#current, before, isOwn)
  }

  /** @returns a promise unless the manager returns its values synchronously */
  #read(): Promise<void> | undefined {
    const values = this.#values
    if (values === null) return
    const confirmed = [...this.#accepted]
    const keys = [...storedKeys(location.hostname), CHANGED_KEY]
    const keep = (found: readonly unknown[]) => {
      for (const [at, key] of keys.entries()) {
        const value = found[at]
        if (typeof value === 'string') this.#stored.set(key, value)
      }
      // A write since then removed its key from `accepted`.
      for (const key of confirmed) if (this.#accepted.delete(key)) this.#written.delete(key)
      this.#update(false)
      if (this.#isOpen) this.#readListeners.call()
    }
    try {
      const found = keys.map((key) => values.get(key))
      if (found.some((value) => value instanceof Object))
        return Promise.all(found).then(keep).catch(reportAs('settings: read'))
      keep(found)
    } catch (error) {
      // The defaults apply.
      report('settings: read', error)
    }
  }

  async #write(changes: ReadonlyMap<string, string>): Promise<void> {
    const all = new Map([...changes, [CHANGED_KEY, `${Date.now()} ${Math.random()}`]])
    for (const [key, value] of all) {
      this.#written.set(key, value)
      this.#accepted.delete(key)
    }
    // Each is sent at once: the page may be left in the next moment.
    const sent = [...all].map(async ([key, value]) => {
      await this.#values?.set(key, value)
      if (this.#values !== null && this.#written.get(key) === value) this.#accepted.add(key)
    })
    for (const { status, ...outcome } of await Promise.allSettled(sent))
      if (status === 'rejected') report('settings: write', (outcome as PromiseRejectedResult).reason)
    this.#channel?.postMessage(null)
  }
}

/**
 * Calls `look` whenever the user returns to this page.
 *
 * @param everyMs interval of further calls while the page is visible; null for none
 */
function onVisible(look: () => unknown, everyMs: number | null): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const poll = () => {
    clearInterval(timer)
    if (everyMs !== null && !document.hidden) timer = setInterval(look, everyMs)
  }
  const onReturn = () => {
    if (!document.hidden) look()
    poll()
  }
  document.addEventListener('visibilitychange', onReturn)
  // To the browser, a window that is covered by another one is not hidden.
  addEventListener('focus', onReturn)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onReturn()
  })
  poll()
}
