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

/** The settings, the same in every tab. */
export interface SettingsStore {
  readonly current: Settings
  /** Resolves when the stored settings are read; undefined when the manager returned them synchronously. */
  readonly opening: Promise<void> | undefined
  /** Applies a change at once, here and in the other tabs, even if the manager cannot store it. */
  change(patch: Partial<Settings>): void
  /** @param listener called when the settings have changed; `isOwn` when they were changed in this tab */
  onChange(listener: SettingsListener, signal?: AbortSignal): void
}

/**
 * Opens the settings that the manager stores.
 *
 * Each setting is a value of its own, and a change writes only that. So it need not wait until the others are read,
 * nothing is replaced by defaults while a manager's values are missing, and two tabs never undo each other's changes.
 *
 * Other tabs read again when they are told that something changed: by an event of the manager, by a message of a tab of
 * this origin, or, where there is neither, by regular reads while the page is visible. A message has no content, because
 * any script of the site can send one.
 *
 * @param values null when the manager stores nothing: then a change lasts for this tab
 */
export function openSettings(values: ManagerValues | null): SettingsStore {
  const listeners = createListeners<Parameters<SettingsListener>>()
  /** All settings as an earlier version stored them. */
  let legacy = parseSettings(undefined)
  /** The stored values, as of the last read. One that is missing later is kept: nothing deletes any. */
  const stored = new Map<string, string>()
  /** Values that this tab has written and not read again yet. */
  const written = new Map<string, string>()
  /** Keys of those that the manager has accepted. */
  const accepted = new Set<string>()
  let current = legacy
  let isOpen = false

  const update = (isOwn: boolean) => {
    const before = current
    current = fromStored(legacy, new Map([...stored, ...written]))
    if (isOpen && JSON.stringify(before) !== JSON.stringify(current)) listeners.call(current, before, isOwn)
  }

  /** Reads values. @returns a promise unless the manager returns them synchronously */
  const get = (keys: readonly string[]): unknown[] | Promise<unknown[]> => {
    const found = keys.map((key) => values!.get(key))
    return found.some((value) => value instanceof Object) ? Promise.all(found) : found
  }
  const keep = (keys: readonly string[], found: readonly unknown[]) => {
    for (const [at, key] of keys.entries()) {
      const value = found[at]
      if (typeof value !== 'string') continue
      if (key === LEGACY_KEY) legacy = parseSettings(value)
      else stored.set(key, value)
    }
  }
  const read = (): Promise<void> | undefined => {
    if (values === null) return
    const confirmed = [...accepted]
    const finish = () => {
      // A write since then removed its key from `accepted`.
      for (const key of confirmed) if (accepted.delete(key)) written.delete(key)
      update(false)
    }
    const first = [LEGACY_KEY, CHANGED_KEY]
    const more = storedKeys(location.hostname)
    try {
      const found = get(first)
      if (found instanceof Promise) return readLater(found, first, more).then(finish).catch(reportAs('settings: read'))
      keep(first, found)
      if (stored.has(CHANGED_KEY)) keep(more, get(more) as unknown[])
      finish()
    } catch (error) {
      // The defaults apply.
      report('settings: read', error)
    }
  }
  const readLater = async (found: Promise<unknown[]>, first: readonly string[], more: readonly string[]) => {
    keep(first, await found)
    if (stored.has(CHANGED_KEY)) keep(more, await get(more))
  }
  const write = async (changes: ReadonlyMap<string, string>) => {
    for (const [key, value] of changes) {
      written.set(key, value)
      accepted.delete(key)
    }
    const all = [...changes, [CHANGED_KEY, `${Date.now()} ${Math.random()}`] as const]
    // Each is sent at once: the page may be left in the next moment.
    const sent = all.map(async ([key, value]) => {
      await values?.set(key, value)
      if (values !== null && written.get(key) === value) accepted.add(key)
    })
    for (const { status, ...outcome } of await Promise.allSettled(sent))
      if (status === 'rejected') report('settings: write', (outcome as PromiseRejectedResult).reason)
    channel.post(null)
  }

  const channel = openChannel('plugmark settings', () => void read())
  const opened = async () => {
    isOpen = true
    const isWatched = await values?.watch(CHANGED_KEY, () => void read())
    if (values) onVisible(read, isWatched ? null : POLL_MS)
  }
  const reading = read()
  const opening =
    reading && Promise.race([reading, new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS))]).then(opened)
  if (!opening) void opened()
  return {
    opening,
    get current() {
      return current
    },
    change(patch) {
      void write(toStored(patch, current))
      update(true)
    },
    onChange: listeners.add,
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
