import type { HarnessUpgrade, StoreCalls } from '../protocol/index.ts'
import { answer } from './guard/make-answer.ts'
import type { HostParts } from './host-parts.ts'

/** Keeps the upgrade of the harness that turned plugins of the host's profile off, and tells pages when it changes. */
export interface Upgrades {
  /** The upgrade, as far as it was looked for; null when none turned plugins off. */
  current(): HarnessUpgrade | null
  /** Looks for an upgrade. Never rejects. */
  find(): Promise<HarnessUpgrade | null>
  dismiss(profile: string): Promise<void>
}

export function watchUpgrades({ settings, states, events, background }: HostParts): Upgrades {
  let current: HarnessUpgrade | null = null
  let isWatching = false

  function emitUpgrade(upgrade: HarnessUpgrade | null): HarnessUpgrade | null {
    const isChanged = JSON.stringify(upgrade) !== JSON.stringify(current)
    current = upgrade
    if (isChanged) events.emit({ type: 'upgrade', upgrade })
    return upgrade
  }

  async function find(): Promise<HarnessUpgrade | null> {
    isWatching = true
    return emitUpgrade(await states.upgrade(settings.profile).catch(() => null))
  }

  // A job may have brought plugins back, or installed more that a later upgrade can turn off.
  events.subscribe((event) => {
    if (isWatching && event.type === 'job' && event.job.state === 'done') background.add(find())
  })

  return {
    current: () => current,
    find,
    async dismiss(profile) {
      await states.dismiss(profile)
      if (profile === settings.profile) emitUpgrade(null)
    },
  }
}

/** Creates the call that closes the notice about an upgrade of the harness. */
export const upgradeCalls = (upgrades: Pick<Upgrades, 'dismiss'>): Pick<StoreCalls, 'dismissUpgrade'> => ({
  async dismissUpgrade({ profile }) {
    await upgrades.dismiss(profile)
    return answer(null)
  },
})
