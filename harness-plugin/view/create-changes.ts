import { sourceOfId } from '@plugmark/shared/install'
import type { Ref } from 'vue'
import type { Answer, CallInput, InstalledPlugin, Job, StoreBridge } from '../protocol/index.ts'
import type { createJobs } from './create-jobs.ts'

type ReviewRequest = Omit<CallInput<'review'>, 'profile'> & { readonly package?: string }

/**
 * Creates the calls that review, start, undo and cancel changes of the chosen profile.
 *
 * @param store.jobs gets the jobs that this page starts
 * @param store.accept shows a refusal on the screen; returns true for any other answer
 */
export function createChanges({
  bridge,
  profile,
  jobs,
  accept,
}: {
  readonly bridge: Pick<StoreBridge, 'call'>
  readonly profile: Ref<string>
  readonly jobs: Pick<ReturnType<typeof createJobs>, 'addOwn'>
  readonly accept: <T>(answer: Answer<T>) => answer is { ok: true; value: T }
}) {
  /** Shows a job of this page once it has started. @returns the answer of the call */
  async function withJob(call: Promise<Answer<Job>>): Promise<Answer<Job>> {
    const answer = await call
    if (answer.ok) jobs.addOwn(answer.value)
    return answer
  }

  return {
    /** @param request.package package that is changed without a listing */
    review({ id, action, version, package: name }: ReviewRequest) {
      if (name !== undefined)
        return bridge.call('reviewPackage', {
          package: name,
          profile: profile.value,
          action: action === 'update' ? 'update' : 'remove',
        })
      if (sourceOfId(id) !== null) return bridge.call('reviewSource', { source: id, profile: profile.value })
      const chosen = version === undefined ? {} : { version }
      return bridge.call('review', { id, profile: profile.value, action, ...chosen })
    },
    compatibility: (review: CallInput<'compatibility'>) => bridge.call('compatibility', review),
    start: (order: CallInput<'start'>) => withJob(bridge.call('start', order)),
    /** Starts one job for several reviews. */
    startAll: (reviews: CallInput<'startAll'>['reviews']) => withJob(bridge.call('startAll', { reviews })),
    async switchPlugin({ name, listing }: InstalledPlugin, enabled: boolean) {
      const target = { package: name, profile: profile.value, enabled, listing }
      accept(await withJob(bridge.call('switchPlugin', target)))
    },
    reviewRepair: () => bridge.call('reviewRepair', { profile: profile.value }),
    repair: (digest: string) => withJob(bridge.call('repair', { profile: profile.value, digest })),
    /** Returns the last change of the profile; null when there is none, or it cannot be read. */
    async lastChange() {
      const answer = await bridge.call('lastChange', { profile: profile.value })
      return answer.ok ? answer.value : null
    },
    undo: (change: string) => withJob(bridge.call('undo', { profile: profile.value, change })),
    async cancel(id: string) {
      accept(await bridge.call('cancel', { job: id }))
    },
  }
}
