import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { JOB_STAGES } from '@plugmark/harness-plugin/host'
import { boots } from '../harness/boot.ts'
import { addByHand } from '../harness/store.ts'
import { faultyRegistry } from '../registry/faulty.ts'
import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { aHost, expect, idOf, perform } from './host.ts'
import { HostProcesses, kill, killed } from './host-process.ts'
import { test as base, dependencies, layers } from './test.ts'

const test = base.extend<{ hosts: HostProcesses }>({
  hosts: async ({ api, home }, use) => {
    const hosts = new HostProcesses(home, api.url)
    await use(hosts)
    await hosts.killAll()
  },
})
test.use({ directory: { catalogue: credulousDirectory() } })

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'dsh-plugin-paper-kite'

test('the next host restores a profile whose host was killed', async ({ hosts, home }) => {
  // A newer harness differs only in the commands that run in the profile itself.
  const stages = home.version.startsWith('0.1.') ? JOB_STAGES : (['installing'] as const)
  await addByHand(home, `github:lanternworks/${KITE}`)
  const before = await profileHash(home)
  // Each stage at its start, and the long ones also in the middle.
  for (const stage of stages) {
    for (const at of ['preparing', 'checking'].includes(stage) ? (['job'] as const) : (['job', 'output'] as const)) {
      await test.step(at === 'job' ? `as it begins with ${stage}` : `in the middle of ${stage}`, async () => {
        const victim = hosts.start(NOTES, { killAt: { stage, at } })
        expect(await killed(victim.child)).toBe('SIGKILL')
        expect(await hosts.start(null).outcome()).toMatchObject({ kind: 'interrupted', rollback: 'complete' })
        expect(await profileHash(home)).toBe(before)
        expect(await readdir(home.home)).not.toContain('.plugmark')
        await hosts.killAll()
      })
    }
  }
  expect(await boots(home)).toBe(true)
  const { outcome } = hosts.start(NOTES, { options: { trial: false } })
  expect(await outcome()).toMatchObject({ kind: 'registered' })
})

test('a killed removal or update leaves the installed version', { tag: '@only-0.1' }, async ({ hosts, home }) => {
  await hosts.start(NOTES, { options: { trial: false } }).outcome()
  const before = await profileHash(home)
  for (const action of ['remove', 'update'] as const) {
    const victim = hosts.start(NOTES, { action, killAt: { stage: 'checking', at: 'job' }, options: { trial: false } })
    expect(await killed(victim.child)).toBe('SIGKILL')
    expect(await hosts.start(null).outcome()).toMatchObject({ kind: 'interrupted', rollback: 'complete' })
    expect(await profileHash(home)).toBe(before)
    await hosts.killAll()
  }
})

test('recovery ends the package manager of a killed host before it restores the profile', {
  tag: '@only-0.1',
}, async ({ hosts, home, registry }) => {
  const stalled = await faultyRegistry(registry, 'stalls')
  try {
    await hosts.start(KITE, { options: { trial: false } }).outcome()
    await home.setRegistry(stalled.url)
    const before = await profileHash(home)
    const victim = hosts.start(NOTES, { options: { trial: false } })
    const connection = await stalled.asked
    const ended = once(connection, 'close')
    await kill(victim.child)
    expect(await hosts.start(null).outcome()).toMatchObject({ kind: 'interrupted', rollback: 'complete' })
    await ended
    expect(await profileHash(home)).toBe(before)
    expect(await dependencies(home)).toEqual([KITE])
  } finally {
    await stalled.close()
  }
})

test('two hosts on one profile run their jobs one after another', { tag: '@only-0.1' }, async ({ hosts, home }) => {
  const [one, other] = [hosts.start(NOTES), hosts.start(KITE)]
  const outcomes = await Promise.all([one.outcome(), other.outcome()])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['registered', 'registered'])
  expect((await layers(home)).toSorted()).toEqual([NOTES, KITE])
  expect(await boots(home)).toBe(true)
})

test('a hundred clicks at once start one job', { tag: '@only-0.1' }, async ({ api, home }) => {
  const host = aHost(home, { baseUrl: api.url, trial: false })
  try {
    const id = idOf(NOTES)
    const reviews = await Promise.all(
      Array.from({ length: 100 }, () => host.calls.review({ id, profile: 'web', action: 'install' })),
    )
    const tokens = reviews.map((review) => (review.ok ? review.value.token : ''))
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) => host.calls.start({ id, token, acknowledged: true })),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.code)))).toEqual(
      new Set(['ok', 'already-running', 'bad-token']),
    )
    expect((await perform(host, KITE)).outcome.kind).toBe('registered')
    expect(await layers(home)).toEqual([NOTES, KITE])
  } finally {
    await host.close()
  }
})
