import { openChannel } from '../manager/broadcast.ts'
import type { ManagerValues } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'

const KEY = 'settings'

/** A page does not wait longer for a manager; a later answer still applies. ms */
const READ_TIMEOUT_MS = 250

/** How often a visible page reads the settings where the manager reports no changes. ms */
const POLL_MS = 2_000

/** The settings, the same in every tab. */
export interface SettingsStore {
  readonly current: Settings
  /** Resolves when the stored settings are read; undefined where the manager returned them at once. */
  readonly opening: Promise<void> | undefined
  /** Applies at once, here and in the other tabs, whether or not the manager can store it. */
  change(patch: Partial<Settings>): void
}

/**
 * Opens the settings that the manager stores.
 *
 * Tabs of this origin report changes to each other by a channel. A change in a tab of another origin comes from the
 * manager: by its event, or, where it has none, by reading while the page is visible.
 *
 * @param values null where the manager stores nothing: then a change holds for the open tabs
 * @param onChange called when the settings differ from before; `isOwn` when they were changed in this tab
 */
export function openSettings(
  values: ManagerValues | null,
  onChange: (now: Settings, before: Settings, isOwn: boolean) => void,
): SettingsStore {
  let current = parseSettings(undefined)
  let isOpen = false

  const apply = (stored: unknown, isOwn = false) => {
    const now = parseSettings(stored)
    // A change arrives in several ways, and a slow one may bring an older one.
    if (now.revision < current.revision) return
    const before = current
    current = now
    if (isOpen && JSON.stringify(before) !== JSON.stringify(now)) onChange(now, before, isOwn)
  }
  const read = (): Promise<void> | undefined => {
    try {
      const stored = values?.get(KEY)
      // Most managers return the value itself: then no page waits.
      if (typeof stored === 'string') apply(stored)
      else if (stored !== undefined) return Promise.resolve(stored).then(apply, () => {})
    } catch {
      // The defaults apply, and a change holds for the open tabs.
    }
  }
  const channel = openChannel('plugmark settings', apply)
  const opened = async () => {
    isOpen = true
    const isWatched = await values?.watch(KEY, apply)
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
      const revision = Math.max(Date.now(), current.revision + 1)
      const stored = JSON.stringify({ ...current, ...patch, revision })
      apply(stored, true)
      channel.post(stored)
      values?.set(KEY, stored).catch(() => {
        // It holds for the open tabs.
      })
    },
  }
}

/**
 * Calls `look` whenever the person returns to this page.
 *
 * @param everyMs also this often while the page is visible; null for never
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
  // A window that is covered by another one is not hidden to the browser.
  addEventListener('focus', onReturn)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onReturn()
  })
  poll()
}
