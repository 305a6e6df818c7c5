import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Answer, Job, JobAction, StoreEvent } from '../protocol/index.ts'
import { type FactName, followFacts, inspectionOf } from '../protocol/review-facts.ts'
import { createStoreHost, type StoreHost } from './index.ts'
import type { HostOptions, Replacements } from './settings.ts'
import { aHome, aRecord, directoryOf, whenJob } from './testing.ts'

const records = [
  aRecord('a/good', { installCheck: 'passed' }),
  aRecord('a/other', { installCheck: 'passed' }),
  aRecord('a/risky', { installCheck: 'passed', riskFlags: ['install script'] }),
  aRecord('a/failed', { installCheck: 'failed' }),
  aRecord('a/none', { installCheck: 'passed', install: null, installable: false }),
  aRecord('a/forged', { installCheck: 'passed', install: 'dsh plugin --profile web add something-else' }),
]

/** Stands in for the harness's program: prints its arguments, and waits if its plugin is called `other`. */
const PROGRAM = `
  console.log(JSON.stringify(process.argv.slice(2)), process.env.DSH_HOME)
  if (process.argv.at(-1) === 'other') setInterval(() => {}, 1000)
  else process.exitCode = 1`

/** Creates a host for each test, over a home of its own and a directory in memory. */
export function hostForTests() {
  const its = {} as {
    home: Awaited<ReturnType<typeof aHome>>
    /** The host that the test began with or created last. */
    host: StoreHost
    /** Events of all hosts of the test. */
    events: StoreEvent[]
    create(options?: HostOptions & Replacements): StoreHost
  }
  const hosts: StoreHost[] = []
  its.create = (options = {}) => {
    const { command, ...given } = its.home.options
    const all = {
      ...given,
      ...(options.guess ? {} : { command }),
      rawUrl: 'http://127.0.0.1:9',
      apiUrl: 'http://127.0.0.1:9',
      fetch: directoryOf(records).fetch,
      ...options,
    }
    its.host = createStoreHost(all, all)
    its.host.subscribe((event) => its.events.push(event))
    hosts.push(its.host)
    return its.host
  }
  beforeEach(async () => {
    its.home = await aHome()
    await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
    its.events = []
    its.create()
    await whenRecovered(its.host)
  })
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    await its.home.dispose()
  })

  const review = (id: string, profile = 'web', action: JobAction = 'install') =>
    its.host.calls.review({ id, profile, action })
  return {
    its,
    review,
    async install(id: string, acknowledged = false): Promise<Job> {
      const { token } = value(await review(id))
      return value(await its.host.calls.start({ id, token, acknowledged }))
    },
    ended: (id: string): Promise<Job> => whenJob(its.host, id),
  }
}

/**
 * Waits until a new host has recovered its profiles. Until then it may remove a state folder that a test has just created
 * and not filled, and takes over what the test writes there of an unfinished job.
 */
export async function whenRecovered(host: StoreHost): Promise<void> {
  await host.calls.lastChange({ profile: 'web' })
}

/** Waits for everything that is read of the package of a review. */
export async function readInspection(host: StoreHost, { id, token }: { readonly id: string; readonly token: string }) {
  const ask = (wanted: readonly FactName[]) => host.calls.facts({ id, token, wanted })
  return inspectionOf(await followFacts(ask, () => true))
}

/** Waits until it is known whether the harness accepts the plugin of a review; null when that cannot be known. */
export async function readFit(host: StoreHost, { id, token }: { readonly id: string; readonly token: string }) {
  return value(await host.calls.facts({ id, token, wanted: ['fit'] })).fit ?? null
}

/** Returns the value of an answer. @throws Error with the reason of a refusal */
export function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`)
  return answer.value
}
