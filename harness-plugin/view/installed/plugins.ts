import { computed, type Ref, ref, shallowRef } from 'vue'
import type { Answer, InstalledPlugin, Refusal, StoreBridge, UpdateChecks } from '../../protocol/index.ts'

/** Keeps the installed plugins of the chosen profile, once a person has asked for them. */
export function createInstalled(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<{ readonly profile: string; readonly plugins: readonly InstalledPlugin[] } | null>(null)
  const refused = shallowRef<{ readonly profile: string; readonly refusal: Refusal } | null>(null)
  const checking = ref<string | null>(null)
  /** Checks of the chosen profile; null until they are known. */
  const checks = shallowRef<(UpdateChecks & { readonly profile: string }) | null>(null)
  /** Null until they have been read. */
  const plugins = computed(() => (known.value?.profile === profile.value ? known.value.plugins : null))

  /** @returns true if the plugins have been read */
  async function keepAnswer(asking: Promise<Answer<readonly InstalledPlugin[]>>): Promise<boolean> {
    const asked = profile.value
    const answer = await asking
    // The person has chosen another profile meanwhile.
    if (asked !== profile.value) return false
    refused.value = answer.ok ? null : { profile: asked, refusal: answer }
    if (answer.ok) known.value = { profile: asked, plugins: answer.value }
    return answer.ok
  }
  async function read() {
    if (profile.value !== '') await keepAnswer(bridge.call('installed', { profile: profile.value }))
  }
  /** Checks the registry and the code host for newer versions. */
  async function check() {
    const asked = profile.value
    if (asked === '' || checking.value === asked) return
    checking.value = asked
    if (await keepAnswer(bridge.call('checkUpdates', { profile: asked }))) await readChecks()
    if (checking.value === asked) checking.value = null
  }
  /** Checks if the last automatic check was long ago, and reads the plugins in any case. Ignores a failure. */
  async function checkIfDue() {
    const asked = profile.value
    if (asked === '') return
    const answer = await bridge.call('checkUpdates', { profile: asked, ifDue: true })
    if (!answer.ok || asked !== profile.value) return
    known.value = { profile: asked, plugins: answer.value }
    await readChecks()
  }
  async function readChecks() {
    keepChecks(profile.value, await bridge.call('updateChecks', { profile: profile.value }))
  }
  function keepChecks(asked: string, answer: Answer<UpdateChecks>) {
    if (answer.ok && asked === profile.value) checks.value = { ...answer.value, profile: asked }
  }

  return {
    plugins,
    refusal: computed(() => (refused.value?.profile === profile.value ? refused.value.refusal : null)),
    isChecking: computed(() => checking.value === profile.value),
    checks: computed(() => (checks.value?.profile === profile.value ? checks.value : null)),
    /** Listings, and the package of the store itself, for which a newer version or commit was found, without those that are held or disabled. */
    updatable: computed(
      () => new Set((plugins.value ?? []).filter(isUpdatable).map(({ listing, name }) => listing ?? name)),
    ),
    checkIfDue,
    async setAutomatic(automatic: boolean) {
      const asked = profile.value
      keepChecks(asked, await bridge.call('setUpdateChecks', { profile: asked, automatic }))
      if (automatic) await checkIfDue()
    },
    /** @param reason null for none; undefined ends the hold @returns the refusal; null when it was done */
    async hold({ name }: InstalledPlugin, reason: string | null | undefined): Promise<Refusal | null> {
      const target = { package: name, profile: profile.value }
      const answer = await (reason === undefined
        ? bridge.call('unhold', target)
        : bridge.call('hold', { ...target, reason }))
      if (answer.ok) await read()
      return answer.ok ? null : answer
    },
    /** Skips the newest update of a plugin; the next one is offered again. */
    async skip({ name, latest }: InstalledPlugin) {
      if (latest === null) return
      const answer = await bridge.call('hold', { package: name, profile: profile.value, reason: null, skips: latest })
      if (answer.ok) await read()
      else refused.value = { profile: profile.value, refusal: answer }
    },
    read,
    check,
    /** Checks unless this profile was checked before. */
    async checkOnce() {
      if (checks.value?.profile !== profile.value || checks.value.checkedAt === null) await check()
    },
    /** Reads the plugins again after a change of the profile, if they were read before. */
    async readAgain() {
      if (known.value !== null) await read()
    },
  }
}

/** Returns true if a newer version of a plugin can be installed and nobody holds or disabled it. */
export const isUpdatable = ({ latest, hold, enabled, ...plugin }: InstalledPlugin): boolean =>
  latest !== null && hold === null && enabled !== false && (isManaged(plugin) || plugin.unmanagedReason === 'store')

/** Returns true if the directory has a listing by which a plugin is updated. */
export const isManaged = ({ listing, removable }: Pick<InstalledPlugin, 'listing' | 'removable'>): boolean =>
  listing !== null && removable
