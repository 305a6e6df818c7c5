import { createListeners } from '../base/listeners.ts'
import { report, reportAs } from '../base/report.ts'
import { openChannel } from '../manager/broadcast.ts'
import type { ManagerValues } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'

const KEY = 'settings'

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
 * Tabs of this origin report changes to each other by a channel. The manager reports a change in a tab of another
 * origin: by an event, or, if it has none, by reads while the page is visible.
 *
 * A change before the stored settings are known applies here, and is stored once they are: stored any earlier, it would
 * replace all other settings by defaults.
 *
 * @param values null when the manager stores nothing: then a change lasts for the open tabs of this origin
 */
export function openSettings(values: ManagerValues | null): SettingsStore {
  const listeners = createListeners<Parameters<SettingsListener>>()
  /** The newest settings that were read or written. */
  let stored = parseSettings(undefined)
  /** Changes that wait until the stored settings are known. */
  let pending: Partial<Settings> = {}
  let current = stored
  let isKnown = values === null
  let isOpen = false

  const update = (isOwn: boolean) => {
    const before = current
    current = { ...stored, ...pending }
    if (isOpen && JSON.stringify(before) !== JSON.stringify(current)) listeners.call(current, before, isOwn)
  }
  const write = () => {
    const revision = Math.max(Date.now(), stored.revision + 1)
    stored = { ...stored, ...pending, revision }
    pending = {}
    const text = JSON.stringify(stored)
    channel.post(text)
    values?.set(KEY, text).catch(reportAs('settings: write'))
  }
  const onStored = (text: unknown) => {
    isKnown = true
    const read = parseSettings(text)
    // A change arrives in several ways, and a slow one may bring an older state.
    if (read.revision >= stored.revision) stored = read
    if (Object.keys(pending).length > 0) write()
    update(false)
  }
  const read = (): Promise<void> | undefined => {
    try {
      const text = values?.get(KEY)
      // Most managers return the value itself: then no page waits.
      if (typeof text === 'string') onStored(text)
      else if (text !== undefined) return Promise.resolve(text).then(onStored).catch(reportAs('settings: read'))
      else isKnown = true
    } catch (error) {
      // The defaults apply.
      report('settings: read', error)
    }
  }
  const channel = openChannel('plugmark settings', onStored)
  const opened = async () => {
    isOpen = true
    const isWatched = await values?.watch(KEY, onStored)
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
      pending = { ...pending, ...patch }
      if (isKnown) write()
      update(true)
      if (!isKnown) void read()
    },
    onChange: listeners.add,
  }
}

/**
 * Calls `look` whenever the person returns to this page.
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
