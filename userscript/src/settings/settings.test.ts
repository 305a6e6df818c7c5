import { describe, expect, it } from 'vitest'
import { fromStored, isPausedOn, PAGE_SWITCHES, parseSettings, toStored, withName, withPause } from './settings.ts'

const DEFAULT = parseSettings(undefined)

describe('the stored settings', () => {
  it('the stored settings are read back unchanged', () => {
    const settings = {
      ...DEFAULT,
      profile: 'desk',
      cli: 'harness',
      language: 'zh',
      pagesOff: ['topic'],
      dimOthers: true,
    }
    expect(parseSettings(JSON.stringify(settings))).toEqual(settings)
  })

  it.each([undefined, null, '', 'desk', '[', '7', '[]', 'null', '{}', {}])(
    'the stored settings are the defaults when %j is stored',
    (text) => {
      expect(parseSettings(text)).toEqual({
        profile: 'web',
        cli: 'dsh',
        language: 'auto',
        pagesOff: [],
        pausedOn: [],
        summaryHidden: false,
        dimOthers: false,
        diagnostics: false,
      })
    },
  )

  it.each([
    ['profile', '../up'],
    ['profile', 'a b'],
    ['cli', 'rm -rf'],
    ['cli', '/bin/dsh'],
    ['language', 'fr'],
    ['pagesOff', 'topic'],
    ['pausedOn', [1]],
    ['summaryHidden', 'yes'],
  ])('keep the other fields and use the default for a wrong %s (%j)', (key, value) => {
    const text = JSON.stringify({ ...DEFAULT, dimOthers: true, [key]: value })
    expect(parseSettings(text)).toEqual({ ...DEFAULT, dimOthers: true })
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

  it('is also that every kind of page is switched off, and not only some', () => {
    const [first, ...others] = PAGE_SWITCHES
    const allOff = { ...DEFAULT, pagesOff: [...PAGE_SWITCHES] }
    expect(isPausedOn(allOff, 'github.com')).toBe(true)
    expect(isPausedOn({ ...DEFAULT, pagesOff: others }, 'github.com')).toBe(false)
    expect(isPausedOn({ ...DEFAULT, pagesOff: [first!] }, 'github.com')).toBe(false)
    const resumed = { ...allOff, ...withPause(allOff, 'github.com', false) }
    expect([isPausedOn(resumed, 'github.com'), resumed.pagesOff]).toEqual([false, []])
  })
})

describe('a change', () => {
  it('stores only what it changes, each entry of a list by itself', () => {
    const current = { ...DEFAULT, pagesOff: ['topic', 'text'] }
    expect([...toStored({ language: 'zh' }, current)]).toEqual([['setting language', '"zh"']])
    expect([...toStored({ pagesOff: ['text', 'search'], pausedOn: ['github.com'] }, current)]).toEqual([
      ['off search', 'true'],
      ['off topic', 'false'],
      ['paused github.com', 'true'],
    ])
  })

  it('applies to the settings that an earlier version stored', () => {
    const legacy = { ...DEFAULT, profile: 'desk', pagesOff: ['topic', 'text'] }
    const values = new Map([
      ['setting language', '"zh"'],
      ['off search', 'true'],
      ['off topic', 'false'],
    ])
    expect(fromStored(legacy, values)).toEqual({ ...legacy, language: 'zh', pagesOff: ['search', 'text'] })
    expect(
      fromStored(
        legacy,
        new Map([
          ['setting profile', '"../up"'],
          ['setting cli', '7'],
        ]),
      ),
    ).toEqual({
      ...legacy,
      profile: 'web',
      pagesOff: ['text', 'topic'],
    })
  })
})
