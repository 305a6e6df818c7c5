import type { Manager } from '../manager/manager.ts'
import { parseSettings, type Settings } from './settings.ts'

const KEY = 'settings'

/** A manager that has not answered by then is not waited for; its answer applies when it comes. ms */
const READ_MS = 250

/** The settings, the same in every tab. */
export interface SettingsStore {
  readonly current: Settings
  /** Applies at once, here and in the other tabs, whether or not the manager keeps it. */
  change(patch: Partial<Settings>): void
  /** Reads what another tab may have written. */
  reread(): void
}

/**
 * Opens the settings, as the manager keeps them.
 *
 * @param options.onChange called when they are others than before, wherever that was done
 * @param options.openChannel how the tabs of this origin tell each other; a tab of another reads them when it is turned to
 */
export async function openSettings(options: {
  values: Manager['values']
  onChange: (settings: Settings, before: Settings) => void
  openChannel: (onMessage: (message: unknown) => void) => { post(message: string): void }
}): Promise<SettingsStore> {
  const { values, onChange, openChannel } = options
  let current = parseSettings(undefined)
  let isOpen = false
  /** Settings that were changed here are newer than an answer to an earlier question. */
  let changes = 0

  const apply = (text: unknown) => {
    const before = current
    current = parseSettings(text)
    if (isOpen && JSON.stringify(before) !== JSON.stringify(current)) onChange(current, before)
  }
  const read = async () => {
    const asked = changes
    try {
      const kept = await values?.get(KEY)
      if (asked === changes && kept !== undefined) apply(kept)
    } catch {
      // What is set here holds for this page.
    }
  }
  const channel = openChannel((text) => {
    changes++
    apply(text)
  })

  await Promise.race([read(), new Promise((resolve) => setTimeout(resolve, READ_MS))])
  isOpen = true
  return {
    get current() {
      return current
    },
    change(patch) {
      const text = JSON.stringify({ ...current, ...patch })
      changes++
      apply(text)
      channel.post(text)
      values?.set(KEY, text).catch(() => {
        // It holds for the tabs that are open.
      })
    },
    reread: () => void read(),
  }
}
