import {
  createStoreHost,
  type HostOptions,
  type Job,
  type JobAction,
  type Outcome,
  type Replacements,
  type StoreHost,
} from '@plugmark/harness-plugin/host'
import type { Home } from '../harness/home.ts'
import { test as base } from './test.ts'

/** Returns the id of a plugin's listing. */
export const idOf = (name: string): string => (name.includes('/') ? name : `lanternworks/${name}`)

export interface HostFixtures {
  /** Settings of the host, besides directory, home and command. */
  readonly options: HostOptions
  /** Host of the store in this process, over the real harness. */
  readonly host: StoreHost
}

export const test = base.extend<HostFixtures>({
  options: [{}, { option: true }],
  host: async ({ api, home, options }, use) => {
    const host = aHost(home, { baseUrl: api.url, ...options })
    await use(host)
    await host.close()
  },
})
export { expect } from './test.ts'

export function aHost({ home, command, env }: Home, options: HostOptions, replaced: Replacements = {}): StoreHost {
  // Only the tests that are about the page try it. A second without changes shows all that these plugins do.
  const all = { home, command, env, startLimitMs: 240_000, ...options }
  return createStoreHost(all, { browser: null, settleMs: 1000, ...replaced })
}

/** Reviews a job and starts it, acknowledging every caution. */
export async function start(
  host: StoreHost,
  name: string,
  action: JobAction = 'install',
  profile = 'web',
): Promise<Job> {
  const id = idOf(name)
  const review = await host.calls.review({ id, profile, action })
  if (!review.ok) throw new Error(`${review.code}: ${review.message}`)
  const job = await host.calls.start({ id, token: review.value.token, acknowledged: true })
  if (!job.ok) throw new Error(`${job.code}: ${job.message}`)
  return job.value
}

/** Waits for a job to end. */
export async function ended(
  host: StoreHost,
  { id }: Pick<Job, 'id'>,
): Promise<Job & { outcome: NonNullable<Job['outcome']> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = host.subscribe((event) => {
    if (event.type === 'job' && event.job.id === id && event.job.state === 'done') resolve()
  })
  try {
    for (;;) {
      const overview = await host.calls.overview({})
      const job = overview.ok ? overview.value.jobs.find((known) => known.id === id) : undefined
      if (job?.outcome) return { ...job, outcome: job.outcome }
      await promise
    }
  } finally {
    stop()
  }
}

export const perform = async (...args: Parameters<typeof start>) => ended(args[0], await start(...args))

/** Installs several plugins as one job, acknowledging every caution. */
export async function performAll(host: StoreHost, ...names: readonly string[]): Promise<Outcome> {
  const reviewed = []
  for (const id of names.map(idOf)) {
    const review = await host.calls.review({ id, profile: 'web', action: 'install' })
    if (!review.ok) throw new Error(`${review.code}: ${review.message}`)
    reviewed.push({ id, token: review.value.token, acknowledged: true })
  }
  return endOf(host, await host.calls.startAll({ reviews: reviewed }))
}

/** Waits for the outcome of a started job. */
export async function endOf(
  host: StoreHost,
  answer: Awaited<ReturnType<StoreHost['calls']['startAll']>>,
): Promise<Outcome> {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`)
  return (await ended(host, answer.value)).outcome
}
