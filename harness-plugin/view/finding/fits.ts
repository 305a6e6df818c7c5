import { computed, type Ref, ref, shallowRef, watch } from 'vue'
import type { FitSurvey, Fits, StoreBridge, StoreEvent } from '../../protocol/index.ts'

/** Keeps which plugins are known to fit the harness, and the run that finds out about all of them. */
export function createFits(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  const survey = shallowRef<FitSurvey | null>(null)
  const harnessVersion = ref<string | null>(null)

  function take(answer: Fits) {
    known.value = new Map(answer.fits)
    survey.value = answer.survey
    harnessVersion.value = answer.harnessVersion
  }
  async function ask(name: 'fits' | 'surveyFits') {
    if (profile.value === '') return
    const answer = await bridge.call(name, { profile: profile.value })
    if (answer.ok) take(answer.value)
  }

  return {
    known,
    survey,
    harnessVersion: computed(() => harnessVersion.value),
    /** Reads what the host knows already. Causes no request to other servers. */
    read: () => ask('fits'),
    start: () => ask('surveyFits'),
    async stop() {
      const answer = await bridge.call('stopSurvey', {})
      if (answer.ok) take(answer.value)
    },
    receive(event: StoreEvent & { readonly type: 'fits' }) {
      if (event.survey !== null) survey.value = event.survey
      if (event.changed.length > 0) known.value = new Map([...known.value, ...event.changed])
    },
    /** Calls `read` whenever the profile changes. */
    follow: () => watch(profile, () => void ask('fits')),
  }
}
