import type { ManagerValues } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'

const KEY = 'settings'

/** A manager that has not answered by then is not waited for; its answer applies when it comes. ms */
const READ_MS = 250

/** How often a page that is seen looks for a change, where the manager tells of none. ms */
const LOOK_MS = 2_000

/** The settings, the same in every tab. */
export interface SettingsStore {
  readonly current: Settings
  /** Resolves when they are as the manager keeps them; absent where it told that at once. */
  readonly opening: Promise<void> | undefined
  /** Applies at once, here and in the other tabs, whether or not the manager keeps it. */
  change(patch: Partial<Settings>): void
}

/**
 * Opens the settings, as the manager keeps them.
 *
 * A change comes to the tabs of this origin by their channel, and to those of another from the manager: by its event,
 * or, where it has none, when the tab is looked at.
 *
 * @param options.onChange called when they are others than before, wherever that was done; `isOwn` when it was here
 * @param options.openChannel how the tabs of this origin tell each other
 * @param options.followAttention calls `look` when the person turns to the page, and every so often while it is seen
 */
export function openSettings(options: {
  values: ManagerValues | null
  onChange: (settings: Settings, before: Settings, isOwn: boolean) => void
  openChannel: (onMessage: (message: unknown) => void) => { post(message: string): void }
  followAttention: (look: () => void, everyMs: number | null) => void
}): SettingsStore {
  const { values, onChange, openChannel, followAttention } = options
  let current = parseSettings(undefined)
  let isOpen = false

  const apply = (text: unknown, isOwn = false) => {
    const now = parseSettings(text)
    // Several ways lead here, and the slow one brings what was.
    if (now.revision < current.revision) return
    const before = current
    current = now
    if (isOpen && JSON.stringify(before) !== JSON.stringify(now)) onChange(now, before, isOwn)
  }
  const read = (): Promise<void> | undefined => {
    try {
      const kept = values?.get(KEY)
      // Most managers answer at once: then no page waits.
      if (typeof kept === 'string') apply(kept)
      else if (kept !== undefined) return Promise.resolve(kept).then(apply, () => {})
    } catch {
      // What is set here holds for this page.
    }
  }
  const channel = openChannel(apply)
  const opened = () => {
    isOpen = true
    values?.watch(KEY, apply).then((tells) => followAttention(() => void read(), tells ? null : LOOK_MS))
  }
  const reading = read()
  const opening =
    reading && Promise.race([reading, new Promise((resolve) => setTimeout(resolve, READ_MS))]).then(opened)
  if (!opening) opened()
  return {
    opening,
    get current() {
      return current
    },
    change(patch) {
      const revision = Math.max(Date.now(), current.revision + 1)
      const text = JSON.stringify({ ...current, ...patch, revision })
      apply(text, true)
      channel.post(text)
      values?.set(KEY, text).catch(() => {
        // It holds for the tabs that are open.
      })
    },
  }
}
