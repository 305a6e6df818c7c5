import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { CallInput } from '../../protocol/index.ts'
import { hostForTests, value, whenRecovered } from '../host-testing.ts'
import { aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const { its, review, ended } = hostForTests()

beforeEach(async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  const records = ['good', 'good-too', 'half', 'waits'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
  its.create({ fetch: directoryOf([...records, aRecord('a/failed', { installCheck: 'failed' })]).fetch })
  await whenRecovered(its.host)
})

const agreed = async (id: string, profile = 'web'): Promise<CallInput<'start'>> => {
  const { token } = value(await review(id, profile))
  return { id, token, acknowledged: false }
}
const startAll = async (...ids: string[]) =>
  its.host.calls.startAll({ reviews: await Promise.all(ids.map((id) => agreed(id))) })
const layers = async () =>
  JSON.parse(await readFile(join(its.home.directory, 'package.json'), 'utf8')).dsh.profile.bundles

test('installs several listings in one job and reports the outcome of each', async () => {
  const job = value(await startAll('a/good', 'a/good-too'))
  expect(job).toMatchObject({
    action: 'install',
    listing: 'a/good',
    more: ['a/good-too'],
    command: 'dsh plugin --profile web add good && dsh plugin --profile web add good-too',
  })
  expect((await ended(job.id)).outcome).toMatchObject({
    kind: 'registered',
    parts: [
      { listing: 'a/good', kind: 'registered' },
      { listing: 'a/good-too', kind: 'registered' },
    ],
    profile: { registered: true, registeredBefore: false },
  })
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good', 'good-too'])
})

test('removes all plugins when one fails, and does not start the ones after it', async () => {
  const before = await hashTree(its.home.directory)
  const job = value(await startAll('a/good', 'a/half', 'a/good-too'))
  const { outcome, output } = await ended(job.id)
  expect(outcome).toMatchObject({ kind: 'failed', rollback: 'complete', profile: { registered: false, changed: [] } })
  expect(outcome?.parts).toMatchObject([
    { listing: 'a/good', kind: 'registered' },
    { listing: 'a/half', kind: 'failed' },
  ])
  // A line about each look-up that failed comes before those of the programs.
  expect(output).toHaveLength(3 + 2)
  expect(await hashTree(its.home.directory)).toBe(before)
})

test('leaves no plugin when the job is cancelled in the middle', async () => {
  const before = await hashTree(its.home.directory)
  const job = value(await startAll('a/good', 'a/waits'))
  const lines = () => its.events.flatMap((event) => (event.type === 'output' ? event.lines : []))
  await expect.poll(() => lines().length).toBe(2 + 2)
  await its.host.calls.cancel({ job: job.id })
  expect((await ended(job.id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await hashTree(its.home.directory)).toBe(before)
})

test('holds the plugins whose reviews ask for it, unless the job fails', async () => {
  const hold = { reason: 'It works.' }
  const holds = async (...ids: string[]) => {
    const reviews = await Promise.all(ids.map((id) => agreed(id)))
    const job = value(await its.host.calls.startAll({ reviews: [{ ...reviews[0]!, hold }, ...reviews.slice(1)] }))
    await ended(job.id)
    const plugins = value(await its.host.calls.installed({ profile: 'web' }))
    return plugins.map(({ name, hold }) => [name, hold?.reason ?? null])
  }
  expect(await holds('a/good', 'a/half')).toEqual([])
  expect(await holds('a/good', 'a/good-too')).toEqual([
    ['good', 'It works.'],
    ['good-too', null],
  ])
})

test('takes an install back whose version cannot be held, and says why', async () => {
  const folder = join(its.home.directory, '.plugmark')
  await mkdir(folder)
  await writeFile(join(folder, 'holds.json'), JSON.stringify({ version: 2 }))
  const reviews = [{ ...(await agreed('a/good')), hold: { reason: null } }]
  const { outcome } = await ended(value(await its.host.calls.startAll({ reviews })).id)
  expect(outcome).toMatchObject({ kind: 'store-outdated', rollback: 'complete' })
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toEqual([])
})

test('reports no parts for a job of one listing', async () => {
  expect((await ended(value(await startAll('a/good')).id)).outcome).toMatchObject({ kind: 'registered', parts: [] })
})

test('refuses reviews that cannot be one job, and can still start each of them', async () => {
  const [one, other] = [await agreed('a/good'), await agreed('a/failed')]
  const refused = async (...reviewed: CallInput<'start'>[]) => {
    const answer = await its.host.calls.startAll({ reviews: reviewed })
    return answer.ok || answer.code
  }
  expect(await refused()).toBe('malformed')
  expect(await refused(one, await agreed('a/good'))).toBe('malformed')
  expect(await refused(one, other)).toBe('not-acknowledged')
  expect(await refused(one, { ...other, token: 'A'.repeat(43) })).toBe('bad-token')
  expect(value(await its.host.calls.overview({})).jobs).toEqual([])
  const job = value(await its.host.calls.startAll({ reviews: [one, { ...other, acknowledged: true }] }))
  expect(await refused(one)).toBe('bad-token')
  await ended(job.id)
})

test('does not start a listing again while its job runs', async () => {
  const job = value(await startAll('a/waits', 'a/good'))
  expect(await startAll('a/good')).toMatchObject({ ok: false, code: 'already-running' })
  await its.host.calls.cancel({ job: job.id })
  await ended(job.id)
})
