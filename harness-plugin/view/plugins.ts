import { computed, type Ref, shallowRef } from 'vue'
import type { InstalledPlugin, StoreBridge } from '../bridge/index.ts'

/** What the chosen profile has installed, as far as somebody asked. */
export function createInstalled(bridge: Pick<StoreBridge, 'checkUpdates'>, profile: Ref<string>) {
  const plugins = shallowRef<readonly InstalledPlugin[]>([])
  let checked: string | null = null

  return {
    /** Listings of which the registry has a newer version. */
    updatable: computed(
      () =>
        new Set(plugins.value.flatMap(({ listing, latest }) => (listing !== null && latest !== null ? listing : []))),
    ),
    /** Asks the registry for newer versions, once for what the profile has now. */
    async check() {
      const asked = profile.value
      if (asked === '' || checked === asked) return
      checked = asked
      const answer = await bridge.checkUpdates(asked)
      if (checked !== asked) return
      if (answer.ok) plugins.value = answer.value
      else checked = null
    },
    /** The profile has changed. */
    forget() {
      checked = null
    },
  }
}
