import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import { openChannel } from '../manager/broadcast.ts'
import type { ManagerValues } from '../manager/manager.ts'
import { fromStored, LEGACY_KEY, parseSettings, type Settings, storedKeys, toStored } from './settings.ts'

/** Key of a value that every change replaces. Where it is missing, no setting has a value of its own. */
const CHANGED_KEY = 'changed'

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
 * Other tabs read again when they are told that something changed: by an event of the manager, by a message of a tab of
 * this origin, or, where there is neither, by regular reads while the page is visible. A message has no content, because
 * any script of the site can send one.
 */
export class SettingsStore {
  /** Resolves when the stored settings are read; undefined when the manager returned them synchronously. */
  readonly opening: Promise<void> | undefined
  readonly #values: ManagerValues | null
  readonly #listeners = createListeners<Parameters<SettingsListener>>()
  readonly #channel = openChannel('plugmark settings', () => void this.#read())
  /** All settings as an earlier version stored them. */
  #legacy = parseSettings(undefined)
  /** The stored values, as of the last read. One that is missing later is kept: nothing deletes any. */
  readonly #stored = new Map<string, string>()
  /** Values that this tab has written and not read again yet. */
  readonly #written = new Map<string, string>()
  /** Keys of those that the manager has accepted. */
  readonly #accepted = new Set<string>()
  #current = this.#legacy
  #isOpen = false

  /** @param values null when the manager stores nothing: then a change lasts for this tab */
  constructor(values: ManagerValues | null) {
    this.#values = values
    const reading = this.#read()
    this.opening =
      reading &&
      Promise.race([reading, new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS))]).then(() => this.#open())
    if (!this.opening) void this.#open()
  }

  get current(): Settings {
    return this.#current
  }

  /** Applies a change at once, here and in the other tabs, even if the manager cannot store it. */
  readonly change = (patch: Partial<Settings>): void => {
    void this.#write(toStored(patch, this.#current))
    this.#update(true)
  }

  /** @param listener called when the settings have changed; `isOwn` when they were changed in this tab */
  readonly onChange = (listener: SettingsListener, signal?: AbortSignal): void => this.#listeners.add(listener, signal)

  async #open(): Promise<void> {
    this.#isOpen = true
    const read = () => void this.#read()
    const isWatched = await this.#values?.watch(CHANGED_KEY, read)
    if (this.#values) onVisible(read, isWatched ? null : POLL_MS)
  }

  #update(isOwn: boolean): void {
    const before = this.#current
    this.#current = fromStored(this.#legacy, new Map([...this.#stored, ...this.#written]))
    if (this.#isOpen && JSON.stringify(before) !== JSON.stringify(this.#current))
      this.#listeners.call(this.#current, before, isOwn)
  }

  #read(): Promise<void> | undefined {
    if (this.#values === null) return
    const confirmed = [...this.#accepted]
    const finish = () => {
      // A write since then removed its key from `accepted`.
      for (const key of confirmed) if (this.#accepted.delete(key)) this.#written.delete(key)
      this.#update(false)
    }
    const first = [LEGACY_KEY, CHANGED_KEY]
    const more = storedKeys(location.hostname)
    try {
      const found = this.#get(first)
      if (found instanceof Promise)
        return this.#readLater(found, first, more).then(finish).catch(reportAs('settings: read'))
      this.#keep(first, found)
      if (this.#stored.has(CHANGED_KEY)) this.#keep(more, this.#get(more) as unknown[])
      finish()
    } catch (error) {
      // The defaults apply.
      report('settings: read', error)
    }
  }

  async #readLater(found: Promise<unknown[]>, first: readonly string[], more: readonly string[]): Promise<void> {
    this.#keep(first, await found)
    if (this.#stored.has(CHANGED_KEY)) this.#keep(more, await this.#get(more))
  }

  /** Reads values. @returns a promise unless the manager returns them synchronously */
  #get(keys: readonly string[]): unknown[] | Promise<unknown[]> {
    const found = keys.map((key) => this.#values!.get(key))
    return found.some((value) => value instanceof Object) ? Promise.all(found) : found
  }

  #keep(keys: readonly string[], found: readonly unknown[]): void {
    for (const [at, key] of keys.entries()) {
      const value = found[at]
      if (typeof value !== 'string') continue
      if (key === LEGACY_KEY) this.#legacy = parseSettings(value)
      else this.#stored.set(key, value)
    }
  }

  async #write(changes: ReadonlyMap<string, string>): Promise<void> {
    for (const [key, value] of changes) {
      this.#written.set(key, value)
      this.#accepted.delete(key)
    }
    const all = [...changes, [CHANGED_KEY, `${Date.now()} ${Math.random()}`] as const]
    // Each is sent at once: the page may be left in the next moment.
    const sent = all.map(async ([key, value]) => {
      await this.#values?.set(key, value)
      if (this.#values !== null && this.#written.get(key) === value) this.#accepted.add(key)
    })
    for (const { status, ...outcome } of await Promise.allSettled(sent))
      if (status === 'rejected') report('settings: write', (outcome as PromiseRejectedResult).reason)
    this.#channel.post(null)
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
