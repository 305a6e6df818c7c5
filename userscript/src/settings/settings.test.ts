import { describe, expect, it } from 'vitest'
import { fromStored, isPausedOn, PLACES, type Settings, toStored, withName, withPause } from './settings.ts'

const DEFAULT = fromStored(new Map())

describe('the stored settings', () => {
  it('the stored settings are read back unchanged', () => {
    const settings: Settings = {
      profile: 'desk',
      cli: 'harness',
      language: 'zh',
      placesOff: ['list'],
      pausedOn: ['github.com'],
      summaryHidden: true,
    }
    expect(fromStored(toStored(settings, DEFAULT))).toEqual(settings)
    expect(fromStored(new Map([...toStored(settings, DEFAULT), ...toStored(DEFAULT, settings)]))).toEqual(DEFAULT)
  })

  it('the stored settings are the defaults when nothing is stored', () => {
    expect(DEFAULT).toEqual({
      profile: 'web',
      cli: 'dsh',
      language: 'auto',
      placesOff: [],
      pausedOn: [],
      summaryHidden: false,
    })
  })

  it.each([
    ['setting profile', '../up'],
    ['setting profile', 'a b'],
    ['setting profile', ''],
    ['setting cli', 'rm -rf'],
    ['setting cli', '/bin/dsh'],
    ['setting language', 'fr'],
    ['setting summaryHidden', 'yes'],
    ['off list', 'yes'],
    ['paused github.com', 'null'],
  ])('the stored settings keep the other fields and use the default for a wrong value of “%s” (%j)', (key, value) => {
    const values = new Map([...toStored({ pausedOn: ['code.example'] }, DEFAULT), [key, value] as const])
    expect(fromStored(values)).toEqual({ ...DEFAULT, pausedOn: ['code.example'] })
  })
})

it('adds a name to a list once, and removes it', () => {
  expect(withName(['a', 'b'], 'a', true)).toEqual(['b', 'a'])
  expect(withName(['a', 'b'], 'a', false)).toEqual(['b'])
})

describe('a pause', () => {
  it('holds on the host where it was made, and on no other', () => {
    const paused = { ...DEFAULT, ...withPause(DEFAULT, 'github.com', true) }
    expect(isPausedOn(DEFAULT, 'github.com')).toBe(false)
    expect(isPausedOn(paused, 'github.com')).toBe(true)
    expect(isPausedOn(paused, 'code.example')).toBe(false)
    expect(isPausedOn(paused, 'www.github.com')).toBe(false)
    expect(isPausedOn({ ...paused, ...withPause(paused, 'github.com', false) }, 'github.com')).toBe(false)
  })

  it('is also that every place is switched off, and not only some', () => {
    const [first, ...others] = PLACES
    const allOff = { ...DEFAULT, placesOff: [...PLACES] }
    expect(isPausedOn(allOff, 'github.com')).toBe(true)
    expect(isPausedOn({ ...DEFAULT, placesOff: others }, 'github.com')).toBe(false)
    expect(isPausedOn({ ...DEFAULT, placesOff: [first!] }, 'github.com')).toBe(false)
    const resumed = { ...allOff, ...withPause(allOff, 'github.com', false) }
    expect([isPausedOn(resumed, 'github.com'), resumed.placesOff]).toEqual([false, []])
  })
})

describe('a change', () => {
  it('stores only what it changes, each entry of a list by itself', () => {
    const current = { ...DEFAULT, placesOff: ['list', 'prose'] }
    expect([...toStored({ language: 'zh' }, current)]).toEqual([['setting language', 'zh']])
    expect([...toStored({ placesOff: ['prose', 'card'], pausedOn: ['github.com'] }, current)]).toEqual([
      ['off card', 'true'],
      ['off list', 'false'],
      ['paused github.com', 'true'],
    ])
  })
})
