import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { catalogueForTests, copied, withoutVerdicts } from './testing.ts'

const { clock, catalogueOf } = catalogueForTests()

describe('verdicts', () => {
  test('verdicts are unusable when a directory with plugins sends none', async () => {
    const catalogue = catalogueOf(directoryOf([aRecord('a/b', { installCheck: undefined })], { filters: false }))
    await catalogue.load()
    expect(catalogue.status()).toMatchObject({ state: 'unverifiable', described: 1 })
  })

  test('verdicts are read from the filter of a directory whose records have none', async () => {
    const records = (['passed', 'needs-approval', 'failed'] as const).map((installCheck) =>
      aRecord(`a/${installCheck}`, { installCheck }),
    )
    const catalogue = catalogueOf(withoutVerdicts(directoryOf(records)))
    await catalogue.load()
    expect(catalogue.status()).toMatchObject({ state: 'ready' })
    const verdicts = [...(await copied(catalogue)).values()].map(({ id, verdict }) => [id, verdict])
    expect(Object.fromEntries(verdicts)).toEqual({
      'a/passed': 'passed',
      'a/needs-approval': 'needs-approval',
      'a/failed': null,
    })
  })

  test('verdicts are withdrawn from waiting listings that the directory no longer sends, with verdicts in its records or without', async () => {
    for (const hasVerdicts of [true, false]) {
      const directory = directoryOf([
        aRecord('a/passed', { installCheck: 'passed' }),
        aRecord('a/waits', { installCheck: 'needs-approval' }),
        aRecord('a/waited', { installCheck: 'needs-approval' }),
      ])
      const catalogue = catalogueOf(hasVerdicts ? directory : withoutVerdicts(directory))
      await catalogue.load()
      expect((await copied(catalogue)).get('a/waited')?.verdict).toBe('needs-approval')
      directory.change([
        aRecord('a/passed', { installCheck: 'passed' }),
        aRecord('a/waits', { installCheck: 'needs-approval' }),
        aRecord('a/waited', { installCheck: 'failed' }),
      ])
      clock.now += 60_000
      await catalogue.load({ force: true })
      const verdicts = [...(await copied(catalogue)).values()].map(({ id, verdict }) => [id, verdict])
      expect(Object.fromEntries(verdicts)).toEqual({
        'a/passed': 'passed',
        'a/waits': 'needs-approval',
        'a/waited': null,
      })
    }
  })

  test('verdicts are usable when the first one comes late', async () => {
    const untested = Array.from({ length: 150 }, (_, n) => aRecord(`a/n${n}`, { installCheck: null }))
    const records = [...untested, aRecord('a/failed', { installCheck: 'failed' })]
    const catalogue = catalogueOf(directoryOf(records, { filters: false }))
    await catalogue.load()
    expect(catalogue.status()).toMatchObject({ state: 'ready', described: 151 })
  })

  test('verdicts are not missed in a directory without plugins, or only with listings that did not pass', async () => {
    for (const records of [[], [aRecord('a/b', { installCheck: 'failed' })]]) {
      const catalogue = catalogueOf(directoryOf(records))
      await catalogue.load()
      expect(catalogue.status()).toMatchObject({ state: 'ready', described: 0 })
    }
  })
})
