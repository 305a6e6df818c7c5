import { computed, type Ref, ref, shallowRef } from 'vue'
import type { Answer, InstalledPlugin, Refusal, StoreBridge } from '../../protocol/index.ts'

/** Keeps the installed plugins of the chosen profile, once a person has asked for them. */
export function createInstalled(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<{ readonly profile: string; readonly plugins: readonly InstalledPlugin[] } | null>(null)
  const refused = shallowRef<{ readonly profile: string; readonly refusal: Refusal } | null>(null)
  const checking = ref<string | null>(null)
  const checked = ref<string | null>(null)
  /** Null until they have been read. */
  const plugins = computed(() => (known.value?.profile === profile.value ? known.value.plugins : null))

  /** @returns true if the plugins have been read */
  async function take(asking: Promise<Answer<readonly InstalledPlugin[]>>): Promise<boolean> {
    const asked = profile.value
    const answer = await asking
    // The person has chosen another profile meanwhile.
    if (asked !== profile.value) return false
    refused.value = answer.ok ? null : { profile: asked, refusal: answer }
    if (answer.ok) known.value = { profile: asked, plugins: answer.value }
    return answer.ok
  }
  async function read() {
    if (profile.value !== '') await take(bridge.call('installed', { profile: profile.value }))
  }
  /** Checks the registry and the code host for newer versions. */
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
    /** True if updates were checked for this profile. */
    isChecked: computed(() => checked.value === profile.value),
    /** Listings for which a newer version or commit was found. */
    updatable: computed(
      () =>
        new Set(
          (plugins.value ?? []).flatMap(({ listing, latest }) => (listing !== null && latest !== null ? listing : [])),
        ),
    ),
    read,
    check,
    /** Checks unless this profile was checked already. */
    async checkOnce() {
      if (checked.value !== profile.value) await check()
    },
    /** Reads the plugins again after a change of the profile, if they were read before. */
    async readAgain() {
      if (known.value !== null) await read()
    },
  }
}
