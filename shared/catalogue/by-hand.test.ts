import { beforeEach, describe, expect, test } from 'vitest'
import { CHECK_KEY, COPY_KEY } from './records.ts'
import { edition, Machine, MINUTE, pathsOf } from './testing.ts'

/** What a person does to the copy: asks for a newer one, and clears it. */

let machine: Machine

beforeEach(() => {
  machine = new Machine()
})

describe('asking in vain', () => {
  const press = async (times: number) => {
    for (let time = 0; time < times; time++) {
      machine.time += 5_000
      await machine.openTab().refresh({ force: true })
    }
  }

  test('again and again makes no pause before an automatic request longer', async () => {
    machine.served = new Error('The directory is down.')
    let requests = 0
    for (const pause of [1, 2, 5]) {
      await machine.openTab().refresh()
      await press(4)
      requests += 5
      expect(machine.fetchIndex).toHaveBeenCalledTimes(requests)
      machine.time += pause * MINUTE
    }
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
  })

  test('before anything was asked is the first failure', async () => {
    machine.served = new Error('The directory is down.')
    await press(3)
    expect((await machine.openTab().status()).failure).toMatchObject({ attempts: 1 })
    machine.time += MINUTE
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
  })
})

describe('clearing', () => {
  test('makes a tab that has just asked ask again at once, when it is next looked up', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    await machine.storage.setMany([COPY_KEY, CHECK_KEY].map((key) => [key, undefined]))
    tab.forget()
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('takes also what the storage would not have, and why there was none', async () => {
    const setMany = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
    const tab = machine.openTab({ storage: { ...machine.storage, setMany } })
    await tab.refresh()
    machine.served = new Error('The directory is down.')
    machine.time += MINUTE
    await tab.refresh({ force: true })
    expect(await tab.status()).toMatchObject({ count: 3, kept: false, failure: { attempts: 1 } })
    tab.forget()
    expect(await tab.status()).toMatchObject({ state: 'empty', count: 0, failure: null })
  })
})
