import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { profileHash } from '../harness/home.ts'
import { boots } from '../harness/running.ts'
import { faultyRegistry } from '../registry/faulty.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { aHost, expect, idOf, perform } from './host.ts'
import { HostProcesses, kill } from './host-process.ts'
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

test('recovery ends the package manager of a killed host before it restores the profile', {
  tag: '@only-0.1',
}, async ({ hosts, home, registry }) => {
  const stalled = await faultyRegistry(registry, 'stalls')
  try {
    await hosts.start(KITE, { trial: false }).outcome()
    await home.setRegistry(stalled.url)
    const before = await profileHash(home)
    const victim = hosts.start(NOTES, { trial: false })
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

test('recovery removes the lock that a killed harness left in the profile, names it, and the next install works', async ({
  hosts,
  home,
  registry,
}) => {
  const profile = join(home.home, 'profiles/web')
  const locks = async () => (await readdir(profile)).filter((name) => name.startsWith('package.json.lock'))
  const stalled = await faultyRegistry(registry, 'stalls')
  try {
    await home.setRegistry(stalled.url)
    const victim = hosts.start(NOTES, { trial: false })
    await stalled.asked
    await kill(victim.child)
    // 0.1.0-rc.8 has none while its package manager runs. A harness that is only asked to end removes its own.
    const left = await locks()
    for (const name of left) process.kill(Number(await readFile(join(profile, name), 'utf8')), 'SIGKILL')
    const { kind, subjects } = await hosts.start(null).outcome()
    expect({ kind, subjects }).toEqual({ kind: 'interrupted', subjects: left })
    expect(await locks()).toEqual([])
  } finally {
    await stalled.close()
  }
  await home.setRegistry(registry.url)
  // One that no journal belongs to: the harness itself waits for it and fails.
  const lock = join(profile, 'package.json.lock')
  await writeFile(lock, `${2 ** 22 + 1}\n`)
  // A newer one may be of a harness in a container that shares the home.
  const elevenMinutesAgo = new Date(Date.now() - 660_000)
  await utimes(lock, elevenMinutesAgo, elevenMinutesAgo)
  expect(await hosts.start(NOTES, { trial: false }).outcome()).toMatchObject({ kind: 'registered' })
  expect(await locks()).toEqual([])
})

test('two hosts on one profile run their jobs one after another', { tag: '@only-0.1' }, async ({ hosts, home }) => {
  const [one, other] = [hosts.start(NOTES, { trial: false }), hosts.start(KITE, { trial: false })]
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
