import { computed, type Ref, ref, shallowRef, watch } from 'vue'
import type { FitSurvey, Fits, Misfit, StoreBridge, StoreEvent } from '../../protocol/index.ts'

/** Keeps which plugins are known to fit the harness, and the run that finds out about all of them. */
export function createFits(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  /** Reasons for those that do not fit. */
  const misfits = shallowRef<ReadonlyMap<string, Misfit>>(new Map())
  const survey = shallowRef<FitSurvey | null>(null)
  const harnessVersion = ref<string | null>(null)

  function keepAnswer(answer: Fits) {
    known.value = new Map(answer.fits)
    misfits.value = new Map(answer.misfits)
    survey.value = answer.survey
    harnessVersion.value = answer.harnessVersion
  }
  async function ask(name: 'fits' | 'surveyFits') {
    if (profile.value === '') return
    const answer = await bridge.call(name, { profile: profile.value })
    if (answer.ok) keepAnswer(answer.value)
  }

  return {
    known,
    misfits,
    survey,
    harnessVersion: computed(() => harnessVersion.value),
    /** Reads what the host knows already. Causes no request to other servers. */
    read: () => ask('fits'),
    start: () => ask('surveyFits'),
    async stop() {
      const answer = await bridge.call('stopSurvey', {})
      if (answer.ok) keepAnswer(answer.value)
    },
    receive(event: StoreEvent & { readonly type: 'fits' }) {
      if (event.survey !== null) survey.value = event.survey
      if (event.changed.length === 0) return
      known.value = new Map([...known.value, ...event.changed])
      const isFitting = new Set(event.changed.flatMap(([id, fits]) => (fits ? id : [])))
      misfits.value = new Map([...misfits.value, ...event.misfits].filter(([id]) => !isFitting.has(id)))
    },
    /** Calls `read` whenever the profile changes. */
    follow: () => watch(profile, () => void ask('fits')),
  }
}
