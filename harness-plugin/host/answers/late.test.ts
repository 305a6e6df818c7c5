import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HarnessUpgrade, Profile, StoreEvent } from '../../protocol/index.ts'
import { placeHarness } from '../harness/testing.ts'
import { value } from '../host-testing.ts'
import { createParts, type Parts } from '../parts.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aHome, aRecord, directoryOf } from '../testing.ts'
import { Overview } from './overview.ts'
import { PluginFit } from './plugin-fit.ts'
import { Upgrades } from './upgrades.ts'

let home: Awaited<ReturnType<typeof aHome>>
let registry: RegistryForTests
let parts: Parts
let events: StoreEvent[]
const records = Array.from({ length: 101 }, (_, at) => aRecord(`a/p${at}`, { installCheck: 'passed' }))
beforeEach(async () => {
  home = await aHome()
  registry = await startRegistryForTests({ p0: { '1.0.0': {} } })
  const options = { ...home.options, ...(await placeHarness(home.home)), registry: registry.url }
  parts = createParts(options, { fetch: directoryOf(records).fetch })
  events = []
  parts.events.subscribe((event) => void events.push(event))
})
afterEach(async () => {
  parts.closing.abort()
  await parts.catalogue.close()
  await parts.background.ended()
  await registry.close()
  await home.dispose()
})

/** Holds what a look finds until the test gives it. */
function looks<T>() {
  const held = [Promise.withResolvers<T>(), Promise.withResolvers<T>()] as const
  const [first, second] = held
  return { held, each: () => vi.fn().mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise) }
}

const aProfile = (name: string): Profile => ({ name, layers: [], dependencies: {} })

test('shows pages no profiles that are older than those that they were shown', async () => {
  const overview = new Overview(parts, new Upgrades(parts))
  const { held, each } = looks<Profile[]>()
  Object.assign(overview, { profiles: each() })
  const emitted = [overview.emitProfiles(), overview.emitProfiles()]
  held[1].resolve([aProfile('newer')])
  await setTimeout()
  held[0].resolve([aProfile('older')])
  await Promise.all(emitted)
  const shown = events.flatMap((event) => (event.type === 'profiles' ? event.profiles : []))
  expect(shown).toEqual([aProfile('newer')])
})

test('shows no upgrade that is older than what is known of it, and none that was dismissed meanwhile', async () => {
  const upgrades = new Upgrades(parts)
  const upgrade: HarnessUpgrade = { from: '0.1.5', to: '0.2.1', off: ['a'], total: 1 }
  const { held, each } = looks<HarnessUpgrade | null>()
  Object.assign(parts.states, { upgrade: each() })
  const found = [upgrades.find(), upgrades.find()]
  held[1].resolve(null)
  await setTimeout()
  held[0].resolve(upgrade)
  expect(await Promise.all(found)).toEqual([null, null])

  const again = looks<HarnessUpgrade | null>()
  Object.assign(parts.states, { upgrade: again.each() })
  const finding = upgrades.find()
  await upgrades.calls.dismissUpgrade({ profile: parts.settings.profile })
  again.held[0].resolve(upgrade)
  expect(await finding).toBeNull()
  expect(events.filter(({ type }) => type === 'upgrade')).toEqual([])
})

test('shows the upgrade that an earlier look found when a later one could not be read', async () => {
  const upgrades = new Upgrades(parts)
  const upgrade: HarnessUpgrade = { from: '0.1.5', to: '0.2.1', off: ['a'], total: 1 }
  const { held, each } = looks<HarnessUpgrade | null>()
  Object.assign(parts.states, { upgrade: each() })
  const found = [upgrades.find(), upgrades.find()]
  held[1].reject(new Error('busy'))
  expect(await found[1]).toBeNull()
  held[0].resolve(upgrade)
  expect(await found[0]).toEqual(upgrade)
  expect(events).toContainEqual({ type: 'upgrade', upgrade })
})

test('counts a trial that ends while the fit of all listings is read', async () => {
  const fit = new PluginFit(parts)
  await parts.catalogue.load({ force: true })
  const { calls } = fit
  const id = 'a/p0'
  expect(value(await calls.fit({ id, profile: 'web' })).state).toBe('not-declared')
  const version = (await parts.fitCheck.version())!
  const { catalogue, runRecords } = parts
  const [page, all] = [catalogue.page.bind(catalogue), catalogue.all.bind(catalogue)]
  const endTrial = () => runRecords.add([{ plugin: 'p0@1.0.0', runs: 'yes', why: [] }], version)
  vi.spyOn(catalogue, 'all').mockImplementation(() => endTrial().then(all))
  vi.spyOn(catalogue, 'page').mockImplementation(async (from) => {
    if (from > 0) await endTrial()
    return page(from)
  })
  expect(value(await calls.fits({ profile: 'web' })).fits).toContainEqual([id, true])
})
