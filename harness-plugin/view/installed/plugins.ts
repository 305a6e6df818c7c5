import { computed, type Ref, ref, shallowRef } from 'vue'
import type { Answer, InstalledPlugin, Refusal, StoreBridge } from '../../protocol/index.ts'

/** What the chosen profile has installed, as far as somebody asked. */
export function createInstalled(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<{ readonly profile: string; readonly plugins: readonly InstalledPlugin[] } | null>(null)
  const refused = shallowRef<{ readonly profile: string; readonly refusal: Refusal } | null>(null)
  const checking = ref<string | null>(null)
  const checked = ref<string | null>(null)
  /** Null until they are known. */
  const plugins = computed(() => (known.value?.profile === profile.value ? known.value.plugins : null))

  /** @returns whether it is known now */
  async function take(asking: Promise<Answer<readonly InstalledPlugin[]>>): Promise<boolean> {
    const asked = profile.value
    const answer = await asking
    // Another profile was chosen meanwhile.
    if (asked !== profile.value) return false
    refused.value = answer.ok ? null : { profile: asked, refusal: answer }
    if (answer.ok) known.value = { profile: asked, plugins: answer.value }
    return answer.ok
  }
  async function read() {
    if (profile.value !== '') await take(bridge.call('installed', { profile: profile.value }))
  }
  /** Asks the registry and the code host for what is newer. */
  async function check() {
    const asked = profile.value
    if (asked === '' || checking.value === asked) return
    checking.value = asked
    if (await take(bridge.call('checkUpdates', { profile: asked }))) checked.value = asked
    if (checking.value === asked) checking.value = null
  }

  return {
    plugins,
    refusal: computed(() => (refused.value?.profile === profile.value ? refused.value.refusal : null)),
    isChecking: computed(() => checking.value === profile.value),
    /** The registry has been asked. */
    isChecked: computed(() => checked.value === profile.value),
    /** Listings of which the registry has a newer version. */
    updatable: computed(
      () =>
        new Set(
          (plugins.value ?? []).flatMap(({ listing, latest }) => (listing !== null && latest !== null ? listing : [])),
        ),
    ),
    read,
    check,
    /** The same, unless it has been asked already. */
    async checkOnce() {
      if (checked.value !== profile.value) await check()
    },
    /** The profile has changed; nobody needs it who has not asked before. */
    async readAgain() {
      if (known.value !== null) await read()
    },
  }
}
